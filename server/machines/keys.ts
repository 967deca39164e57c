import { randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';

/** `bbm_live_<key id>_<256-bit secret>_<checksum>`; `test` outside production (P31a). */
const KEY_FORM = /^bbm_(?:live|test)_([a-z0-9]{12})_[0-9a-f]{64}_([0-9a-f]{8})$/;
const KEY_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const KEY_ID_LENGTH = 12;
const SECRET_BYTES = 32;

/**
 * SQL: sorts a machine's keys, newest first. A key's end comes before its creation time, because a
 * clock that was set back dates new keys too early (REL-15).
 */
export const NEWEST_FIRST = sql`expires_at desc nulls first, created_at desc`;

/** Detects a mistyped key without a query. It does not authenticate. */
const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');

/** A new machine key, and the id that its hash is stored under. */
export function makeKey(production: boolean): { id: string; key: string } {
  const letters = Array.from(
    { length: KEY_ID_LENGTH },
    () => KEY_ID_LETTERS[randomInt(KEY_ID_LETTERS.length)],
  );
  const id = letters.join('');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const body = `bbm_${production ? 'live' : 'test'}_${id}_${secret}`;
  return { id, key: `${body}_${checksum(body)}` };
}

/** A key's id; null for other text, or a wrong checksum. */
export function keyIdOf(key: string): string | null {
  const [, id, sum] = KEY_FORM.exec(key) ?? [];
  return id !== undefined && sum === checksum(key.slice(0, key.lastIndexOf('_'))) ? id : null;
}
