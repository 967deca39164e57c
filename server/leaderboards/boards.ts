import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { weekOf } from '../leagues/calendar.ts';
import { ALL_TIME, EVERYWHERE } from './places.ts';

/* Only this file writes the best scores: one for each player, venue and period. */

/** The board of all venues has weeks in UTC, a venue's board in its time zone. */
export const EVERYWHERE_ZONE = 'UTC';
const DAY_MS = 24 * 3_600_000;

export type BoardGame = {
  player_id: number;
  venue_id: number | null;
  score: number;
  played_at: Date;
};

/** SQL: the Monday of the week of `instant` in `zone`. */
export const weekAt = (instant: RawBuilder<unknown>, zone: RawBuilder<unknown>) =>
  sql<string>`date_trunc('week', ${instant} at time zone ${zone})::date`;

/**
 * SQL: each player's best score among `games`, for each board. A game is on four boards: those of
 * all venues and of its own venue, for all time and for its week. A week that is over has no board
 * (API-28).
 */
function bestsOf(games: readonly BoardGame[], now: Date): RawBuilder<unknown> {
  const rows = games.map(({ player_id, venue_id, score, played_at }) => ({
    player_id,
    venue_id,
    score,
    played_at,
  }));
  const current = weekAt(sql`${now}::timestamptz`, sql`board.zone`);
  return sql`
    select r.player_id, board.venue_id, weeks.week, max(r.score) as score
    from ${recordset(
      rows,
      'player_id bigint, venue_id integer, score integer, played_at timestamptz',
    )}
    left join venues v on v.id = r.venue_id
    cross join lateral (
      values (${EVERYWHERE}::integer, ${EVERYWHERE_ZONE}), (v.id, v.timezone)
    ) board (venue_id, zone)
    cross join lateral (select ${weekAt(sql`r.played_at`, sql`board.zone`)} as week) played
    cross join lateral (
      values (${ALL_TIME}::date), (case when played.week >= ${current} then played.week end)
    ) weeks (week)
    where board.venue_id is not null and weeks.week is not null
    group by 1, 2, 3`;
}

/**
 * Adds changes to the counts. `changes`: a query for venue_id, week, score and change. Against
 * deadlocks, every transaction locks the players first, then each of these rows once, by ascending
 * key.
 */
const addCounts = (changes: RawBuilder<unknown>) => sql`
  insert into best_counts as c (venue_id, week, score, players)
  select venue_id, week, score, sum(change) from (${changes}) as changes
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (venue_id, week, score) do update set players = c.players + excluded.players`;

/**
 * Adds new games to the boards; games of past weeks only to the boards of all time. Most games beat
 * no best, and lock no row. The caller must hold the players' locks, and commit soon, because
 * transactions with the same scores wait.
 */
export async function raiseBests(
  trx: Queryable,
  games: readonly BoardGame[],
  now: Date,
): Promise<void> {
  if (games.length === 0) return;
  // `offset 0` makes PostgreSQL use the primary key. With old statistics it might read a whole week
  // by the index `bests_in_order`.
  await sql`
    with fresh as materialized (${bestsOf(games, now)}), known as materialized (
      select b.* from (select distinct player_id from fresh) p cross join lateral (
        select * from bests where player_id = p.player_id offset 0) b
    ), raised as materialized (
      select f.*, k.score as was from fresh f left join known k using (player_id, venue_id, week)
      where k.score is null or k.score < f.score
    ), put as (
      insert into bests (venue_id, week, player_id, score)
      select venue_id, week, player_id, score from raised
      on conflict (player_id, venue_id, week) do update set score = excluded.score
    )
    ${addCounts(sql`
      select venue_id, week, score, 1 as change from raised
      union all select venue_id, week, was, -1 from raised where was is not null`)}`.execute(trx);
}

/**
 * Makes these players' `bests` match `games`, all their counted games. Removes deleted accounts'
 * rows; rows of past weeks stay for the nightly clean-up. The caller must hold `lockCorrections`
 * and the players' locks. Returns how many rows changed.
 */
export async function rebuildBests(
  trx: Database,
  playerIds: readonly number[],
  games: readonly BoardGame[],
  now: Date,
): Promise<number> {
  const current = weekAt(sql`${now}::timestamptz`, sql`coalesce(v.timezone, ${EVERYWHERE_ZONE})`);
  const { rows } = await sql<{ changed: number }>`
    with fresh as materialized (
      select f.* from (${bestsOf(games, now)}) f join players p on p.id = f.player_id
    ), old as materialized (
      select b.* from bests b left join venues v on v.id = b.venue_id
      where b.player_id = any(${playerIds}::bigint[])
        and (b.week = ${ALL_TIME} or b.week >= ${current})
    ), gone as (
      delete from bests b using old o
      where b.player_id = o.player_id and b.venue_id = o.venue_id and b.week = o.week
        and not exists (
          select 1 from fresh f
          where f.player_id = o.player_id and f.venue_id = o.venue_id and f.week = o.week)
      returning 1
    ), put as (
      insert into bests as b (venue_id, week, player_id, score)
      select venue_id, week, player_id, score from fresh
      on conflict (player_id, venue_id, week) do update set score = excluded.score
      where b.score <> excluded.score
      returning 1
    ), counted as (
      ${addCounts(sql`
        select venue_id, week, score, 1 as change from fresh
        union all select venue_id, week, score, -1 from old`)}
    )
    select (select count(*) from gone) + (select count(*) from put) as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

/** The earliest week that some zone may still be in. */
const firstRunning = (now: Date) => weekOf(new Date(now.getTime() - DAY_MS), 'UTC');

/**
 * Makes all counts, or those of one venue, match `bests`. Adds differences, because games may be
 * recorded meanwhile. The caller must hold `lockCorrections`. Returns how many were wrong.
 */
export async function rebuildCounts(trx: Database, now: Date, venueId?: number): Promise<number> {
  const within = sql`(week = ${ALL_TIME} or week >= ${firstRunning(now)})
    and ${venueId === undefined ? sql`true` : sql`venue_id = ${venueId}`}`;
  const { numAffectedRows = 0n } = await addCounts(sql`
    select venue_id, week, score, count(*) as change from bests where ${within} group by 1, 2, 3
    union all select venue_id, week, score, -players from best_counts where ${within}`).execute(
    trx,
  );
  return Number(numAffectedRows);
}

/**
 * After a change of a venue's time zone, replaces its boards of the current week. `games` must have
 * all counted games of the venue since the week began. The caller must hold `lockVenueGames` and
 * the players' locks.
 */
export async function replaceVenueWeek(
  trx: Database,
  venueId: number,
  games: readonly BoardGame[],
  now: Date,
): Promise<void> {
  await sql`delete from bests
    where venue_id = ${venueId} and week >= ${firstRunning(now)}`.execute(trx);
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select f.venue_id, f.week, f.player_id, f.score
    from (${bestsOf(games, now)}) f join players p on p.id = f.player_id
    where f.venue_id = ${venueId} and f.week <> ${ALL_TIME}`.execute(trx);
  await rebuildCounts(trx, now, venueId);
}

const BATCH = 10_000;

/**
 * Deletes the boards of weeks that were over two days ago in UTC, and so in every zone. Skips
 * locked rows. Returns the number of deleted rows of `bests`.
 */
export async function cleanUpBoards({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const kept = weekOf(new Date(clock.now().getTime() - 2 * DAY_MS), 'UTC');
  const removeFrom = async (table: 'bests' | 'best_counts') => {
    for (let all = 0; ; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where week > ${ALL_TIME} and week < ${kept}
          limit ${BATCH} for update skip locked)`.execute(db);
      all += Number(numAffectedRows);
      if (Number(numAffectedRows) < BATCH) return all;
    }
  };
  const removed = await removeFrom('bests');
  await removeFrom('best_counts');
  return removed;
}
