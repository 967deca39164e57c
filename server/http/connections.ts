import type { Socket } from 'node:net';
import type { App } from './scope.ts';

/** How long a new connection has, during shutdown, to send its first request. */
const FIRST_REQUEST_MS = 1_000;
const CHECK_EVERY_MS = 100;

/** Closes, at shutdown, connections that never sent a byte (P41). Node would wait for them. */
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
