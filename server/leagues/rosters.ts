import { type RawBuilder, sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest, conflict, forbidden, notFound } from '../errors.ts';
import { moveToTeams, NO_ACCOUNT, takeBackLeagueMode } from '../players/players.ts';
import type { League, Team } from './leagues.ts';

export type RosterAccount = {
  id: number;
  email: string;
  username: string | null;
  team_id: number | null;
  team: string | null;
  league_id: number | null;
  league: string | null;
  /** Whether the caller reaches the league of the account's team. */
  reached: boolean;
};

/** A condition on a league's id: whether the caller reaches the league (STAFF-02). */
export type Reached = (league: RawBuilder<unknown>) => RawBuilder<boolean>;
const everywhere: Reached = () => sql<boolean>`true`;

/** Locks accounts by ascending id, against deadlocks. */
async function lockWhere(
  trx: Database,
  which: RawBuilder<unknown>,
  reached: Reached,
): Promise<RosterAccount[]> {
  const { rows } = await sql<RosterAccount>`
    with locked as materialized (
      select id, email, username, team_id from players
      where ${which} order by id for no key update
    )
    select p.id, p.email, p.username, p.team_id, t.name as team, t.league_id, l.name as league,
      t.league_id is not null and ${reached(sql.ref('t.league_id'))} as reached
    from locked p left join teams t on t.id = p.team_id left join leagues l on l.id = t.league_id`.execute(
    trx,
  );
  return rows;
}

/** Locks the accounts with these addresses; returns them by address. */
export async function lockAccounts(
  trx: Database,
  emails: readonly string[],
  reached: Reached = everywhere,
) {
  const rows = await lockWhere(trx, sql`email = any(${emails}::text[])`, reached);
  return new Map(rows.map((row) => [row.email, row]));
}

/**
 * Locks an account by address or number. `named`, for errors, has the address only if the caller
 * gave it (P65).
 * @throws Refusal 404 for an unknown account.
 */
export async function lockAccount(
  trx: Database,
  who: string | number,
  reached: Reached = everywhere,
): Promise<{ account: RosterAccount; named: string }> {
  if (typeof who === 'number') {
    const [account] = await lockWhere(trx, sql`id = ${who}::bigint`, reached);
    if (account === undefined) throw notFound(NO_ACCOUNT);
    return { account, named: account.username ?? 'The player' };
  }
  const named = canonicalEmail(who);
  const [account] = await lockWhere(trx, sql`email = ${named}`, reached);
  if (account === undefined) throw notFound(`There is no account with the address ${named}.`);
  return { account, named };
}

/** Why an account cannot join a team, or null. */
export function obstacle(email: string, account: RosterAccount | undefined): string | null {
  if (account === undefined) return `There is no account with the address ${email}.`;
  if (account.username === null) return `${email} has not finished signing up.`;
  return null;
}

export type Moved = {
  player_id: number;
  email: string;
  username: string | null;
  moved_from: string | null;
  /** The id of the team `moved_from`. */
  from_id: number | null;
};
/** This message names no team, because the caller may not reach the team (STAFF-02). */
const elsewhere = (username: string): string =>
  `Somebody else has changed the team of ${username} meanwhile, so nothing was moved. Look at the team, then choose again.`;

/**
 * Puts accounts on a team, all or none; they leave any other team (LEAGUE-07).
 * @param from the id of the players' team as the caller read it, or null for none; omitted: any
 * team
 * @param undo whether this undoes a move off this team (OPS-17), see `moveToTeams`
 * @param at only for the demo and tests; then players get no notices
 * @throws Refusal 400 that names every address that cannot be added; 403 when a player would leave
 * a team that is not `reached` (P63); 409 when a player is on neither `from` nor this team.
 */
export async function addToTeam(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  team: Team,
  emails: readonly string[],
  {
    at,
    from,
    undo = false,
    reached,
  }: { at?: Date; from?: number | null | undefined; undo?: boolean; reached?: Reached } = {},
): Promise<Moved[]> {
  return transact(db, async (trx) => {
    const wanted = [...new Set(emails.map(canonicalEmail))];
    const accounts = await lockAccounts(trx, wanted, reached);
    const problems = wanted.flatMap((email) => obstacle(email, accounts.get(email)) ?? []);
    if (problems.length > 0) throw badRequest(`Nobody was added. ${problems.join(' ')}`);
    const found = wanted.flatMap((email) => accounts.get(email) ?? []);
    for (const one of found)
      if (one.team_id !== null && one.team_id !== team.id && !one.reached)
        throw forbidden(
          `${one.username} is on a team of a league that is not yours. Ask an owner.`,
        );
    for (const { username, team_id } of found)
      if (from !== undefined && team_id !== from && team_id !== team.id)
        throw conflict(elsewhere(username ?? 'the player'));
    const now = at ?? clock.now();
    const teamless = found.filter(({ team_id }) => team_id === null);
    if (undo)
      await takeBackLeagueMode(
        trx,
        teamless.map(({ id }) => id),
        now,
      );
    await moveToTeams(
      trx,
      found.map(({ id }) => ({ player_id: id, team_id: team.id })),
      now,
      at === undefined ? 'staff' : null,
      undo,
    );
    await notify(trx, {
      profile: found.map(({ id }) => id),
      league: [team.league_id, ...found.flatMap(({ league_id }) => league_id ?? [])],
    });
    return found.map(({ id, email, username, team_id, team: from }) => ({
      player_id: id,
      email,
      username,
      moved_from: team_id === team.id ? null : from,
      from_id: team_id,
    }));
  });
}

/**
 * Takes the account with an address off its team; past games still count for the team.
 * @throws Refusal 404 for an unknown account; 409 when the account is not on this team.
 */
export async function removeFromTeam(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  team: Team,
  email: string,
  at?: Date,
): Promise<Moved[]> {
  return transact(db, async (trx) => {
    const { account, named } = await lockAccount(trx, email);
    if (account.team_id !== team.id) throw conflict(`${named} is not on “${team.name}”.`);
    return takeOff(trx, team, [account], at ?? clock.now());
  });
}

/**
 * Takes several accounts, by number, off their team, all or none (HAND-C12).
 * @param undo whether this undoes putting them on it (OPS-17): league mode becomes as before
 * @throws Refusal 404 for an unknown account; 409 when one is not on this team.
 */
export async function removeSeveral(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  team: Team,
  ids: readonly number[],
  undo = false,
): Promise<Moved[]> {
  return transact(db, async (trx) => {
    const wanted = [...new Set(ids)];
    const accounts = await lockWhere(trx, sql`id = any(${wanted}::bigint[])`, everywhere);
    if (accounts.length < wanted.length) throw notFound(NO_ACCOUNT);
    const gone = accounts.find(({ team_id }) => team_id !== team.id);
    if (gone !== undefined) throw conflict(elsewhere(gone.username ?? 'a player'));
    const now = clock.now();
    if (undo) await takeBackLeagueMode(trx, wanted, now);
    return takeOff(trx, team, accounts, now);
  });
}

async function takeOff(
  trx: Database,
  team: Team,
  accounts: readonly RosterAccount[],
  at: Date,
): Promise<Moved[]> {
  await moveToTeams(
    trx,
    accounts.map(({ id }) => ({ player_id: id, team_id: null })),
    at,
    null,
  );
  await notify(trx, { profile: accounts.map(({ id }) => id), league: [team.league_id] });
  return accounts.map(({ id, email, username }) => ({
    player_id: id,
    email,
    username,
    moved_from: team.name,
    from_id: team.id,
  }));
}

export type Member = {
  team_id: number;
  email: string;
  username: string | null;
  league_mode_enabled: boolean;
};

/** The players of a league, by username. */
export async function listMembers(db: Database, league: League): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select p.team_id, p.email, p.username, p.league_mode_enabled
    from players p join teams t on t.id = p.team_id
    where t.league_id = ${league.id} order by lower(p.username)`.execute(db);
  return rows;
}
