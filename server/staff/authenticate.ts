import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ROLES, type Role, reaches } from '#contract/rules/staff.ts';
import type { Deps } from '../deps.ts';
import { forbidden, tooMany, unauthorized } from '../errors.ts';
import { sessionBuckets } from '../http/buckets.ts';
import { countWrongKey, isOperator } from '../http/operator-key.ts';
import { changesState } from '../http/requests.ts';
import type { App } from '../http/scope.ts';
import { logSecurity, setActor } from '../http/security-log.ts';
import { hashOf } from '../keys.ts';
import { asLogged, keepActor, type StaffActor } from './actor.ts';
import { needsRole } from './policy.ts';
import { cookieOf, readStaffSession } from './sessions.ts';

/** The least role for a route; `key` means that only the operator key may call it. */
export type LeastRole = Role | 'key';

/**
 * All sessions of one person may together call four times as often as one session of a player
 * (P39a).
 */
const STAFF_TIMES = 4;

/** OpenAPI's extension for a route's least role (P63). */
const LEAST_ROLE = 'x-role';
type Declared = { [LEAST_ROLE]?: LeastRole };

/** Declares a route's least role in its schema. */
export const leastRole = (role: LeastRole): Declared => ({ [LEAST_ROLE]: role });

/** @throws Error at startup if the route declares no role, so that no route is open by mistake. */
function roleOf(route: Pick<RouteOptions, 'schema' | 'url'>): LeastRole {
  const role = (route.schema as Declared | undefined)?.[LEAST_ROLE];
  if (role === undefined) throw new Error(`${route.url} declares no least role`);
  return role;
}

function describeRoles(scope: App, key: boolean): void {
  scope.addHook('onRoute', (route) => {
    const staff = ROLES.some((role) => role === roleOf(route)) ? [{ staff: [] }] : [];
    route.schema = { ...route.schema, security: [...(key ? [{ operator: [] }] : []), ...staff] };
  });
}

/**
 * Requires that a change by staff comes from our page (P64). The cookie does not prove it, because
 * browsers also send it from sibling hosts and other ports. They never send the operator key
 * automatically.
 * @throws Refusal 403
 */
export function requireOwnPage({ method, headers }: FastifyRequest): void {
  if (!changesState(method)) return;
  // `guardRequests` has refused foreign Origins (P36).
  if (headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined) return;
  throw forbidden('This request does not come from the console.');
}

/**
 * Adds the hook of the operator's scope: the operator key, or a staff session with the route's
 * least role (OPS-01, P63).
 * @throws Refusal 401 without a valid key or session; 403 for a lower role, or from a foreign page;
 * 429 after many wrong keys (P49) or calls (P39a).
 */
export function allowKeyOrStaff(
  scope: App,
  deps: Pick<Deps, 'config' | 'anonymous' | 'clock' | 'log'>,
  requireStaff: RequireStaff,
): void {
  describeRoles(scope, true);
  scope.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== undefined) return requireKey(request, reply);
    await requireStaff(request, reply, 'The operator key is missing or wrong.');
  });

  async function requireKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isOperator(request, deps.config)) {
      keepActor(request, { kind: 'key' });
      setActor(request, { actor: 'operator' });
      return;
    }
    await countWrongKey({ ...deps, db: deps.anonymous }, request);
    reply.header('www-authenticate', 'Bearer');
    throw unauthorized('The operator key is missing or wrong.');
  }
}

/** Adds the hook of the console's scope: a staff session with the route's least role. */
export function allowStaff(scope: App, requireStaff: RequireStaff): void {
  describeRoles(scope, false);
  scope.addHook('onRequest', (request, reply) =>
    requireStaff(request, reply, 'Sign in to the console.'),
  );
}

type ReadSession = (request: FastifyRequest) => Promise<StaffActor | undefined>;

/**
 * Looks up an unproven cookie on the pool of anonymous callers, so that made-up cookies cannot
 * starve players (P17).
 */
function sessionReader(deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock'>): ReadSession {
  const proven = new Set<string>();
  return async (request) => {
    const secret = cookieOf(request, deps.config, 'staff');
    if (secret === undefined) return undefined;
    const proof = hashOf(secret).toString('base64url');
    const db = proven.has(proof) ? deps.db : deps.anonymous;
    const actor = await readStaffSession({ ...deps, db }, request);
    if (actor === undefined) proven.delete(proof);
    else proven.add(proof);
    return actor;
  };
}

export type RequireStaff = (
  request: FastifyRequest,
  reply: FastifyReply,
  missing: string,
) => Promise<void>;

/**
 * Returns the check of a staff session with the route's least role. All scopes share it, because it
 * counts a person's calls (P39a). `missing` is the sentence of its 401.
 */
export function staffRequirement(
  deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock'>,
): RequireStaff {
  const read = sessionReader(deps);
  const spend = sessionBuckets();
  return async (request, reply, missing) => {
    const actor = await read(request);
    if (actor === undefined) {
      logSecurity(request, 'operator_refused', {
        actor: 'visitor',
        reason: 'no key and no session',
      });
      reply.header('www-authenticate', 'Bearer');
      throw unauthorized(missing);
    }
    const wait_s = spend(String(actor.id), changesState(request.method), STAFF_TIMES);
    if (wait_s > 0) throw tooMany(wait_s, 'staff');
    requireOwnPage(request);
    const least = (request.routeOptions.schema as Declared)[LEAST_ROLE] ?? 'key';
    if (least === 'key' || !reaches(actor.role, least)) {
      logSecurity(request, 'staff_refused', { ...asLogged(actor), reason: `needs ${least}` });
      throw least === 'key'
        ? forbidden('This takes the operator key: use the command line.')
        : needsRole(least);
    }
    keepActor(request, actor);
    setActor(request, { actor: 'staff' });
  };
}
