import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { aGame, type World } from './make.ts';
import type { ServerProcess } from './server-process.ts';

/** Sends game after game, each until it gets a 200. */
export type BusyMachine = {
  acknowledged: string[];
  /** Statuses other than 200 and 429 (P31g). */
  refusals: Set<number>;
  stop(): Promise<void>;
};

const RETRY_MS = 20;
const TOO_FAST = 429;

/** After each failure, the machine uses the next of `servers`. */
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

/** Expects each acknowledged game to be stored and counted once. All machines play for `player`. */
export async function expectRecordedOnce(
  { db }: World,
  player: { id: number },
  ...machines: BusyMachine[]
): Promise<void> {
  const answered = machines.flatMap(({ acknowledged }) => acknowledged).toSorted();
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
