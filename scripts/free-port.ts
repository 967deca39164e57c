import { once } from 'node:events';
import { createServer } from 'node:net';

// Above 10080, because browsers refuse some ports up to 10080. Below the ephemeral ports, because
// another program could get one of those first.
const FIRST = 10_100;
const COUNT = 20_000;

/** Finds a free port from 10,100 to 30,099. @throws Error if 100 random ports are taken. */
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
