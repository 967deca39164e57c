import { PASSWORD_WRONG, provePassword } from '../accounts/login.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { badField, forbidden } from '../errors.ts';
import type { Caller, UserSession } from '../http/caller.ts';
import { logSecurity } from '../http/security-log.ts';
import { deletePlayer } from '../players/erase.ts';

export const REAUTHENTICATE = 'Enter your password, or sign in again, to delete your account.';
/** Within this time after a sign-in, no password is needed (P30e). */
const FRESH_MS = 5 * 60_000;

/**
 * Deletes the caller's account (P30e).
 * @throws Refusal 400 if the password is wrong, or 403 if it is missing and the sign-in is more
 *   than five minutes old.
 * @throws Refusal 401 if the session has ended, 429 over a limit, or 503 when the server is too
 *   busy.
 */
export async function deleteOwnAccount(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  caller: Caller,
  session: UserSession,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined && password !== '') {
    const player = await provePassword(deps, caller, session.user.email, password);
    if (player === null) throw badField('password', PASSWORD_WRONG);
  } else if (deps.clock.now().getTime() - session.created_at.getTime() > FRESH_MS)
    throw forbidden(REAUTHENTICATE);
  await changeAs(deps, session, (trx, { id }) => deletePlayer(trx, id, deps.clock.now()));
  logSecurity(caller, 'account_deleted', { actor: 'player', player: session.player_id });
}
