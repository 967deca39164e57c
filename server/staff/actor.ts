import type { FastifyRequest } from 'fastify';
import { type Role, reaches } from '#contract/console.ts';
import { forbidden } from '../errors.ts';
import { maskEmail } from '../log.ts';

/** A signed-in member of staff, with the rights as stored when the request arrived. */
export type StaffActor = {
  kind: 'staff';
  id: number;
  name: string;
  role: Role;
  session_id: string;
  /**
   * The venues and leagues to which the person is limited. Both empty means no limit (STAFF-02).
   */
  venues: readonly number[];
  leagues: readonly number[];
};
/** The caller of a route under /api/operator/: the operator key, or staff. */
export type Actor = { kind: 'key' } | StaffActor;

const ACTOR = Symbol('actor');
type Called = FastifyRequest & { [ACTOR]?: Actor };

/** Stores the caller with the request. Only the hooks of authenticate.ts may call this. */
export function keepActor(request: Called, actor: Actor): void {
  request[ACTOR] = actor;
}

/**
 * The caller of a request. @throws Error outside the scopes of operator and console: a programming
 * error.
 */
export function actorOf(request: Called): Actor {
  const actor = request[ACTOR];
  if (actor === undefined) throw new Error(`${request.url} is not in the operator's scope`);
  return actor;
}

/**
 * The member of staff who made a request. @throws Error for the operator key, which no route of the
 * console accepts.
 */
export function staffOf(request: FastifyRequest): StaffActor {
  const actor = actorOf(request);
  if (actor.kind !== 'staff') throw new Error(`${request.url} is not in the console's scope`);
  return actor;
}

/**
 * Checks the caller's role on a route of which only a part needs a higher role.
 * @throws Refusal 403 for staff below `least` (P63).
 */
export function requireRole(actor: Actor, least: Role): void {
  if (actor.kind === 'staff' && !reaches(actor.role, least)) throw needsRole(least);
}

const WHO: Record<Role, string> = {
  floor: 'for staff',
  manager: 'for managers and owners',
  owner: 'for owners',
};
/** A 403 that names the roles with this right. */
export const needsRole = (least: Role) => forbidden(`This is ${WHO[least]}. Ask an owner.`);

/** Whether the caller is limited to some venues or leagues (STAFF-02). */
export function isLimited(actor: Actor): actor is StaffActor {
  return actor.kind === 'staff' && actor.venues.length + actor.leagues.length > 0;
}

/** Whether the caller reaches a venue. null stands for something that has no venue. */
export function reachesVenue(actor: Actor, venueId: number | null): boolean {
  return !isLimited(actor) || (venueId !== null && actor.venues.includes(venueId));
}

/** @throws Refusal 403 unless the caller reaches the venue (P63). */
export function requireVenue(actor: Actor, venueId: number | null): void {
  if (!reachesVenue(actor, venueId))
    throw forbidden('This belongs to a venue that is not yours. Ask an owner.');
}

/**
 * An address as the caller may see it: whole for the key, masked for staff. Staff get a whole
 * address only from a route that writes an audit line (P65).
 */
export const shownEmail = (actor: Actor, email: string) =>
  actor.kind === 'key' ? email : maskEmail(email);

/** How the log names the caller (P42). */
export const asLogged = (actor: Actor) =>
  actor.kind === 'key'
    ? { actor: 'operator' as const }
    : { actor: 'staff' as const, staff: actor.id };
