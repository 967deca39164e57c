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
import type { Deps } from '../app.ts';
import type { Database } from '../db/database.ts';
import { lockPatiently } from '../db/locks.ts';
import { type PlayedGame, recordGames } from '../games/games.ts';
import type { Machine } from './machines.ts';

/** One entry of a batch, read but not yet compared with what is stored. */
type Entry = {
  /** As it was sent, for the answer; null when it was no string. */
  sent_id: string | null;
  /** In lower case, when it is a UUID. */
  id: string | null;
  game: (Omit<PlayedGame, 'player_id'> & { player: string }) | null;
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
    duration_s: duration_s ?? null,
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

/** What this machine has stored under these ids. */
async function readKnown(trx: Database, machineId: number, ids: string[]) {
  const { rows } = await sql<{ id: string; digest: Buffer }>`
    select id, digest from games
    where machine_id = ${machineId} and id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

/** The players that machines may play for, by the code on their phone. */
async function readPlayers(trx: Database, uuids: string[]) {
  const { rows } = await sql<{ id: number; uuid: string }>`
    select id, uuid from players
    where uuid = any(${uuids}::uuid[]) and username is not null and date_of_birth is not null
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

/**
 * Records a machine's batch and answers for each entry, in their order (contract 3). A repeat is
 * recognised before anything else is judged: also when the player has gone, when their code was
 * replaced, when the game is too old by now. One bad entry never blocks the others. Returns once
 * everything is committed; throws, having recorded nothing, what the database throws.
 */
export async function recordBatch(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  machine: Machine,
  items: readonly unknown[],
): Promise<GameResult[]> {
  const now = clock.now();
  const entries = items.map((item) => readEntry(item, now));
  const ids = [...new Set(entries.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0) return entries.map((entry) => answer(entry));

  return db.transaction().execute(async (trx) => {
    // One batch of a machine at a time: what is stored under its ids cannot change meanwhile.
    await lockPatiently(trx, 'machine', machine.id);
    const known = await readKnown(trx, machine.id, ids);
    const unknown = entries.filter(({ id }) => id !== null && !known.has(id));
    const players = await readPlayers(trx, [
      ...new Set(unknown.flatMap(({ game, refusal }) => (refusal ? [] : (game?.player ?? [])))),
    ]);
    const games: PlayedGame[] = [];
    const judged = entries.map((entry) => {
      const { id, game, refusal } = entry;
      const digest = id === null ? undefined : known.get(id);
      if (digest !== undefined) return game?.digest.equals(digest) ? 'duplicate' : 'conflict';
      if (refusal !== null || game === null) return 'refused';
      const player_id = players.get(game.player);
      if (player_id === undefined) return 'unknown_player';
      // The next entry under this id is a repeat of this one.
      known.set(game.id, game.digest);
      games.push({ ...game, player_id });
      return 'new';
    });
    const outcomes = await recordGames(trx, machine, games, {
      receivedAt: now,
      maxScore: config.max_score,
    });
    return entries.map((entry, at): GameResult => {
      const { sent_id, id } = entry;
      const outcome = outcomes.get(id ?? '');
      switch (judged[at]) {
        case 'new':
          if (outcome === undefined) throw new Error('a recorded game has no outcome');
          return { ...outcome, id: sent_id ?? '' };
        case 'duplicate':
          return { id: sent_id ?? '', status: 'duplicate' };
        case 'conflict':
          return answer(entry, 'conflict', 'Another game is stored under this id.');
        case 'unknown_player':
          return answer(entry, 'unknown_player', 'No player has this code.');
        default:
          return answer(entry);
      }
    });
  });
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
