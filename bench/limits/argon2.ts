/** Measures argon2id checks per second on at most four cores, with the parameters of P14. */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

const seconds = Number(process.argv[2] ?? 5);
const stored = await hash('a long enough password', {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
});
let done = 0;
const begun = performance.now();
const end = begun + seconds * 1000;
await Promise.all(
  Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    while (performance.now() < end) {
      await verify(stored, 'a long enough password');
      done += 1;
    }
  }),
);
console.log((done * 1000) / (performance.now() - begun));
