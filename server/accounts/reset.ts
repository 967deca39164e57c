import type { SessionAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import {
  charge,
  clear,
  giveBack,
  limitOf,
  networkLimits,
  networkOf,
  refund,
  wideNetworkOf,
} from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { chargeVisitor, limitVisitor, tooManyVisits } from '../http/work.ts';
import { resetLinkMessage } from '../mail/messages.ts';
import { providerName, unlinkIdentities } from '../players/identities.ts';
import { findByEmail, lockByEmail, readUser, updatePlayer } from '../players/players.ts';
import { proveLink, spendCode } from './codes.ts';
import { forgetFailures, isPaused } from './login.ts';
import { finishPasswordChange, issueResetLink, requireGoodPasswordFor } from './password-change.ts';
import { hashPassword } from './passwords.ts';
import { openSession } from './sessions.ts';
import { restartAccount, unprovenMails, unprovenMailsHere } from './signup.ts';

export const LINK_WRONG = 'This link is wrong, already used or no longer works. Ask for a new one.';

type ResetDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>;

/** The limits of one network's requests for one address (P79d). */
function ownRequests(email: string, ip: string) {
  const here = `${email} ${networkOf(ip)}`;
  return [limitOf('reset-hour', here), limitOf('reset-day', here)];
}

/**
 * Counts a request for a link: first in the limits of caller and address, then in the network's
 * (P24, P79d). Returns whether a link may be mailed. Never tell the caller.
 * @throws Refusal 429 over a limit, or 503 without the database.
 */
export async function limitResetRequests(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  caller: Caller,
  email: string,
): Promise<boolean> {
  const own = ownRequests(email, caller.ip);
  const network = networkLimits(caller.ip, 'reset-ip');
  const used = await chargeVisitor(deps, caller, email, own, network);
  const isOwn = used.some(({ name }) => own.some((one) => one.name === name));
  for (const { name } of isOwn ? used : [])
    logSecurity(caller, 'throttled', { actor: 'visitor', email, reason: name });
  if (isOwn) return false;
  if (used.length === 0) return true;
  await refund(deps, used, own);
  throw tooManyVisits(deps, caller, email, used);
}

/**
 * Mails a reset link if the address has an account and P24 allows. Respond without waiting for
 * this, because the response time would reveal whether there is an account.
 */
export async function mailResetLink(deps: ResetDeps, caller: Caller, email: string): Promise<void> {
  const used = await deps.db.transaction().execute(async (trx) => {
    const player = await lockByEmail(trx, email);
    // An unknown address uses up the same, or the caller's limits would tell (P24).
    const subject = player === undefined ? `address ${email}` : String(player.id);
    const unproven = player?.email_verified_at === null;
    const used = await charge(
      { ...deps, db: trx },
      [limitOf('reset-pause', subject)],
      [limitOf('reset-account', subject)],
      unproven ? unprovenMailsHere(deps.config, caller.ip) : [],
      unproven ? [unprovenMails(deps.config)] : [],
    );
    if (player === undefined) {
      const reason = 'no account has this address';
      logSecurity(caller, 'reset_refused', { actor: 'visitor', email, reason });
      return used;
    }
    for (const { name } of used)
      logSecurity(caller, 'throttled', { actor: 'visitor', email, reason: name });
    if (used.length > 0) return used;
    const { link, expires_at } = await issueResetLink(deps, trx, player);
    await deps.mail.enqueue(trx, {
      ...resetLinkMessage(deps.config, { to: player.email, link, valid_until: expires_at }),
      player_id: player.id,
    });
    logSecurity(caller, 'reset_requested', { actor: 'visitor', player: player.id, email });
    return [];
  });
  // The link from less than a minute ago serves this request too, so give the uses back.
  if (used.some(({ name }) => name === 'reset-pause'))
    await giveBack(deps, ownRequests(email, caller.ip));
}

/**
 * Sets the password and verifies the address if `token` is valid (P23, P24). Ends all sessions,
 * codes and links, unlinks providers that do not assign the address (P29c), and opens a session.
 * @throws Refusal 400 for a wrong or expired link or a refused password, 429 over a limit, or 503
 *   when the server is too busy.
 */
export async function resetPassword(
  deps: ResetDeps,
  caller: Caller,
  { email, token, password }: { email: string; token: string; password: string },
): Promise<SessionAnswer> {
  const network = networkLimits(caller.ip, 'reset-try-ip');
  await limitVisitor(deps, caller, email, network);
  const player = await findByEmail(deps.db, email);
  const paused = await isPaused(deps, email);
  const proven = player && (await proveLink(deps, player, token, { paused }));
  const refuse = () => {
    logSecurity(caller, 'reset_refused', { actor: 'visitor', email, reason: 'the link is wrong' });
    return badRequest(LINK_WRONG);
  };
  if (!proven) throw refuse();
  // Check first, so that a refused password does not use up the link.
  requireGoodPasswordFor(deps.config, player, password);
  const password_hash = await hashPassword(password, wideNetworkOf(caller.ip));
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockByEmail(trx, email);
    if (before === undefined || !(await spendCode(trx, proven))) throw refuse();
    if (before.email_verified_at === null || before.address_claimed)
      await restartAccount(trx, player.id);
    await updatePlayer(trx, player.id, {
      password_hash,
      address_claimed: false,
      email_verified_at: before.email_verified_at ?? deps.clock.now(),
    });
    // A provider that does not assign the address may have let somebody else in (P7).
    const removed = await unlinkIdentities(deps.config, trx, player.id, { authoritative: false });
    await finishPasswordChange(deps, trx, player, {
      notify: true,
      removed: removed.map((id) => providerName(deps.config, id)),
    });
    await forgetFailures({ ...deps, db: trx }, email, caller.ip);
    await clear(
      { ...deps, db: trx },
      [...ownRequests(email, caller.ip), ...networkLimits(caller.ip, 'reset-ip'), ...network],
      [...networkLimits(caller.ip, 'reset-ip'), ...network],
    );
    const tokens = await openSession(deps, trx, player.id, caller.client);
    logSecurity(caller, 'password_reset', { actor: 'player', player: player.id });
    return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}
