import { sql } from 'kysely';
import type { LeagueSeason, ScheduleWeek } from '#contract/leagues.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import { recordset } from '../db/recordset.ts';
import { badRequest, conflict } from '../errors.ts';
import type { League } from './rosters.ts';
import { roundOf } from './schedule.ts';
import { addDays, mondayOf, type Result, seasonTable, weekNumber, weekOf } from './week.ts';

/** One team's side of a matchup; no opponent is a bye. */
type Side = { team_id: number; week: string; opponent_id: number | null; home: boolean };

type Team = { id: number; name: string };
/** What a team's players made in a week, 0 where they did not play. */
type TotalOf = (teamId: number, week: string) => number;

/**
 * A league's season as of `now`: its table by the finished weeks, and every scheduled week with the
 * totals of those that have begun. Three statements, whatever the league's size.
 */
export async function readSeason(db: Database, league: League, now: Date): Promise<LeagueSeason> {
  const teams: Team[] = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('league_id', '=', league.id)
    .execute();
  const sides: Side[] = await db
    .selectFrom('matchup_sides')
    .select(['team_id', 'week', 'opponent_id', 'home'])
    .where('league_id', '=', league.id)
    .execute();
  const { rows: sums } = await sql<{ team_id: number; week: string; total: number }>`
    select team_id, week, sum(total)::bigint as total from league_weeks
    where team_id = any(${teams.map(({ id }) => id)}::integer[]) group by team_id, week`.execute(
    db,
  );
  const totals = new Map(sums.map(({ team_id, week, total }) => [`${team_id} ${week}`, total]));
  const totalOf: TotalOf = (teamId, week) => totals.get(`${teamId} ${week}`) ?? 0;

  const current = weekOf(now, league.timezone);
  const weeks = new Set([...sides, ...sums].map(({ week }) => week));
  const finished = [...weeks].filter((week) => week < current);
  const schedule = scheduleOf(league, teams, sides, totalOf, current);
  return {
    league: league.name,
    week: current < league.starts_on ? 0 : weekNumber(current, league.starts_on),
    weeks: schedule.at(-1)?.week ?? 0,
    standings: seasonTable(
      teams.map(({ name }) => name),
      resultsOf(teams, sides, totalOf, finished),
    ),
    schedule,
  };
}

/** Every scheduled week, the first one first; only those that have begun by `current` have totals. */
function scheduleOf(
  { starts_on }: League,
  teams: readonly Team[],
  sides: readonly Side[],
  totalOf: TotalOf,
  current: string,
): ScheduleWeek[] {
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const nameOf = (teamId: number) => names.get(teamId) ?? '';
  const byWeek = Map.groupBy(sides, ({ week }) => week);
  return [...byWeek]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([week, all]) => ({
      week: weekNumber(week, starts_on),
      from: week,
      to: addDays(week, 6),
      matchups: all
        .filter(({ home }) => home)
        .flatMap(({ team_id, opponent_id }) =>
          opponent_id === null
            ? []
            : {
                home: nameOf(team_id),
                away: nameOf(opponent_id),
                home_total: week <= current ? totalOf(team_id, week) : null,
                away_total: week <= current ? totalOf(opponent_id, week) : null,
              },
        )
        .sort((a, b) => (a.home.toLowerCase() < b.home.toLowerCase() ? -1 : 1)),
      bye:
        all
          .filter(({ opponent_id }) => opponent_id === null)
          .map(({ team_id }) => nameOf(team_id))
          .sort()
          .join(', ') || null,
    }));
}

/** How each team did in each of the `finished` weeks. */
function resultsOf(
  teams: readonly Team[],
  sides: readonly Side[],
  totalOf: TotalOf,
  finished: readonly string[],
): Result[] {
  const opponents = new Map(
    sides.map(({ team_id, week, opponent_id }) => [`${team_id} ${week}`, opponent_id]),
  );
  return finished.flatMap((week) =>
    teams.map(({ id, name }) => {
      const against = opponents.get(`${id} ${week}`) ?? null;
      return {
        team: name,
        total: totalOf(id, week),
        against: against === null ? null : totalOf(against, week),
      };
    }),
  );
}

/**
 * Adds `weeks` weeks of a round robin to a league's schedule, from the week of the day `from`
 * (`YYYY-MM-DD`), else from the first week of the league that has none. A later call goes on where
 * the round robin stopped. Returns the Mondays it filled.
 * @throws Refusal 400 fewer than two teams, or before the league begins; 409 a week that is filled.
 */
export async function generateSchedule(
  db: Database,
  league: League,
  { weeks, from }: { weeks: number; from?: string | undefined },
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // One at a time: two operators must not fill the same weeks.
    await sql`select id from leagues where id = ${league.id} for update`.execute(trx);
    const teams = await trx
      .selectFrom('teams')
      .select('id')
      .where('league_id', '=', league.id)
      .orderBy('id')
      .execute();
    if (teams.length < 2)
      throw badRequest(`“${league.name}” needs at least two teams before they can meet.`);
    const taken = await trx
      .selectFrom('matchup_sides')
      .select('week')
      .distinct()
      .where('league_id', '=', league.id)
      .execute();
    const filled = new Set(taken.map(({ week }) => week));
    const first = from === undefined ? firstFree(league.starts_on, filled) : mondayOf(from);
    if (first < league.starts_on)
      throw badRequest(`“${league.name}” begins on ${league.starts_on}: choose a later week.`);
    const mondays = Array.from({ length: weeks }, (_, at) => addDays(first, 7 * at));
    const clash = mondays.find((monday) => filled.has(monday));
    if (clash !== undefined) throw conflict(`The week of ${clash} has matchups already.`);

    const sides = mondays.flatMap((week, at): Side[] => {
      const { pairs, bye } = roundOf(teams.length, filled.size + at);
      const idOf = (place: number) => teams[place]?.id ?? 0;
      return [
        ...pairs.flatMap(([home, away]) => [
          { team_id: idOf(home), week, opponent_id: idOf(away), home: true },
          { team_id: idOf(away), week, opponent_id: idOf(home), home: false },
        ]),
        ...(bye === null ? [] : [{ team_id: idOf(bye), week, opponent_id: null, home: false }]),
      ];
    });
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

function firstFree(startsOn: string, filled: ReadonlySet<string>): string {
  let week = startsOn;
  while (filled.has(week)) week = addDays(week, 7);
  return week;
}
