import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { aGame, type World } from './make.ts';
import type { ServerProcess } from './server-process.ts';

/** A machine that sends game after game, each until it is answered for, as the real ones do. */
export type BusyMachine = {
  /** Ids of the games that were answered for, in their order. */
  acknowledged: string[];
  /** What else was answered than 200 and 'you are too fast' (P31g); no answer at all is not here. */
  refusals: Set<number>;
  /** Waits for the last game and ends. */
  stop(): Promise<void>;
};

const RETRY_MS = 20;
const TOO_FAST = 429;

/** Starts such a machine; `servers` are asked in turn, after each answer that is not 200 the next. */
export function startBusyMachine(
  t: World,
  servers: Pick<ServerProcess, 'call'>[],
  key: string,
  player: { uuid: string },
): BusyMachine {
  const acknowledged: string[] = [];
  const refusals = new Set<number>();
  let ending = false;
  let turn = 0;
  const run = (async () => {
    while (!ending) {
      const game = aGame(t, player, { score: 1 });
      const options = { as: { key }, body: { games: [game] } };
      for (;;) {
        const server = servers[turn % servers.length];
        const answer = await server?.call('POST', '/api/machine/games/', options).catch(() => null);
        if (answer?.status === 200) break;
        if (answer && answer.status !== TOO_FAST) refusals.add(answer.status);
        turn += 1;
        await sleep(RETRY_MS);
      }
      acknowledged.push(game.id);
    }
  })();
  return {
    acknowledged,
    refusals,
    stop: async () => {
      ending = true;
      await run;
    },
  };
}

/** Everything that was answered for is stored and counted, once; the journals are of one player. */
export async function expectRecordedOnce(
  { db }: World,
  player: { id: number },
  ...journals: BusyMachine[]
): Promise<void> {
  const answered = journals.flatMap(({ acknowledged }) => acknowledged).toSorted();
  const games = await db
    .selectFrom('games')
    .select(['id', 'state'])
    .where('player_id', '=', player.id)
    .execute();
  const stored = games.map(({ id }) => id).toSorted();
  expect(
    answered.filter((id) => !stored.includes(id)),
    'acknowledged and lost',
  ).toEqual([]);
  expect(stored, 'stored twice').toEqual([...new Set(stored)]);
  const stats = await db
    .selectFrom('player_stats')
    .select('games_played')
    .where('player_id', '=', player.id)
    .executeTakeFirst();
  const counted = games.filter(({ state }) => state === 'counted').length;
  expect(stats?.games_played ?? 0, 'counted').toBe(counted);
}
