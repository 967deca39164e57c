import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../db/transaction.ts';
import { hasDevice } from '../push/notices.ts';
import { bestScore } from './bests.ts';
import { planTold } from './notices.ts';

/* What a recorded or corrected game changes in a running duel (DUEL-12). */

/** A running duel of a player, before their new games. */
export type Running = {
  id: number;
  rival_id: number;
  from: string;
  until: string;
  /** Whether the rival has a device, and neither player was told of being overtaken (PUSH-04). */
  tells: boolean;
  own: number | null;
  other: number | null;
};

/**
 * SQL: a player's running duels as JSON, part of the query that reads players before their games.
 */
export const runningOf = (player: RawBuilder<unknown>): RawBuilder<Running[]> => sql`coalesce((
  select json_agg(json_build_object('id', d.id, 'rival_id', r.id, 'from', d.accepted_at,
    'until', d.ends_at, 'own', ${bestScore(player)},
    'other', ${bestScore(sql`r.id`)},
    'tells', not d.overtaken_told and ${hasDevice(sql`r.id`)}))
  from duels d cross join lateral (select d.offerer_id + d.rival_id - ${player} as id) r
  where (d.offerer_id = ${player} or d.rival_id = ${player}) and d.state = 'running'), '[]')`;

type Counted = { player_id: number; score: number; played_at: Date };
type Players = ReadonlyMap<number, { duels: readonly Running[] }>;

const inDuel = ({ from, until }: Running, { played_at }: Counted) =>
  played_at >= new Date(from) && played_at < new Date(until);

const playedIn = (games: readonly Counted[], players: Players) =>
  games.flatMap((game) =>
    (players.get(game.player_id)?.duels ?? [])
      .filter((duel) => inDuel(duel, game))
      .map((duel) => ({ game, duel })),
  );

/** The players of these counted games that are in running duels, and the rivals in those duels. */
export const duelists = (games: readonly Counted[], players: Players): number[] =>
  playedIn(games, players).flatMap(({ game, duel }) => [game.player_id, duel.rival_id]);

/** The player's running duels. */
export async function readRunning(on: Queryable, playerId: number): Promise<Running[]> {
  const { rows } = await sql<{ duels: Running[] }>`
    select ${runningOf(sql`${playerId}::bigint`)} as duels`.execute(on);
  return rows[0]?.duels ?? [];
}

/**
 * Notifies a rival who has a device, once per duel, that these games took the lead. Most games plan
 * no notice.
 * @param dueAt the earliest time to send it; by default now
 */
export async function planOvertaken(
  on: Queryable,
  games: readonly Counted[],
  players: Players,
  now: Date,
  dueAt = now,
): Promise<void> {
  const overtaken = playedIn(games, players).filter(
    ({ game, duel }) =>
      duel.tells &&
      duel.other !== null &&
      game.score > duel.other &&
      (duel.own === null || duel.own <= duel.other),
  );
  const duels = new Map(overtaken.map(({ duel }) => [duel.id, duel]));
  if (duels.size === 0) return;
  const marked = sql`
    update duels set overtaken_told = true where id = any(${[...duels.keys()]}::bigint[])`.execute(
    on,
  );
  const planned = [...duels.values()].map(({ id, rival_id, until }) => {
    const worth_until = new Date(until);
    return planTold(on, { id, what: 'overtaken', to: [rival_id], worth_until }, now, dueAt);
  });
  await Promise.all([marked, ...planned]);
}

/** The players in running duels of these players, to be notified of a correction. */
export async function duelistsOf(on: Queryable, playerIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ offerer_id: number; rival_id: number }>`
    select offerer_id, rival_id from duels
    where (offerer_id = any(${playerIds}::bigint[]) or rival_id = any(${playerIds}::bigint[]))
      and state = 'running'`.execute(on);
  return rows.flatMap(({ offerer_id, rival_id }) => [offerer_id, rival_id]);
}
