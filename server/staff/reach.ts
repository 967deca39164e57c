import { type RawBuilder, sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import type { Database } from '../db/database.ts';
import { refersTo } from '../db/reference.ts';
import { forbidden } from '../errors.ts';
import { staysIn, venueOfGame } from '../venues/venues.ts';
import { type Actor, isLimited, reachesVenue, requireVenue, type StaffActor } from './actor.ts';

/**
 * SQL: whether the caller reaches a league: one given to them, or one of their venues (STAFF-02).
 * `league` is SQL for the id.
 */
export function leagueReached(actor: Actor, league: RawBuilder<unknown>): RawBuilder<boolean> {
  if (!isLimited(actor)) return sql<boolean>`true`;
  return sql<boolean>`(${league} = any(${[...actor.leagues]}::bigint[]) or ${league} in (
    select id from leagues where venue_id = any(${[...actor.venues]}::integer[])))`;
}

/** @throws Refusal 403 unless the caller reaches the league (P63). */
export async function requireLeague(db: Database, actor: Actor, leagueId: number): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ reached: boolean }>`
    select ${leagueReached(actor, sql`${leagueId}::bigint`)} as reached`.execute(db);
  if (!rows[0]?.reached) throw forbidden('This league is not yours. Ask an owner.');
}

/** SQL: whether the caller reaches a player (STAFF-02). `player` is SQL for the id. */
function playerReached(actor: StaffActor, player: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (
    select from players p join teams t on t.id = p.team_id
    where p.id = ${player} and ${leagueReached(actor, sql.ref('t.league_id'))}
  ) or exists (
    select from games played join ${staysIn(actor.venues)} stay
      on played.machine_id = stay.machine_id
      and played.received_at >= stay.since and played.received_at < stay.until
    where played.player_id = ${player} and played.state = 'counted'
  ))`;
}

/** @throws Refusal 403 unless the caller reaches the player (P63). */
export async function requirePlayer(db: Database, actor: Actor, playerId: number): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ reached: boolean }>`
    select ${playerReached(actor, sql`${playerId}::bigint`)} as reached`.execute(db);
  if (!rows[0]?.reached)
    throw forbidden(
      'This player has played at none of your venues and is on none of your teams. Ask an owner.',
    );
}

/**
 * Guards changes of a player's address and deletions of accounts (STAFF-02).
 * @throws Refusal 403 unless the caller has all venues and leagues (P63).
 */
export function requireEverything(actor: Actor): void {
  if (isLimited(actor))
    throw forbidden(
      'Only owners and managers of all venues change an address or delete an account. Ask an owner.',
    );
}

/**
 * Checks that the caller may name these players by username. Anybody can look up usernames, so
 * staff must give the addresses of players whom they do not reach (STAFF-02).
 * @throws Refusal 403 if the caller does not reach one of the players (P63).
 */
export async function requireKnown(
  db: Database,
  actor: Actor,
  playerIds: readonly number[],
): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ username: string }>`
    select username from players named where id = any(${[...playerIds]}::bigint[])
      and not ${playerReached(actor, sql.ref('named.id'))} order by lower(username)`.execute(db);
  const [first] = rows;
  if (first !== undefined)
    throw forbidden(
      `${first.username} has played at none of your venues: use the address, or send the player the code of the team.`,
    );
}

/**
 * Checks before players are put on a team: if a player is on another team and so leaves it
 * (LEAGUE-07), that team must be in the caller's reach. Ignores unknown addresses.
 * @throws Refusal 403 if at least one of these teams is out of the caller's reach (P63).
 */
export async function requireMovable(
  db: Database,
  actor: Actor,
  emails: readonly string[],
): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ username: string | null }>`
    select p.username from players p join teams t on t.id = p.team_id
    where p.email = any(${emails.map(canonicalEmail)}::text[])
      and not ${leagueReached(actor, sql.ref('t.league_id'))} order by p.email`.execute(db);
  const [first] = rows;
  if (first !== undefined)
    throw forbidden(
      `${first.username ?? 'This player'} is on a team of a league that is not yours. Ask an owner.`,
    );
}

type PlayedGame = { machine_id: number; venue_id: number | null; league_id: number | null };

/**
 * Requires a game at the caller's venue or for a league given to the caller. Returns the ids of the
 * machines on which to look, because other machines can have a game with the same id: null for all
 * machines, [] for an unknown game.
 * @param machine the machine that the caller named
 * @throws Refusal 403 if the caller does not reach the game (P63).
 */
export async function requireGame(
  db: Database,
  actor: Actor,
  gameId: string,
  machine?: string,
): Promise<readonly number[] | null> {
  if (!isLimited(actor) && machine === undefined) return null;
  const { rows } = await sql<PlayedGame>`
    select m.id as machine_id, ${venueOfGame('g', 'm')} as venue_id, t.league_id from machines m
    join games g on g.machine_id = m.id and g.id = ${gameId}
    left join teams t on t.id = g.team_id
    where ${machine === undefined ? sql`true` : refersTo(machine, 'm.name', 'm.id')}`.execute(db);
  const reached = rows.filter(
    ({ venue_id, league_id }) =>
      reachesVenue(actor, venue_id) ||
      (isLimited(actor) && league_id !== null && actor.leagues.includes(league_id)),
  );
  if (reached.length === 0) for (const { venue_id } of rows) requireVenue(actor, venue_id);
  return reached.map(({ machine_id }) => machine_id);
}

/** The venues that the caller reaches, by name. */
export async function venuesOf(db: Database, actor: Actor) {
  const all = db.selectFrom('venues').select(['id', 'name']).orderBy(sql`lower(name)`);
  if (!isLimited(actor)) return all.execute();
  return all.where('id', 'in', actor.venues.length > 0 ? [...actor.venues] : [0]).execute();
}

/** The leagues that the caller reaches, by name. */
export async function leaguesOf(db: Database, actor: Actor) {
  return db
    .selectFrom('leagues')
    .select(['id', 'name'])
    .where(leagueReached(actor, sql.ref('leagues.id')))
    .orderBy(sql`lower(name)`)
    .execute();
}

/** The ids of the leagues that the caller reaches; null for all (STAFF-02). */
export async function reachedLeagues(db: Database, actor: Actor): Promise<number[] | null> {
  return isLimited(actor) ? (await leaguesOf(db, actor)).map(({ id }) => id) : null;
}

/** The venues and leagues to which the caller's lists are limited; null for all (STAFF-02). */
export function reachOf(actor: Actor): Pick<StaffActor, 'venues' | 'leagues'> | null {
  return isLimited(actor) ? { venues: actor.venues, leagues: actor.leagues } : null;
}
