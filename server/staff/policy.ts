import { type RawBuilder, sql } from 'kysely';
import { type Role, reaches } from '#contract/rules/staff.ts';
import { forbidden } from '../errors.ts';
import type { Actor, StaffActor } from './actor.ts';

/* Who may see and change what (STAFF-02): the order of roles, and a condition for each noun. */

const WHO: Record<Role, string> = {
  floor: 'for staff',
  manager: 'for managers and owners',
  owner: 'for owners',
};
/** A 403 that names the roles from `least` up. */
export const needsRole = (least: Role) => forbidden(`This is ${WHO[least]}. Ask an owner.`);

export const hasRole = (actor: Actor, least: Role) =>
  actor.kind === 'key' || reaches(actor.role, least);

/**
 * Guards a part of an answer or change that needs a higher role than its route.
 * @throws Refusal 403 for staff below `least` (P63).
 */
export function requireRole(actor: Actor, least: Role): void {
  if (!hasRole(actor, least)) throw needsRole(least);
}

/** Whether the caller is limited to what an owner gave them (STAFF-02). */
export const isLimited = (actor: Actor): actor is StaffActor =>
  actor.kind === 'staff' && !actor.everything;

/**
 * Guards changes of a player's address and deletions of accounts (STAFF-40).
 * @throws Refusal 403 unless the caller has all venues and leagues (P63).
 */
export function requireEverything(actor: Actor): void {
  if (isLimited(actor))
    throw forbidden(
      'Only owners and managers of all venues change an address or delete an account. Ask an owner.',
    );
}

/** A condition on the row with this id, in SQL. A null id is a row of no venue or league. */
export type Condition = (id: RawBuilder<unknown>) => RawBuilder<boolean>;
const always = sql<boolean>`true`;

/** Whether the caller reaches a row, as SQL. */
export type Policy = {
  venue: Condition;
  league: Condition;
  /**
   * For rows `g` of games: whether the game was played at a venue of the caller, or for a league.
   */
  game: RawBuilder<boolean>;
  /**
   * Whether a machine may have games within reach, so that lists skip the games of other machines.
   */
  plays: Condition;
  player: Condition;
  /** Takes the id of the screen's venue. */
  screen: Condition;
  staff: Condition;
};

/** What the caller reaches (STAFF-02). Only owners and the operator key reach other staff. */
export function policyOf(actor: Actor): Policy {
  const staff: Condition = (id) =>
    hasRole(actor, 'owner') || actor.kind === 'key' ? always : sql<boolean>`${id} = ${actor.id}`;
  if (!isLimited(actor)) {
    const all = () => always;
    return { venue: all, league: all, game: always, plays: all, player: all, screen: all, staff };
  }
  const [venues, leagues] = [[...actor.venues], [...actor.leagues]];
  const venue: Condition = (id) => sql<boolean>`coalesce(${id} = any(${venues}::bigint[]), false)`;
  const league: Condition = (id) =>
    sql<boolean>`coalesce(${id} = any(${leagues}::bigint[]) or ${id} in (
      select id from leagues where venue_id = any(${venues}::integer[])), false)`;
  const game = sql<boolean>`coalesce(g.venue_id = any(${venues}::bigint[])
    or g.team_id in (select id from teams where league_id = any(${leagues}::bigint[])), false)`;
  // `limit 1` makes PostgreSQL use the index by team.
  const plays: Condition = (id) => sql<boolean>`(
    exists (select from games where venue_id = any(${venues}::integer[]) and machine_id = ${id})
    or exists (
      select from teams t cross join lateral (
        select from games where team_id = t.id and machine_id = ${id} limit 1) played
      where t.league_id = any(${leagues}::bigint[])))`;
  return { venue, league, game, plays, player: playerOf(venues, league), screen: venue, staff };
}

/** A player is within reach through the team's league, or through a counted game at the venues. */
function playerOf(venues: number[], league: Condition): Condition {
  return (id) => sql<boolean>`(exists (
    select from players p join teams t on t.id = p.team_id
    where p.id = ${id} and ${league(sql.ref('t.league_id'))}
  ) or exists (
    select from games played where played.player_id = ${id} and played.state = 'counted'
      and played.venue_id = any(${venues}::integer[])
  ))`;
}

/** Narrows what the caller reaches to one venue. */
export const onlyAt = (venueId: number): Pick<Policy, 'venue' | 'game'> => ({
  venue: (id) => sql<boolean>`${id} = ${venueId}`,
  game: sql<boolean>`g.venue_id = ${venueId}`,
});
