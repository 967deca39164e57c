import type { Socket } from 'node:net';
import type { App } from './scope.ts';

const FIRST_REQUEST_MS = 1_000;
const CHECK_EVERY_MS = 100;

/**
 * At shutdown, closes connections that never sent a byte, because Node would wait for them (P41).
 */
export function closeUnused(app: App): void {
  const opened = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    opened.set(socket, performance.now());
    socket.once('close', () => opened.delete(socket));
  });
  app.addHook('preClose', async () => {
    const checking = setInterval(() => {
      const latest = performance.now() - FIRST_REQUEST_MS;
      for (const [socket, at] of opened)
        if (socket.bytesRead === 0 && at < latest) socket.destroy();
    }, CHECK_EVERY_MS);
    app.server.once('close', () => clearInterval(checking));
    checking.unref();
  });
}

/** Programs pipeline a few requests; browsers and proxies pipeline none. */
const AHEAD_MOST = 20;

/**
 * Closes a connection with more than 20 unanswered requests (P39), because a client that never
 * reads its answers could fill the memory.
 */
export function limitPipelining(app: App): void {
  const unanswered = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const open = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, open);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (open <= AHEAD_MOST) return done();
    reply.hijack();
    socket.destroy();
  });
}
