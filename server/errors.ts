import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  detailError,
  type ErrorBody,
  errorBody,
  SERVER_ERROR,
  throttledError,
} from '#contract/wire/errors.ts';

/** An expected error; `handleErrors` makes it a response. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody | { error: string };
  readonly retryAfter: number | undefined;
  /** The exhausted limit, for the log (P42). */
  readonly limit: string | undefined;
  constructor(
    status: number,
    body: ErrorBody | { error: string },
    retryAfterSeconds?: number,
    limit?: string,
  ) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfterSeconds;
    this.limit = limit;
  }
}

/** What a route can refuse with: part of its `response` schema. */
export const refusals = {
  400: errorBody,
  401: detailError,
  403: detailError,
  413: detailError,
  414: detailError,
  415: detailError,
  421: detailError,
  429: throttledError,
  500: detailError,
  503: detailError,
};

const { 401: _, ...withoutSignIn } = refusals;
/** Anonymous routes never answer 401 (API-05). */
export const anonymousRefusals = withoutSignIn;

export const badRequest = (detail: string) => new Refusal(400, { detail });
export const badField = (field: string, message: string) =>
  new Refusal(400, { [field]: [message] });
export const badForm = (message: string) => new Refusal(400, { non_field_errors: [message] });
/** A 401 for a missing or invalid bearer token: the client refreshes (API-05). */
export const unauthorized = (detail = 'Sign in again.') => new Refusal(401, { detail });
export const forbidden = (detail: string) => new Refusal(403, { detail });
/** A 404. On user paths it would sign the player out (API-06). */
export const notFound = (detail: string) => new Refusal(404, { detail });
export const conflict = (detail: string) => new Refusal(409, { detail });
/** A 429 with Retry-After: `seconds`, rounded up, at least 1 (P18). The log has `limit`. */
export const tooMany = (seconds: number, limit: string) =>
  new Refusal(
    429,
    { detail: 'Too many attempts. Please wait and try again.' },
    Math.max(1, Math.ceil(seconds)),
    limit,
  );
/** How long a 503 asks a client to wait, unless it says otherwise. */
const RETRY_AFTER_S = 2;
/** A 503 with Retry-After: `seconds`, a whole number. */
export const unavailable = (
  detail = 'The service is busy. Please try again.',
  seconds = RETRY_AFTER_S,
) => new Refusal(503, { detail }, seconds);

/** Codes of timeouts, deadlocks, and a PostgreSQL that is down, overloaded or read-only. */
const DATABASE_AWAY = /^(08|53|57P0|25006)|^(ECONN|EPIPE|ENOENT|ETIMEDOUT)|57014|55P03|40001|40P01/;
const DRIVER_AWAY =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|not queryable/;

/** Whether the database is unavailable: a retry may help (REL-07). */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return DATABASE_AWAY.test(code) || DRIVER_AWAY.test(error.message);
}

const NUL_CODES = ['22021', '22P05'];

/** Whether PostgreSQL refused the caller's text for a NUL (P37). */
const hasNul = (error: Error): boolean => 'code' in error && NUL_CODES.includes(String(error.code));

const TRANSPORT: Record<string, [status: number, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The body is not valid JSON.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The body is not as long as it says.'],
  FST_ERR_HANDLER_TIMEOUT: [503, 'This took too long. Please try again.'],
};

/** Players can see these messages (API-18); zod's own are for programmers. */
z.config({
  customError: (issue) => {
    const isNumber = issue.origin === 'number' || issue.origin === 'int';
    if (issue.code === 'too_big' && issue.origin === 'string') return 'This is too long.';
    if (issue.code === 'too_small' && issue.origin === 'string') return 'This field is required.';
    if (issue.code === 'too_small' && isNumber) return `Give ${issue.minimum} or more.`;
    if (issue.code === 'too_big' && isNumber) return `Give ${issue.maximum} or less.`;
    if (issue.code === 'too_big' && issue.origin === 'array') return `At most ${issue.maximum}.`;
    if (issue.code !== 'invalid_type') return undefined;
    if (issue.expected === 'int') return 'Give a whole number.';
    if (issue.expected === 'number' && issue.input !== undefined) return 'Give a number.';
    if (issue.expected === 'object') return 'Send a JSON object.';
    return issue.input === undefined ? 'This field is required.' : undefined;
  },
});

function validationBody(error: FastifyError): ErrorBody {
  const body: Record<string, string[]> = {};
  for (const { instancePath, message } of error.validation ?? []) {
    const field = instancePath.split('/')[1];
    const key = field === undefined || field === '' ? 'non_field_errors' : field;
    body[key] = [...(body[key] ?? []), message ?? 'Invalid value.'];
  }
  return body;
}

/** Turns errors into responses (API-02, P45). Calls `onThrottled` for each 429. */
export function handleErrors(
  app: FastifyInstance,
  onThrottled: (request: FastifyRequest, refusal: Refusal) => void,
): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof Refusal) {
      if (error.status === 429) onThrottled(request, error);
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
      return reply.code(error.status).send(error.body);
    }
    if (hasZodFastifySchemaValidationErrors(error))
      return reply.code(400).send(validationBody(error));
    const known = TRANSPORT[error.code];
    if (known) {
      if (known[0] === 503) reply.header('retry-after', RETRY_AFTER_S);
      // The connection is not reusable while the request's body is arriving.
      if (known[0] === 503 && !request.raw.complete) reply.header('connection', 'close');
      return reply.code(known[0]).send({ detail: known[1] });
    }
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return reply.code(error.statusCode).send({ detail: 'This request cannot be understood.' });
    if (hasNul(error))
      return reply.code(400).send({ detail: 'A text contains a character that is not allowed.' });
    if (isDatabaseAway(error)) {
      request.log.error({ err: error }, 'the database cannot be used');
      return reply
        .code(503)
        .header('retry-after', RETRY_AFTER_S)
        .send({ detail: 'The service cannot reach its database. Please try again.' });
    }
    const cause = isResponseSerializationError(error) ? error.cause : undefined;
    request.log.error({ err: error, cause }, 'unexpected error');
    return reply.code(500).send({ detail: SERVER_ERROR });
  });
}
