import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { forbidden } from '../errors.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Headers that proxies add. A proxied request can come from another machine. */
const FORWARDED =
  /^(forwarded|via|x-forwarded|x-forwarded-.+|x-original-.+|x-real-ip|x-(cluster-)?client-ip|true-client-ip|(cf|fastly|do)-(connecting|client)-ip|x-envoy-.+|x-amzn?-.+)$/;

/**
 * Whether the caller is on this machine, and neither a header nor HTTP/1.0 (nginx's default)
 * reveals a proxy. Callers through any other proxy on this machine look local, so the server warns
 * at startup.
 */
export function isLocal(request: FastifyRequest): boolean {
  return (
    LOOPBACK.test(request.raw.socket.remoteAddress ?? '') &&
    request.raw.httpVersion !== '1.0' &&
    !Object.keys(request.headers).some((name) => FORWARDED.test(name))
  );
}

/** Whether the mailbox and the court are available (P46). */
export function hasDevelopmentPages({
  smtp_url,
  production,
}: Pick<Config, 'smtp_url' | 'production'>): boolean {
  return smtp_url === null && !production;
}

/** An `onRequest` hook that refuses other machines (P46). The error names `page`. */
export function localOnly(page: string): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!isLocal(request)) throw forbidden(`${page} opens on this machine only.`);
  };
}
