import { once } from 'node:events';
import { createServer } from 'node:net';

// The range is below the ephemeral ports, which another program could get first, and above 10080,
// because browsers refuse some ports up to that.
const FIRST = 10_100;
const COUNT = 20_000;

/** A free port from 10,100 to 30,099. @throws Error after 100 taken ports. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const probe = createServer();
    try {
      // Listen on all addresses, as the server does.
      await once(probe.listen(port), 'listening');
      return port;
    } catch {
      // The port is taken, so try another.
    } finally {
      probe.close();
    }
  }
  throw new Error(`None of 100 ports from ${FIRST} on is free.`);
}
