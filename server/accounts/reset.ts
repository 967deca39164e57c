import { RESEND_COOLDOWN_S } from '#contract/rules/email.ts';
import type { SessionAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { charge, limit, networkLimits } from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { resetLinkMessage } from '../mail/messages.ts';
import { providerName, unlinkIdentities } from '../players/identities.ts';
import { findByEmail, lockByEmail, readUser, updatePlayer } from '../players/players.ts';
import { proveCode, spendCode } from './codes.ts';
import { forgetFailures } from './login.ts';
import { finishPasswordChange, issueResetLink, requireGoodPasswordFor } from './password-change.ts';
import { hashPassword } from './passwords.ts';
import { openSession } from './sessions.ts';
import { restartAccount } from './signup.ts';

export const LINK_WRONG = 'This link is wrong, already used or no longer works. Ask for a new one.';
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

type ResetDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>;

/**
 * Allows a network 20 reset requests an hour (P24).
 * @throws Refusal 429, 503.
 */
export async function limitResetRequests(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  caller: Caller,
): Promise<void> {
  await limit(
    deps,
    networkLimits(caller.ip, { name: 'reset-ip', max: 20, seconds: HOUR_S, remember: true }),
  );
}

/**
 * Mails a reset link if the address has an account and P24 allows. Respond without waiting for
 * this, because the response time would reveal whether there is an account.
 */
export async function mailResetLink(deps: ResetDeps, caller: Caller, email: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const player = await lockByEmail(trx, email);
    if (player === undefined)
      return logSecurity(caller, 'reset_refused', {
        actor: 'visitor',
        email,
        reason: 'no account has this address',
      });
    const subject = String(player.id);
    const used = await charge(
      { ...deps, db: trx },
      [{ name: 'reset-pause', subject, max: 1, seconds: RESEND_COOLDOWN_S }],
      [{ name: 'reset-hour', subject, max: 5, seconds: HOUR_S }],
      [{ name: 'reset-day', subject, max: 20, seconds: DAY_S }],
    );
    for (const { name } of used)
      logSecurity(caller, 'throttled', { actor: 'visitor', email, reason: name });
    if (used.length > 0) return;
    const { link, expires_at } = await issueResetLink(deps, trx, player);
    await deps.mail.enqueue(
      trx,
      resetLinkMessage(deps.config, { to: player.email, link, valid_until: expires_at }),
    );
    logSecurity(caller, 'reset_requested', { actor: 'visitor', player: player.id, email });
  });
}

/**
 * Sets the password and verifies the address if `token` is valid (P23, P24). Ends all sessions,
 * codes and links, unlinks providers that do not assign the address (P29c), and opens a session.
 * @throws Refusal 400 for a wrong or expired link, or a refused password; 429, 503.
 */
export async function resetPassword(
  deps: ResetDeps,
  caller: Caller,
  { email, token, password }: { email: string; token: string; password: string },
): Promise<SessionAnswer> {
  await limit(
    deps,
    networkLimits(caller.ip, { name: 'reset-try-ip', max: 30, seconds: 60, remember: true }),
  );
  const player = await findByEmail(deps.db, email);
  const proven = player && (await proveCode(deps, player, 'reset_password', token));
  const refuse = () => {
    logSecurity(caller, 'reset_refused', { actor: 'visitor', email, reason: 'the link is wrong' });
    return badRequest(LINK_WRONG);
  };
  if (!proven) throw refuse();
  // Check first, so that a refused password does not use up the link.
  requireGoodPasswordFor(deps.config, player, password);
  const password_hash = await hashPassword(password);
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
    const tokens = await openSession(deps, trx, player.id, caller.client);
    logSecurity(caller, 'password_reset', { actor: 'player', player: player.id });
    return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}
