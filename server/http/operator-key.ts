import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type LimitDeps, limit, networkLimits } from './limits.ts';
import { logSecurity } from './security-log.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the bearer token is the operator key, compared in constant time. */
export function isOperator(
  request: FastifyRequest,
  { operator_key }: Pick<Config, 'operator_key'>,
): boolean {
  const sent = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(operator_key));
}

/** A network's limit: 20 wrong operator keys in 5 minutes (P49). */
const WRONG_KEYS = { name: 'operator-key', max: 20, seconds: 300, remember: true };

/**
 * Logs and counts a wrong operator key (P42, P49). Never call this for the right key, so that
 * nobody can lock out the operator. `deps.db` must be the pool of anonymous callers (P17).
 * @throws Refusal 429 after too many wrong keys from a network; 503 when the database is
 * unavailable.
 */
export async function countWrongKey(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  logSecurity(request, 'operator_refused', { actor: 'visitor', reason: 'a wrong key' });
  await limit(deps, networkLimits(request.ip, WRONG_KEYS));
}
