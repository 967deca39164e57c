import { sql } from 'kysely';
import { LEFT_OUT, PAUSES_MAX } from '#contract/rules/leagues.ts';
import type { ScheduleWeek } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import type { League } from './leagues.ts';
import { beginLater } from './season-moves.ts';
import { readFacts, type SeasonFacts, type Side, scheduleOf } from './season-view.ts';
import {
  followSchedule,
  lockSeasons,
  openSeasons,
  readSeasons,
  type Season,
  seasonAfter,
  seasonInWeek,
} from './seasons.ts';

/**
 * `from`: a day (`YYYY-MM-DD`) of the first week. `left_out`: Mondays without matchups, and when
 * staff chose them.
 */
type Wanted = {
  weeks: number;
  from?: string | undefined;
  left_out?: { mondays: readonly string[]; at: Date } | undefined;
};

/**
 * Continues a season's round robin for `weeks` weeks, from the week of the day `from`, by default
 * the first week without matchups (OPS-07). Leaves out teams that have withdrawn. Returns `season`
 * as it is stored, and in `facts` the season with its new start (HAND-C10).
 * @throws Refusal 400 when no season takes weeks, it has fewer than two teams, or the weeks begin before it or end
 * after the year 9999, or a week that is left out is before them; 409 when one of the weeks has
 * matchups or belongs to the next season.
 */
async function plan(
  db: Database,
  league: League,
  seasons: readonly Season[],
  { weeks, from, left_out }: Wanted,
  current: string,
): Promise<{ season: Season; mondays: string[]; sides: Side[]; facts: SeasonFacts }> {
  const season = openSeason(seasons, current, from);
  const next = seasonAfter(seasons, season);
  // The new weeks move an end that follows the schedule: a team that enters after it is in them.
  const facts = { ...(await readFacts(db, { ...season, last_week: null })), season };
  if ([...facts.teams.values()].filter(({ to_week }) => to_week === null).length < 2)
    throw badRequest(`“${league.name}” needs at least two teams before they can meet.`);
  const filled = new Set(facts.sides.map(({ week }) => week));
  const skipped = new Set([...(left_out?.mondays ?? []), ...facts.pauses.keys()]);
  const first =
    from === undefined
      ? firstFree(season.starts_on, new Set([...filled, ...skipped]))
      : mondayOf(from);
  if (first < season.starts_on)
    throw badRequest(
      `“${league.name}” begins on ${season.starts_on}: choose a later week, or let the season begin earlier first.`,
    );
  const mondays: string[] = [];
  for (let week = first; mondays.length < weeks; week = addDays(week, 7))
    if (!skipped.has(week)) mondays.push(week);
  // Later years are written as +010000.
  if (addDays(mondays.at(-1) ?? first, 7).startsWith('+'))
    throw badRequest('The weeks end after the year 9999: choose an earlier week.');
  const early = left_out?.mondays.find((monday) => monday < first);
  if (early !== undefined)
    throw badField('leave_out', `The week of ${early} is before the first week, ${first}.`);
  if (skipped.size > PAUSES_MAX)
    throw badField('leave_out', `At most ${PAUSES_MAX} weeks of a season can be left out.`);
  const clash = [...mondays, ...(left_out?.mondays ?? [])].find((monday) => filled.has(monday));
  const past = mondays.find(
    (monday) => season.ends === 'open' && season.last_week !== null && monday > season.last_week,
  );
  if (past !== undefined)
    throw badRequest(
      `“${season.name}” ends before the week of ${past}. In its settings, let it end with its last scheduled week, or make the next season once it is over.`,
    );
  if (clash !== undefined)
    throw conflict(
      `The week of ${clash} has matchups already. Begin with ${firstFree(first, filled, weeks)}, or clear the weeks that have not begun.`,
    );
  if (next !== undefined && (mondays.at(-1) ?? '') >= next.starts_on)
    throw conflict(
      `“${next.name}” begins on ${next.starts_on}: make fewer weeks, or let it begin later.`,
    );
  return {
    season,
    mondays,
    sides: roundsIn(facts.teams, mondays, filled.size),
    facts: { ...facts, season: { ...season, starts_on: firstWeek(facts, first) } },
  };
}

/**
 * The Monday of week 1 when the first matchups of a season are in the week `first` (HAND-C10). A
 * season keeps its start if it has matchups, or games that count before `first`.
 */
function firstWeek({ season, sides, totals }: SeasonFacts, first: string): string {
  const isPlayed = [...totals.keys()].some((key) => (key.split(' ')[1] ?? '') < first);
  return sides.length > 0 || isPlayed ? season.starts_on : first;
}

/** The matchups of `teams`, ids in order, in the weeks `mondays`, from round `round` (OPS-07). */
export function roundsOf(
  teams: readonly number[],
  mondays: readonly string[],
  round: number,
): Side[] {
  return mondays.flatMap((week, at): Side[] => {
    const { pairs, bye } = roundOf(teams.length, round + at);
    const idOf = (seat: number) => teams[seat] ?? 0;
    return [
      ...pairs.flatMap(([home, away]) => [
        { team_id: idOf(home), week, opponent_id: idOf(away), home: true },
        { team_id: idOf(away), week, opponent_id: idOf(home), home: false },
      ]),
      ...(bye === null ? [] : [{ team_id: idOf(bye), week, opponent_id: null, home: false }]),
    ];
  });
}

/**
 * The matchups of a season's teams in the weeks `mondays`, from round `round`. In each week, those
 * teams meet whose entry holds it, unless their matchups are annulled (SEASON-34, SEASON-35).
 */
export function roundsIn(
  teams: SeasonFacts['teams'],
  mondays: readonly string[],
  round: number,
): Side[] {
  const inWeek = (week: string) =>
    [...teams.values()]
      .filter(({ from_week, to_week, annulled }) => {
        return from_week <= week && (to_week === null || (week <= to_week && !annulled));
      })
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  return mondays.flatMap((week, at) => roundsOf(inWeek(week), [week], round + at));
}

/** Stores matchups of a season. */
export async function insertSides(
  trx: Database,
  { id, league_id }: Pick<Season, 'id' | 'league_id'>,
  sides: readonly Side[],
): Promise<void> {
  await sql`
    insert into matchup_sides (league_id, season_id, team_id, week, opponent_id, home)
    select ${league_id}, ${id}, team_id, week, opponent_id, home from ${recordset(
      sides,
      'team_id integer, week date, opponent_id integer, home boolean',
    )}`.execute(trx);
}

/**
 * Adds weeks to the season in which they begin; returns their Mondays.
 * @throws Refusal as `plan`
 */
export async function generateSchedule(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  wanted: Wanted,
): Promise<string[]> {
  return transact(db, async (trx) => {
    // Concurrent calls must not fill the same weeks.
    const seasons = await lockSeasons(trx, league.id);
    const current = weekOf(clock.now(), league.timezone);
    const planned = await plan(trx, league, seasons, wanted, current);
    const { season, mondays, sides, facts } = planned;
    const { starts_on } = facts.season;
    if (starts_on !== season.starts_on) await beginLater(trx, season, starts_on);
    await leaveOut(trx, season, wanted);
    await insertSides(trx, season, sides);
    await followSchedule(trx, season.id, current);
    await notify(trx, { league: [league.id] });
    return mondays;
  });
}

async function leaveOut(trx: Database, { id }: Season, { left_out }: Wanted): Promise<void> {
  if (left_out === undefined) return;
  await sql`
    insert into season_pauses (season_id, week, reason, at, by_plan)
    select ${id}, week, ${LEFT_OUT}, ${left_out.at}, true
    from unnest(${[...left_out.mondays]}::date[]) as w (week)
    on conflict do nothing`.execute(trx);
}

/**
 * The season whose weeks change: the one of the day `from`, by default the running one, otherwise
 * the planned one. The weeks of a season in grace are over (OPS-07, OPS-15).
 * @throws Refusal 400 when there is none.
 */
function openSeason(seasons: readonly Season[], current: string, from?: string): Season {
  const open = openSeasons(seasons, current);
  if (open.length === 0) throw badRequest('The season is over. Make a season first.');
  return seasonInWeek(open, from === undefined ? current : mondayOf(from));
}

/**
 * What `generateSchedule` would add (OPS-16).
 * @throws Refusal as `plan`
 */
export async function previewSchedule(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  wanted: Wanted,
): Promise<ScheduleWeek[]> {
  const seasons = await readSeasons(db, league.id);
  const current = weekOf(clock.now(), league.timezone);
  const { sides, facts } = await plan(db, league, seasons, wanted, current);
  return scheduleOf(
    {
      ...facts,
      sides: sides.map((side) => ({ ...side, ruling: null, reason: null })),
      pauses: new Map(),
    },
    '',
  );
}

/**
 * Deletes the matchups of the weeks that have not begun (OPS-15). Returns the first day of their
 * season, and how many weeks.
 * @throws Refusal 400 when no season is running or planned.
 */
export async function clearSchedule(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
): Promise<{ starts_on: string; weeks: number }> {
  return transact(db, async (trx) => {
    const current = weekOf(clock.now(), league.timezone);
    const season = openSeason(await lockSeasons(trx, league.id), current);
    const { rows } = await sql<{ weeks: number }>`
      with cleared as (
        delete from matchup_sides
        where season_id = ${season.id} and week > ${current}::date
        returning week
      ) select count(distinct week) as weeks from cleared`.execute(trx);
    await followSchedule(trx, season.id, current);
    await notify(trx, { league: [league.id] });
    return { starts_on: season.starts_on, weeks: rows[0]?.weeks ?? 0 };
  });
}

/** The first Monday, not before `from`, that begins `weeks` free weeks. */
function firstFree(from: string, filled: ReadonlySet<string>, weeks = 1): string {
  let week = from;
  while (
    Array.from({ length: weeks }, (_, at) => addDays(week, 7 * at)).some((one) => filled.has(one))
  )
    week = addDays(week, 7);
  return week;
}

/** A team is its index, from 0. */
export type Round = { pairs: [home: number, away: number][]; bye: number | null };

/**
 * A round (from 0) of a round robin of at least 2 teams, by the circle method. In a cycle every two
 * teams meet once, each has a bye if `teams` is odd, and home and away games differ by at most one.
 * The next cycle swaps home and away.
 */
export function roundOf(teams: number, round: number): Round {
  const seats = teams + (teams % 2);
  // All seats but the last form a ring. In step k, two seats with sum k (mod ring) meet.
  const ring = seats - 1;
  const step = round % ring;
  const pairs: Round['pairs'] = [];
  let bye: number | null = null;
  for (let one = 0; one < ring; one += 1) {
    const other = (step - one + 2 * ring) % ring;
    if (one < other) pairs.push((other - one) % 2 === 1 ? [one, other] : [other, one]);
    // A seat paired with itself meets the last seat, which is the bye if `teams` is odd.
    else if (one === other && teams % 2 === 1) bye = one;
    else if (one === other) pairs.push(one % 2 === 0 ? [one, ring] : [ring, one]);
  }
  const isReturn = Math.floor(round / ring) % 2 === 1;
  return { pairs: isReturn ? pairs.map(([home, away]) => [away, home]) : pairs, bye };
}
