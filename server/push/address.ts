import { ECDH } from 'node:crypto';
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { ENDPOINT_MAX } from '#contract/rules/push.ts';

/* Where a notification may go: only to push services of the list, at public addresses (P69). */

const LABELS = /^[\w-]+(\.[\w-]+)*$/;
const matches = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && LABELS.test(host.slice(0, 1 - pattern.length))
    : host === pattern;

/**
 * The address of a device, if a notification may go there (PUSH-50); null otherwise. `hosts` are
 * names, such as `example.com` or `*.example.com`, where `*` stands for one or more labels.
 */
export function endpointOf(text: string, hosts: readonly string[]): URL | null {
  // URL drops blanks and control characters, which another parser may read as part of the host.
  if (text.length > ENDPOINT_MAX || !/^https:\/\/[\x21-\x7e]+$/.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.href !== text || url.protocol !== 'https:') return null;
  if (url.port !== '' || url.username !== '' || url.password !== '' || text.includes('#'))
    return null;
  const host = url.hostname;
  if (isIP(host) !== 0 || host.startsWith('[') || host.endsWith('.')) return null;
  return hosts.some((pattern) => matches(host, pattern)) ? url : null;
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

const bytesOf = (text: string): Buffer | null =>
  /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null;

/** The receiver's public key: an uncompressed point on P-256 (PUSH-50); null if it is none. */
export function pointOf(text: string): Buffer | null {
  const bytes = bytesOf(text);
  if (bytes?.length !== POINT_BYTES || bytes[0] !== 4) return null;
  try {
    ECDH.convertKey(bytes, 'prime256v1', undefined, undefined, 'uncompressed');
    return bytes;
  } catch {
    return null;
  }
}

/** The receiver's secret of 16 bytes; null if it is none. */
export function authOf(text: string): Buffer | null {
  const bytes = bytesOf(text);
  return bytes?.length === AUTH_BYTES ? bytes : null;
}

/** Addresses outside the public internet. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
/** In IPv6, only global unicast is public, except embedded IPv4 addresses and example ranges. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !PRIVATE.check(address, 'ipv4');
  return PUBLIC_V6.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6');
}

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name for one connection and fails if any address is not public. The connection uses
 * exactly these addresses, so a name that resolves differently a moment later does no harm.
 */
export const judged =
  (resolve: Resolve): LookupFunction =>
  (host, options, done) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isPublic(address)))
        return done(Object.assign(new Error('not a public address'), { code: 'EADDRESS' }), '', 0);
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });

export const publicLookup = judged(systemLookup);
