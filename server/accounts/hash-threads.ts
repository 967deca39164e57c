import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Under load, such a thread gets about a tenth of the CPU time of a thread with niceness 0. */
const NICENESS = 10;
let lowered = false;

/**
 * Gives the threads of libuv, which hash passwords and read files, a lower priority than requests
 * and the database. Call it after each hash: the threads exist from the first hash on, and only the
 * first call has an effect. Only on Linux, where each thread has its own niceness.
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
    // Not permitted, or a thread has just ended: keep the normal priority.
  }
}
