import { unavailable } from '../errors.ts';

const RETRY_AFTER_S = 2;
/** The mean duration covers about this many hashes. */
const MEMORY = 16;

export type HashQueueOptions = { atOnce: number; queueMax: number; waitMs: number };
type Waiting = { start: () => void; refuse: () => void };

/**
 * Runs `atOnce` jobs at a time; `queueMax` more wait. Networks take turns, so a network with many
 * jobs delays each job from elsewhere by one job only (P15). Returns a function that runs a job of
 * `network`. It throws Refusal 503 when the job has waited for `waitMs`, or at once if the job
 * would probably wait longer. A full queue refuses the last job of the network with the most jobs.
 */
export function hashQueue({ atOnce, queueMax, waitMs }: HashQueueOptions) {
  let running = 0;
  let meanMs = 0;
  /** Waiting jobs by network. The network whose turn is next comes first. */
  const waiting = new Map<string, Waiting[]>();

  /** How many jobs run before a network's job number `own`, counted from 0. */
  const ahead = (network: string, own: number) => {
    let jobs = own;
    for (const [other, theirs] of waiting)
      if (other !== network) jobs += Math.min(theirs.length, own + 1);
    return jobs;
  };

  /**
   * Makes room in a full queue for another job of a network that has `own` jobs in it.
   * @throws Refusal 503 if no other network has more.
   */
  function makeRoom(own: number): void {
    const lists = [...waiting.values()];
    if (lists.reduce((sum, { length }) => sum + length, 0) < queueMax) return;
    const longest = lists.reduce<Waiting[]>((a, b) => (b.length > a.length ? b : a), []);
    const last = longest.at(-1);
    if (last === undefined || longest.length <= own + 1)
      throw unavailable(undefined, RETRY_AFTER_S);
    last.refuse();
  }

  function leave(network: string, job: Waiting): void {
    const rest = (waiting.get(network) ?? []).filter((one) => one !== job);
    if (rest.length === 0) waiting.delete(network);
    else waiting.set(network, rest);
  }

  async function turn(network: string): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const own = waiting.get(network)?.length ?? 0;
    if (((ahead(network, own) + 1) * meanMs) / atOnce > waitMs)
      throw unavailable(undefined, RETRY_AFTER_S);
    makeRoom(own);
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        leave(network, job);
        settle();
      };
      const refuse = end(() => reject(unavailable(undefined, RETRY_AFTER_S)));
      const job: Waiting = { start: end(resolve), refuse };
      const timer = setTimeout(refuse, waitMs);
      waiting.set(network, [...(waiting.get(network) ?? []), job]);
    });
  }

  function startNext(): void {
    const [first] = waiting;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [network, jobs] = first;
    jobs[0]?.start();
    const rest = waiting.get(network);
    if (rest === undefined) return;
    // Move the network to the end, so that another has the next turn.
    waiting.delete(network);
    waiting.set(network, rest);
  }

  return async <T>(network: string, job: () => Promise<T>): Promise<T> => {
    await turn(network);
    const begun = performance.now();
    try {
      return await job();
    } finally {
      meanMs += (performance.now() - begun - meanMs) / MEMORY;
      startNext();
    }
  };
}
