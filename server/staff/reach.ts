import { type RawBuilder, sql } from 'kysely';
import { canonicalEmail } from '#contract/email.ts';
import type { Database } from '../db/database.ts';
import { forbidden } from '../errors.ts';
import { staysIn, venueOfGame } from '../venues/venues.ts';
import { type Actor, isLimited, requireVenue, type StaffActor } from './actor.ts';

/**
 * SQL: whether the caller reaches a league: it was given to the caller, or is played at one of the
 * caller's venues (STAFF-02). Held games do not count, because staff can make a machine send one.
 * `league` is SQL. `limit 1` makes PostgreSQL use the index of each team and machine.
 */
export function leagueReached(actor: Actor, league: RawBuilder<unknown>): RawBuilder<boolean> {
  if (!isLimited(actor)) return sql<boolean>`true`;
  return sql<boolean>`(${league} = any(${[...actor.leagues]}::bigint[]) or exists (
    select from teams reached cross join ${staysIn(actor.venues)} stay
    cross join lateral (
      select from games where team_id = reached.id and machine_id = stay.machine_id
        and received_at >= stay.since and received_at < stay.until and state = 'counted' limit 1
    ) played where reached.league_id = ${league}))`;
}

/** @throws Refusal 403 unless the caller reaches the league (P63). */
export async function requireLeague(db: Database, actor: Actor, leagueId: number): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ reached: boolean }>`
    select ${leagueReached(actor, sql`${leagueId}::bigint`)} as reached`.execute(db);
  if (!rows[0]?.reached) throw forbidden('This league is not yours. Ask an owner.');
}

/**
 * SQL: whether the caller reaches a player: by a counted game at a venue, or by a team of a league
 * that the caller reaches (STAFF-02). `player` is SQL.
 */
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
 * For addresses and accounts, which belong to no venue (STAFF-02).
 * @throws Refusal 403 unless the caller has all venues and leagues (P63).
 */
export function requireEverything(actor: Actor): void {
  if (isLimited(actor))
    throw forbidden(
      'Only owners and managers of all venues change an address or delete an account. Ask an owner.',
    );
}

/**
 * A new team takes players off their present one (LEAGUE-07). Ignores unknown addresses.
 * @throws Refusal 403 unless the caller reaches the present teams (P63).
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

/**
 * Ignores an unknown game, for which the route answers 404.
 * @throws Refusal 403 unless the game was played at a venue of the caller, or for one of their
 * leagues (P63).
 */
export async function requireGame(db: Database, actor: Actor, gameId: string): Promise<void> {
  if (!isLimited(actor)) return;
  const { rows } = await sql<{ venue_id: number | null; league_id: number | null }>`
    select ${venueOfGame('g', 'm')} as venue_id, t.league_id from machines m
    join games g on g.machine_id = m.id and g.id = ${gameId}
    left join teams t on t.id = g.team_id`.execute(db);
  for (const { venue_id, league_id } of rows)
    if (league_id === null || !actor.leagues.includes(league_id)) requireVenue(actor, venue_id);
}

/** Gives a new league to a limited creator, who could not reach it otherwise (STAFF-02). */
export async function giveLeague(trx: Database, actor: Actor, leagueId: number): Promise<void> {
  if (isLimited(actor))
    await trx
      .insertInto('staff_leagues')
      .values({ staff_id: actor.id, league_id: leagueId })
      .onConflict((clash) => clash.doNothing())
      .execute();
}

/** The venues that staff reach, by name. */
export async function venuesOf(db: Database, actor: StaffActor) {
  const all = db.selectFrom('venues').select(['id', 'name']).orderBy(sql`lower(name)`);
  if (!isLimited(actor)) return all.execute();
  return all.where('id', 'in', actor.venues.length > 0 ? [...actor.venues] : [0]).execute();
}

/** The leagues that staff reach, by name. */
export async function leaguesOf(db: Database, actor: StaffActor) {
  return db
    .selectFrom('leagues')
    .select(['id', 'name'])
    .where(leagueReached(actor, sql.ref('leagues.id')))
    .orderBy(sql`lower(name)`)
    .execute();
}

/** The limits of a list of games for the caller; null: none (STAFF-02). */
export function reachOf(actor: Actor): Pick<StaffActor, 'venues' | 'leagues'> | null {
  return isLimited(actor) ? { venues: actor.venues, leagues: actor.leagues } : null;
}
