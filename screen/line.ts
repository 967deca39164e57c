import { SCREEN_SILENCE_MS, waitAfter } from '#contract/rules/live.ts';
import { PAIRING_LIFE_MS } from '#contract/rules/screens.ts';
import type { Address, Answer, Body, CallAt, Method } from '#contract/wire/calls.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';

const CALL_TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;
/** The screen reads this often even without an event, because a player may have come of age. */
const READ_EVERY_MS = 60_000;
/** The screen reads this often while the stream delivers nothing. */
const READ_WITHOUT_STREAM_MS = 10_000;
const CLAIM_EVERY_MS = 2_000;
/** The last claim of a code waits this long, for a call of staff that still runs. */
const LAST_CLAIM_AFTER_MS = 1_000;

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const waitAgain = (failures: number) => waitAfter(failures, LONGEST_WAIT_MS, FIRST_WAIT_MS);

const isRefusal = (status: number) => status >= 400 && status < 500;

class Refused extends Error {
  readonly status: number;
  readonly retryAfter: number;
  constructor(status: number, retryAfter: number) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ms);
  try {
    return await work(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

type Answered<M extends Method, A extends string> = Promise<Answer<CallAt<M, A>>>;

/**
 * Calls the server and parses its answer. Safe to type: the server serialises by the schema that
 * `T` comes from.
 * @throws Refused for any status but 200, and the errors of fetch.
 */
function call<T>(path: string, init: RequestInit): Promise<T> {
  return within(CALL_TIMEOUT_MS, async (signal) => {
    const answer = await fetch(path, { ...init, signal, cache: 'no-store', credentials: 'omit' });
    if (answer.status !== 200)
      throw new Refused(answer.status, Number(answer.headers.get('retry-after')) || 0);
    return (await answer.json()) as T;
  });
}

const get = <A extends Address<'GET'>>(path: A, headers: HeadersInit): Answered<'GET', A> =>
  call(path, { headers });

const post = <A extends Address<'POST'>>(
  path: A,
  body: Body<CallAt<'POST', A>>,
): Answered<'POST', A> =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/**
 * Repeats `work` with backoff.
 * @throws Refused for a status for which `last` is true.
 */
async function keepTrying<T>(
  work: () => Promise<T>,
  last: (status: number) => boolean = () => false,
): Promise<T> {
  for (let failures = 1; ; failures += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refused && last(error.status)) throw error;
      const asked = error instanceof Refused ? error.retryAfter * 1000 : 0;
      await wait(Math.max(asked, waitAgain(failures)));
    }
}

/**
 * Shows codes until staff type one; returns the token. Never gives up. `onCode` gets each code and
 * its life in ms.
 */
export async function pair(onCode: (code: string, life: number) => void): Promise<string> {
  for (;;) {
    const size = {
      width: Math.round(screen.width * devicePixelRatio),
      height: Math.round(screen.height * devicePixelRatio),
    };
    const { code, secret } = await keepTrying(() => post('/api/screen/pair/', size));
    // Not `expires_at`: a television's clock may be wrong.
    onCode(code, PAIRING_LIFE_MS);
    const token = await claim(secret, performance.now() + PAIRING_LIFE_MS);
    if (token !== null) return token;
  }
}

/** Waits for staff to type the code; null if a new code is needed. */
async function claim(secret: string, until: number): Promise<string | null> {
  const ask = async (last: (status: number) => boolean) =>
    (await keepTrying(() => post('/api/screen/claim/', { secret }), last)).token;
  try {
    while (performance.now() < until) {
      const token = await ask((status) => isRefusal(status) && status !== 429);
      if (token !== null) return token;
      await wait(CLAIM_EVERY_MS);
    }
    // Staff may have typed the code just before its end. No retry after 429: the secret may be
    // gone, and the screen needs a new code.
    await wait(LAST_CLAIM_AFTER_MS);
    return await ask(isRefusal);
  } catch {
    return null;
  }
}

export type Heard = {
  onPayload(payload: ScreenAnswer): void;
  /** Called when any data comes from the server. */
  onContact(): void;
};

/**
 * Keeps a paired screen up to date: reads when the stream opens, after each event, and regularly.
 * Reopens an ended stream. Returns when the screen was removed, because the server then refuses the
 * token.
 */
export async function follow(token: string, { onPayload, onContact }: Heard): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  let over = false;
  let streaming = false;
  let reading = false;
  let again = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let stop = new AbortController();

  /** Never runs two reads at once: a call during a read causes one more read. */
  async function read(): Promise<void> {
    again = true;
    if (reading) return;
    reading = true;
    while (again && !over) {
      again = false;
      const payload = await keepTrying(
        () => get('/api/screen/', headers),
        (status) => status === 401,
      ).catch(() => undefined);
      // Not null, which a broken server may answer.
      if (payload === undefined) {
        over = true;
        stop.abort();
        return;
      }
      readAt = performance.now();
      onContact();
      try {
        onPayload(payload);
      } catch (error) {
        // Report the error, and read on.
        setTimeout(() => {
          throw error;
        });
      }
    }
    reading = false;
  }

  async function stream(): Promise<void> {
    const own = new AbortController();
    stop = own;
    let timer = setTimeout(() => own.abort(), SCREEN_SILENCE_MS);
    const listen = () => {
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SCREEN_SILENCE_MS);
    };
    try {
      const answer = await fetch('/api/screen/events/', {
        headers,
        signal: own.signal,
        cache: 'no-store',
        credentials: 'omit',
      });
      if (answer.status === 401) over = true;
      if (answer.status !== 200 || answer.body === null) return;
      const reader = answer.body.getReader();
      const decoder = new TextDecoder();
      let tail = '';
      void read();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || over) return;
        streaming = true;
        listen();
        onContact();
        tail += decoder.decode(value, { stream: true });
        if (tail.indexOf('event:') !== -1) void read();
        tail = tail.slice(tail.lastIndexOf('\n') + 1);
      }
    } catch {
      // The caller opens a new stream.
    } finally {
      clearTimeout(timer);
      streaming = false;
      own.abort();
    }
  }

  const timer = setInterval(() => {
    const every = streaming ? READ_EVERY_MS : READ_WITHOUT_STREAM_MS;
    if (!reading && performance.now() - readAt >= every) void read();
  }, 1_000);
  let failures = 0;
  void read();
  while (!over) {
    const began = performance.now();
    await stream();
    failures = performance.now() - began > SCREEN_SILENCE_MS ? 1 : failures + 1;
    if (!over) await wait(waitAgain(failures));
  }
  clearInterval(timer);
}
