import type { CheckEmailAnswer } from '#contract/wire/accounts.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  charge,
  type Limit,
  type LimitDeps,
  networkLimits,
  networkOf,
  tooManyOf,
} from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { selectUser, toUser } from '../players/players.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

const SITE = 'check-site';
const AGAIN = 'check-again';

/**
 * The limits of P19. Without `check-here`, one network could use up `check-address` and block the
 * address's owner.
 */
function checkLimits(email: string, ip: string): Limit[][] {
  const network = networkOf(ip);
  return [
    networkLimits(ip, { name: 'check-ip-minute', max: 30, seconds: MINUTE_S, remember: true }),
    networkLimits(ip, { name: 'check-ip-hour', max: 300, seconds: HOUR_S, remember: true }),
    networkLimits(ip, { name: 'check-ip-day', max: 1000, seconds: DAY_S, remember: true }),
    [{ name: 'check-here', subject: `${email} ${network}`, max: 30, seconds: HOUR_S }],
    [{ name: 'check-address', subject: email, max: 300, seconds: HOUR_S }],
    [
      { name: SITE, subject: '', max: 50, seconds: 1 },
      { name: AGAIN, subject: network, max: 1, seconds: MINUTE_S },
    ],
  ];
}

async function spendQuestion(deps: LimitDeps, email: string, ip: string): Promise<void> {
  const used = await charge(deps, ...checkLimits(email, ip));
  const names = used.map(({ name }) => name);
  // Beyond the site's limit, refuse only networks that asked within the last minute (`AGAIN`).
  // `AGAIN` alone refuses nobody.
  const refused = names.includes(SITE)
    ? names.includes(AGAIN)
    : !names.every((one) => one === AGAIN);
  if (refused) throw tooManyOf(used);
}

/**
 * What the login and sign-up screens need about an address (ACC-16, ACC-17).
 * @throws Refusal 429, 503.
 */
export async function checkEmail(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  caller: Caller,
  email: string,
): Promise<CheckEmailAnswer> {
  await spendQuestion(deps, email, caller.ip);
  const row = await selectUser(deps.db)
    .select('players.email_verified_at')
    .where('players.email', '=', email)
    .executeTakeFirst();
  const user = row && toUser(deps, row);
  logSecurity(caller, 'check_email', { actor: 'visitor', email, exists: user !== undefined });
  return {
    exists: user !== undefined,
    verified: row !== undefined && row.email_verified_at !== null,
    has_set_password: user?.has_set_password ?? false,
    profile_setup_complete: user?.profile_setup_complete ?? false,
  };
}
