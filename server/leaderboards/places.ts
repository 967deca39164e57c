import { sql } from 'kysely';
import { PLACES_KEPT } from '#contract/rules/leaderboards.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';

/* Each day's places, which show how far a player has moved on a board since (HAND-96). */

const DAYS_KEPT = 2;
/** Stored in place of a week, for boards of all time. */
export const ALL_TIME = '-infinity';
/** Stored in place of a venue's id, for the boards of all venues. */
export const EVERYWHERE = 0;

export const ALL_BOARD = 'all';
export const venueBoard = (id: number) => `venue:${id}`;
export const leagueBoard = (id: number) => `league:${id}`;

const utcDay = (now: Date) => now.toISOString().slice(0, 10);

/**
 * Stores the first 100 places of every board once a day, and deletes those from before yesterday. A
 * board of the week is stored from Tuesday on, because on Monday few players are on it yet. Returns
 * how many places are new.
 */
export async function keepPlaces({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const day = utcDay(now);
  const limit = sql.lit(PLACES_KEPT);
  await sql`delete from board_places where day <= ${day}::date - ${DAYS_KEPT}::integer`.execute(db);
  const here = sql`(${now}::timestamptz at time zone timezone)::date`;
  const { numAffectedRows = 0n } = await sql`
    with zones as (
      select 'all' as board, ${EVERYWHERE}::integer as venue_id, null::integer as league_id, 'UTC' as timezone
      union all select 'venue:' || id, id, null, timezone from venues
      union all select 'league:' || id, null, id, timezone from leagues
    ), boards as (
      select board, venue_id, league_id, timezone, ${ALL_TIME}::date as week from zones
      union all
      select board, venue_id, league_id, timezone, date_trunc('week', ${here})::date from zones
      where date_trunc('week', ${here})::date < ${here}
    ), scores as (
      select b.board, b.week, top.player_id, top.score
      from boards b cross join lateral (
        select player_id, score from bests
        where venue_id = b.venue_id and week = b.week
        order by score desc, player_id desc limit ${limit}
      ) top
      where b.venue_id is not null
      union all
      select b.board, b.week, top.player_id, top.score
      from boards b cross join lateral (
        select p.id as player_id, best.score
        from teams t join players p on p.team_id = t.id cross join lateral (
          select score from bests
          where b.week = ${ALL_TIME} and player_id = p.id and venue_id = ${EVERYWHERE} and week = ${ALL_TIME}
          union all
          select max(score) from games
          where b.week <> ${ALL_TIME} and player_id = p.id and state = 'counted'
            and played_at >= b.week::timestamp at time zone b.timezone
        ) best
        where t.league_id = b.league_id and best.score is not null
        order by best.score desc, p.id desc limit ${limit}
      ) top
      where b.league_id is not null
    )
    insert into board_places (board, week, day, player_id, place)
    select board, week, ${day}, player_id,
      rank() over (partition by board, week order by score desc)
    from scores on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** A board's last stored places by player; null if none were stored today or yesterday. */
export async function readPlaces(
  db: Database,
  now: Date,
  board: string,
  week: string,
  playerIds: readonly number[],
): Promise<Map<number, number> | null> {
  const { rows } = await sql<{ player_id: number | null; place: number | null }>`
    select p.player_id, p.place
    from (
      select max(day) as day from board_places
      where board = ${board} and week = ${week} and day > ${utcDay(now)}::date - ${DAYS_KEPT}::integer
    ) last left join board_places p
      on p.board = ${board} and p.week = ${week} and p.day = last.day
        and p.player_id = any(${playerIds}::bigint[])
    where last.day is not null`.execute(db);
  if (rows.length === 0) return null;
  return new Map(
    rows.flatMap(({ player_id, place }) =>
      player_id === null || place === null ? [] : [[player_id, place] as const],
    ),
  );
}
