import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { User } from '#contract/profile.ts';

/** The signed-in player of a request, as they stood when it came in. */
export type Session = {
  id: string;
  player_id: number;
  created_at: Date;
  user: User;
  /** How long the access token of this request is good. */
  access_until: Date;
};

const SESSION = Symbol('session');
type Called = FastifyRequest & { [SESSION]?: Session };

/** Set by the player scope's own hook, and by nothing else. */
export function setSession(request: Called, session: Session): void {
  request[SESSION] = session;
}

/**
 * Whose request this is; for routes of the player scope.
 * @throws Error on any other route: there it is a mistake in the code, not in the request.
 */
export function sessionOf(request: Called): Session {
  const session = request[SESSION];
  if (session === undefined) throw new Error(`${request.url} is not in the player scope`);
  return session;
}

/** What the rules want to know of an anonymous caller. */
export type Caller = {
  ip: string;
  /** 'Chrome on Android': enough to recognise one's own device, too little to track it (P8). */
  client: string;
  log: FastifyBaseLogger;
};

/** The address comes from trusted proxies only; Fastify sees to it (P17). */
export function callerOf(request: FastifyRequest): Caller {
  return {
    ip: request.ip,
    client: clientName(request.headers['user-agent'] ?? ''),
    log: request.log,
  };
}

/** In order: most browsers also claim to be those further down. */
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

/** A coarse name for a user agent: 'Chrome on Android', 'Firefox', or 'Unknown browser'. */
export function clientName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (system === undefined) return browser ?? 'Unknown browser';
  return `${browser ?? 'A browser'} on ${system}`;
}
