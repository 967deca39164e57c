import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Under load, a thread with this niceness gets about a tenth of the CPU time of a thread with
 * niceness 0.
 */
const NICENESS = 10;
let lowered = false;

/**
 * Gives the threads of libuv, which hash passwords and read files, a lower priority than requests
 * and the database. Call it after each hash: the threads exist from the first hash on, and only the
 * first call has an effect. It does nothing on systems other than Linux, because only Linux has a
 * niceness for each thread.
 * With it, the p99 of a profile read during logins is 9.5 ms instead of 15 ms (“Login” in
 * bench/results.md).
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
    // The priority may not be set, or a thread has just ended. Then the threads keep their normal
    // priority.
  }
}
