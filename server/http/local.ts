import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Headers that proxies add. A request through a proxy may come from another machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether the caller runs on this machine: its socket is local and no proxy forwarded the request.
 */
export function isLocal(request: FastifyRequest): boolean {
  return (
    LOOPBACK.test(request.raw.socket.remoteAddress ?? '') &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  );
}
