import { sql } from 'kysely';
import { canonicalEmail } from '#contract/email.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, conflict, notFound } from '../errors.ts';
import { mondayOf, weekOf } from './week.ts';

/** What the operator does with leagues and teams (contract 5). Refusals say what to do. */

export type League = { id: number; name: string; timezone: string; starts_on: string };
export type Team = { id: number; name: string; league_id: number; league: string };

export type RosterDeps = Pick<Deps, 'db' | 'clock'>;

// --- Leagues and teams ------------------------------------------------------------------------

/** A zone's name as the zone data has it, or null: an offset or a made-up name is no zone. */
function zoneNamed(typed: string): string | null {
  if (!/^[A-Za-z]/.test(typed)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions();
    // An old name such as Asia/Calcutta stays what was typed; only its capitals are put right.
    return timeZone.toLowerCase() === typed.toLowerCase() ? timeZone : typed;
  } catch {
    return null;
  }
}

/**
 * Creates a league in an IANA time zone. It begins on the Monday of the week of `starts`
 * (`YYYY-MM-DD`), else of this week.
 * @throws Refusal 400 on `timezone` for a zone that does not exist; 409 when the name is taken.
 */
export async function createLeague(
  { db, clock }: RosterDeps,
  { name, timezone, starts }: { name: string; timezone: string; starts?: string | undefined },
): Promise<League> {
  const zone = zoneNamed(timezone);
  const noZone = badField(
    'timezone',
    `“${timezone}” is no time zone. Use a name such as Europe/Berlin or America/New_York.`,
  );
  if (zone === null) throw noZone;
  const now = clock.now();
  const league = await db
    .insertInto('leagues')
    .values({
      name,
      timezone: zone,
      starts_on: starts === undefined ? weekOf(now, zone) : mondayOf(starts),
      created_at: now,
    })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'timezone', 'starts_on'])
    .executeTakeFirst()
    .catch((error: unknown) => {
      // PostgreSQL keeps zone data of its own, which may be older.
      if (error instanceof Error && /time zone/.test(error.message)) throw noZone;
      throw error;
    });
  if (league === undefined)
    throw conflict(`There is a league called “${name}” already: choose another name.`);
  return league;
}

/** The league of that name, without regard to case, or else of that id. @throws Refusal 404 */
export async function findLeague(db: Database, nameOrId: string): Promise<League> {
  const { rows } = await sql<League>`
    select id, name, timezone, starts_on from leagues
    where lower(name) = lower(${nameOrId}) or id::text = ${nameOrId}
    order by lower(name) = lower(${nameOrId}) desc limit 1`.execute(db);
  const league = rows[0];
  if (league === undefined) throw notFound(`There is no league “${nameOrId}”.`);
  return league;
}

/** @throws Refusal 409 when the league has a team of that name. */
export async function createTeam(
  { db, clock }: RosterDeps,
  league: League,
  name: string,
): Promise<Team> {
  const team = await db
    .insertInto('teams')
    .values({ league_id: league.id, name, created_at: clock.now() })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'league_id'])
    .executeTakeFirst();
  if (team === undefined)
    throw conflict(`“${league.name}” has a team called “${name}” already: choose another name.`);
  return { ...team, league: league.name };
}

/**
 * The team of that name, without regard to case, or else of that id.
 * @throws Refusal 404 none; 409 several leagues have a team of that name.
 */
export async function findTeam(db: Database, nameOrId: string): Promise<Team> {
  const { rows } = await sql<Team & { named: boolean }>`
    select t.id, t.name, t.league_id, l.name as league, lower(t.name) = lower(${nameOrId}) as named
    from teams t join leagues l on l.id = t.league_id
    where lower(t.name) = lower(${nameOrId}) or t.id::text = ${nameOrId}
    order by named desc, t.id`.execute(db);
  const [team, ...others] = rows;
  if (team === undefined) throw notFound(`There is no team “${nameOrId}”.`);
  const same = others.filter(({ named }) => named);
  if (same.length > 0)
    throw conflict(
      `Several leagues have a team “${team.name}”. Name it by its id: ${[team, ...same]
        .map(({ id, league }) => `${id} (${league})`)
        .join(', ')}.`,
    );
  const { id, name, league_id, league } = team;
  return { id, name, league_id, league };
}

/** All leagues by name, with how many teams and players they have. */
export async function listLeagues(
  db: Database,
): Promise<(League & { teams: number; players: number; last_week: string | null })[]> {
  const { rows } = await sql<League & { teams: number; players: number; last_week: string | null }>`
    select l.id, l.name, l.timezone, l.starts_on,
      (select count(*) from teams t where t.league_id = l.id) as teams,
      (select count(*) from players p join teams t on t.id = p.team_id
        where t.league_id = l.id) as players,
      (select max(week) from matchup_sides s where s.league_id = l.id) as last_week
    from leagues l order by lower(l.name)`.execute(db);
  return rows;
}

/** The teams of one league, or of all, by league and name. */
export async function listTeams(
  db: Database,
  league?: League,
): Promise<(Team & { players: number })[]> {
  const { rows } = await sql<Team & { players: number }>`
    select t.id, t.name, t.league_id, l.name as league,
      (select count(*) from players p where p.team_id = t.id) as players
    from teams t join leagues l on l.id = t.league_id
    where ${league?.id ?? null}::integer is null or l.id = ${league?.id ?? null}
    order by lower(l.name), lower(t.name)`.execute(db);
  return rows;
}

export type Member = {
  team_id: number;
  email: string;
  username: string | null;
  league_mode_enabled: boolean;
};

/** Who is on the teams of a league, by username. */
export async function listMembers(db: Database, league: League): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select p.team_id, p.email, p.username, p.league_mode_enabled
    from players p join teams t on t.id = p.team_id
    where t.league_id = ${league.id} order by lower(p.username)`.execute(db);
  return rows;
}

// --- Who is on a team -------------------------------------------------------------------------

export type Account = {
  id: number;
  email: string;
  username: string | null;
  team_id: number | null;
  team: string | null;
  league_id: number | null;
  league: string | null;
};

/** Locks the accounts of these addresses for the rest of the transaction, in one order everywhere. */
export async function lockAccounts(trx: Database, emails: readonly string[]) {
  const { rows } = await sql<Account>`
    with locked as materialized (
      select id, email, username, team_id from players
      where email = any(${emails}::text[]) order by id for no key update
    )
    select p.id, p.email, p.username, p.team_id, t.name as team, t.league_id, l.name as league
    from locked p left join teams t on t.id = p.team_id left join leagues l on l.id = t.league_id`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.email, row]));
}

/**
 * Puts players on teams, or on none, as of `at`, and keeps the change: games are judged by the team
 * of the moment in which they were played. Who is there already stays. The caller holds the players'
 * locks, and has read the clock under them: the history is then in the order of the changes.
 */
export async function move(
  trx: Database,
  moves: readonly { player_id: number; team_id: number | null }[],
  at: Date,
): Promise<void> {
  await sql`
    with moved as (
      update players p set team_id = r.team_id
      from ${recordset(moves, 'player_id bigint, team_id integer')}
      where p.id = r.player_id and p.team_id is distinct from r.team_id
      returning p.id, r.team_id
    )
    insert into team_changes (player_id, at, team_id) select id, ${at}, team_id from moved
    on conflict (player_id, at) do update set team_id = excluded.team_id`.execute(trx);
}

/** Why somebody cannot be on a team, or null. */
export function obstacle(email: string, account: Account | undefined): string | null {
  if (account === undefined) return `There is no account with the address ${email}.`;
  if (account.username === null) return `${email} has not finished signing up.`;
  return null;
}

/** Somebody who was put on a team or taken off one. */
export type Moved = { email: string; username: string | null; moved_from: string | null };

/**
 * Puts accounts on a team, all of them or none. A player is on at most one team: who was on another
 * one leaves it, which `moved_from` tells. `at` is now, except where a season is made up.
 * @throws Refusal 400 that names every address that cannot be added.
 */
export async function addToTeam(
  { db, clock }: RosterDeps,
  team: Team,
  emails: readonly string[],
  at?: Date,
): Promise<Moved[]> {
  return db.transaction().execute(async (trx) => {
    const wanted = [...new Set(emails.map(canonicalEmail))];
    const accounts = await lockAccounts(trx, wanted);
    const problems = wanted.flatMap((email) => obstacle(email, accounts.get(email)) ?? []);
    if (problems.length > 0) throw badRequest(`Nobody was added. ${problems.join(' ')}`);
    const found = wanted.flatMap((email) => accounts.get(email) ?? []);
    await move(
      trx,
      found.map(({ id }) => ({ player_id: id, team_id: team.id })),
      at ?? clock.now(),
    );
    await notify(trx, {
      profile: found.map(({ id }) => id),
      league: [team.league_id, ...found.flatMap(({ league_id }) => league_id ?? [])],
    });
    return found.map(({ email, username, team_id, team: from }) => ({
      email,
      username,
      moved_from: team_id === team.id ? null : from,
    }));
  });
}

/**
 * Takes an account off its team. Its games stay with the team they were played for.
 * @throws Refusal 404 no such account; 409 it is not on this team.
 */
export async function removeFromTeam(
  { db, clock }: RosterDeps,
  team: Team,
  email: string,
  at?: Date,
): Promise<Moved> {
  return db.transaction().execute(async (trx) => {
    const address = canonicalEmail(email);
    const account = (await lockAccounts(trx, [address])).get(address);
    if (account === undefined) throw notFound(`There is no account with the address ${address}.`);
    if (account.team_id !== team.id) throw conflict(`${address} is not on “${team.name}”.`);
    await move(trx, [{ player_id: account.id, team_id: null }], at ?? clock.now());
    await notify(trx, { profile: [account.id], league: [team.league_id] });
    return { email: address, username: account.username, moved_from: team.name };
  });
}
