import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { forbidden } from '../errors.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Added by proxies, through which another machine may call. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether the caller is on this machine, without a proxy. */
export function isLocal(request: FastifyRequest): boolean {
  return (
    LOOPBACK.test(request.raw.socket.remoteAddress ?? '') &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  );
}

/** Whether there are development pages: mailbox and court (P46). */
export function hasDevelopmentPages({
  smtp_url,
  production,
}: Pick<Config, 'smtp_url' | 'production'>): boolean {
  return smtp_url === null && !production;
}

/**
 * An `onRequest` hook that refuses callers on other machines (P46). `page` names the page in the
 * error.
 */
export function localOnly(page: string): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!isLocal(request)) throw forbidden(`${page} opens on this machine only.`);
  };
}
