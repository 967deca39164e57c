import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Config } from './config.ts';

/** Each use has its own key, so that a token for one use is invalid for others. */
type Use = 'access' | 'refresh' | 'codes' | 'cursors' | 'limits' | 'mail' | 'work' | 'devices';

/**
 * Cached KeyObjects, by use and secret (“Keys are derived once” and “Keys of HMACs are prepared” in
 * bench/results.md).
 */
const derived = new Map<string, KeyObject>();

function derive(secret: string, use: Use): KeyObject {
  const name = `${use} ${secret}`;
  let key = derived.get(name);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `backboard ${use}`, 32)));
    derived.set(name, key);
  }
  return key;
}

/** 256-bit keys for a use. The first signs, all verify (P9). */
export function keysFor(
  config: Pick<Config, 'secret_keys'>,
  use: Use,
): [KeyObject, ...KeyObject[]] {
  const [first, ...older] = config.secret_keys;
  return [derive(first, use), ...older.map((secret) => derive(secret, use))];
}

/** HMAC-SHA-256 of the parts, each after its length: `a, bc` and `ab, c` differ. */
export function hmac(key: KeyObject, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest();
}
