import { DatabaseError } from 'pg';
import type { ProviderId } from '#contract/wire/profile.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { limit, limitOf } from '../http/limits.ts';
import { changeEmailMessage, emailChangedMessage } from '../mail/messages.ts';
import { deleteUnverified } from '../players/erase.ts';
import { unlinkIdentities } from '../players/identities.ts';
import { findByEmail, lockByEmail, updatePlayer } from '../players/players.ts';
import { dropCodes, issueCode, proveNewAddress, spendCode } from './codes.ts';
import { endSessions } from './sessions.ts';

export const SAME_EMAIL = 'The account has this address already.';
export const CHANGE_CODE_WRONG =
  'This code is wrong, too old, for another address, or was tried five times. Mail a new one.';

const isTaken = (email: string) => conflict(`Another account has the address ${email}.`);

async function requireFree(db: Database, email: string): Promise<void> {
  const owner = await findByEmail(db, email);
  if (owner !== undefined && owner.email_verified_at !== null) throw isTaken(email);
}

/**
 * Mails a code to `to`, an account's new address. P30b limits these mails, and all accounts
 * together may cause 100 an hour. Returns when the code expires.
 * @throws Refusal 400 if the account already has the address, 409 if another verified account has
 *   it, 429 over a limit.
 */
export async function proposeEmail(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
  player: { id: number; email: string },
  to: string,
): Promise<Date> {
  if (to === player.email) throw badField('new_email', SAME_EMAIL);
  await requireFree(deps.db, to);
  // Staff call this. The account's limit keeps them from guessing a code, and the address's limit
  // keeps them from flooding a mailbox.
  const subjects = [`account ${player.id}`, `address ${to}`];
  await limit(
    deps,
    subjects.map((subject) => limitOf('new-address-hour', subject)),
    subjects.map((subject) => limitOf('new-address-day', subject)),
    // Limit all accounts together: too many codes would delay players' mails.
    [limitOf('new-address-all', 'all')],
  );
  return transact(deps.db, async (trx) => {
    const owner = { id: player.id, email: to };
    const { secret, expires_at } = await issueCode(deps, trx, owner, 'change_email');
    await deps.mail.enqueue(trx, {
      ...changeEmailMessage(deps.config, { to, code: secret, valid_until: expires_at }),
      player_id: player.id,
    });
    return expires_at;
  });
}

/**
 * Changes an account's address to `to` if `code` is right (P30b). Ends sessions, codes and reset
 * links (P7), and unlinks every provider, because they were linked for the old address (P29c).
 * Deletes an unverified account with the new address. `also` runs in the transaction.
 * @throws Refusal 400 for a wrong or expired code, 409 if another verified account has the address.
 */
export async function confirmEmail(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'mail'>,
  player: { id: number; email: string },
  to: string,
  code: string,
  also: (trx: Database) => Promise<void> = async () => undefined,
): Promise<{ sessions_ended: number; providers_unlinked: ProviderId[] }> {
  const proven = await proveNewAddress(deps, { id: player.id, email: to }, code);
  if (!proven) throw badRequest(CHANGE_CODE_WRONG);
  const move = async (trx: Database) => {
    const before = await lockByEmail(trx, player.email);
    if (before?.id !== player.id || !(await spendCode(trx, proven)))
      throw badRequest(CHANGE_CODE_WRONG);
    await requireFree(trx, to);
    await deleteUnverified(trx, [to]);
    await updatePlayer(trx, player.id, {
      email: to,
      email_verified_at: deps.clock.now(),
      address_claimed: false,
    });
    const providers_unlinked = await unlinkIdentities(deps.config, trx, player.id);
    const sessions_ended = await endSessions(trx, player.id);
    await dropCodes(trx, player.id);
    // Sent even if the account is deleted meanwhile: this mail warns the owner of a stolen account.
    await deps.mail.enqueue(trx, emailChangedMessage(deps.config, { to: before.email }));
    await notify(trx, { profile: [player.id] });
    await also(trx);
    return { sessions_ended, providers_unlinked };
  };
  return deps.db
    .transaction()
    .execute(move)
    .catch((error: unknown) => {
      // Another account has taken the address since `requireFree`.
      throw error instanceof DatabaseError && error.constraint === 'players_email_key'
        ? isTaken(to)
        : error;
    });
}
