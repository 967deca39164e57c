import type { FastifyRequest } from 'fastify';
import type { Role } from '#contract/rules/staff.ts';
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

/** The caller, in the console's routes. @throws Error for the operator key, which they refuse. */
export function staffOf(request: FastifyRequest): StaffActor {
  const actor = actorOf(request);
  if (actor.kind !== 'staff') throw new Error(`${request.url} is not in the console's scope`);
  return actor;
}

/**
 * The address as the caller may see it: in full with the operator's key, masked for staff. A route
 * that shows staff the full address must write an audit line (P65).
 */
export const shownEmail = (actor: Actor, email: string) =>
  actor.kind === 'key' ? email : maskEmail(email);

/** How the log names the caller (P42). */
export const asLogged = (actor: Actor) =>
  actor.kind === 'key'
    ? { actor: 'operator' as const }
    : { actor: 'staff' as const, staff: actor.id };
