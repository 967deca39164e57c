import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { hashOf } from '../keys.ts';
import { type LimitDeps, limit, networkLimits } from './limits.ts';
import { logSecurity } from './security-log.ts';

/** Whether a request has the operator key. Compares in constant time. */
export function isOperator(
  request: FastifyRequest,
  { operator_key }: Pick<Config, 'operator_key'>,
): boolean {
  const sent = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  return sent !== undefined && timingSafeEqual(hashOf(sent), hashOf(operator_key));
}

/**
 * Logs and counts a wrong operator key (P42, P49). Never call this for the right key, so that
 * nobody can lock out the operator. `deps.db` is the pool of anonymous callers (P17).
 * @throws Refusal 429 after too many wrong keys from a network, or 503 without the database.
 */
export async function countWrongKey(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  logSecurity(request, 'operator_refused', { actor: 'visitor', reason: 'a wrong key' });
  await limit(deps, networkLimits(request.ip, 'operator-key'));
}
