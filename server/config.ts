import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parse as parseConnection } from 'pg-connection-string';
import { z } from 'zod';
import { MIN_AGE_DEFAULT } from '#contract/rules/birthdate.ts';
import { isEmail } from '#contract/rules/email.ts';
import { MAX_SCORE_DEFAULT } from '#contract/rules/games.ts';
import { TEAM_MAX_DEFAULT } from '#contract/rules/leagues.ts';
import { isLoopback } from '#contract/rules/loopback.ts';
import { ADULT_AGE_DEFAULT } from '#contract/rules/of-age.ts';
import { RATE_LIMITS, WORK_BITS_DEFAULT } from './rate-limits.ts';

/* The server's settings, from environment variables and files of secrets. */

/** 32 characters are a key of 256 bits (P9, ASVS 11.1.1). */
const SECRET_MIN_LENGTH = 32;
const SAMPLES = /change.?me|secret.?key|example|password|insecure|your.?key|placeholder/i;

export const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Whether an issuer is on this computer, over plain http; all others need https. */
export function isLocalIssuer(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url?.protocol === 'http:' && isLoopback(url.hostname);
}

/** Whether two issuers are equal except for a slash after the origin. */
export function isSameIssuer(one: string, other: string): boolean {
  return (URL.parse(one)?.href ?? one) === (URL.parse(other)?.href ?? other);
}

/** Whether a secret is too short, too uniform, or looks like an example. */
export function isWeakSecret(secret: string): boolean {
  return secret.length < SECRET_MIN_LENGTH || new Set(secret).size < 12 || SAMPLES.test(secret);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || most < 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= most);
}

/**
 * Prefix lengths of the widest private networks, by IP version. Wider ones would trust strangers.
 */
const WIDEST_BITS = { 4: 8, 6: 7 };
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');
function isWide(network: string): boolean {
  const [address = '', bits] = network.split('/');
  if (bits === undefined) return false;
  // An IPv4-mapped network is as wide as the IPv4 network in it.
  const mapped = isIP(address) === 6 && MAPPED.check(address, 'ipv6');
  const widest = mapped ? 96 + WIDEST_BITS[4] : WIDEST_BITS[isIP(address) as 4 | 6];
  return Number(bits) < widest;
}

/** The host to which the driver connects: the URL's, otherwise PGHOST; null for a socket. */
function databaseHost(url: string, pghost: string | undefined): string | null {
  const host = parseConnection(url).host || pghost;
  return host === undefined || host === '' || host.startsWith('/') ? null : host;
}

/** All values of a parameter; the driver uses the last. */
const parameters = (url: string, name: string) =>
  new URLSearchParams(url.split('?').slice(1).join('?')).getAll(name);

/** Transports that must be encrypted in production, unless ALLOW_PLAIN names them (P48). */
const TRANSPORTS = ['public', 'smtp', 'database'] as const;

/** With a longer name, “Sign in with …” would need more than two lines of a button at 320 px. */
const PROVIDER_NAME_MAX = 30;

/** A text of one line, because such values go into pages, mails and headers. */
const present = z
  .string()
  .trim()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'must be one line without control characters');
const whole = (least: number, most: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);
/**
 * Whether the address has the intended parts. An unencoded character in a password can make the
 * rest of the password the host or the path: mails or passwords would then go there (OPS-32).
 */
function isWhole(text: string): boolean {
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  if (url === null) return !text.includes('@');
  const { username, password, pathname, search, hash } = url;
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return !`${pathname}${hash}${username === '' ? search : ''}`.includes('@');
}
const ENCODE =
  'has a password with a character that must be encoded: write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23';

const address = (protocols: string[]) =>
  present.refine(
    (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
    `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
const issuer = address(['https:', 'http:']).refine(
  (text) => !text.startsWith('http:') || isLoopback(URL.parse(text)?.hostname ?? ''),
  'must start with https:// (http only on this machine)',
);
/** As in libpq, the host may be missing: then the connection uses a socket. */
const database = present.refine(isWhole, { message: ENCODE, abort: true }).refine((text) => {
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  return url !== null && /^postgres(ql)?:$/.test(url.protocol);
}, 'must be an address such as postgres://user:password@host/name or postgres:///name?host=/run/postgresql');
/** An origin, because links, redirect addresses and the tokens' issuer begin with it. */
const origin = address(['http:', 'https:']).refine((text) => {
  const url = URL.parse(text);
  return url === null || url.href === `${url.origin}/`;
}, 'must be an address without a user, path or query, such as https://play.example.com');
const secret = present.refine(
  (text) => !isWeakSecret(text),
  `is too weak: use at least ${SECRET_MIN_LENGTH} random characters, for example from: openssl rand -base64 48`,
);

/**
 * More than six processes are allowed, but need more connections than PostgreSQL's default of 100
 * (docs/scale.md).
 */
const WEB_PROCESSES_MAX = 64;
/** Each hash takes 19 MiB and a core. */
const PASSWORD_HASHES_MAX = 64;
/** One core stays free for everything else (P15). */
const hashesByCores = () => Math.max(1, Math.min(4, availableParallelism() - 1));

/** The push services of the browsers' makers. */
const PUSH_HOSTS =
  'fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';

/** Whether a push host is a name in ASCII form, and not an IP address (PUSH-50). */
function isPushHost(host: string): boolean {
  return /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/.test(host);
}

const NO_PUSH =
  'Notifications are off: set VAPID_SUBJECT to a mailto: or https: address that push services can reach.';

export const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: whole(0, 65_535).default(3000),
  HOST: present.default('127.0.0.1'),
  /** 1: start even if others can reach HOST or PUBLIC_URL outside production (P46). */
  DEV_OPEN: z.enum(['0', '1']).default('0'),
  ALLOW_PLAIN: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.enum(TRANSPORTS, `must be any of ${TRANSPORTS.join(', ')}`))),
  PUBLIC_URL: origin.optional(),
  DATABASE_URL: database.optional(),
  /** The host for a database address without one (P48). */
  PGHOST: z.string().optional(),
  /** The replica, for reads that may be stale. */
  DATABASE_REPLICA_URL: database.optional(),
  DATA_DIR: present.default('data'),
  WEB_PROCESSES: whole(1, WEB_PROCESSES_MAX).default(1),
  /** How many passwords the computer hashes at once (P15). */
  PASSWORD_HASHES: whole(1, PASSWORD_HASHES_MAX).default(hashesByCores),
  /** Keys, separated by commas. The first signs, all verify (P9). */
  SECRET_KEY: present
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(secret).min(1))
    .optional(),
  SMTP_URL: present
    .refine(isWhole, { message: ENCODE, abort: true })
    .pipe(address(['smtp:', 'smtps:']))
    .optional(),
  MAIL_FROM: present.optional(),
  GOOGLE_CLIENT_ID: present.optional(),
  GOOGLE_CLIENT_SECRET: present.optional(),
  GOOGLE_ISSUER: issuer.default(GOOGLE_ISSUER),
  /** An identity provider beside Google (ACC-49). */
  OIDC_ISSUER: issuer
    .refine((text) => {
      const url = URL.parse(text);
      return url === null || `${url.username}${url.search}${url.hash}` === '';
    }, 'must be an address without a user, query or fragment, such as https://id.example.com/realms/play')
    .optional(),
  OIDC_CLIENT_ID: present.optional(),
  OIDC_CLIENT_SECRET: present.optional(),
  /** The provider's name on buttons: “Sign in with …”. */
  OIDC_NAME: present.max(PROVIDER_NAME_MAX).optional(),
  BRAND_NAME: present.max(40).default('Backboard'),
  SUPPORT_EMAIL: present
    .refine((text) => isEmail(text.toLowerCase()), 'must be an email address')
    .optional(),
  /** 0: no notifications (PUSH-46). */
  PUSH: z.enum(['0', '1']).default('1'),
  /** The push services that notifications may go to; `*.` means one or more labels (PUSH-50). */
  PUSH_HOSTS: z
    .string()
    .default(PUSH_HOSTS)
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (hosts) => hosts.length > 0 && hosts.every(isPushHost),
      'must be names of hosts with commas, such as push.example.com,*.push.example.net',
    ),
  /** Whom a push service may write to about this server (PUSH-46). */
  VAPID_SUBJECT: present
    .regex(
      /^(mailto:[^\s<>@]+@[^\s<>@]+|https:\/\/[^\s<>]+)$/,
      'must be a mailto: or https: address without spaces or brackets',
    )
    .optional(),
  MIN_AGE: whole(0, 120).default(MIN_AGE_DEFAULT),
  /** 0: players of every age choose who sees their name (ACC-61). */
  ADULT_AGE: whole(0, 120).default(ADULT_AGE_DEFAULT),
  /** Each further bit doubles the work asked of a network over its limit (P79c). */
  WORK_BITS: whole(1, 28).default(WORK_BITS_DEFAULT),
  /** How many mails an hour go to addresses that nobody has proven (P79e). */
  MAIL_UNPROVEN_MAX: whole(1, 1_000_000).default(RATE_LIMITS['mail-unproven'].max),
  TEAM_MAX: whole(1, 1_000).default(TEAM_MAX_DEFAULT),
  MAX_SCORE: whole(1, 2_147_483_647).default(MAX_SCORE_DEFAULT),
  BACKBOARD_OPERATOR_KEY: secret
    .regex(/^[!-~]{1,512}$/, 'must be letters, digits and signs without blanks, at most 512')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine(
      (parts) => parts.every(isNetwork),
      'must be addresses or networks with commas, such as 10.0.0.1,192.168.0.0/16',
    )
    .refine(
      (parts) => !parts.some((part) => isNetwork(part) && isWide(part)),
      'must name your proxies: a network wider than /8 (IPv6: /7) would trust the address that any stranger claims',
    ),
  DEMO: z.enum(['0', '1']).default('1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  /**
   * A shutdown's wait for the load balancer. At most 9 s, because a shutdown may take 30 s, and
   * open requests get 20 of them (P41).
   */
  DRAIN_SECONDS: whole(0, 9).optional(),
  /** 0: a load balancer sheds load in place of the server (P39). */
  SHED: z.enum(['0', '1']).default('1'),
});

/** Whether a subject names a contact that nobody can reach, which Apple refuses (PUSH-46). */
function isUnreachable(subject: string): boolean {
  const host = subject.startsWith('mailto:')
    ? subject.slice(subject.lastIndexOf('@') + 1)
    : new URL(subject).hostname;
  return isLoopback(host) || !host.includes('.') || /\.(local|test|example|invalid)$/i.test(host);
}

/** What notifications need; null if they are off (PUSH-46). */
function pushOf(env: Environment, production: boolean, contact: { url: string; email: string }) {
  const subject =
    env.VAPID_SUBJECT ??
    (env.SUPPORT_EMAIL !== undefined || !contact.url.startsWith('https:')
      ? `mailto:${contact.email}`
      : contact.url);
  if (env.PUSH === '0' || (production && isUnreachable(subject))) return null;
  return { hosts: env.PUSH_HOSTS, subject };
}

const REQUIRED_IN_PRODUCTION = ['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY', 'SMTP_URL'] as const;

type Environment = z.output<typeof environment>;

/** Names the setting that opens a development server to others, with advice (P46), or null. */
function openToOthers(env: Environment): string | null {
  const advice =
    'the development mailbox, stand-in and demo password must not be open to others: set NODE_ENV=production, or DEV_OPEN=1 if this is meant';
  if (!isLoopback(env.HOST)) return `HOST=${env.HOST} is reached from outside, but ${advice}`;
  if (env.PUBLIC_URL !== undefined && !isLoopback(new URL(env.PUBLIC_URL).hostname))
    return `PUBLIC_URL=${env.PUBLIC_URL} is reached from outside, but ${advice}`;
  return null;
}

/** The unencrypted transports, with advice (P48). */
function plainTransports(env: Environment): [(typeof TRANSPORTS)[number], string][] {
  const found: [(typeof TRANSPORTS)[number], string][] = [];
  if (env.PUBLIC_URL?.startsWith('http:'))
    found.push(['public', 'PUBLIC_URL must start with https://']);
  const smtp = URL.parse(env.SMTP_URL ?? '');
  if (smtp?.protocol === 'smtp:' && smtp.searchParams.get('requireTLS') !== 'true')
    found.push(['smtp', 'SMTP_URL must start with smtps:// or end with ?requireTLS=true']);
  if ((smtp?.searchParams.get('tls.rejectUnauthorized') ?? 'true') !== 'true')
    found.push(['smtp', 'SMTP_URL must not turn off tls.rejectUnauthorized']);
  for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    const url = env[name];
    const host = url === undefined ? null : databaseHost(url, env.PGHOST);
    if (host === null || isLoopback(host)) continue;
    if (parameters(url ?? '', 'sslmode').join() !== 'verify-full')
      found.push([
        'database',
        `${name} must have sslmode=verify-full, once: ${host} is another machine`,
      ]);
  }
  return found;
}

/** Secrets may be missing here. `process/serve.ts` creates them for `Config`. */
export type Settings = ReturnType<typeof readSettings>;

/** The message has a line for each problem (REL-20). */
export class BadConfiguration extends Error {}

const SECRETS = [
  'SECRET_KEY',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'BACKBOARD_OPERATOR_KEY',
  'GOOGLE_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
] as const;

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const;

/** Problems that the schema cannot find (ACC-49). */
function oidcProblems(given: Record<string, string | undefined>, production: boolean): string[] {
  const missing = OIDC.filter((name) => given[name] === undefined);
  if (missing.length === OIDC.length) return [];
  const problems: string[] = [];
  if (missing.length > 0)
    problems.push(
      `${OIDC.join(', ')} belong together: set ${missing.join(' and ')} too, or none of them`,
    );
  const own = given.OIDC_ISSUER;
  if (own === undefined) return problems;
  if (isSameIssuer(own, GOOGLE_ISSUER) || isSameIssuer(own, given.GOOGLE_ISSUER ?? GOOGLE_ISSUER))
    problems.push(
      'OIDC_ISSUER is the issuer of Google sign-in: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, and no OIDC_… setting',
    );
  if (production && isLocalIssuer(own))
    problems.push('OIDC_ISSUER must start with https:// when NODE_ENV=production');
  return problems;
}

/** Reads secrets from the files of `…_FILE`, trimmed. */
function readSecretFiles(given: Record<string, string | undefined>) {
  const found: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE: set only one of them`);
    try {
      found[name] = readFileSync(path, 'utf8').trim();
      if (found[name] === '') problems.push(`${name}_FILE: ${path} is empty`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE: ${path} cannot be read (${code})`);
    }
  }
  return { found, problems };
}

/**
 * Parses the environment variables and the files that they name. Ignores empty variables.
 * @throws BadConfiguration with all problems.
 */
export function readSettings(source: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const files = readSecretFiles(set);
  const given: typeof set = { ...set, ...files.found };
  const production = given.NODE_ENV === 'production';
  const problems: string[] = [...files.problems];
  const parsed = environment.safeParse(given);
  if (production)
    for (const name of REQUIRED_IN_PRODUCTION)
      if (given[name] === undefined) problems.push(`${name} is required when NODE_ENV=production`);
  if (!parsed.success)
    for (const issue of parsed.error.issues)
      problems.push(`${String(issue.path[0])} ${issue.message}`);
  if (parsed.success && production)
    for (const [name, problem] of plainTransports(parsed.data))
      if (!parsed.data.ALLOW_PLAIN.includes(name))
        problems.push(`${problem}; ALLOW_PLAIN=${name} permits it`);
  if (parsed.success && !production && parsed.data.DEV_OPEN === '0') {
    const problem = openToOthers(parsed.data);
    if (problem !== null) problems.push(problem);
  }
  if ((given.GOOGLE_CLIENT_ID === undefined) !== (given.GOOGLE_CLIENT_SECRET === undefined))
    problems.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither');
  if (production && given.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED must not be 0: Node would accept any certificate');
  if (production && isLocalIssuer(given.GOOGLE_ISSUER ?? GOOGLE_ISSUER))
    problems.push('GOOGLE_ISSUER must start with https:// when NODE_ENV=production');
  problems.push(...oidcProblems(given, production));
  if (!parsed.success || problems.length > 0)
    throw new BadConfiguration(
      `The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  const env = parsed.data;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const support_email =
    env.SUPPORT_EMAIL ??
    (production ? `help@${new URL(publicUrl).hostname}` : 'support@backboard.example');
  const push = pushOf(env, production, { url: publicUrl, email: support_email });
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    /** The origin, without a slash. */
    public_url: new URL(publicUrl).origin,
    database_url: env.DATABASE_URL ?? null,
    database_replica_url: env.DATABASE_REPLICA_URL ?? null,
    data_dir: env.DATA_DIR,
    web_processes: env.WEB_PROCESSES,
    password_hashes: env.PASSWORD_HASHES,
    secret_keys: env.SECRET_KEY ?? null,
    smtp_url: env.SMTP_URL ?? null,
    mail_from:
      env.MAIL_FROM ??
      `"${env.BRAND_NAME.replace(/["\\]/g, '')}" <no-reply@${new URL(publicUrl).hostname}>`,
    google:
      env.GOOGLE_CLIENT_ID !== undefined && env.GOOGLE_CLIENT_SECRET !== undefined
        ? {
            client_id: env.GOOGLE_CLIENT_ID,
            client_secret: env.GOOGLE_CLIENT_SECRET,
            issuer: env.GOOGLE_ISSUER.replace(/\/$/, ''),
          }
        : null,
    oidc:
      env.OIDC_ISSUER !== undefined &&
      env.OIDC_CLIENT_ID !== undefined &&
      env.OIDC_CLIENT_SECRET !== undefined &&
      env.OIDC_NAME !== undefined
        ? {
            client_id: env.OIDC_CLIENT_ID,
            client_secret: env.OIDC_CLIENT_SECRET,
            issuer: env.OIDC_ISSUER,
            name: env.OIDC_NAME,
          }
        : null,
    brand: env.BRAND_NAME,
    support_email,
    push,
    min_age: env.MIN_AGE,
    adult_age: env.ADULT_AGE,
    work_bits: env.WORK_BITS,
    mail_unproven_max: env.MAIL_UNPROVEN_MAX,
    team_max: env.TEAM_MAX,
    max_score: env.MAX_SCORE,
    operator_key: env.BACKBOARD_OPERATOR_KEY ?? null,
    trusted_proxies: env.TRUSTED_PROXIES,
    demo: env.DEMO === '1',
    // `info` logs every request: too much for development.
    log_level: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    shed: env.SHED === '1',
    /** Logged at each start (P46, P48). */
    warnings: production
      ? [
          ...plainTransports(env).map(([name, problem]) => `ALLOW_PLAIN=${name}: ${problem}`),
          ...(push === null && env.PUSH === '1' ? [NO_PUSH] : []),
        ]
      : [openToOthers(env)].filter((problem) => problem !== null),
    drain_ms: (env.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1000,
  };
}

export type Config = Omit<Settings, 'secret_keys' | 'operator_key'> & {
  secret_keys: [string, ...string[]];
  operator_key: string;
};
