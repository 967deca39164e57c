import { type RawBuilder, sql } from 'kysely';
import type { Joining } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { findNamed, type Noun } from '../db/reference.ts';
import { transact } from '../db/transaction.ts';
import { refuseDuplicate } from '../db/unique.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { mondayOf, weekOf, zoneNamed } from './calendar.ts';
import { lockSeasons } from './seasons.ts';
import { dropWeekSums } from './week-sums.ts';

const ZONE_FIXED =
  'The time zone is fixed, because this league has games. Make another league for another zone.';

export type League = { id: number; name: string; timezone: string; starts_on: string };
/** `venue`: the venue whose staff run the league; null if no single venue runs it (STAFF-39). */
export type FoundLeague = League & { venue_id: number | null; venue: string | null };
export type Team = { id: number; name: string; league_id: number; league: string };

export const LEAGUES: Noun<FoundLeague> = {
  one: 'league',
  columns: sql`l.id, l.name, l.timezone, l.starts_on, l.venue_id, v.name as venue`,
  from: sql`leagues l left join venues v on v.id = l.venue_id`,
  name: 'l.name',
  id: 'l.id',
};

/** Several leagues may have teams with the same name. */
export const TEAMS: Noun<Team> = {
  one: 'team',
  columns: sql`t.id, t.name, t.league_id, l.name as league`,
  from: sql`teams t join leagues l on l.id = t.league_id`,
  name: 't.name',
  id: 't.id',
  several: (teams) =>
    `Several leagues have a team “${teams[0]?.name}”. Name it by its id: ${teams
      .map(({ id, league }) => `${id} (${league})`)
      .join(', ')}.`,
};

/** The league of a team. */
export const leagueOf = (db: Database, { league_id }: Pick<Team, 'league_id'>) =>
  findNamed(db, LEAGUES, `id:${league_id}`);

/**
 * Creates a league that begins in the week of the day `starts` (`YYYY-MM-DD`), by default this week
 * (OPS-07). By default nobody can join it by code (LEAGUE-12).
 * @throws Refusal 400 on `timezone` for an unknown IANA zone; 409 when the name is taken.
 */
export async function createLeague(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    name,
    timezone,
    starts,
    joining = 'closed',
    venue = null,
  }: {
    name: string;
    timezone: string;
    starts?: string | undefined;
    joining?: Joining | undefined;
    venue?: { id: number; name: string } | null;
  },
): Promise<FoundLeague> {
  const zone = zoneNamed(timezone);
  if (zone === null) throw noZone(timezone);
  const now = clock.now();
  const league = await db
    .insertInto('leagues')
    .values({
      name,
      timezone: zone,
      starts_on: starts === undefined ? weekOf(now, zone) : mondayOf(starts),
      joining,
      venue_id: venue?.id ?? null,
      created_at: now,
    })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'timezone', 'starts_on', 'venue_id'])
    .executeTakeFirst()
    .catch((error: unknown) => {
      // Intl may know more zones than PostgreSQL.
      if (error instanceof Error && /time zone/.test(error.message)) throw noZone(timezone);
      throw error;
    });
  if (league === undefined) throw leagueTaken(name);
  return { ...league, venue: venue?.name ?? null };
}

const leagueTaken = (name: string) =>
  conflict(`There is a league called “${name}” already: choose another name.`);

const teamTaken = (league: string, name: string) =>
  conflict(`“${league}” has a team called “${name}” already: choose another name.`);

const noZone = (timezone: string) =>
  badField(
    'timezone',
    `“${timezone}” is no time zone. Use a name such as Europe/Berlin or America/New_York.`,
  );

/**
 * Renames a league. Its time zone can change until the league has a game, even a held or void one
 * (LEAGUE-01).
 * @throws Refusal 400 for an unknown zone; 409 when another league has the name, or for another zone
 * when the league has games.
 */
export async function renameLeague(
  db: Database,
  league: League,
  { name, timezone = league.timezone }: { name: string; timezone?: string | undefined },
): Promise<League> {
  // A stored zone stays allowed when newer rules refuse it.
  const zone = timezone === league.timezone ? timezone : zoneNamed(timezone);
  if (zone === null) throw noZone(timezone);
  return transact(db, async (trx) => {
    if (zone !== league.timezone) {
      const seasons = await lockSeasons(trx, league.id);
      // Games store their day and week in the league’s zone.
      const { rows } = await sql`select from teams t where t.league_id = ${league.id}
        and exists (select from games g where g.team_id = t.id) limit 1`.execute(trx);
      if (rows.length > 0) throw conflict(ZONE_FIXED);
      await dropWeekSums(
        trx,
        seasons.map(({ id }) => id),
      );
    }
    await trx
      .updateTable('leagues')
      .set({ name, timezone: zone })
      .where('id', '=', league.id)
      .execute()
      .catch((error: unknown) => {
        if (error instanceof Error && /time zone/.test(error.message)) throw noZone(timezone);
        throw error;
      })
      .catch(refuseDuplicate('leagues_name', leagueTaken(name)));
    const members = await sql<{ id: number }>`
      select p.id from players p join teams t on t.id = p.team_id
      where t.league_id = ${league.id}`.execute(trx);
    await notify(trx, { profile: members.rows.map(({ id }) => id), league: [league.id] });
    return { ...league, name, timezone: zone };
  });
}

/** Sets the venue whose staff run the league (STAFF-39). */
export async function setLeagueVenue(
  trx: Database,
  { id }: League,
  venueId: number | null,
): Promise<void> {
  await trx.updateTable('leagues').set({ venue_id: venueId }).where('id', '=', id).execute();
}

/**
 * Makes teams of a league, in the order of `names`. Call it in a transaction: when it throws, some
 * teams may be inserted already.
 * @throws Refusal 409 when the league has a team of one of these names, or two names are the same.
 */
export async function createTeams(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  names: readonly string[],
): Promise<Team[]> {
  if (names.length === 0) return [];
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((_, at) => lower.indexOf(lower[at] ?? '') < at);
  if (twice !== undefined) throw conflict(`“${twice}” is in the list twice.`);
  const made = await db
    .insertInto('teams')
    .values(names.map((name) => ({ league_id: league.id, name, created_at: clock.now() })))
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'league_id'])
    .execute();
  const taken = names.find((name, at) => made[at]?.name !== name);
  if (taken !== undefined) throw teamTaken(league.name, taken);
  return made.map((team) => ({ ...team, league: league.name }));
}

/** @throws Refusal 409 when the league has a team of this name. */
export async function createTeam(
  deps: Pick<Deps, 'db' | 'clock'>,
  league: League,
  name: string,
): Promise<Team> {
  const [team] = await createTeams(deps, league, [name]);
  return team as Team;
}

/** The players who have asked to join the team (PROD-99). */
async function readWaiting(trx: Database, { id }: Pick<Team, 'id'>): Promise<number[]> {
  const rows = await trx
    .selectFrom('join_requests')
    .select('player_id')
    .where('team_id', '=', id)
    .execute();
  return rows.map(({ player_id }) => player_id);
}

/** @throws Refusal 409 when the league has another team of this name. */
export async function renameTeam(db: Database, team: Team, name: string): Promise<Team> {
  return transact(db, async (trx) => {
    await trx
      .updateTable('teams')
      .set({ name })
      .where('id', '=', team.id)
      .execute()
      .catch(refuseDuplicate('teams_name', teamTaken(team.league, name)));
    const members = await trx
      .selectFrom('players')
      .select('id')
      .where('team_id', '=', team.id)
      .execute();
    const told = [...members.map(({ id }) => id), ...(await readWaiting(trx, team))];
    await notify(trx, { profile: told, league: [team.league_id] });
    return { ...team, name };
  });
}

/** SQL: what keeps a team from being deleted: its `players`, `games` and `matchups` (OPS-15). */
export const keptBy = (team: RawBuilder<unknown>) => sql<{
  players: number;
  games: boolean;
  matchups: boolean;
}>`
  select (select count(*) from players where team_id = ${team})::integer as players,
    exists (select from games where team_id = ${team}) as games,
    exists (select from matchup_sides where ${team} in (team_id, opponent_id)) as matchups`;

/**
 * Deletes a team that has no players, games or matchups (OPS-15). Past members' time on it becomes
 * time without a team.
 * @throws Refusal 409 that says what the team still has.
 */
export async function deleteTeam(db: Database, team: Team): Promise<void> {
  await transact(db, async (trx) => {
    await sql`select id from teams where id = ${team.id} for update`.execute(trx);
    const { rows } = await keptBy(sql`${team.id}`).execute(trx);
    const [found] = rows;
    if (found !== undefined && found.players > 0)
      throw conflict(
        `“${team.name}” has players. Move or remove them first: team add, team remove.`,
      );
    if (found?.games)
      throw conflict(
        `“${team.name}” has games, which stay with it. You can rename it: team rename.`,
      );
    if (found?.matchups)
      throw conflict(
        `“${team.name}” is in the schedule. Clear the weeks that have not begun first: schedule clear. Once it has been in a week, a team stays.`,
      );
    await sql`update team_changes set team_id = null where team_id = ${team.id}`.execute(trx);
    const waiting = await readWaiting(trx, team);
    await trx.deleteFrom('teams').where('id', '=', team.id).execute();
    await notify(trx, { profile: waiting, league: [team.league_id] });
  });
}

export type ListedLeague = FoundLeague & {
  joining: Joining;
  teams: number;
  players: number;
  seasons: { id: number; name: string; starts_on: string; last: string | null; pauses: string[] }[];
};

/**
 * The leagues `l` for which `where` is true, by name. `last` is the Monday of a season's last
 * scheduled week.
 */
export async function listLeagues(
  db: Database,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<ListedLeague[]> {
  const { rows } = await sql<ListedLeague>`
    select l.id, l.name, l.timezone, l.starts_on, l.joining, l.venue_id,
      (select name from venues where id = l.venue_id) as venue,
      (select count(*) from teams t where t.league_id = l.id) as teams,
      (select count(*) from players p join teams t on t.id = p.team_id
        where t.league_id = l.id) as players,
      (select json_agg(json_build_object('id', s.id, 'name', s.name, 'starts_on', s.starts_on,
        'last', (select max(week) from matchup_sides m where m.season_id = s.id),
        'pauses', array(select week from season_pauses p where p.season_id = s.id))
        order by s.number) from seasons s where s.league_id = l.id) as seasons
    from leagues l where ${where} order by lower(l.name)`.execute(db);
  return rows;
}

/** The teams `t` for which `where` is true, by league and name. */
export async function listTeams(
  db: Database,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<(Team & { players: number })[]> {
  const { rows } = await sql<Team & { players: number }>`
    select t.id, t.name, t.league_id, l.name as league,
      (select count(*) from players p where p.team_id = t.id) as players
    from teams t join leagues l on l.id = t.league_id
    where ${where} order by lower(l.name), lower(t.name)`.execute(db);
  return rows;
}

/** The app shows no error for this refusal (LEAGUE-10). */
export const NO_TEAM = 'You are not on a team.';

/** @throws Refusal 400 without a team. */
export async function teamOf(
  db: Database,
  playerId: number,
): Promise<{ team_id: number; team: string; league: League }> {
  const { rows } = await sql<{ team_id: number; team: string } & League>`
    select t.id as team_id, t.name as team, l.id, l.name, l.timezone, l.starts_on
    from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
    where p.id = ${playerId}`.execute(db);
  if (rows[0] === undefined) throw badRequest(NO_TEAM);
  const { team_id, team, ...league } = rows[0];
  return { team_id, team, league };
}
