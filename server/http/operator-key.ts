import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { unauthorized } from '../errors.ts';
import { logSecurity, setActor } from './security-log.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the bearer token is the operator key, compared in constant time. */
export function isOperator(
  request: FastifyRequest,
  { operator_key }: Pick<Config, 'operator_key'>,
): boolean {
  const sent = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(operator_key));
}

/**
 * The hook of the operator scope (OPS-01). It logs each refusal (P42).
 * @throws Refusal 401 without the operator key.
 */
export function requireOperator(config: Pick<Config, 'operator_key'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isOperator(request, config)) return setActor(request, { actor: 'operator' });
    logSecurity(request, 'operator_refused', { actor: 'visitor' });
    reply.header('www-authenticate', 'Bearer');
    throw unauthorized('The operator key is missing or wrong.');
  };
}
