import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A thread of this niceness gets about a tenth of what one of 0 gets beside it. */
const NICENESS = 10;
let lowered = false;

/**
 * Lowers the priority of the threads that hash passwords (and read files) below that of requests and
 * the database, once, after the first hash: the threads do not exist before. Only on Linux, where
 * each thread has a niceness of its own.
 * “Login” in bench/results.md: p99 of a profile read during logins 9.5 ms instead of 15.
 */
export function lowerHashPriority(): void {
  if (lowered || process.platform !== 'linux') return;
  lowered = true;
  const threads = '/proc/self/task';
  try {
    for (const id of readdirSync(threads))
      if (readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('libuv-worker'))
        setPriority(Number(id), NICENESS);
  } catch {
    // Not permitted here, or a thread has just ended: the priority stays as it is.
  }
}
