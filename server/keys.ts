import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Config } from './config.ts';

/** What the secret is used for; each use has a key of its own, so that none can pass for another. */
type Use = 'access' | 'refresh' | 'codes' | 'cursors' | 'limits' | 'mail';

const derived = new Map<string, Buffer>();

function subkey(secret: string, use: Use): Buffer {
  const name = `${use} ${secret}`;
  let key = derived.get(name);
  if (key === undefined) {
    key = Buffer.from(hkdfSync('sha256', secret, '', `backboard ${use}`, 32));
    derived.set(name, key);
  }
  return key;
}

/** The 256-bit keys of one use: the first makes, all of them check (P9). */
export function keysFor(config: Pick<Config, 'secret_keys'>, use: Use): [Buffer, ...Buffer[]] {
  const [first, ...older] = config.secret_keys;
  return [subkey(first, use), ...older.map((secret) => subkey(secret, use))];
}

/** A key made of bytes each time makes an HMAC of 4 µs one of 20. */
const prepared = new WeakMap<Buffer, KeyObject>();

function prepare(key: Buffer): KeyObject {
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  prepared.set(key, made);
  return made;
}

/** HMAC-SHA-256 of the parts, each with its length before it so that no two lists look the same. */
export function hmac(key: Buffer, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', prepare(key));
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest();
}
