import { type RawBuilder, sql } from 'kysely';
import type { LeaguePage } from '#contract/wire/leagues.ts';
import type { TeamPage, TeamPoster } from '#contract/wire/teams.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { readChampionsOf, readCupOfSeason } from '../leagues/champions.ts';
import { readCode, readJoining } from '../leagues/joining.ts';
import { type FoundLeague, type League, leagueOf, type Team } from '../leagues/leagues.ts';
import { placeOf, readSeason, readSeasonEnd } from '../leagues/season-view.ts';
import { nextAfter, openSeasons, readSeasons, type Season } from '../leagues/seasons.ts';
import { countsFor } from '../leagues/team-page.ts';
import { maskEmail } from '../log.ts';
import { isStranger } from '../players/visibility.ts';
import { readRunningWeeks } from './running-weeks.ts';

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

/** The console's page of a league (OPS-16). Staff see every name. */
export async function readLeaguePage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: FoundLeague,
): Promise<LeaguePage> {
  const { id, name, timezone, starts_on } = league;
  const now = clock.now();
  const current = weekOf(now, timezone);
  const { week, weeks, ended, standings, schedule, season } = await readSeason(db, league, now);
  const seasons = await readSeasons(db, id);
  const [running] = await readRunningWeeks(db, sql<boolean>`l.id = ${id}`, now);
  return {
    id: String(id),
    name,
    timezone,
    starts_on,
    joining: await readJoining(db, league),
    venue: league.venue,
    venue_id: league.venue_id === null ? null : String(league.venue_id),
    season_id: season.id,
    next: nextAfter(seasons, season.starts_on),
    won: await readWon(db, seasons),
    idle: await readIdle(db, id, current),
    outside: await readOutside(db, id, current),
    week,
    weeks,
    now: running
      ? {
          from: current,
          to: addDays(current, 6),
          closes_at: running.closes_at,
          matchups: running.matchups,
          held: await countHeld(db, league, current),
        }
      : null,
    ended,
    standings,
    schedule,
    planning: await readPlanning(db, league, openSeasons(seasons, current).at(0), now),
    teams: await readTeams(db, league),
  };
}

/** The weeks of the season that takes new ones. */
async function readPlanning(
  db: Database,
  league: League,
  season: Season | undefined,
  now: Date,
): Promise<LeaguePage['planning']> {
  if (season === undefined) return null;
  const { schedule } = await readSeason(db, league, now, season);
  const current = weekOf(now, league.timezone);
  const taken = new Set(schedule.map(({ from }) => from));
  const hasBegun = season.starts_on <= current;
  let first_free = hasBegun ? current : season.starts_on;
  while (taken.has(first_free)) first_free = addDays(first_free, 7);
  return {
    season_id: String(season.id),
    season: season.name,
    schedule,
    coming: schedule.filter(({ from }) => from > current).length,
    first_free,
  };
}

/** The latest final season and its champions. */
async function readWon(db: Database, seasons: readonly Season[]): Promise<LeaguePage['won']> {
  const last = seasons.findLast(({ final_at }) => final_at !== null);
  if (last === undefined) return null;
  const champions = (await readChampionsOf(db, [last.id])).get(last.id) ?? [];
  const cup = await readCupOfSeason(db, last.id);
  return {
    season_id: String(last.id),
    season: last.name,
    champions,
    no_champion: cup?.no_winner ?? false,
  };
}

/**
 * The newest season that is not over by `week` and in which only some teams have a matchup, with
 * the names of the other teams; null if there is none.
 */
async function readIdle(db: Database, leagueId: number, week: string): Promise<LeaguePage['idle']> {
  const met = (team: RawBuilder<unknown>) => sql`exists (
    select from matchup_sides m
    where m.season_id = s.id and m.opponent_id is not null and m.team_id = ${team})`;
  const { rows } = await sql<NonNullable<LeaguePage['idle']>>`
    select s.id::text as season_id, s.name as season, array_agg(t.name order by lower(t.name)) as teams
    from seasons s join season_entries e on e.season_id = s.id join teams t on t.id = e.team_id
    where s.league_id = ${leagueId} and s.final_at is null and e.to_week is null
      and coalesce(s.last_week, 'infinity') >= greatest(e.from_week, ${week}::date)
      and not ${met(sql`t.id`)}
      and exists (select from season_entries o where o.season_id = s.id and ${met(sql`o.team_id`)})
    group by s.id order by s.number desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The teams that are not in the newest season: without an entry, or out of it by `week`. */
async function readOutside(
  db: Database,
  leagueId: number,
  week: string,
): Promise<LeaguePage['outside']> {
  const { rows } = await sql<NonNullable<LeaguePage['outside']>>`
    select s.name as season, array_agg(t.name order by lower(t.name)) as teams
    from (
      select id, name from seasons where league_id = ${leagueId} and final_at is null
      order by number desc limit 1
    ) s join teams t on t.league_id = ${leagueId}
    where not exists (select from season_entries e
      where e.season_id = s.id and e.team_id = t.id
        and coalesce(e.to_week, 'infinity') >= ${week}::date)
    group by s.id, s.name`.execute(db);
  return rows[0] ?? null;
}

async function countHeld(db: Database, { id }: League, week: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*) as held from games g join teams t on t.id = g.team_id
    where g.state = 'held' and t.league_id = ${id} and g.week = ${week}::date`.execute(db);
  return rows[0]?.held ?? 0;
}

async function readTeams(db: Database, { id }: League): Promise<LeaguePage['teams']> {
  const { rows } = await sql<{ id: number; name: string; waiting: number }>`
    select t.id, t.name, (select count(*) from join_requests r where r.team_id = t.id) as waiting
    from teams t where t.league_id = ${id} order by lower(t.name)`.execute(db);
  const players = await db
    .selectFrom('players')
    .innerJoin('teams', 'teams.id', 'players.team_id')
    .select(['players.id', 'team_id', 'username', 'avatar_color', 'jersey_number'])
    .select('league_mode_enabled')
    .where('teams.league_id', '=', id)
    .orderBy(sql`lower(username)`)
    .execute();
  return rows.map((team) => ({
    ...team,
    id: String(team.id),
    players: players
      .filter(({ team_id }) => team_id === team.id)
      .map(({ team_id: _, id, ...player }) => ({ ...player, id: String(id) })),
  }));
}

const withMask = <T extends { address: string }>(one: T): T => ({
  ...one,
  address: maskEmail(one.address),
});

/** The console's page of a team (OPS-16). Addresses are masked (P65). */
export async function readTeamPage({ config, db, clock }: PageDeps, team: Team): Promise<TeamPage> {
  const league = await leagueOf(db, team);
  const now = clock.now();
  const season = await readSeason(db, league, now);
  const current = weekOf(now, league.timezone);
  const counts = countsFor(season.facts, team.id, current);
  const { rows: players } = await sql<TeamPage['players'][number]>`
    select p.id::text as account, p.email as address, p.username, p.avatar_color, p.jersey_number, p.league_mode_enabled,
      coalesce(w.games_played, 0) as games, coalesce(w.total, 0)::integer as total,
      ${isStranger} as stranger
    from players p join players v on v.id = p.id join leagues l on l.id = ${league.id}
    left join league_weeks w
      on w.player_id = p.id and w.team_id = p.team_id and w.week = ${current}::date and ${counts}
    where p.team_id = ${team.id} order by lower(p.username)`.execute(db);
  const { rows: requests } = await sql<{
    account: string;
    address: string;
    username: string | null;
    asked_at: Date;
    games_played: number;
    avg_score: number;
  }>`
    select p.id::text as account, p.email as address, p.username, r.asked_at,
      coalesce(s.games_played, 0) as games_played,
      coalesce(s.score_sum / nullif(s.games_played, 0), 0)::integer as avg_score
    from join_requests r join players p on p.id = r.player_id
    left join player_stats s on s.player_id = p.id
    where r.team_id = ${team.id} order by r.asked_at, r.player_id`.execute(db);
  const code = await readCode(db, team);
  return {
    id: String(team.id),
    name: team.name,
    league: { id: String(league.id), name: league.name, joining: await readJoining(db, league) },
    place: placeOf(season, team),
    week: counts ? season.week : null,
    max: config.team_max,
    code,
    url: `${config.public_url}/join/${code}`,
    players: players.map(withMask),
    requests: requests.map((one) => ({ ...withMask(one), asked_at: one.asked_at.toISOString() })),
  };
}

/** The posters of a league, or of one of its teams, by name (OPS-16, HAND-C9). */
export async function readPosters(
  { config, db, clock }: PageDeps,
  league: FoundLeague,
  team?: Team,
): Promise<TeamPoster[]> {
  const { rows } = await sql<{ id: string; team: string; code: string }>`
    select id::text, name as team, join_code as code from teams
    where league_id = ${league.id} and ${team === undefined ? sql`true` : sql`id = ${team.id}`}
    order by lower(name)`.execute(db);
  const joining = await readJoining(db, league);
  const season_ends_on = await readSeasonEnd(db, league, clock.now());
  return rows.map((row) => ({
    ...row,
    league: league.name,
    league_id: String(league.id),
    venue: league.venue,
    joining,
    url: `${config.public_url}/join/${row.code}`,
    season_ends_on,
  }));
}
