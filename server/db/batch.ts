import { DatabaseError } from 'pg';
import { isDatabaseAway, unavailable } from '../errors.ts';

/** How long a call waits for its group to begin, as one waits for a connection (P39). */
const WAIT_MS = 2_000;

/** When a group has failed: how many of its calls are tried by themselves at the same time. */
const SINGLES_AT_ONCE = 4;
/** After so many of them that the database could not serve, it is not one call's fault. */
const NOT_ONES_FAULT = 2;

/**
 * Whether an error may come from one call of a group, or from the one connection that it was on,
 * and not from a server that is away for all of them.
 */
function mayBeOnes(error: unknown): boolean {
  if (!isDatabaseAway(error)) return true;
  // A lock that one of them waits for, a deadlock, a statement that takes too long, a backend killed.
  if (error instanceof DatabaseError) return !/^(08|25006|53|57P0[^1])/.test(error.code ?? '');
  return error instanceof Error && error.message.startsWith('Connection terminated');
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
 * group fails, its calls are tried one by one, so that one that cannot be served hurts no other;
 * when the database is away, all of them are told at once.
 *
 * @param run answers a group, in its order; it may be asked again for a group that it threw on, and
 *   must bear that some of it has been done when the connection broke at the commit
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
    if (running >= atOnce) watch();
    else {
      planned = true;
      setImmediate(start);
    }
  }

  /** Looks again when the one that has waited longest has done so for long enough. */
  function watch(): void {
    const [oldest] = waiting;
    if (watched || oldest === undefined) return;
    watched = true;
    const left = oldest.since + WAIT_MS - performance.now();
    setTimeout(giveUp, Math.max(0, Math.ceil(left))).unref();
  }

  /** The database hangs: who has waited for too long goes, so that the queue cannot grow for ever. */
  function giveUp(): void {
    watched = false;
    const late = performance.now() - WAIT_MS;
    const gone = waiting.filter(({ since }) => since <= late);
    waiting = waiting.filter(({ since }) => since > late);
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

  async function answer(group: Call<In, Out>[]): Promise<void> {
    try {
      const answers = await run(group.map(({ item }) => item));
      for (const [at, { done }] of group.entries()) done(answers[at] as Out);
    } catch (error) {
      if (group.length > 1 && mayBeOnes(error)) return answerOneByOne(group);
      for (const { fail } of group) fail(error);
    }
  }

  async function answerOneByOne(group: Call<In, Out>[]): Promise<void> {
    const left = [...group];
    let unserved = 0;
    async function goOn(): Promise<void> {
      for (let call = left.shift(); call; call = left.shift()) {
        const { item, done, fail } = call;
        try {
          const [out] = await run([item]);
          done(out as Out);
        } catch (error) {
          fail(error);
          if (isDatabaseAway(error)) unserved += 1;
          if (unserved < NOT_ONES_FAULT) continue;
          for (const rest of left.splice(0)) rest.fail(error);
        }
      }
    }
    await Promise.all(Array.from({ length: SINGLES_AT_ONCE }, goOn));
  }

  function start(): void {
    planned = false;
    const group = take();
    // They may all have given up since this was planned.
    if (group.length === 0) return;
    running += 1;
    void answer(group).finally(() => {
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
