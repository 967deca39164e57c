import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { limit } from '../http/limits.ts';
import { passwordChangedMessage } from '../mail/messages.ts';
import { dropCodes, issueCode, type Owner } from './codes.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

const HOUR_S = 3600;

type Named = { email: string; username: string | null };

/** Checks a player's new password (P11, P13). @throws Refusal 400 on the field `password`. */
export function requireGoodPasswordFor(
  { brand }: Pick<Config, 'brand'>,
  { email, username }: Named,
  password: string,
): void {
  requireGoodPassword(password, [brand, email.split('@')[0] ?? '', username ?? '']);
}

/**
 * Checks a signed-in player's new password and returns the hash. Hashing is slow, so lock no rows
 * before this call.
 * @throws Refusal 400 on the field `password`, 429 (P12), 503 (P15).
 */
export async function preparePassword(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  player: Owner & Named,
  password: string,
): Promise<string> {
  requireGoodPasswordFor(deps.config, player, password);
  await limit(deps, [
    { name: 'password-change', subject: String(player.id), max: 5, seconds: HOUR_S },
  ]);
  return hashPassword(password);
}

/** Makes a reset link, which replaces the player's previous link (P23). Returns it with expiry. */
export async function issueResetLink(
  deps: Pick<Deps, 'config' | 'clock'>,
  trx: Database,
  player: Owner,
): Promise<{ link: string; expires_at: Date }> {
  const { secret, expires_at } = await issueCode(deps, trx, player, 'reset_password');
  const query = new URLSearchParams({ email: player.email, token: secret });
  return { link: `${deps.config.public_url}/reset-password?${query}`, expires_at };
}

/** `keep` is the session that stays open. The notice names the unlinked providers `removed`. */
type FinishOptions = { keep?: string; notify: boolean; removed?: string[] };

/**
 * Finishes a change of password (P7, P12): ends every session but `keep`, and deletes codes and
 * reset links. With `notify`, mails the owner a new reset link, in case somebody else changed the
 * password.
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
  await deps.mail.enqueue(trx, message);
}
