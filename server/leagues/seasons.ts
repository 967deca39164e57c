import { type RawBuilder, sql } from 'kysely';
import type { SeasonInView, SeasonState } from '#contract/wire/leagues.ts';
import type { SeasonEnds, TieBreak } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import type { Noun } from '../db/reference.ts';
import type { Queryable } from '../db/transaction.ts';
import { badField } from '../errors.ts';
import { addDays, startOf, weekOf } from './calendar.ts';

/** The seasons of leagues: their rows, their states, and which weeks belong to them. */

export type Season = {
  id: number;
  uuid: string;
  league_id: number;
  number: number;
  name: string;
  starts_on: string;
  ends: SeasonEnds;
  last_week: string | null;
  tie_break: TieBreak;
  grace_hours: number;
  rosters_lock_week: string | null;
  leave_players: boolean;
  moved_weeks: number;
  final_at: Date | null;
  touched_at: Date | null;
};

const HOUR_MS = 3_600_000;

const SEASON = sql`s.id, s.uuid, s.league_id, s.number, s.name, s.starts_on, s.ends, s.last_week,
  s.tie_break, s.grace_hours, s.rosters_lock_week, s.leave_players, s.moved_weeks, s.final_at, s.touched_at`;

/** A league's seasons, by number. */
export async function readSeasons(db: Database, leagueId: number): Promise<Season[]> {
  const { rows } = await sql<Season>`
    select ${SEASON} from seasons s where s.league_id = ${leagueId} order by s.number`.execute(db);
  return rows;
}

/** A season's state in the running week of its league (SEASON-02). */
export function stateIn(
  week: string,
  { final_at, starts_on, last_week }: Pick<Season, 'final_at' | 'starts_on' | 'last_week'>,
): SeasonState {
  if (final_at !== null) return 'final';
  if (week < starts_on) return 'planned';
  return last_week === null || week <= last_week ? 'running' : 'grace';
}

/** A season's state at `now` (SEASON-02). */
export const stateOf = (
  season: Pick<Season, 'final_at' | 'starts_on' | 'last_week'>,
  now: Date,
  zone: string,
): SeasonState => stateIn(weekOf(now, zone), season);

/**
 * @throws Refusal 400 for a season that would begin in the running week, unless `at_once`
 * (SEASON-52).
 */
export function requireAtOnce(starts_on: string, current: string, at_once: boolean): void {
  if (starts_on === current && !at_once)
    throw badField(
      'starts',
      'This week has begun: the season would run at once, and could not be moved or dropped. Choose a week to come, or say that it begins at once.',
    );
}

/** When the last week ends; null without an end. */
export function endOf({ last_week }: Pick<Season, 'last_week'>, zone: string): Date | null {
  return last_week === null ? null : startOf(addDays(last_week, 7), zone);
}

/** When grace ends (SEASON-20); null without an end. */
export function settlesAt(
  season: Pick<Season, 'last_week' | 'grace_hours'>,
  zone: string,
): Date | null {
  const end = endOf(season, zone);
  return end === null ? null : new Date(end.getTime() + season.grace_hours * HOUR_MS);
}

/** The season that a league shows in a week: the latest that has begun, otherwise the first. */
export function seasonInWeek<S extends Pick<Season, 'starts_on'>>(
  seasons: readonly S[],
  week: string,
): S {
  const shown = seasons.findLast(({ starts_on }) => starts_on <= week) ?? seasons[0];
  if (shown === undefined) throw new Error('a league has no season');
  return shown;
}

/** The running and the planned season, in this order: only their weeks can change. */
export const openSeasons = (seasons: readonly Season[], current: string): Season[] =>
  seasons.filter((one) => ['running', 'planned'].includes(stateIn(current, one)));

/** The season that begins after `season`, if one is planned. */
export const seasonAfter = <S extends Pick<Season, 'number'>>(
  seasons: readonly S[],
  { number }: S,
) => seasons.find((one) => one.number === number + 1);

/**
 * The id, name and first day of the season after the one that began on `starts_on`; null if none is
 * planned.
 */
export function nextAfter(
  seasons: readonly Pick<Season, 'id' | 'name' | 'starts_on'>[],
  starts_on: string,
): { id: string; name: string; starts_on: string } | null {
  const next = seasons.find((one) => one.starts_on > starts_on);
  return next === undefined
    ? null
    : { id: String(next.id), name: next.name, starts_on: next.starts_on };
}

/** A season for an answer about its league. */
export function inView(
  season: Season,
  seasons: readonly Season[],
  now: Date,
  zone: string,
): SeasonInView {
  return {
    id: String(season.id),
    number: season.number,
    name: season.name,
    state: stateOf(season, now, zone),
    starts_on: season.starts_on,
    ends_on: season.last_week === null ? null : addDays(season.last_week, 6),
    settles_at: settlesAt(season, zone)?.toISOString() ?? null,
    tie_break: season.tie_break,
    next: nextAfter(seasons, season.starts_on),
  };
}

/** SQL: a season's last week, or infinity. */
export const LAST_WEEK = sql`coalesce(s.last_week, 'infinity')`;

/** SQL: how many teams are in season `s`, without those that came after its last week. */
export const ENTERED = sql<number>`(
  select count(*)::integer from season_entries
  where season_id = s.id and from_week <= ${LAST_WEEK})`;

/**
 * SQL: a lateral table of at most one row, the season of league `league` that contains `week`:
 * season_id, starts_on, last_week, paused (the reason, or null), and number, the week's number
 * without postponed weeks (SEASON-06).
 */
export const seasonOfWeek = (league: RawBuilder<unknown>, week: RawBuilder<unknown>) => sql`(
  select s.id as season_id, s.starts_on, s.last_week, s.final_at, s.name,
    (select reason from season_pauses p where p.season_id = s.id and p.week = ${week}) as paused,
    ${numberOfWeek(sql`s`, week)} as number
  from seasons s
  where s.league_id = ${league} and s.starts_on <= ${week} and ${LAST_WEEK} >= ${week}
  order by s.starts_on desc limit 1)`;

/** SQL: the number of `week` in `season`, an alias of seasons (SEASON-06). */
export const numberOfWeek = (
  season: RawBuilder<unknown>,
  week: RawBuilder<unknown>,
) => sql<number>`(
  (${week} - ${season}.starts_on) / 7 + 1 - (
    select count(*) from season_pauses p where p.season_id = ${season}.id and p.week < ${week}
      and p.week >= ${season}.starts_on))::integer`;

/** The number of a week in its season; null if it is postponed or in no season. */
export async function readWeekNumber(
  db: Database,
  leagueId: number,
  week: string,
): Promise<number | null> {
  const { rows } = await sql<{ number: number; paused: string | null }>`
    select number, paused from ${seasonOfWeek(sql`${leagueId}`, sql`${week}::date`)} s`.execute(db);
  return rows[0] === undefined || rows[0].paused !== null ? null : rows[0].number;
}

/** SQL: whether entry `e` of season `s` covers `week`, postponed or not (SEASON-04). */
export const covers = (week: RawBuilder<unknown>) => sql<boolean>`(
  ${week} >= greatest(e.from_week, s.starts_on)
  and ${week} <= coalesce(least(e.to_week, s.last_week), 'infinity'))`;

/** SQL: whether an entry of `team` covers `week`, in any season. */
export const inSeason = (
  team: RawBuilder<unknown>,
  week: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from season_entries e join seasons s on s.id = e.season_id
  where e.team_id = ${team} and ${covers(week)})`;

/** SQL: whether `week` is postponed in a season of `team` (SEASON-32). */
export const inPausedWeek = (
  team: RawBuilder<unknown>,
  week: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from season_entries e join season_pauses p on p.season_id = e.season_id
  where e.team_id = ${team} and p.week = ${week})`;

/** Maps Mondays to numbers from 1 (SEASON-06). A postponed week has the number of the next week. */
export function numberer(
  { starts_on }: Pick<Season, 'starts_on'>,
  paused: ReadonlySet<string>,
): (week: string) => number {
  const pauses = [...paused].filter((one) => one >= starts_on);
  return (week) => {
    const weeks = (Date.parse(week) - Date.parse(starts_on)) / (7 * 24 * HOUR_MS);
    return weeks + 1 - pauses.filter((one) => one < week).length;
  };
}

export type FoundSeason = Season & { league: string; timezone: string; league_starts_on: string };

/** Seasons as staff name them: by id, or as 'LEAGUE/NAME'. */
export const SEASONS: Noun<FoundSeason> = {
  one: 'season',
  columns: sql`${SEASON}, s.league, s.timezone, s.league_starts_on`,
  from: sql`(
    select s.*, l.name as league, l.timezone, l.starts_on as league_starts_on,
      l.name || '/' || s.name as full_name
    from seasons s join leagues l on l.id = s.league_id) s`,
  name: 's.full_name',
  id: 's.id',
  several: (seasons) =>
    `Several seasons are called “${seasons[0]?.league}/${seasons[0]?.name}”. Name it by its id: ${seasons
      .map(({ id }) => id)
      .join(', ')}.`,
};

/** Locks a league's seasons until the transaction ends, and reads them. */
export async function lockSeasons(trx: Database, leagueId: number): Promise<Season[]> {
  await sql`select id from leagues where id = ${leagueId} for update`.execute(trx);
  return readSeasons(trx, leagueId);
}

/**
 * Locks seasons until the transaction ends. Their ends, corrections, sums of weeks and changes of
 * games then happen one by one.
 */
export async function lockSeasonRows(trx: Queryable, ids: readonly number[]): Promise<void> {
  await sql`select from seasons where id = any(${ids}::integer[]) order by id for no key update`.execute(
    trx,
  );
}

/**
 * Sets the end of a season that ends with its schedule. A season that ends in the running week
 * `current` or later still does so afterwards (SEASON-03).
 */
export async function followSchedule(
  trx: Database,
  seasonId: number,
  current: string,
): Promise<void> {
  await sql`
    update seasons s set last_week = (
      select greatest(max(week), case when s.last_week >= ${current}::date then ${current}::date end)
      from matchup_sides m
      where m.season_id = s.id having count(*) > 0)
    where s.id = ${seasonId} and s.ends = 'schedule'`.execute(trx);
}
