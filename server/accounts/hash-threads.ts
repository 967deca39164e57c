import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Under load, gives a thread about a tenth of the CPU time of niceness 0. */
const NICENESS = 10;
let lowered = false;

/**
 * On Linux, lowers the priority of libuv's threads, which hash passwords, so that logins delay
 * reads less (“Login” in bench/results.md). Call this after each hash, because the first hash
 * starts the threads; later calls do nothing.
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
    // The change is not allowed, or the thread has just ended.
  }
}
