import type { LoginAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import { badForm, Refusal } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import {
  charge,
  clear,
  giveBack,
  type Limit,
  networkLimits,
  networkOf,
  tooManyOf,
} from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { findByEmail, lockPlayer, readUser, replaceHash } from '../players/players.ts';
import { hashPassword, isPassword, needsRehash } from './passwords.ts';
import { openSession } from './sessions.ts';

/** A wrong password or unknown address gets a 400 (ACC-15), because clients refresh after a 401. */
export const WRONG_LOGIN = 'Invalid email or password.';
const PAUSED =
  'Password sign-in is paused for this account. Use "Forgot your password?" to get in again.';
/** An arbitrary `Retry-After`: only a reset link or a provider's sign-in ends a pause (P16). */
const PAUSED_RETRY_S = 3600;
/** Failures in a row (P16). */
const PAUSE_AFTER = 100;
const PAUSE_MEMORY_S = 365 * 24 * 3600;
/** Failures at an address without an account are forgotten sooner (P17). */
const UNKNOWN_MEMORY_S = 7 * 24 * 3600;
const TRIES = 'login-ip';

export const PASSWORD_WRONG = 'That is not your password.';

type LoginDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

/** The limits of P16. A try counts as a failure until the password proves right. */
function loginLimits(email: string, ip: string) {
  const network = networkOf(ip);
  return {
    tries: networkLimits(ip, { name: TRIES, max: 30, seconds: 60, remember: true }),
    failures: networkLimits(ip, { name: 'login-ip-failed', max: 10, seconds: 60 }),
    here: { name: 'login-here', subject: `${email} ${network}`, max: 5, seconds: 5 * 60 },
    everywhere: { name: 'login-account', subject: email, max: 20, seconds: 3600 },
    slow: { name: 'login-slow', subject: email, max: 1, seconds: 60 },
    inARow: { name: 'login-row', subject: email, max: PAUSE_AFTER, seconds: PAUSE_MEMORY_S },
  } satisfies Record<string, Limit | Limit[]>;
}

/**
 * Clears an account's failures, and so ends a pause (P16), when a reset link or a provider has
 * proven the owner.
 */
export async function forgetFailures(
  deps: Pick<Deps, 'config' | 'db'>,
  email: string,
  ip: string,
): Promise<void> {
  const { here, everywhere, slow, inARow } = loginLimits(email, ip);
  await clear(deps, [here, everywhere, slow, inARow]);
}

async function spendTry(deps: LoginDeps, email: string, ip: string): Promise<void> {
  const { tries, here, failures, everywhere, slow } = loginLimits(email, ip);
  let [full] = await charge(deps, tries, [here], failures, [everywhere]);
  // After 20 failures in an hour from all networks, allow the account one try a minute (P16).
  if (full?.name === everywhere.name) [full] = await charge(deps, [slow]);
  if (full === undefined) return;
  if (full.name !== TRIES && full.name !== here.name) await giveBack(deps, [here, ...failures]);
  throw tooManyOf([full]);
}

/** @throws Refusal 429 after 100 failures in a row (P16). */
async function countInARow(
  deps: LoginDeps,
  email: string,
  ip: string,
  hasAccount: boolean,
): Promise<void> {
  const { here, failures, inARow } = loginLimits(email, ip);
  const seconds = hasAccount ? PAUSE_MEMORY_S : UNKNOWN_MEMORY_S;
  const [full] = await charge(deps, [{ ...inARow, seconds }]);
  if (full === undefined) return;
  await giveBack(deps, [here, ...failures]);
  throw new Refusal(429, { detail: PAUSED }, PAUSED_RETRY_S, full.name);
}

export type Proven = { id: number; password_hash: string };

/**
 * Charges the limits of P16. Returns the verified player with this address and password, or null.
 * Known, unknown and passwordless accounts cost the same CPU time (P15).
 * @throws Refusal 429 or 503.
 */
export async function provePassword(
  deps: LoginDeps,
  caller: Caller,
  email: string,
  password: string,
): Promise<Proven | null> {
  await spendTry(deps, email, caller.ip);
  const known = await findByEmail(deps.db, email);
  await countInARow(deps, email, caller.ip, known !== undefined);
  const player = known?.email_verified_at === null ? undefined : known;
  const stored = player?.password_hash ?? null;
  const right = await isPassword(stored, password);
  if (!right || player === undefined || stored === null) {
    logSecurity(caller, 'password_wrong', { actor: 'visitor', email });
    return null;
  }
  const { here, failures, everywhere, slow, inARow } = loginLimits(email, caller.ip);
  await clear(deps, [here, ...failures, everywhere, slow, inARow], failures);
  if (!needsRehash(stored)) return { id: player.id, password_hash: stored };
  const fresh = await hashPassword(password);
  await replaceHash(deps.db, player.id, stored, fresh);
  return { id: player.id, password_hash: fresh };
}

/** @throws Refusal 400, 429 or 503. */
export async function signIn(
  deps: LoginDeps,
  caller: Caller,
  email: string,
  password: string,
): Promise<LoginAnswer> {
  const player = await provePassword(deps, caller, email, password);
  if (player === null) throw badForm(WRONG_LOGIN);
  return deps.db.transaction().execute(async (trx) => {
    // The player may have changed while the password was hashed.
    const still = await lockPlayer(trx, player.id);
    if (still?.password_hash !== player.password_hash) throw badForm(WRONG_LOGIN);
    const tokens = await openSession(deps, trx, player.id, caller.client);
    logSecurity(caller, 'signed_in', { actor: 'player', player: player.id, by: 'password' });
    return { ...tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}
