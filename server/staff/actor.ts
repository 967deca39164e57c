import type { FastifyRequest } from 'fastify';
import { type Role, reaches } from '#contract/rules/staff.ts';
import { forbidden } from '../errors.ts';
import { maskEmail } from '../log.ts';

/** Staff, with their rights when the request arrived. */
export type StaffActor = {
  kind: 'staff';
  id: number;
  name: string;
  role: Role;
  session_id: string;
  /** All venues and leagues; `venues` and `leagues` are empty then (STAFF-02). */
  everything: boolean;
  venues: readonly number[];
  leagues: readonly number[];
};
/** Who calls below /api/operator/: the operator key, or staff. */
export type Actor = { kind: 'key' } | StaffActor;

const ACTOR = Symbol('actor');
type Called = FastifyRequest & { [ACTOR]?: Actor };

/** The hooks of authenticate.ts store who calls, for `actorOf`. */
export function keepActor(request: Called, actor: Actor): void {
  request[ACTOR] = actor;
}

/** @throws Error outside the scopes of operator and console, which is a bug. */
export function actorOf(request: Called): Actor {
  const actor = request[ACTOR];
  if (actor === undefined) throw new Error(`${request.url} is not in the operator's scope`);
  return actor;
}

/** @throws Error for the operator key, which the console's routes refuse. */
export function staffOf(request: FastifyRequest): StaffActor {
  const actor = actorOf(request);
  if (actor.kind !== 'staff') throw new Error(`${request.url} is not in the console's scope`);
  return actor;
}

/**
 * Guards a part of an answer or change that needs a higher role than its route.
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
/** A 403 that names the roles from `least` up. */
export const needsRole = (least: Role) => forbidden(`This is ${WHO[least]}. Ask an owner.`);

/** Whether the caller is limited to some venues or leagues (STAFF-02). */
export function isLimited(actor: Actor): actor is StaffActor {
  return actor.kind === 'staff' && !actor.everything;
}

/** null: no venue, which only unlimited callers reach. */
export function reachesVenue(actor: Actor, venueId: number | null): boolean {
  return !isLimited(actor) || (venueId !== null && actor.venues.includes(venueId));
}

/** @throws Refusal 403 unless the caller reaches the venue (P63). */
export function requireVenue(actor: Actor, venueId: number | null): void {
  if (!reachesVenue(actor, venueId))
    throw forbidden('This belongs to a venue that is not yours. Ask an owner.');
}

/**
 * The address for an answer. A route that shows staff a whole address must write an audit line
 * (P65).
 */
export const shownEmail = (actor: Actor, email: string) =>
  actor.kind === 'key' ? email : maskEmail(email);

/** The caller in the log (P42). */
export const asLogged = (actor: Actor) =>
  actor.kind === 'key'
    ? { actor: 'operator' as const }
    : { actor: 'staff' as const, staff: actor.id };
