import { sql } from 'kysely';
import type { Ruling, ScheduleWeek, TeamPage } from '#contract/wire/leagues.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { teamOf } from './leagues.ts';
import { isCounting } from './season-of-week.ts';
import { placeOf, readSeason, type SeasonFacts, scheduleFor } from './season-view.ts';
import { readTeamWeek } from './team-week.ts';
import { weekTable } from './this-week.ts';

/** The most results on a page; a season may have more weeks (HAND-64). */
const RESULTS_MOST = 30;

/** The same answer for an unknown team and for a team of another league (P112). */
const NO_SUCH_TEAM = 'No such team in your league.';

/**
 * A team of the caller's league: its place and results in the season, and its week with the names
 * that the caller may see (HAND-64). The number of queries is fixed.
 * @throws Refusal 400 without a team; 400 on `team` if the caller's league has no team `name`.
 */
export async function readTeamPage(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
  name: string,
): Promise<TeamPage> {
  const { db, clock } = deps;
  const { league, team: own } = await teamOf(db, playerId);
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from teams
    where league_id = ${league.id} and lower(name) = lower(${name})`.execute(db);
  const [team] = rows;
  if (team === undefined) throw badField('team', NO_SUCH_TEAM);
  const now = clock.now();
  const week = weekOf(now, league.timezone);
  const season = await readSeason(db, league, now);
  const asked = { team_id: team.id, week, player_id: playerId, check_names: true };
  const played = await readTeamWeek(deps, asked);
  const standing = season.standings.find((row) => row.team === team.name);
  return {
    team: team.name,
    league: league.name,
    place: placeOf(season, team),
    won: standing?.won ?? 0,
    drawn: standing?.drawn ?? 0,
    lost: standing?.lost ?? 0,
    week: weekTable(played, countsFor(season.facts, team.id, week)).table,
    week_closes_at: startOf(addDays(week, 7), league.timezone).toISOString(),
    results: resultsOf(scheduleFor(own, season.schedule), team.name, week),
  };
}

/** Whether games of the week, a Monday, count for the team. */
export function countsFor(
  { season, teams, pauses }: SeasonFacts,
  teamId: number,
  week: string,
): boolean {
  const entry = teams.get(teamId);
  return (
    season.starts_on <= week &&
    isCounting(week, {
      season_id: season.id,
      last_week: season.last_week,
      postponed: pauses.get(week) ?? null,
      entry_from: entry?.from_week ?? null,
      entry_to: entry?.to_week ?? null,
    })
  );
}

const SEEN_FROM_AWAY: Record<Ruling, Ruling> = {
  home: 'away',
  away: 'home',
  both_lose: 'both_lose',
  annulled: 'annulled',
};

function resultsOf(
  schedule: readonly ScheduleWeek[],
  team: string,
  current: string,
): TeamPage['results'] {
  return schedule
    .filter(({ from, postponed }) => from < current && postponed === undefined)
    .flatMap(({ week, matchups }) =>
      matchups.flatMap(({ home, away, home_total, away_total, ruling, reason }) => {
        if (home !== team && away !== team) return [];
        const isHome = home === team;
        return {
          week,
          opponent: isHome ? away : home,
          own: (isHome ? home_total : away_total) ?? 0,
          other: (isHome ? away_total : home_total) ?? 0,
          ...(ruling && { ruling: isHome ? ruling : SEEN_FROM_AWAY[ruling] }),
          ...(reason !== undefined && { reason }),
        };
      }),
    )
    .reverse()
    .slice(0, RESULTS_MOST);
}
