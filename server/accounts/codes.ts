import { type KeyObject, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CODE_LENGTH } from '#contract/rules/email.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { hmac, keysFor } from '../keys.ts';

export type Purpose = Selectable<Schema['codes']>['purpose'];

/** The life of codes and links (P20, P23, P30b). */
const LIFE_MS: Record<Purpose, number> = {
  verify_email: 10 * 60_000,
  reset_password: 60 * 60_000,
  change_email: 60 * 60_000,
};
/** Tries of a six-digit code (P20). */
export const TRIES_MAX = 5;
const SALT_BYTES = 16;
const LINK_TOKEN_BYTES = 32;

export type Owner = { id: number; email: string };
type CodeDeps = Pick<Deps, 'config' | 'clock'>;

const digits = () => String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
const SECRETS: Record<Purpose, () => string> = {
  verify_email: digits,
  change_email: digits,
  reset_password: () => randomBytes(LINK_TOKEN_BYTES).toString('base64url'),
};

/** A code's HMAC, bound to one account, address and purpose (P20, P21, P23). */
const digest = (key: KeyObject, salt: Buffer, purpose: Purpose, owner: Owner, secret: string) =>
  hmac(key, salt, purpose, String(owner.id), owner.email, secret);

/**
 * Makes a code or link token in place of the previous one for this purpose (P20, P23). Returns the
 * secret for the mail; the database has only its HMAC (P21).
 */
export async function issueCode(
  { config, clock }: CodeDeps,
  trx: Database,
  owner: Owner,
  purpose: Purpose,
): Promise<{ secret: string; expires_at: Date }> {
  const now = clock.now();
  const secret = SECRETS[purpose]();
  const salt = randomBytes(SALT_BYTES);
  const row = {
    email: owner.email,
    salt,
    hash: digest(keysFor(config, 'codes')[0], salt, purpose, owner, secret),
    tries: 0,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFE_MS[purpose]),
  };
  await trx
    .insertInto('codes')
    .values({ player_id: owner.id, purpose, ...row })
    .onConflict((conflict) => conflict.columns(['player_id', 'purpose']).doUpdateSet(row))
    .execute();
  return { secret, expires_at: row.expires_at };
}

export type ProvenCode = { player_id: number; purpose: Purpose; hash: Buffer };

/**
 * Checks a secret; null if it is wrong or expired. Counts each try of a six-digit code before
 * comparing, so parallel guesses get five tries at most (P20). Link tokens have no limit, because
 * 256 random bits cannot be guessed, and strangers could use a limit up.
 */
export async function proveCode(
  { config, clock, db }: CodeDeps & Pick<Deps, 'db'>,
  owner: Owner,
  purpose: Purpose,
  secret: string,
): Promise<ProvenCode | null> {
  const code = await db
    .updateTable('codes')
    .set((eb) => ({ tries: eb('tries', '+', purpose === 'reset_password' ? 0 : 1) }))
    .where('player_id', '=', owner.id)
    .where('purpose', '=', purpose)
    .where('tries', '<', TRIES_MAX)
    .where('expires_at', '>', clock.now())
    .returning(['salt', 'hash'])
    .executeTakeFirst();
  if (code === undefined) return null;
  const right = keysFor(config, 'codes').some((key) =>
    timingSafeEqual(digest(key, code.salt, purpose, owner, secret), code.hash),
  );
  return right ? { player_id: owner.id, purpose, hash: code.hash } : null;
}

/** Deletes a proven code; false if it was used or replaced meanwhile. */
export async function spendCode(trx: Database, proven: ProvenCode): Promise<boolean> {
  const spent = await trx
    .deleteFrom('codes')
    .where('player_id', '=', proven.player_id)
    .where('purpose', '=', proven.purpose)
    .where('hash', '=', proven.hash)
    .returning('player_id')
    .executeTakeFirst();
  return spent !== undefined;
}

export async function dropCodes(trx: Database, playerId: number): Promise<void> {
  await trx.deleteFrom('codes').where('player_id', '=', playerId).execute();
}
