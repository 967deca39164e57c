import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A client with this much unread data is dropped. An event has at most 60 bytes. */
const UNREAD_MAX_BYTES = 4 * 1024;

/** Writes to an event stream, or drops its client. */
export function write(lines: Readable, text: string): void {
  if (lines.readableLength > UNREAD_MAX_BYTES) lines.destroy();
  else if (!lines.destroyed) lines.push(text);
}

/** Answers with an event stream. */
export function sendEvents(reply: FastifyReply, lines: Readable): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/event-stream; charset=utf-8',
      // No proxy may cache, compress or buffer the stream.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Close the connection with the stream, so that shutdown does not wait for it.
      connection: 'close',
    })
    .send(lines);
}
