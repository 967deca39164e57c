import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Under load, a thread with this much more niceness gets about a third of the others' CPU time. */
const NICER = 5;
const NICEST = 19;
let lowered = false;

/**
 * On Linux, lowers the priority of libuv's threads, which hash passwords: logins then delay reads
 * less (“p99 of a profile read during logins” in bench/results.md). Call this after each hash,
 * because the first hash starts the threads; later calls do nothing.
 */
export function lowerHashPriority(): void {
  if (lowered || process.platform !== 'linux') return;
  lowered = true;
  const threads = '/proc/self/task';
  const niceness = Math.min(getPriority() + NICER, NICEST);
  try {
    for (const id of readdirSync(threads))
      if (readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('libuv-worker'))
        setPriority(Number(id), niceness);
  } catch {
    // The change is not allowed, or the thread has just ended.
  }
}
