import { type KeyObject, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CODE_LENGTH } from '#contract/rules/email.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { charge, limitOf, networkOf } from '../http/limits.ts';
import { hmac, keysFor } from '../keys.ts';

export type Purpose = Selectable<Schema['codes']>['purpose'];

/** How long codes and links are valid (P20, P23, P30b). */
const LIFE_MS: Record<Purpose, number> = {
  verify_email: 10 * 60_000,
  reset_password: 60 * 60_000,
  change_email: 60 * 60_000,
};
/** How long a link is valid while password sign-in to the account is paused (P79d). */
export const PAUSED_LINK_MS = 24 * 3_600_000;
/** How often a code for a change of address may be tried (P30b). */
const TRIES_MAX = 5;
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

type Found = { salt: Buffer; hash: Buffer };

function prove(
  { config }: Pick<CodeDeps, 'config'>,
  owner: Owner,
  purpose: Purpose,
  { code, secret }: { code: Found | undefined; secret: string },
): ProvenCode | null {
  if (code === undefined) return null;
  const right = keysFor(config, 'codes').some((key) =>
    timingSafeEqual(digest(key, code.salt, purpose, owner, secret), code.hash),
  );
  return right ? { player_id: owner.id, purpose, hash: code.hash } : null;
}

const find = (db: Database, owner: Owner, purpose: Purpose, after: Date) =>
  db
    .selectFrom('codes')
    .select(['salt', 'hash'])
    .where('player_id', '=', owner.id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', after)
    .executeTakeFirst();

/**
 * Checks a code for a change of address; null if it is wrong or expired. Counts each try before
 * comparing, so parallel guesses get five tries at most (P30b).
 */
export async function proveNewAddress(
  deps: CodeDeps & Pick<Deps, 'db'>,
  owner: Owner,
  secret: string,
): Promise<ProvenCode | null> {
  const code = await deps.db
    .updateTable('codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('player_id', '=', owner.id)
    .where('purpose', '=', 'change_email')
    .where('tries', '<', TRIES_MAX)
    .where('expires_at', '>', deps.clock.now())
    .returning(['salt', 'hash'])
    .executeTakeFirst();
  return prove(deps, owner, 'change_email', { code, secret });
}

/**
 * Checks a code that proves an address; null if it is wrong or expired. Each network has its own
 * five tries for a code, so other networks cannot use up the owner's (P20, P79d). A try counts
 * before the comparison. The caller limits the tries of all networks together.
 */
export async function proveCode(
  deps: CodeDeps & Pick<Deps, 'db' | 'log'>,
  owner: Owner,
  secret: string,
  ip: string,
): Promise<ProvenCode | null> {
  const code = await find(deps.db, owner, 'verify_email', deps.clock.now());
  if (code === undefined) return null;
  const subject = `${code.salt.toString('base64url')} ${networkOf(ip)}`;
  const used = await charge(deps, [limitOf('code-try', subject)]);
  return used.length > 0 ? null : prove(deps, owner, 'verify_email', { code, secret });
}

/**
 * Checks the token of a reset link; null if it is wrong or expired. Tries are not limited, because
 * nobody can guess 256 random bits, and strangers could use up a limit. `paused`: password sign-in
 * is paused, so the link lives for a day (P79d).
 */
export async function proveLink(
  deps: CodeDeps & Pick<Deps, 'db'>,
  owner: Owner,
  secret: string,
  { paused }: { paused: boolean },
): Promise<ProvenCode | null> {
  const more_ms = paused ? PAUSED_LINK_MS - LIFE_MS.reset_password : 0;
  const after = new Date(deps.clock.now().getTime() - more_ms);
  const code = await find(deps.db, owner, 'reset_password', after);
  return prove(deps, owner, 'reset_password', { code, secret });
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
