import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { WORK_HEADER } from '#contract/rules/work.ts';
import type { User } from '#contract/wire/profile.ts';
import { readCookies } from './requests.ts';

/** The browser's device tokens (P79d). */
export const DEVICES_COOKIE = 'devices';

export type Session = {
  id: string;
  player_id: number;
  created_at: Date;
  access_until: Date;
};
export type UserSession = Session & { user: User };

const SESSION = Symbol('session');
type Called = FastifyRequest & { [SESSION]?: Session };

export function setSession(request: Called, session: Session): void {
  request[SESSION] = session;
}

/** The caller's session; undefined for a visitor. */
export function findSession(request: Called): Session | undefined {
  return request[SESSION];
}

/** @throws Error outside the player and user scopes. */
export function sessionOf(request: Called): Session {
  const session = request[SESSION];
  if (session === undefined) throw new Error(`${request.url} is not in the player scope`);
  return session;
}

/** The session with its user. @throws Error outside the user scope. */
export function userSessionOf(request: Called): UserSession {
  const session = sessionOf(request);
  const { user } = session as Partial<UserSession>;
  if (user === undefined) throw new Error(`${request.url} is not in the user scope`);
  return { ...session, user };
}

export type Caller = {
  ip: string;
  /** Such as 'Chrome on Android': enough to know one's own device, too coarse to track (P8). */
  client: string;
  /** Method and route. */
  call: string;
  /** The header with a proof of work (P79c). */
  work: string | undefined;
  /** The cookie with the browser's device tokens (P79d). */
  devices: string | undefined;
  log: FastifyBaseLogger;
};

/** Who calls. Only trusted proxies may set `ip`, by X-Forwarded-For (P17). */
export function callerOf(request: FastifyRequest): Caller {
  return {
    ip: request.ip,
    client: clientName(request.headers['user-agent'] ?? ''),
    call: `${request.method} ${request.routeOptions.url}`,
    work: request.headers[WORK_HEADER]?.toString(),
    devices: readCookies(request, DEVICES_COOKIE)[0],
    log: request.log,
  };
}

/** The first match wins, because most user agents also name browsers further down. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** The name of a browser, such as 'Chrome on Android', 'Firefox' or 'Unknown browser'. */
export function clientName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (system === undefined) return browser ?? 'Unknown browser';
  return `${browser ?? 'A browser'} on ${system}`;
}
