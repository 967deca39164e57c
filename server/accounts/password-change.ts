import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { limit, limitOf } from '../http/limits.ts';
import { passwordChangedMessage } from '../mail/messages.ts';
import { dropCodes, issueCode, type Owner } from './codes.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

type Named = { email: string; username: string | null };

/** @throws Refusal 400 on the field `password` (P11, P13). */
export function requireGoodPasswordFor(
  { brand }: Pick<Config, 'brand'>,
  { email, username }: Named,
  password: string,
): void {
  requireGoodPassword(password, [brand, email.split('@')[0] ?? '', username ?? '']);
}

/**
 * Checks and hashes a signed-in player's new password. Hashing is slow: call this before
 * locking rows.
 * @throws Refusal 400 on the field `password`, 429 over the limit of changes (P12), or 503 when the
 *   server is too busy (P15).
 */
export async function preparePassword(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  player: Owner & Named,
  password: string,
): Promise<string> {
  requireGoodPasswordFor(deps.config, player, password);
  await limit(deps, [limitOf('password-change', String(player.id))]);
  return hashPassword(password, `player ${player.id}`);
}

/** Makes a reset link, in place of the previous one (P23). */
export async function issueResetLink(
  deps: Pick<Deps, 'config' | 'clock'>,
  trx: Database,
  player: Owner,
): Promise<{ link: string; expires_at: Date }> {
  const { secret, expires_at } = await issueCode(deps, trx, player, 'reset_password');
  const query = new URLSearchParams({ email: player.email, token: secret });
  return { link: `${deps.config.public_url}/reset-password?${query}`, expires_at };
}

/** `removed`: unlinked providers, for the notice. */
type FinishOptions = { keep?: string; notify: boolean; removed?: string[] };

/**
 * After a change of password (P7, P12): ends every session but `keep`, and deletes codes and reset
 * links. `notify` mails the owner a reset link, in case a stranger changed the password.
 */
export async function finishPasswordChange(
  deps: Pick<Deps, 'config' | 'clock' | 'mail'>,
  trx: Database,
  player: Owner,
  { keep, notify, removed = [] }: FinishOptions,
): Promise<void> {
  await endSessions(trx, player.id, keep === undefined ? {} : { except: keep });
  await dropCodes(trx, player.id);
  if (!notify) return;
  const { link } = await issueResetLink(deps, trx, player);
  const message = passwordChangedMessage(deps.config, { to: player.email, link, removed });
  await deps.mail.enqueue(trx, { ...message, player_id: player.id });
}
