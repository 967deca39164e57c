import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the bearer token is the operator key, compared in constant time. */
export function isOperator(
  request: FastifyRequest,
  { operator_key }: Pick<Config, 'operator_key'>,
): boolean {
  const sent = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(operator_key));
}
