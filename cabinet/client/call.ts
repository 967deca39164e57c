/** A longer Retry-After is a fault of the server, and is shortened to this. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** `body` is the parsed JSON, or null. `retryAfterMs` is 0 without `Retry-After`. */
export type Answer = { status: number; body: unknown; retryAfterMs: number };
/** No response came, or an unreadable one. */
export const NO_ANSWER: Answer = { status: 0, body: null, retryAfterMs: 0 };

/**
 * Makes one request to the machine API. Never throws: a network error or an aborted `signal`
 * returns `NO_ANSWER`. `sentAt` is the machine's own clock, in ms since 1970.
 */
export async function call(request: {
  url: string;
  key: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body: unknown;
  sentAt: number;
  signal: AbortSignal;
  fetch?: typeof fetch | undefined;
}): Promise<Answer> {
  const { url, key, method, path, body, sentAt, signal } = request;
  const send = request.fetch ?? fetch;
  try {
    const response = await send(new URL(`/api/machine/${path}`, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        // The server computes the machine's clock error from this header. Browsers omit it.
        date: new Date(sentAt).toUTCString(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect must not carry the key to another server.
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

/** The `detail` of an error response. */
export function detailOf(body: unknown): string {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : 'no reason given';
}

/** Milliseconds; 0 if the header is missing or is neither seconds nor a date. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  // A date begins with a day of the week. Date.parse would take -3600 for a year.
  const ms = /^\d+$/.test(header)
    ? Number(header) * 1000
    : /^[A-Z]/.test(header)
      ? Date.parse(header) - Date.now()
      : 0;
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
