import { sql } from 'kysely';
import type { ScheduleWeek } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest, conflict } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import type { League } from './leagues.ts';
import { type Side, scheduleOf } from './season.ts';

/** `from`: a day (`YYYY-MM-DD`) of the first week. */
type Wanted = { weeks: number; from?: string | undefined };

/**
 * Continues the round robin for `weeks` weeks, from the week of the day `from`, by default the
 * first week without matchups (OPS-07).
 * @throws Refusal 400 when the league has fewer than two teams, or the weeks begin before the
 * league or end after the year 9999; 409 when one of the weeks has matchups.
 */
async function plan(
  db: Database,
  league: League,
  { weeks, from }: Wanted,
): Promise<{ mondays: string[]; sides: Side[] }> {
  const teams = await db
    .selectFrom('teams')
    .select('id')
    .where('league_id', '=', league.id)
    .orderBy('id')
    .execute();
  if (teams.length < 2)
    throw badRequest(`“${league.name}” needs at least two teams before they can meet.`);
  const taken = await db
    .selectFrom('matchup_sides')
    .select('week')
    .distinct()
    .where('league_id', '=', league.id)
    .execute();
  const filled = new Set(taken.map(({ week }) => week));
  const first = from === undefined ? firstFree(league.starts_on, filled) : mondayOf(from);
  if (first < league.starts_on)
    throw badRequest(`“${league.name}” begins on ${league.starts_on}: choose a later week.`);
  // Later years are written as +010000.
  if (addDays(first, 7 * weeks).startsWith('+'))
    throw badRequest('The weeks end after the year 9999: choose an earlier week.');
  const mondays = Array.from({ length: weeks }, (_, at) => addDays(first, 7 * at));
  const clash = mondays.find((monday) => filled.has(monday));
  if (clash !== undefined)
    throw conflict(
      `The week of ${clash} has matchups already. Begin with ${firstFree(first, filled, weeks)}, or clear the weeks that have not begun.`,
    );

  const sides = mondays.flatMap((week, at): Side[] => {
    const { pairs, bye } = roundOf(teams.length, filled.size + at);
    const idOf = (seat: number) => teams[seat]?.id ?? 0;
    return [
      ...pairs.flatMap(([home, away]) => [
        { team_id: idOf(home), week, opponent_id: idOf(away), home: true },
        { team_id: idOf(away), week, opponent_id: idOf(home), home: false },
      ]),
      ...(bye === null ? [] : [{ team_id: idOf(bye), week, opponent_id: null, home: false }]),
    ];
  });
  return { mondays, sides };
}

/**
 * Adds weeks; returns their Mondays.
 * @throws Refusal as `plan`
 */
export async function generateSchedule(
  db: Database,
  league: League,
  wanted: Wanted,
): Promise<string[]> {
  return transact(db, async (trx) => {
    // Concurrent calls must not fill the same weeks.
    await sql`select id from leagues where id = ${league.id} for update`.execute(trx);
    const { mondays, sides } = await plan(trx, league, wanted);
    await sql`
      insert into matchup_sides (league_id, team_id, week, opponent_id, home)
      select ${league.id}, team_id, week, opponent_id, home from ${recordset(
        sides,
        'team_id integer, week date, opponent_id integer, home boolean',
      )}`.execute(trx);
    await notify(trx, { league: [league.id] });
    return mondays;
  });
}

/**
 * What `generateSchedule` would add (OPS-16).
 * @throws Refusal as `plan`
 */
export async function previewSchedule(
  db: Database,
  league: League,
  wanted: Wanted,
): Promise<ScheduleWeek[]> {
  const { sides } = await plan(db, league, wanted);
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('league_id', '=', league.id)
    .execute();
  return scheduleOf(league, teams, sides, () => 0, '');
}

/** Deletes the matchups of weeks that have not begun (OPS-15). Returns how many weeks. */
export async function clearSchedule(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
): Promise<number> {
  return transact(db, async (trx) => {
    await sql`select id from leagues where id = ${league.id} for update`.execute(trx);
    const { rows } = await sql<{ weeks: number }>`
      with cleared as (
        delete from matchup_sides
        where league_id = ${league.id} and week > ${weekOf(clock.now(), league.timezone)}::date
        returning week
      ) select count(distinct week) as weeks from cleared`.execute(trx);
    await notify(trx, { league: [league.id] });
    return rows[0]?.weeks ?? 0;
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
