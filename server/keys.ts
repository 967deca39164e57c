import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Config } from './config.ts';

/** Each use has its own key, so that a token for one use is invalid for others. */
type Use =
  | 'access'
  | 'refresh'
  | 'codes'
  | 'cursors'
  | 'limits'
  | 'mail'
  | 'work'
  | 'devices'
  | 'push';

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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Keys = Pick<Config, 'secret_keys'>;

/** Encrypts a value with the first secret's key, so that a stolen database does not reveal it. */
export function seal(config: Keys, use: Use, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keysFor(config, use)[0], nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Decrypts with the secret that fits; undefined if none does. */
export function unseal(config: Keys, use: Use, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  for (const key of keysFor(config, use)) {
    try {
      const opening = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      opening.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = opening.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return JSON.parse(Buffer.concat([body, opening.final()]).toString('utf8'));
    } catch {
      // Try the next key.
    }
  }
  return undefined;
}

/** The SHA-256 of a secret. 256 random bits need no salt and no slow hash (P31a). */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
