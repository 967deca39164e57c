import { once } from 'node:events';
import { createServer } from 'node:net';

// Browsers refuse some ports up to 10080; the ephemeral ports could go to another program.
const FIRST = 10_100;
const COUNT = 20_000;

/** A free port from 10,100 to 30,099. @throws Error if 100 random ones are taken. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const probe = createServer();
    try {
      await once(probe.listen(port), 'listening');
      return port;
    } catch {
    } finally {
      probe.close();
    }
  }
  throw new Error(`None of 100 ports from ${FIRST} on is free.`);
}
