/** A server that asks for a longer wait than this is broken. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** What came back: the body as JSON, or null when it is none; `Retry-After`, or 0 without one. */
export type Answer = { status: number; body: unknown; retryAfterMs: number };
/** Nothing came back that could be read. */
export const NO_ANSWER: Answer = { status: 0, body: null, retryAfterMs: 0 };

/**
 * One call of the machine API. Never throws: whatever keeps the answer from coming, also `signal`,
 * is `NO_ANSWER`. `sentAt` is the machine's own clock, in milliseconds since 1970.
 */
export async function call(request: {
  url: string;
  key: string;
  method: 'GET' | 'POST';
  path: string;
  body: unknown;
  sentAt: number;
  signal: AbortSignal;
}): Promise<Answer> {
  const { url, key, method, path, body, sentAt, signal } = request;
  try {
    const response = await fetch(new URL(`/api/machine/${path}`, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        // From the machine's own clock the operator sees how wrong it is.
        date: new Date(sentAt).toUTCString(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The key goes to the server that was named and to no other.
      redirect: 'manual',
      signal,
    });
    const text = await response.text();
    return {
      status: response.status,
      body: parse(text),
      retryAfterMs: retryAfter(response.headers.get('retry-after')),
    };
  } catch {
    return NO_ANSWER;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The sentence of an error answer. */
export function detailOf(body: unknown): string {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : 'no reason given';
}

/** Seconds or a date, in milliseconds from now; 0 when absent or meaningless. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
