import { sql } from 'kysely';
import type { CheckEmailAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { type Limit, limitOf, networkLimits, networkOf } from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { chargeVisitor, tooManyVisits } from '../http/work.ts';
import { type Player, toUser, USER, USERS, type UserRow } from '../players/players.ts';

/**
 * The limits of P19. Without `check-here`, one network could use up `check-address` and block the
 * address's owner.
 */
function checkLimits(email: string, ip: string): Limit[][] {
  const network = networkOf(ip);
  return [
    networkLimits(ip, 'check-ip-minute'),
    networkLimits(ip, 'check-ip-hour'),
    networkLimits(ip, 'check-ip-day'),
    [limitOf('check-here', `${email} ${network}`)],
    [limitOf('check-address', email)],
    [limitOf('check-site', ''), limitOf('check-again', network)],
  ];
}

type CheckDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

async function spendQuestion(deps: CheckDeps, caller: Caller, email: string): Promise<void> {
  const used = await chargeVisitor(deps, caller, email, ...checkLimits(email, caller.ip));
  const names = used.map(({ name }) => name);
  // Beyond the site's limit, refuse only networks that also asked within the last minute. Below the
  // site's limit, `check-again` alone refuses nobody.
  const refused = names.includes('check-site')
    ? names.includes('check-again')
    : !names.every((one) => one === 'check-again');
  if (refused) throw tooManyVisits(deps, caller, email, used);
}

/**
 * Returns what the login and sign-up pages need to know about an address (ACC-16, ACC-17).
 * @throws Refusal 429 over a limit, or 503 without the database.
 */
export async function checkEmail(
  deps: CheckDeps,
  caller: Caller,
  email: string,
): Promise<CheckEmailAnswer> {
  await spendQuestion(deps, caller, email);
  const { rows } = await sql<UserRow & Pick<Player, 'email_verified_at'>>`
    select ${USER}, p.email_verified_at from ${USERS} where p.email = ${email}`.execute(deps.db);
  const [row] = rows;
  const user = row && toUser(deps, row);
  logSecurity(caller, 'check_email', { actor: 'visitor', email, exists: user !== undefined });
  return {
    exists: user !== undefined,
    verified: row !== undefined && row.email_verified_at !== null,
    has_set_password: user?.has_set_password ?? false,
    profile_setup_complete: user?.profile_setup_complete ?? false,
  };
}
