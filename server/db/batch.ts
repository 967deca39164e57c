import { DatabaseError } from 'pg';
import { isDatabaseAway, unavailable } from '../errors.ts';

/** A call that is in no batch within this time is rejected (P39). */
const TIMEOUT_MS = 2_000;

const RETRIES_AT_ONCE = 4;
/** After this many retries without a database, the remaining calls fail at once. */
const UNSERVED_MAX = 2;

/** Whether to retry each call of a failed batch. False if PostgreSQL is unavailable. */
function mayBeOneCall(error: unknown): boolean {
  if (!isDatabaseAway(error)) return true;
  // These codes mean that PostgreSQL is unavailable. After a timeout, a deadlock or a killed
  // backend, a retry can succeed.
  if (error instanceof DatabaseError) return !/^(08|25006|53|57P0[^1])/.test(error.code ?? '');
  return error instanceof Error && error.message.startsWith('Connection terminated');
}

type Call<In, Out> = {
  item: In;
  since: number;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
};

/**
 * Lets concurrent calls share a statement and a commit. A batch has the calls of one turn of the
 * event loop, or those that arrived while `concurrency` batches were running. After a failure each
 * call is retried alone, so that only a bad call fails. Without the database, all fail at once.
 * @param run takes a batch and returns a result per call, in order. It must be idempotent: after an
 * error it runs again, although the first run may be committed
 * @param options.max a batch's greatest weight; a heavier call gets its own batch
 * @param options.keyOf calls with the same key never share a batch
 * @param options.weigh a call's weight
 * @returns the function to call. It throws Refusal 503 if the call is in no batch within 2 s
 */
export function batched<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  {
    max,
    concurrency,
    keyOf,
    weigh = () => 1,
  }: {
    max: number;
    concurrency: number;
    keyOf?: (item: In) => unknown;
    weigh?: (item: In) => number;
  },
): (item: In) => Promise<Out> {
  let waiting: Call<In, Out>[] = [];
  let running = 0;
  let scheduled = false;
  let watched = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    if (running >= concurrency) watch();
    else {
      scheduled = true;
      setImmediate(start);
    }
  }

  function watch(): void {
    const [oldest] = waiting;
    if (watched || oldest === undefined) return;
    watched = true;
    const left = oldest.since + TIMEOUT_MS - performance.now();
    setTimeout(expire, Math.max(0, Math.ceil(left))).unref();
  }

  function expire(): void {
    watched = false;
    const oldest = performance.now() - TIMEOUT_MS;
    const expired = waiting.filter(({ since }) => since <= oldest);
    waiting = waiting.filter(({ since }) => since > oldest);
    for (const { reject } of expired) reject(unavailable());
    schedule();
  }

  function take(): Call<In, Out>[] {
    const keys = new Set<unknown>();
    const batch: Call<In, Out>[] = [];
    let weight = 0;
    waiting = waiting.filter((call) => {
      const key = keyOf?.(call.item) ?? call;
      const heavier = weight + weigh(call.item);
      if (keys.has(key) || (heavier > max && batch.length > 0)) return true;
      keys.add(key);
      batch.push(call);
      weight = heavier;
      return false;
    });
    return batch;
  }

  async function runAll(items: In[]): Promise<Out[]> {
    const results = await run(items);
    if (results.length !== items.length)
      throw new Error(`a batch of ${items.length} calls has ${results.length} results`);
    return results;
  }

  async function answer(batch: Call<In, Out>[]): Promise<void> {
    try {
      const answers = await runAll(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Out);
    } catch (error) {
      if (batch.length > 1 && mayBeOneCall(error)) return retryOneByOne(batch);
      for (const { reject } of batch) reject(error);
    }
  }

  async function retryOneByOne(batch: Call<In, Out>[]): Promise<void> {
    const left = [...batch];
    let unserved = 0;
    async function retry(): Promise<void> {
      for (let call = left.shift(); call; call = left.shift()) {
        const { item, resolve, reject } = call;
        try {
          const [out] = await runAll([item]);
          resolve(out as Out);
        } catch (error) {
          reject(error);
          if (isDatabaseAway(error)) unserved += 1;
          if (unserved < UNSERVED_MAX) continue;
          for (const rest of left.splice(0)) rest.reject(error);
        }
      }
    }
    await Promise.all(Array.from({ length: RETRIES_AT_ONCE }, retry));
  }

  function start(): void {
    scheduled = false;
    const batch = take();
    // All calls may have timed out.
    if (batch.length === 0) return;
    running += 1;
    void answer(batch).finally(() => {
      running -= 1;
      schedule();
    });
    schedule();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      schedule();
    });
}
