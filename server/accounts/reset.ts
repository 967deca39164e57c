import type { SessionAnswer } from '#contract/accounts.ts';
import { RESEND_COOLDOWN_S } from '#contract/code.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { charge, limit, networkOf } from '../http/limits.ts';
import { passwordChangedMessage, resetLinkMessage } from '../mail/messages.ts';
import { type PasswordChange, readUser } from '../profile/profile.ts';
import { lockByEmail, restartAccount } from './accounts.ts';
import { dropCodes, issueCode, type Owner, proveCode, spendCode } from './codes.ts';
import { forgetFailures } from './login.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { endSessions, openSession } from './sessions.ts';

/** One sentence for every reason, so that it tells nothing about the account. */
export const LINK_WRONG = 'This link is wrong, already used or no longer works. Ask for a new one.';
const HOUR_S = 3600;

/** P24: 20 links an hour may be asked for from one network. @throws Refusal 429, 503. */
export async function limitResetRequests(deps: Deps, caller: Caller): Promise<void> {
  await limit(deps, [
    { name: 'reset-ip', subject: networkOf(caller.ip), max: 20, seconds: HOUR_S },
  ]);
}

/**
 * Mails a reset link to an address that has an account, if P24 allows another one now. Runs after
 * the answer has gone, so that the answer cannot tell by its time whether there is an account.
 */
export async function mailResetLink(deps: Deps, email: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const player = await lockByEmail(trx, email);
    if (player === undefined) return;
    const subject = String(player.id);
    const used = await charge(
      { ...deps, db: trx },
      [{ name: 'reset-pause', subject, max: 1, seconds: RESEND_COOLDOWN_S }],
      [{ name: 'reset-hour', subject, max: 5, seconds: HOUR_S }],
    );
    if (used.length > 0) return;
    const { link, expires_at } = await makeResetLink(deps, trx, player);
    await deps.mail.enqueue(
      trx,
      resetLinkMessage(deps.config, { to: player.email, link, valid_until: expires_at }),
    );
  });
}

async function makeResetLink(deps: Deps, trx: Database, player: Owner) {
  const { secret, expires_at } = await issueCode(deps, trx, player, 'reset_password');
  const query = new URLSearchParams({ email: player.email, token: secret });
  return { link: `${deps.config.public_url}/reset-password?${query}`, expires_at };
}

/** Words that make a password obvious for this player (P13). */
const wordsAbout = (deps: Deps, email: string, username: string | null) => [
  deps.config.brand,
  email.split('@')[0] ?? '',
  username ?? '',
];

/**
 * Sets the password by a link, which also proves the address (P23, P24): every session ends, every
 * code and link stops working, and one new session is opened.
 * @throws Refusal 400 when the link is not good (any more) or the password is not; 503.
 */
export async function resetPassword(
  deps: Deps,
  caller: Caller,
  { email, token, password }: { email: string; token: string; password: string },
): Promise<SessionAnswer> {
  const player = await deps.db
    .selectFrom('players')
    .select(['id', 'email', 'username'])
    .where('email', '=', email)
    .executeTakeFirst();
  const proven = player && (await proveCode(deps, player, 'reset_password', token));
  if (!proven) throw badRequest(LINK_WRONG);
  // A password that is refused must not cost the link.
  requireGoodPassword(password, wordsAbout(deps, email, player.username));
  const password_hash = await hashPassword(password);
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockByEmail(trx, email);
    if (before === undefined || !(await spendCode(trx, proven))) throw badRequest(LINK_WRONG);
    if (before.email_verified_at === null) await restartAccount(trx, player.id);
    await trx
      .updateTable('players')
      .set({
        password_hash,
        email_verified_at: before.email_verified_at ?? deps.clock.now(),
      })
      .where('id', '=', player.id)
      .execute();
    await afterPasswordChange(deps, trx, player, { notify: true });
    await forgetFailures({ ...deps, db: trx }, email, caller.ip);
    const tokens = await openSession(deps, trx, player.id, caller.client);
    caller.log.info({ event: 'password_reset', player: player.id }, 'a password was reset');
    return { tokens, user: await readUser(trx, player.id) };
  });
}

/**
 * P7, P12: sessions but `keep` end, codes and links die, and the owner hears of it with a new link,
 * should it have been somebody else.
 */
async function afterPasswordChange(
  deps: Deps,
  trx: Database,
  player: Owner,
  { keep, notify }: { keep?: string; notify: boolean },
): Promise<void> {
  await endSessions(trx, player.id, keep === undefined ? {} : { except: keep });
  await dropCodes(trx, player.id);
  if (!notify) return;
  const { link } = await makeResetLink(deps, trx, player);
  await deps.mail.enqueue(trx, passwordChangedMessage(deps.config, { to: player.email, link }));
}

/** What the profile needs to set a password; hashes, sessions and mails are no business of its own. */
export function passwordChange(deps: Deps): PasswordChange {
  return {
    prepare: async (player, password) => {
      requireGoodPassword(password, wordsAbout(deps, player.email, player.username));
      await limit(deps, [
        { name: 'password-change', subject: String(player.id), max: 5, seconds: HOUR_S },
      ]);
      return hashPassword(password);
    },
    finish: (trx, player, { keep, notify }) =>
      afterPasswordChange(deps, trx, player, { keep, notify }),
  };
}
