import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { User } from '#contract/profile.ts';

export type Session = {
  id: string;
  player_id: number;
  created_at: Date;
  access_until: Date;
};
export type UserSession = Session & { user: User };

const SESSION = Symbol('session');
type Called = FastifyRequest & { [SESSION]?: Session };

/**
 * Stores the session with the request. Only the hooks of the player scope and the user scope may
 * call this.
 */
export function setSession(request: Called, session: Session): void {
  request[SESSION] = session;
}

/** The session of a request in a scope that also takes visitors; undefined for a visitor. */
export function findSession(request: Called): Session | undefined {
  return request[SESSION];
}

/**
 * The session of a request. @throws Error outside the player scope and the user scope: a
 * programming error.
 */
export function sessionOf(request: Called): Session {
  const session = request[SESSION];
  if (session === undefined) throw new Error(`${request.url} is not in the player scope`);
  return session;
}

/**
 * The session of a request, with the user. @throws Error outside the user scope: a programming
 * error.
 */
export function userSessionOf(request: Called): UserSession {
  const session = sessionOf(request);
  const { user } = session as Partial<UserSession>;
  if (user === undefined) throw new Error(`${request.url} is not in the user scope`);
  return { ...session, user };
}

export type Caller = {
  ip: string;
  /**
   * Such as 'Chrome on Android'. Players recognise their device by it, but it is too coarse to
   * track them (P8).
   */
  client: string;
  log: FastifyBaseLogger;
};

/** Who makes a request. Fastify takes `ip` from X-Forwarded-For only for trusted proxies (P17). */
export function callerOf(request: FastifyRequest): Caller {
  return {
    ip: request.ip,
    client: clientName(request.headers['user-agent'] ?? ''),
    log: request.log,
  };
}

/** The order matters: most user agents also name browsers further down. */
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

/** A coarse name: 'Chrome on Android', 'Firefox', or 'Unknown browser'. */
export function clientName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (system === undefined) return browser ?? 'Unknown browser';
  return `${browser ?? 'A browser'} on ${system}`;
}
