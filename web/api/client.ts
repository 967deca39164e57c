/** The dead-network sentence: shown wherever a call got no answer. Typed text stays. */
export const CANNOT_REACH =
  'Cannot reach the server. Nothing was sent. Check your signal and try again.';
/** A call that has no answer by then counts as lost; the server itself gives up at 15 s (P38). */
const ANSWER_TIMEOUT_MS = 20_000;

/** Spec 4: a 404 below this path means that the account is gone. */
const USERS_PATH = '/api/users/';

/** The server answered, and not with success. `body` is the parsed JSON, undefined if it was none. */
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

/** For `catch`: null for a 400, which to a read means that there is none (spec 7). @throws the others */
export function noneOn400(error: unknown): null {
  if (error instanceof ApiError && error.status === 400) return null;
  throw error;
}

/** No answer came: no network, a dead server, or one that was too slow. */
export class CannotReach extends Error {
  constructor() {
    super(CANNOT_REACH);
    this.name = 'CannotReach';
  }
}

/** All that the transport knows about a session. */
export interface SessionHooks {
  /** The stored access token, or null. */
  getAccess(): string | null;
  /**
   * A newer access token than `stale`, which was just answered 401. Throws ApiError when the
   * renewal was refused, CannotReach when it could not be asked for.
   */
  renew(stale: string): Promise<string>;
  /** The account is gone: end the session. */
  signedOut(): void;
}

export interface Client {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** `anonymous`: without the access token. */
  post<T>(path: string, body?: unknown, options?: { anonymous?: boolean }): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  delete<T>(path: string, body?: unknown): Promise<T>;
  /** An answer that goes on for long: an event stream. Its beginning has to come in time. */
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** What the browser gives to a client; a test gives its own. */
export interface Edge {
  fetch: typeof fetch;
  /** As `document.cookie`. */
  cookies(): string;
}

export const browser: Edge = {
  fetch: (input, init) => fetch(input, init),
  cookies: () => document.cookie,
};

type Sending = {
  body?: unknown;
  signal?: AbortSignal | undefined;
  lasting?: boolean;
  /** How long its answer, or the beginning of what is lasting, may take, in milliseconds. */
  timeoutMs?: number | undefined;
};

/**
 * One request, no session: cookies are sent, `X-CSRFToken` repeats the csrftoken cookie (spec 7).
 * Throws CannotReach when no answer came. An aborted `signal` throws its reason. What is `lasting`
 * may take its time once it has begun.
 */
export async function send(
  edge: Edge,
  method: string,
  path: string,
  options: Sending & { bearer?: string | null } = {},
): Promise<Response> {
  const headers = new Headers({
    Accept: options.lasting ? 'text/event-stream' : 'application/json',
  });
  const csrf = /(?:^|;\s*)csrftoken=([^;]*)/.exec(edge.cookies())?.[1];
  if (csrf) headers.set('X-CSRFToken', csrf);
  if (options.bearer) headers.set('Authorization', `Bearer ${options.bearer}`);
  const late = new AbortController();
  const { timeoutMs = ANSWER_TIMEOUT_MS } = options;
  const timer = options.lasting ? setTimeout(() => late.abort(), timeoutMs) : undefined;
  const timeout = options.lasting ? late.signal : AbortSignal.timeout(timeoutMs);
  const init: RequestInit = {
    method,
    headers,
    credentials: 'include',
    signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
  };
  if (options.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(options.body);
  }
  try {
    return await edge.fetch(path, init);
  } catch {
    options.signal?.throwIfAborted();
    throw new CannotReach();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The parsed body of an answer; undefined for none. Throws ApiError for anything but success, with
 * the body when it is JSON: a proxy's HTML is nothing to show to a player.
 */
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
 * The calls of the app (spec 7). Paths start with `/api/`. Each throws ApiError or CannotReach.
 * A 401 to a call that carried a token is answered by one renewal and one retry (spec 4); a 401 to
 * a call without one is the caller's business (contract 1).
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
      const renewed = await session.renew(bearer);
      answer = await send(edge, method, path, { ...sending, bearer: renewed });
    }
    if (answer.status === 404 && path.startsWith(USERS_PATH)) session.signedOut();
    return answer;
  }
  const call = async (...request: Parameters<typeof ask>) => read(await ask(...request));
  // The answer's type is the contract's word: the server serialises by those very schemas.
  return {
    get: <T>(path: string, signal?: AbortSignal) => call('GET', path, { signal }) as Promise<T>,
    post: <T>(path: string, body?: unknown, options?: { anonymous?: boolean }) =>
      call('POST', path, { body, ...options }) as Promise<T>,
    patch: <T>(path: string, body: unknown) => call('PATCH', path, { body }) as Promise<T>,
    delete: <T>(path: string, body?: unknown) => call('DELETE', path, { body }) as Promise<T>,
    async open(path, signal) {
      const answer = await ask('GET', path, { signal, lasting: true });
      if (!answer.ok) await read(answer);
      return answer;
    },
  };
}
