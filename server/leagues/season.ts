import { sql } from 'kysely';
import type { LeagueSeason, ScheduleWeek } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { addDays, weekNumber, weekOf } from './calendar.ts';
import type { League, Team } from './leagues.ts';
import { seasonTable, type WeekResult } from './tally.ts';

/** One side of a matchup. Without an opponent it is a bye. */
export type Side = { team_id: number; week: string; opponent_id: number | null; home: boolean };

type SeasonTeam = { id: number; name: string };
type TotalOf = (teamId: number, week: string) => number;

/** `ended`: the number of the last scheduled week that has ended; 0 before. */
type Season = Omit<LeagueSeason, 'best_games'> & { ended: number };

/**
 * A league's season at `now`: the standings after the finished weeks, and all scheduled weeks, with
 * totals if they have begun. Three queries.
 */
export async function readSeason(db: Database, league: League, now: Date): Promise<Season> {
  const teams: SeasonTeam[] = await db
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
    ended: schedule.findLast(({ from }) => from < current)?.week ?? 0,
    standings: seasonTable(
      teams.map(({ name }) => name),
      resultsOf(teams, sides, totalOf, finished),
    ),
    schedule,
  };
}

/** A team's place in the standings; null before a scheduled week has ended. */
export function placeOf({ standings, ended }: Season, team: Pick<Team, 'name'>): number | null {
  if (ended === 0) return null;
  return standings.find(({ team: name }) => name === team.name)?.place ?? null;
}

/** The last day of the schedule; null without one, or after that day. */
export async function readSeasonEnd(
  db: Database,
  { id, timezone }: Pick<League, 'id' | 'timezone'>,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select max(week) as last from matchup_sides where league_id = ${id}`.execute(db);
  const last = rows[0]?.last ?? null;
  return last === null || last < weekOf(now, timezone) ? null : addDays(last, 6);
}

/** The weeks of `sides`. Those after `current`, a Monday, have no totals. */
export function scheduleOf(
  { starts_on }: League,
  teams: readonly SeasonTeam[],
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

function resultsOf(
  teams: readonly SeasonTeam[],
  sides: readonly Side[],
  totalOf: TotalOf,
  finished: readonly string[],
): WeekResult[] {
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
