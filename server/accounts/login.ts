import type { LoginAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import { badForm, Refusal } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import {
  charge,
  clear,
  giveBack,
  type Limit,
  limitOf,
  networkLimits,
  networkOf,
  refund,
  usesOf,
  wideNetworkOf,
} from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { chargeVisitor, tooManyVisits } from '../http/work.ts';
import { findByEmail, lockPlayer, readUser, replaceHash } from '../players/players.ts';
import { UNKNOWN_ROW_S } from '../rate-limits.ts';
import { deviceOf } from './devices.ts';
import { hashPassword, isPassword, needsRehash } from './passwords.ts';
import { openSession } from './sessions.ts';

/** A wrong password or unknown address gets a 400 (ACC-15), because clients refresh after a 401. */
export const WRONG_LOGIN = 'Invalid email or password.';
const PAUSED =
  'Password sign-in is paused for this account. Use "Forgot your password?" to get in again.';
/** An arbitrary `Retry-After`: only a reset link or a provider's sign-in ends a pause (P16). */
const PAUSED_RETRY_S = 3600;
export const PASSWORD_WRONG = 'That is not your password.';

type LoginDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

/** The limits of P16. A try counts as a failure until the password proves right. */
function loginLimits(email: string, ip: string) {
  const here = `${email} ${networkOf(ip)}`;
  return {
    here: limitOf('login-here', here),
    pace: limitOf('login-pace', here),
    network: networkLimits(ip, 'login-ip'),
    everywhere: limitOf('login-account', email),
    slow: limitOf('login-slow', email),
    inARow: limitOf('login-row', email),
  } satisfies Record<string, Limit | Limit[]>;
}

const deviceLimits = (device: string) => ({
  tries: limitOf('login-device', device),
  inARow: limitOf('login-device-row', device),
});

/**
 * Clears an account's failures after a reset link or a provider has proven the owner. This ends a
 * pause (P16).
 */
export async function forgetFailures(
  deps: Pick<Deps, 'config' | 'db'>,
  email: string,
  ip: string,
): Promise<void> {
  const { here, everywhere, slow, inARow } = loginLimits(email, ip);
  await clear(deps, [here, everywhere, slow, inARow]);
}

/** Whether 100 failures in a row have paused password sign-in (P16). */
export async function isPaused(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  email: string,
): Promise<boolean> {
  const limit = limitOf('login-row', email);
  return (await usesOf(deps, limit)).uses >= limit.max;
}

/**
 * Counts a try of a device that has signed in before: strangers' failures do not block it (P79d).
 * Returns false after 100 failures of the device in a row; the device then counts as a stranger.
 * @throws Refusal 429 over a limit.
 */
async function spendDeviceTry(
  deps: LoginDeps,
  caller: Caller,
  email: string,
  device: string,
): Promise<boolean> {
  const { tries, inARow } = deviceLimits(device);
  const { network } = loginLimits(email, caller.ip);
  // Ask before charging: a proof of work serves one charge, and a stranger's needs it (P79c).
  if ((await usesOf(deps, inARow)).uses >= inARow.max) return false;
  const used = await chargeVisitor(deps, caller, email, [tries], network, [inARow]);
  if (used.length === 0) return true;
  if (!used.some(({ name }) => name === tries.name)) await refund(deps, used, [tries]);
  throw tooManyVisits(deps, caller, email, used);
}

/** Counts a try of a caller without a known device (P16). @throws Refusal 429 over a limit. */
async function spendTry(deps: LoginDeps, caller: Caller, email: string): Promise<void> {
  const { here, pace, network, everywhere, slow } = loginLimits(email, caller.ip);
  let used = await chargeVisitor(deps, caller, email, [here, pace], network, [everywhere]);
  const isOwn = used.some(({ name }) => name === here.name || name === pace.name);
  const isShared = used.some(({ name }) => name === everywhere.name);
  // After 20 failures in an hour from all networks, allow the account one try a minute (P16).
  if (isShared) used = await charge(deps, [slow]);
  if (used.length === 0) return;
  if (isShared) await giveBack(deps, [here, ...network]);
  else if (!isOwn) await refund(deps, used, [here]);
  throw tooManyVisits(deps, caller, email, used);
}

/** @throws Refusal 429 after 100 failures in a row (P16). */
async function countInARow(
  deps: LoginDeps,
  email: string,
  ip: string,
  hasAccount: boolean,
): Promise<void> {
  const { here, network, inARow } = loginLimits(email, ip);
  const seconds = hasAccount ? inARow.seconds : UNKNOWN_ROW_S;
  const [full] = await charge(deps, [{ ...inARow, seconds }]);
  if (full === undefined) return;
  await giveBack(deps, [here, ...network]);
  throw new Refusal(429, { detail: PAUSED }, PAUSED_RETRY_S, full.name);
}

export type Proven = { id: number; password_hash: string };

/**
 * Charges the limits of P16. Returns the verified player with this address and password, or null.
 * Known, unknown and passwordless accounts cost the same CPU time (P15).
 * @throws Refusal 429 over a limit, or 503 when the server is too busy.
 */
export async function provePassword(
  deps: LoginDeps,
  caller: Caller,
  email: string,
  password: string,
): Promise<Proven | null> {
  const device = deviceOf(deps, caller, email);
  const isKnown = device !== null && (await spendDeviceTry(deps, caller, email, device));
  if (!isKnown) await spendTry(deps, caller, email);
  const known = await findByEmail(deps.db, email);
  if (!isKnown) await countInARow(deps, email, caller.ip, known !== undefined);
  const player = known?.email_verified_at === null ? undefined : known;
  const stored = player?.password_hash ?? null;
  const right = await isPassword(stored, password, wideNetworkOf(caller.ip));
  if (!right || player === undefined || stored === null) {
    logSecurity(caller, 'password_wrong', { actor: 'visitor', email });
    return null;
  }
  const { here, network, everywhere, slow, inARow } = loginLimits(email, caller.ip);
  // A successful sign-in does not count against the limits (P79a).
  if (isKnown) {
    const own = deviceLimits(device);
    await clear(deps, [own.tries, ...network, own.inARow], network);
  } else await clear(deps, [here, ...network, everywhere, slow, inARow], network);
  if (!needsRehash(stored)) return { id: player.id, password_hash: stored };
  const fresh = await hashPassword(password, wideNetworkOf(caller.ip));
  await replaceHash(deps.db, player.id, stored, fresh);
  return { id: player.id, password_hash: fresh };
}

/**
 * Signs in with an address and a password.
 * @throws Refusal 400 if they do not match, 429 over a limit, or 503 when too busy.
 */
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
