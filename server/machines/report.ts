import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { AGE_MAX_MS, AHEAD_MAX_MS } from '#contract/rules/machines.ts';
import {
  type GameResult,
  type MachineGame,
  machineGame,
  type RejectReason,
  SCORE_WORDS,
} from '#contract/wire/machines.ts';
import { batched } from '../db/batch.ts';
import { lockPatiently } from '../db/locks.ts';
import { pipelined, type Queryable, transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { keyOf } from '../games/history.ts';
import { type NewGame, recordGames, type StoredResult } from '../games/record.ts';
import { isDeeper, JSON_DEPTH_LIMIT } from '../http/requests.ts';
import { lockByCodes } from '../players/players.ts';
import { type Machine, outOfService } from './machines.ts';

/** A parsed game, not yet compared with stored ones. */
type Entry = {
  /** The id as sent; null if it is not a string. */
  sent_id: string | null;
  /** The id in lower case; null if it is not a UUID. */
  id: string | null;
  game: (Omit<NewGame, 'player_id' | 'machine_id' | 'venue_id'> & { player: string }) | null;
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

/**
 * A hash of a game's content (MACH-04), independent of letter case and of the time's offset. Null
 * equals a missing field.
 */
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

/** Parses an item and makes all checks that need no database. */
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

  if (isDeeper(item, JSON_DEPTH_LIMIT))
    return refuse('malformed', 'The game is nested too deeply.');
  const parsed = machineGame.safeParse(item);
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
    if (fields.size === 1 && fields.has('score') && hasScore.safeParse(item).success)
      return refuse('bad_score', SCORE_WORDS);
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
    // PostgreSQL refuses a double too small for float4.
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

async function readKnown(on: Queryable, asked: { machine_id: number; id: string }[]) {
  const { rows } = await sql<{ machine_id: number; id: string; digest: Buffer }>`
    select g.machine_id, g.id, g.digest
    from unnest(
      ${asked.map(({ machine_id }) => machine_id)}::integer[], ${asked.map(({ id }) => id)}::uuid[]
    ) as r (machine_id, id)
    join games g on g.machine_id = r.machine_id and g.id = r.id`.execute(on);
  return new Map(rows.map((row) => [keyOf(row), row.digest]));
}

/** The venues of locked machines, and whether each machine is revoked. */
async function readMachines(on: Queryable, ids: number[]) {
  type Row = { id: number; venue_id: number | null; revoked: boolean };
  const { rows } = await sql<Row>`
    select id, venue_id, revoked_at is not null as revoked from machines
    where id = any(${ids}::integer[])`.execute(on);
  return new Map(rows.map((row) => [row.id, row]));
}

export type Report = { machine: Machine; items: readonly unknown[] };

type RecordDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * Records a machine's report. Returns, after the commit, each item's result, in order (MACH-03,
 * MACH-05). A repeat is recognised before any other check (MACH-04).
 * @throws Refusal 403 when the machine was revoked while the body was sent (P31a), or the
 * database's error; then nothing is recorded.
 */
export async function recordReport(
  deps: RecordDeps,
  machine: Machine,
  items: readonly unknown[],
): Promise<GameResult[]> {
  const [results = []] = await recordReports(deps, [{ machine, items }]);
  return results;
}

const BATCH_GAMES_MAX = 500;
const CONCURRENCY = 2;
/** If a batch waits longer for a lock, its reports are retried one by one. */
const BATCH_LOCK_TIMEOUT_MS = 250;

/**
 * `recordReport` in batches. Concurrent reports of different machines share statements and a
 * commit: 6.4 times as many games a second (“Games share statements and a commit” in
 * bench/results.md).
 */
export function reportRecorder(deps: RecordDeps): (report: Report) => Promise<GameResult[]> {
  return batched((reports: Report[]) => recordReports(deps, reports), {
    max: BATCH_GAMES_MAX,
    concurrency: CONCURRENCY,
    keyOf: ({ machine }) => machine.id,
    weigh: ({ items }) => items.length,
  });
}

async function recordReports(
  { db, clock, config }: RecordDeps,
  reports: readonly Report[],
): Promise<GameResult[][]> {
  const now = clock.now();
  const read = reports.map(({ machine, items }) => ({
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

  // Include the players of repeats, because finding the repeats first would take another round
  // trip.
  const codes = new Set(
    read.flatMap(({ entries }) =>
      entries.flatMap(({ id, game, refusal }) =>
        id === null || refusal !== null ? [] : (game?.player ?? []),
      ),
    ),
  );

  const ids = reports.map(({ machine }) => machine.id);
  return transact(db, async (trx) => {
    const [, machines, known, players] = await pipelined(trx, [
      // Lock before the reads, so that no other report of these machines comes in between.
      (on) =>
        lockPatiently(on, 'machine', ids, reports.length > 1 ? BATCH_LOCK_TIMEOUT_MS : undefined),
      (on) => readMachines(on, ids),
      (on) => readKnown(on, [...asked.values()]),
      (on) => lockByCodes(on, [...codes]),
    ]);
    // `batched` then retries each report alone, so only the revoked machine's report is refused.
    if ([...machines.values()].some(({ revoked }) => revoked)) throw outOfService();
    const judged = read.map(({ machine, entries }) =>
      entries.map((entry) =>
        judge(
          entry,
          { machine_id: machine.id, venue_id: machines.get(machine.id)?.venue_id ?? null },
          known,
          players,
        ),
      ),
    );
    const results = await recordGames(
      trx,
      judged.flatMap((all) => all.flatMap((one) => (typeof one === 'string' ? [] : one))),
      { receivedAt: now, maxScore: config.max_score },
    );
    return read.map(({ entries }, report) =>
      entries.map((entry, at) => settle(entry, judged[report]?.[at] ?? 'refused', results)),
    );
  });
}

type Judgement = NewGame | 'duplicate' | 'conflict' | 'refused' | 'unknown_player';

/** Returns the game to record, and adds it to `known`; or returns why it is not recorded. */
function judge(
  { id, game, refusal }: Entry,
  at: Pick<NewGame, 'machine_id' | 'venue_id'>,
  known: Map<string, Buffer>,
  players: ReadonlyMap<string, number>,
): Judgement {
  const { machine_id } = at;
  const digest = id === null ? undefined : known.get(keyOf({ machine_id, id }));
  if (digest !== undefined) return game?.digest.equals(digest) ? 'duplicate' : 'conflict';
  if (refusal !== null || game === null) return 'refused';
  const player_id = players.get(game.player);
  if (player_id === undefined) return 'unknown_player';
  // A later entry with this id is a repeat.
  known.set(keyOf({ machine_id, id: game.id }), game.digest);
  return { ...game, ...at, player_id };
}

function settle(
  entry: Entry,
  judgement: Judgement,
  results: ReadonlyMap<NewGame, StoredResult>,
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
      const result = results.get(judgement);
      if (result === undefined) throw new Error('a recorded game has no result');
      return { ...result, id };
    }
  }
}

function answer({ sent_id, refusal }: Entry, reason?: RejectReason, detail?: string): GameResult {
  return {
    id: sent_id,
    status: 'rejected',
    reason: reason ?? refusal?.reason ?? 'malformed',
    detail: detail ?? refusal?.detail ?? 'A game must be an object.',
  };
}
