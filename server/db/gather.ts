import { DatabaseError } from 'pg';
import { isDatabaseAway, unavailable } from '../errors.ts';

/** How long a call waits for its group to begin, as one waits for a connection (P39). */
const WAIT_MS = 2_000;

/** Whether an error may come from one call of a group: not when the server is away for all of them. */
function mayBeOnes(error: unknown): boolean {
  if (!isDatabaseAway(error)) return true;
  // A lock that one of them waits for, a deadlock, a statement that takes too long.
  return error instanceof DatabaseError && !/^(08|25006|53|57P)/.test(error.code ?? '');
}

type Call<In, Out> = {
  item: In;
  since: number;
  done: (out: Out) => void;
  fail: (error: unknown) => void;
};

/**
 * Lets calls that come together share one statement, and one commit. Nobody waits for company: a
 * call goes with whatever else has come in this turn of the event loop, or while `atOnce` groups
 * were on their way. Everything a statement costs besides its rows is then paid once for all. When a
 * group fails, each of its calls is tried by itself, so that one that cannot be served hurts no
 * other; when the database is away, all of them are told at once.
 *
 * @param run answers a group, in its order; when it throws, nothing of the group has been done
 * @param options.most how many make one group at most, each by its weight (one, unless told); a call
 *   that is heavier goes alone
 * @param options.atOnce how many groups may be on their way at the same time
 * @param options.keyOf calls with the same key never share a group
 * @returns the function to call; it throws Refusal 503 when no group took the call in two seconds
 */
export function gather<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  {
    most,
    atOnce,
    keyOf,
    weigh = () => 1,
  }: {
    most: number;
    atOnce: number;
    keyOf?: (item: In) => unknown;
    weigh?: (item: In) => number;
  },
): (item: In) => Promise<Out> {
  let waiting: Call<In, Out>[] = [];
  let running = 0;
  let planned = false;
  let watched = false;

  function plan(): void {
    if (planned || waiting.length === 0) return;
    if (running >= atOnce) {
      if (!watched) setTimeout(giveUp, WAIT_MS).unref();
      watched = true;
      return;
    }
    planned = true;
    setImmediate(start);
  }

  /** The database hangs: who has waited for too long goes, so that the queue cannot grow for ever. */
  function giveUp(): void {
    watched = false;
    const late = performance.now() - WAIT_MS;
    const [gone, rest] = [
      waiting.filter(({ since }) => since <= late),
      waiting.filter(({ since }) => since > late),
    ];
    waiting = rest;
    for (const { fail } of gone) fail(unavailable());
    plan();
  }

  function take(): Call<In, Out>[] {
    const keys = new Set<unknown>();
    const group: Call<In, Out>[] = [];
    let weight = 0;
    waiting = waiting.filter((call) => {
      const key = keyOf?.(call.item) ?? call;
      const heavier = weight + weigh(call.item);
      if (keys.has(key) || (heavier > most && group.length > 0)) return true;
      keys.add(key);
      group.push(call);
      weight = heavier;
      return false;
    });
    return group;
  }

  function answer(group: Call<In, Out>[]): Promise<void> {
    return run(group.map(({ item }) => item)).then(
      (answers) => {
        for (const [at, { done }] of group.entries()) done(answers[at] as Out);
      },
      async (error: unknown) => {
        if (group.length > 1 && mayBeOnes(error))
          await Promise.all(group.map((call) => answer([call])));
        else for (const { fail } of group) fail(error);
      },
    );
  }

  function start(): void {
    planned = false;
    running += 1;
    void answer(take()).finally(() => {
      running -= 1;
      plan();
    });
    plan();
  }

  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, since: performance.now(), done, fail });
      plan();
    });
}
