import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  AGE_MAX_MS,
  AHEAD_MAX_MS,
  type GameResult,
  type MachineGame,
  machineGame,
  type RejectReason,
  SCORE_LIMIT,
} from '#contract/machines.ts';
import { gather } from '../db/batch.ts';
import { lockPatiently } from '../db/locks.ts';
import { pipelined, type Queryable, transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { keyOf, type Outcome, type PlayedGame, recordGames } from '../games/games.ts';
import { lockByCodes } from '../players/players.ts';
import type { Machine } from './machines.ts';

/** One entry of a batch, read but not yet compared with what is stored. */
type Entry = {
  /** As it was sent, for the answer; null when it was no string. */
  sent_id: string | null;
  /** In lower case, when it is a UUID. */
  id: string | null;
  game: (Omit<PlayedGame, 'player_id' | 'machine_id' | 'venue_id'> & { player: string }) | null;
  refusal: { reason: RejectReason; detail: string } | null;
};

const uuid = z.guid();
const hasId = z.object({ id: z.string() });
const hasScore = z.object({ score: z.unknown().refine((score) => score !== undefined) });

const PROBLEMS: Partial<Record<PropertyKey, string>> = {
  id: 'id must be a UUID that the machine makes when the game starts.',
  player: 'player must be the UUID in the QR code.',
  played_at: 'played_at must be a time such as 2026-01-31T18:30:00Z, with Z or an offset.',
};

/** What was sent, in one spelling: capitals, offsets and nulls make no other game (contract 3). */
function digestOf(game: MachineGame, playedAt: Date): Buffer {
  const content = [
    game.player.toLowerCase(),
    game.score,
    playedAt.getTime(),
    game.duration_s ?? null,
    game.shots_made ?? null,
    game.shots_attempted ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

/** Reads one entry as far as it can be judged by itself; `now` is the server's time. */
function readEntry(item: unknown, now: Date): Entry {
  const sent_id = hasId.safeParse(item).data?.id ?? null;
  const entry = {
    sent_id,
    id: uuid.safeParse(sent_id).data?.toLowerCase() ?? null,
    game: null,
  };
  const refuse = (reason: RejectReason, detail: string) => ({
    ...entry,
    refusal: { reason, detail },
  });

  const parsed = machineGame.safeParse(item);
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
    // A score that was sent and is wrong, in a game that is otherwise right.
    if (fields.size === 1 && fields.has('score') && hasScore.safeParse(item).success)
      return refuse('bad_score', `score must be a whole number from 0 to ${SCORE_LIMIT}.`);
    const field = parsed.error.issues[0]?.path[0];
    if (field === undefined) return refuse('malformed', 'A game must be an object.');
    return refuse('malformed', PROBLEMS[field] ?? `${String(field)} is missing or not usable.`);
  }
  const { id, player, score, played_at, duration_s, shots_made, shots_attempted } = parsed.data;
  const time = new Date(played_at);
  const game = {
    id: id.toLowerCase(),
    player: player.toLowerCase(),
    score,
    played_at: time,
    // As the column can hold it: its smallest number is larger than ours.
    duration_s: duration_s == null ? null : Math.fround(duration_s),
    shots_made: shots_made ?? null,
    shots_attempted: shots_attempted ?? null,
    digest: digestOf(parsed.data, time),
  };
  if (time.getTime() > now.getTime() + AHEAD_MAX_MS)
    return {
      ...refuse(
        'bad_time',
        'played_at is more than 5 minutes ahead: set the clock by server_time.',
      ),
      game,
    };
  if (time.getTime() < now.getTime() - AGE_MAX_MS)
    return { ...refuse('bad_time', 'played_at is more than 30 days ago.'), game };
  return { ...entry, game, refusal: null };
}

/** What is stored under these ids of machines, by `keyOf`. */
async function readKnown(on: Queryable, asked: { machine_id: number; id: string }[]) {
  const { rows } = await sql<{ machine_id: number; id: string; digest: Buffer }>`
    select g.machine_id, g.id, g.digest
    from unnest(
      ${asked.map(({ machine_id }) => machine_id)}::integer[], ${asked.map(({ id }) => id)}::uuid[]
    ) as r (machine_id, id)
    join games g on g.machine_id = r.machine_id and g.id = r.id`.execute(on);
  return new Map(rows.map((row) => [keyOf(row), row.digest]));
}

/** What one call of a machine brings. */
export type Batch = { machine: Machine; items: readonly unknown[] };

type RecordDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * Records a machine's batch and answers for each entry, in their order (contract 3). A repeat is
 * recognised before anything else is judged: also when the player has gone, when their code was
 * replaced, when the game is too old by now. One bad entry never blocks the others. Returns once
 * everything is committed; throws, having recorded nothing, what the database throws.
 */
export async function recordBatch(
  deps: RecordDeps,
  machine: Machine,
  items: readonly unknown[],
): Promise<GameResult[]> {
  const [results = []] = await recordBatches(deps, [{ machine, items }]);
  return results;
}

/** How many games share a transaction at most, and how many such transactions at once. */
const TOGETHER_MOST = 500;
const TOGETHER_AT_ONCE = 2;
/** How long batches that came together wait for a lock before each goes by itself (`gather`). */
const TOGETHER_WAIT_MS = 250;

/**
 * `recordBatch` for calls that come at the same time: those of different machines share the
 * statements and the commit, and each is answered after it: six times as many calls of one game
 * a second.
 */
export function recorder(deps: RecordDeps): (batch: Batch) => Promise<GameResult[]> {
  return gather((batches: Batch[]) => recordBatches(deps, batches), {
    most: TOGETHER_MOST,
    atOnce: TOGETHER_AT_ONCE,
    keyOf: ({ machine }) => machine.id,
    weigh: ({ items }) => items.length,
  });
}

/** Records batches of different machines in one transaction, as if they had come as one batch. */
async function recordBatches(
  { db, clock, config }: RecordDeps,
  batches: readonly Batch[],
): Promise<GameResult[][]> {
  const now = clock.now();
  const read = batches.map(({ machine, items }) => ({
    machine,
    entries: items.map((item) => readEntry(item, now)),
  }));
  const asked = new Map(
    read.flatMap(({ machine, entries }) =>
      entries.flatMap(({ id }) =>
        id === null
          ? []
          : [[keyOf({ machine_id: machine.id, id }), { machine_id: machine.id, id }]],
      ),
    ),
  );
  if (asked.size === 0) return read.map(({ entries }) => entries.map((entry) => answer(entry)));

  // Also of games that may be stored already, which only the database knows: to ask it first would
  // make every new game wait for one answer more.
  const codes = new Set(
    read.flatMap(({ entries }) =>
      entries.flatMap(({ id, game, refusal }) =>
        id === null || refusal !== null ? [] : (game?.player ?? []),
      ),
    ),
  );

  return transact(db, async (trx) => {
    const [, known, players] = await pipelined(trx, [
      // First, and one batch of a machine at a time: what is stored under its ids stays as it is read.
      (on) =>
        lockPatiently(
          on,
          'machine',
          batches.map(({ machine }) => machine.id),
          batches.length > 1 ? TOGETHER_WAIT_MS : undefined,
        ),
      (on) => readKnown(on, [...asked.values()]),
      (on) => lockByCodes(on, [...codes]),
    ]);
    const judged = read.map(({ machine, entries }) =>
      entries.map((entry) => judge(entry, machine, known, players)),
    );
    const outcomes = await recordGames(
      trx,
      judged.flatMap((all) => all.flatMap((one) => (typeof one === 'string' ? [] : one))),
      { receivedAt: now, maxScore: config.max_score },
    );
    return read.map(({ entries }, batch) =>
      entries.map((entry, at) => settle(entry, judged[batch]?.[at] ?? 'refused', outcomes)),
    );
  });
}

type Judgement = PlayedGame | 'duplicate' | 'conflict' | 'refused' | 'unknown_player';

/** A new game, or why it is none; a new one is `known` from then on. */
function judge(
  { id, game, refusal }: Entry,
  machine: Machine,
  known: Map<string, Buffer>,
  players: ReadonlyMap<string, number>,
): Judgement {
  const digest = id === null ? undefined : known.get(keyOf({ machine_id: machine.id, id }));
  if (digest !== undefined) return game?.digest.equals(digest) ? 'duplicate' : 'conflict';
  if (refusal !== null || game === null) return 'refused';
  const player_id = players.get(game.player);
  if (player_id === undefined) return 'unknown_player';
  // The next entry under this id is a repeat of this one.
  known.set(keyOf({ machine_id: machine.id, id: game.id }), game.digest);
  return { ...game, player_id, machine_id: machine.id, venue_id: machine.venue_id };
}

function settle(
  entry: Entry,
  judgement: Judgement,
  outcomes: ReadonlyMap<PlayedGame, Outcome>,
): GameResult {
  const id = entry.sent_id ?? '';
  switch (judgement) {
    case 'duplicate':
      return { id, status: 'duplicate' };
    case 'conflict':
      return answer(entry, 'conflict', 'Another game is stored under this id.');
    case 'unknown_player':
      return answer(entry, 'unknown_player', 'No player has this code.');
    case 'refused':
      return answer(entry);
    default: {
      const outcome = outcomes.get(judgement);
      if (outcome === undefined) throw new Error('a recorded game has no outcome');
      return { ...outcome, id };
    }
  }
}

/** The answer to an entry that is not stored. */
function answer({ sent_id, refusal }: Entry, reason?: RejectReason, detail?: string): GameResult {
  return {
    id: sent_id,
    status: 'rejected',
    reason: reason ?? refusal?.reason ?? 'malformed',
    detail: detail ?? refusal?.detail ?? 'A game must be an object.',
  };
}
