import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';

type Site = Pick<Config, 'public_url'>;

/** The policy of pages (P32). Trusted Types protect the tokens in local storage (ACC-47). */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // web/offline installs the service worker, web/api/work.ts starts the worker of P79c.
  'trusted-types service-worker work',
];
/** The console has no service worker, so no Trusted Types policy (STAFF-08). */
const CONSOLE_POLICY = PAGE_POLICY.filter(
  (part) => !/^(worker-src|manifest-src|trusted-types) /.test(part),
).concat("trusted-types 'none'", "frame-src 'self'");
/**
 * The venue screen's policy (P32, P66). The console frames it, so same-origin framing is allowed.
 */
const SCREEN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types screen-worker',
];
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What a page may use of the device (P33). */
const permissions = (camera: '()' | '(self)') =>
  `accelerometer=(), camera=${camera}, geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()`;

const TWO_YEARS_S = 63_072_000;

/** Files whose names change with their content are kept for a year (P33). */
export const CACHED_FOR_GOOD = 'public, max-age=31536000, immutable';

export const usesTls = ({ public_url }: Site) => public_url.startsWith('https:');

/**
 * The content security policy of a page (P32).
 * @param styles the style sheets inside the page, which the policy names by their hashes
 */
export function pagePolicy(
  site: Site,
  styles: readonly string[] = [],
  parts: readonly string[] = PAGE_POLICY,
): string {
  const hashes = styles.map(
    (text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    ...parts.map((part) => (part.startsWith('style-src ') ? part + hashes.join('') : part)),
    // Over plain http, `upgrade-insecure-requests` would make browsers load our assets over https.
    ...(usesTls(site) ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The headers of every answer to a kind of caller (P32, P33). */
export function headersFor(kind: 'api' | 'console' | 'page', site: Site): Record<string, string> {
  const ofPage = () => pagePolicy(site, [], kind === 'console' ? CONSOLE_POLICY : PAGE_POLICY);
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissions('()'),
    'content-security-policy': kind === 'api' ? API_POLICY : ofPage(),
    ...(usesTls(site)
      ? { 'strict-transport-security': `max-age=${TWO_YEARS_S}; includeSubDomains` }
      : {}),
    ...(kind === 'api' ? { 'cache-control': 'no-store' } : {}),
  };
}

/* The headers that single pages change. */

/** The venue screen. */
export const screenHeaders = (site: Site) => ({
  'content-security-policy': pagePolicy(site, [], SCREEN_POLICY),
  'x-frame-options': 'SAMEORIGIN',
});

/**
 * The court scans codes, so it may use the camera. Its policy is that of P32 without forms, frames,
 * workers and manifests.
 */
export const COURT_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'permissions-policy': permissions('(self)'),
  'cache-control': 'no-store',
};

export const MAILBOX_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cache-control': 'no-store',
};

/**
 * A mail in the mailbox's frame: inline styles are the only exception to P32. The sandbox runs no
 * script and loads nothing; links open in new tabs.
 */
export const MAIL_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
};
