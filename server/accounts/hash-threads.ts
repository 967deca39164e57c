import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Under load, a thread with this niceness gets about a tenth of the CPU time of a thread with 0.
 */
const NICENESS = 10;
let lowered = false;

/**
 * Lowers the priority of libuv's threads, which hash passwords, on Linux. Call it after each hash:
 * the threads exist only after the first one. Later calls do nothing. During logins this lowers the
 * p99 of a profile read from 15 to 9.5 ms (“Login” in bench/results.md).
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
    // The process may not set priorities, or a thread has just ended.
  }
}
