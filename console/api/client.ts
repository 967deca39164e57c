import type { Address, Answer, Body, CallAt, Given, Method, Query } from '#contract/wire/calls.ts';
import { hearServerTime } from '../../web/ui/server-clock.ts';

export const CANNOT_REACH = 'Cannot reach the server.';
/** Longer than the 15 s after which the server ends a request (P38). */
const ANSWER_TIMEOUT_MS = 20_000;

export class ApiError extends Error {
  readonly status: number;
  /** The parsed body; undefined if it was not JSON. */
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super(`the server answers ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

/** No response came (network, server or timeout). The call may still have changed something. */
export class CannotReach extends Error {
  constructor() {
    super(CANNOT_REACH);
    this.name = 'CannotReach';
  }
}

/** Whether this browser's session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401;

/** The sentences of an error response, of any shape (API-02). */
function sentencesOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body)
    .flat()
    .filter((text): text is string => typeof text === 'string');
}

export function sentenceOf(error: unknown): string {
  if (error instanceof CannotReach) return error.message;
  const said = error instanceof ApiError ? sentencesOf(error.body).join(' ') : '';
  return said || 'Something went wrong on our side.';
}

/** An error's messages by form field. */
export function fieldsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null)
    return {};
  return Object.fromEntries(
    Object.entries(error.body).flatMap(([field, texts]) =>
      Array.isArray(texts) && field !== 'non_field_errors' ? [[field, texts.join(' ')]] : [],
    ),
  );
}

type Sending = { body?: unknown; query?: Record<string, unknown> | undefined };

/**
 * Calls the server with the session's cookie. Leaves out fields of `query` that are empty or
 * undefined. The cast to `T` is safe, because the server serialises by the schema of `T`.
 * @throws ApiError for an error response; CannotReach without a response
 */
async function call<T>(method: string, path: string, { body, query }: Sending = {}): Promise<T> {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const began = performance.now();
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${path}${search}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    hearServerTime(answer.headers.get('Date'), performance.now() - began);
    text = await answer.text();
  } catch {
    throw new CannotReach();
  }
  const json = answer.headers.get('Content-Type')?.includes('json') ?? false;
  const parsed: unknown = json && text !== '' ? JSON.parse(text) : undefined;
  if (!answer.ok) throw new ApiError(answer.status, parsed);
  return parsed as T;
}

type Answered<M extends Method, A extends string> = Promise<Answer<CallAt<M, A>>>;

export const get = <A extends Address<'GET'>>(
  path: A,
  ...[query]: Given<Query<CallAt<'GET', A>>>
): Answered<'GET', A> => call('GET', path, { query });
export const post = <A extends Address<'POST'>>(
  path: A,
  ...[body]: Given<Body<CallAt<'POST', A>>>
): Answered<'POST', A> => call('POST', path, { body });
export const remove = <A extends Address<'DELETE'>>(path: A): Answered<'DELETE', A> =>
  call('DELETE', path);
