import { WORK_HEADER, type Work } from '#contract/rules/work.ts';
import type { Address, Answer, Body, CallAt, Given, Method } from '#contract/wire/calls.ts';
import { ownTask } from '../ui/own-task.ts';
import { reloadOnce } from '../ui/reload-once.ts';
import { hearServerTime } from '../ui/server-clock.ts';

/** The sentence that is shown when no response came (PROD-70). */
export const CANNOT_REACH =
  'Cannot reach the server. Nothing was sent. Check your signal and try again.';
/** Longer than the server's limit for a request, 15 s (P38). */
const ANSWER_TIMEOUT_MS = 20_000;

/** A 404 below this path means that the account is gone (ACC-46). */
const USERS_PATH = '/api/users/';

/** An error response. `body` is undefined if it was not JSON. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(message: string, status: number, body: unknown) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

const noneOn =
  (status: 400 | 404) =>
  (error: unknown): null => {
    if (error instanceof ApiError && error.status === status) return null;
    throw error;
  };

/**
 * For the `.catch` of a read: null for an answer that means “none”, a 400 of a player's own data
 * (API-09) or a 404 of an address. Rethrows any other error.
 */
export const noneOn400 = noneOn(400);
export const noneOn404 = noneOn(404);

/** Refused for now: a rate limit (429), or no capacity (503). */
export const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.status === 503);

export const isLimited = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 429;

/** An error whose message is a sentence for the player. */
export class Told extends Error {}

/** Thrown when no response came: no network, no server, or a timeout. */
export class CannotReach extends Told {
  constructor() {
    super(CANNOT_REACH);
    this.name = 'CannotReach';
  }
}

export interface SessionHooks {
  getAccess(): string | null;
  /**
   * Returns an access token newer than `stale`, the token that got a 401. Throws ApiError when the
   * server refuses, CannotReach when no response came.
   */
  refresh(stale: string): Promise<string>;
  /** Ends the session: the account is gone, or the server refused even a new token. */
  signedOut(): void;
}

/** A response whose body has the type T: the server serialises it by the schema of the call. */
declare const ANSWER: unique symbol;
type Reply<T> = Response & { [ANSWER]?: T };

type Answered<M extends Method, A extends string> = Promise<Answer<CallAt<M, A>>>;
type Options = { anonymous?: boolean };

export interface Client {
  get<A extends Address<'GET'>>(path: A, signal?: AbortSignal): Answered<'GET', A>;
  post<A extends Address<'POST'>>(
    path: A,
    ...given: Given<Body<CallAt<'POST', A>>, Options>
  ): Answered<'POST', A>;
  put<A extends Address<'PUT'>>(path: A, body: Body<CallAt<'PUT', A>>): Answered<'PUT', A>;
  patch<A extends Address<'PATCH'>>(path: A, body: Body<CallAt<'PATCH', A>>): Answered<'PATCH', A>;
  delete<A extends Address<'DELETE'>>(
    path: A,
    body?: Body<CallAt<'DELETE', A>>,
  ): Answered<'DELETE', A>;
  /** Opens an event stream. The timeout covers only the headers. */
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** The browser's functions; tests pass their own. */
export interface Edge {
  fetch: typeof fetch;
  cookies(): string;
}

export const browser: Edge = {
  // Start each read in its own task: a page begins nine at once, and each takes up to 10 ms on a slow
  // phone.
  fetch: async (input, init) => {
    if (init?.method === 'GET') await ownTask();
    return fetch(input, init);
  },
  cookies: () => document.cookie,
};

type Sending = {
  body?: unknown;
  signal?: AbortSignal | undefined;
  stream?: boolean;
  work?: string | undefined;
  /** The time limit for the response; for a stream, for its headers. */
  timeoutMs?: number | undefined;
};

/**
 * Sends a request with cookies, and the csrftoken also as `X-CSRFToken` (API-08). Throws
 * CannotReach when no response came, or the reason of an aborted `signal`.
 */
export function send<A extends Address<'POST'>>(
  edge: Edge,
  method: 'POST',
  path: A,
  options: Sending & { body: Body<CallAt<'POST', A>>; bearer: string | null },
): Promise<Reply<Answer<CallAt<'POST', A>>>>;
export function send(
  edge: Edge,
  method: string,
  path: string,
  options: Sending & { bearer: string | null },
): Promise<Response>;
export async function send(
  edge: Edge,
  method: string,
  path: string,
  options: Sending & { bearer?: string | null } = {},
): Promise<Response> {
  const headers = new Headers({
    Accept: options.stream ? 'text/event-stream' : 'application/json',
  });
  const csrf = /(?:^|;\s*)csrftoken=([^;]*)/.exec(edge.cookies())?.[1];
  if (csrf) headers.set('X-CSRFToken', csrf);
  if (options.bearer) headers.set('Authorization', `Bearer ${options.bearer}`);
  if (options.work) headers.set(WORK_HEADER, options.work);
  // Not `AbortSignal.any`, which Safari has only from 17.4 on.
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const timer = setTimeout(stop, options.timeoutMs ?? ANSWER_TIMEOUT_MS);
  options.signal?.addEventListener('abort', stop, { once: true });
  if (options.signal?.aborted) stop();
  const init: RequestInit = { method, headers, credentials: 'include', signal: stopped.signal };
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(options.body);
  }
  const began = performance.now();
  try {
    const answer = await edge.fetch(path, init);
    hearServerTime(answer.headers.get('Date'), performance.now() - began);
    return answer;
  } catch {
    options.signal?.throwIfAborted();
    throw new CannotReach();
  } finally {
    // Without `stream`, the timer keeps running: the body must arrive in time too.
    if (options.stream) clearTimeout(timer);
  }
}

/**
 * A response's parsed JSON body; undefined for any other body, such as a proxy's HTML, which
 * players must not see. Throws ApiError for an error response, CannotReach for a broken body.
 */
export function read<T>(answer: Reply<T>): Promise<T>;
export async function read(answer: Response): Promise<unknown> {
  const json = answer.headers.get('Content-Type')?.includes('json') ?? false;
  let body: unknown;
  try {
    const text = await answer.text();
    if (json && text !== '') body = JSON.parse(text);
  } catch {
    throw new CannotReach();
  }
  if (!answer.ok) throw new ApiError(`${answer.status} ${answer.url}`, answer.status, body);
  return body;
}

/**
 * The proof of the work that a 429 asks for (P79c); undefined if it asks for none, or the browser
 * cannot do it. If an update has replaced the script, the page reloads (PROD-161).
 */
async function workOf(answer: Response): Promise<string | undefined> {
  try {
    const { work }: { work?: Work } = await answer.clone().json();
    const script = work && (await import('./work.ts').catch(reloadOnce));
    return work && typeof script === 'object' ? await script.prove(work) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Each method takes a path under `/api/`, and throws ApiError or CannotReach. After a 401 to a call
 * with a token, it refreshes the token and retries once. A second 401 ends the session (ACC-44). If
 * the server asks for work, the call is repeated once with the proof (P79c).
 */
export function createClient(session: SessionHooks, edge: Edge): Client {
  async function ask(
    method: string,
    path: string,
    { anonymous = false, ...sending }: Sending & { anonymous?: boolean },
  ): Promise<Response> {
    const bearer = anonymous ? null : session.getAccess();
    let answer = await send(edge, method, path, { ...sending, bearer });
    if (answer.status === 401 && bearer !== null) {
      const fresh = await session.refresh(bearer);
      answer = await send(edge, method, path, { ...sending, bearer: fresh });
      // Keep the session if another tab has changed the stored token meanwhile.
      if (answer.status === 401 && session.getAccess() === fresh) session.signedOut();
    }
    const work = answer.status === 429 && (await workOf(answer));
    if (work)
      answer = await send(edge, method, path, {
        ...sending,
        bearer: bearer && session.getAccess(),
        work,
      });
    if (answer.status === 404 && path.startsWith(USERS_PATH)) session.signedOut();
    return answer;
  }
  const call = async <T>(...request: Parameters<typeof ask>) => read<T>(await ask(...request));
  const sending =
    (method: string) =>
    <T>(path: string, body?: unknown, options?: Options) =>
      call<T>(method, path, { body, ...options });
  return {
    get: (path, signal) => call('GET', path, { signal }),
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: sending('DELETE'),
    async open(path, signal) {
      const answer = await ask('GET', path, { signal, stream: true });
      if (!answer.ok) await read(answer);
      return answer;
    },
  };
}
