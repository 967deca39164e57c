import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Compressed = { plain: Buffer; gzip?: Buffer; br?: Buffer };

/** Compresses a text. Brotli (`br`) is smaller than gzip, but takes a CPU second for 400 kB. */
export function compress(text: string | Buffer, { br }: { br: boolean }): Compressed {
  const plain = Buffer.from(text);
  return { plain, gzip: gzipSync(plain), ...(br ? { br: brotliCompressSync(plain) } : {}) };
}

/** The smallest form that the client accepts. `accepted`: its Accept-Encoding. */
export function negotiate(
  made: Compressed,
  accepted: string,
): { body: Buffer; coding: string | null } {
  for (const coding of ['br', 'gzip'] as const) {
    const body = made[coding];
    if (body && new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(accepted))
      return { body, coding };
  }
  return { body: made.plain, coding: null };
}

/** Sends a text, compressed if accepted; browsers must revalidate. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  made: Compressed,
  type: string,
) {
  const { body, coding } = negotiate(made, request.headers['accept-encoding'] ?? '');
  if (coding) reply.header('content-encoding', coding);
  return reply
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .type(type)
    .send(body);
}
