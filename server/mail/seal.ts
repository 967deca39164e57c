import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { keysFor } from '../keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Keys = Pick<Config, 'secret_keys'>;

/**
 * Encrypts a value for the queue with the first secret's key, so that a stolen database reveals no
 * code or link.
 */
export function seal(config: Keys, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keysFor(config, 'mail')[0], nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Decrypts with the secret that fits; undefined if none does. */
export function unseal(config: Keys, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  for (const key of keysFor(config, 'mail')) {
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
