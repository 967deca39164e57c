import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '#contract/rules/loopback.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { forbidden, Refusal } from '../errors.ts';
import { headersFor, usesTls } from './headers.ts';

/** Longer URLs and deeper JSON are refused (P37). */
export const URL_LIMIT = 4 * 1024;
export const JSON_DEPTH_LIMIT = 20;

/** /api/docs is a page, not part of the API. */
const isApi = (url: string) => /^\/((api|health)\/(?!docs\b)|metrics$)/.test(url);
const isConsole = (url: string) => /^\/console(\/|$)/.test(url);
/** Whether a method can change something (P36, P39a). */
export const changesState = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/**
 * Sets the headers of P32 and P33 by route, not by path, because an unusual spelling of a path
 * could select another route's headers (P33a). The API's `Date` is the database's time.
 */
export function setHeaders(
  app: FastifyInstance,
  { config, clock }: { config: Pick<Config, 'public_url'>; clock: Clock },
): void {
  const api = headersFor('api', config);
  const page = headersFor('page', config);
  const console = headersFor('console', config);
  const date = httpDate();
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? '/api/';
    // The catch-all route also answers unknown API paths.
    const of = isConsole(route) ? console : page;
    const answersApi = isApi(route === '/*' ? pathOf(request) : route);
    reply.headers(answersApi ? api : of);
    // Pages tell the time by this header (PROD-166).
    if (answersApi) reply.header('date', date(clock.now()));
    done();
  });
}

/** Returns a function that formats a time as an HTTP date, once for each second. */
function httpDate(): (now: Date) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second) text = now.toUTCString();
    second = current;
    return text;
  };
}

/**
 * Guards against DNS rebinding (P47): outside production, answers 421 if Host names neither
 * PUBLIC_URL's host nor this machine.
 */
export function guardHost(
  app: FastifyInstance,
  { production, public_url }: Pick<Config, 'production' | 'public_url'>,
): void {
  if (production) return;
  const own = new URL(public_url).hostname;
  app.addHook('onRequest', (request, _reply, done) => {
    const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
    if (name === own || isLoopback(name)) return done();
    const detail = `This server answers at ${public_url}. To use another name, set PUBLIC_URL to it.`;
    done(new Refusal(421, { detail }));
  });
}

/** All values of cookies with this name. */
export function readCookies(request: FastifyRequest, name: string): string[] {
  const pairs = request.headers.cookie?.split('; ') ?? [];
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Sets the csrftoken cookie with a page (P36, API-08). */
export function offerCsrfToken(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Pick<Config, 'public_url'>,
): void {
  if (readCookies(request, 'csrftoken').length > 0) return;
  const secure = usesTls(site) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `csrftoken=${randomBytes(16).toString('base64url')}; Path=/; SameSite=Lax${secure}`,
  );
}

function ownOrigins(config: Pick<Config, 'public_url' | 'production'>): Set<string> {
  const origins = new Set([config.public_url]);
  const { protocol, hostname, port } = new URL(config.public_url);
  if (!config.production && ['localhost', '127.0.0.1'].includes(hostname))
    for (const name of ['localhost', '127.0.0.1'])
      origins.add(`${protocol}//${name}${port && `:${port}`}`);
  return origins;
}

/** Refuses foreign origins and large requests before any route (P36, P37). */
export function guardRequests(
  app: FastifyInstance,
  config: Pick<Config, 'public_url' | 'production'>,
): void {
  const origins = ownOrigins(config);
  const refusalOf = (request: FastifyRequest): Refusal | undefined => {
    const { headers, method, url } = request;
    if (url.length > URL_LIMIT) return new Refusal(414, { detail: 'The address is too long.' });
    if (!changesState(method)) return undefined;
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
      return new Refusal(415, { detail: 'Send the body uncompressed.' });
    if (headers.origin !== undefined && !origins.has(headers.origin))
      return forbidden('This request comes from another site.');
    if (headers['sec-fetch-site'] === 'cross-site')
      return forbidden('This request comes from another site.');
    const token = headers['x-csrftoken'];
    // A sibling host can add a cookie of this name, so compare with all of them.
    const own = readCookies(request, 'csrftoken');
    if (token !== undefined && token !== '' && own.length > 0 && !own.includes(String(token)))
      return forbidden('The csrftoken does not match. Reload the page and try again.');
    return undefined;
  };
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)));
}

/** Answers a URL that cannot be decoded, in API-02's shape. */
export function refuseAddress(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  config: Pick<Config, 'public_url'>,
): void {
  // No hook runs for such a URL.
  reply.headers({ ...headersFor('api', config), 'x-request-id': request.id });
  void reply.code(error.statusCode ?? 400).send({ detail: 'This address cannot be read.' });
}

/** The path without the query, decoded if possible. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? '/';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Whether JSON is nested deeper than `limit`. Uses no recursion, so the stack cannot overflow. */
export function isDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

/**
 * Accepts JSON only (API-01). An empty body counts as none. For a key that would change a
 * prototype, `onPrototype` 'error' answers 400, and 'remove' drops it. `depth`: how deep a body may
 * be nested.
 */
export function readJson(
  app: FastifyInstance,
  onPrototype: 'error' | 'remove' = 'error',
  depth = JSON_DEPTH_LIMIT,
): void {
  const parse = app.getDefaultJsonParser(onPrototype, onPrototype);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    parse(request, String(body), (error, value) => {
      if (error) return done(error);
      if (isDeeper(value, depth))
        return done(new Refusal(400, { detail: 'The body is nested too deeply.' }));
      done(null, value);
    });
  });
}

/**
 * Answers requests without a route. An API path without its final slash is redirected (API-01). A
 * wrong method gets 405, because a 404 on a users path signs the player out (API-06).
 */
export function answerUnknown(app: FastifyInstance, config: Pick<Config, 'public_url'>): void {
  const headers = headersFor('api', config);
  const routes: { method: string; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const path = new RegExp(
      `^${url.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`,
    );
    for (const one of [method].flat()) routes.push({ method: one, path });
  });
  const methods = (path: string) =>
    routes.filter((route) => route.path.test(path)).map((route) => route.method);
  app.setNotFoundHandler((request, reply) => {
    reply.headers(headers);
    const path = pathOf(request);
    const query = request.url.split('?')[1];
    if (!isApi(path)) return reply.code(404).send({ detail: 'There is nothing here.' });
    if (!path.endsWith('/') && methods(`${path}/`).length > 0)
      // Redirect to the raw URL, because the decoded path can have characters that headers forbid.
      return reply.redirect(
        `${request.url.split('?')[0]}/${query === undefined ? '' : `?${query}`}`,
        308,
      );
    const allowed = methods(path);
    if (allowed.length > 0)
      return reply
        .code(405)
        .header('allow', [...new Set(allowed)].join(', '))
        .send({
          detail: `Use ${allowed.filter((method) => method !== 'HEAD').join(' or ')} here.`,
        });
    return reply.code(404).send({ detail: 'There is nothing here.' });
  });
}

const UNREADABLE: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/**
 * Answers a client that sends invalid HTTP, too much, or too slowly (P37, P38), with the headers of
 * P33.
 */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  config: Pick<Config, 'public_url'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, detail] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    'This request cannot be understood.',
  ];
  const body = JSON.stringify({ detail });
  const headers = {
    ...headersFor('api', config),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}
