import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system hands to outgoing connections: one of those could take the port
// between this answer and the server's start. Above 10080, which browsers refuse.
const FIRST = 10_100;
const COUNT = 20_000;

/** A port of this machine that nobody listens on, 10,100 to 30,099. @throws after 100 that are taken. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const probe = createServer();
    try {
      // On all addresses, as the server does.
      await once(probe.listen(port), 'listening');
      return port;
    } catch {
      // Somebody else's; the next one.
    } finally {
      probe.close();
    }
  }
  throw new Error('no free port');
}
