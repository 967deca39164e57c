import type { CheckEmailAnswer } from '#contract/accounts.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { type Limit, limit, networkOf } from '../http/limits.ts';
import { selectUser, toUser } from '../players/players.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** P19 */
function checkLimits(email: string, ip: string): Limit[][] {
  const network = networkOf(ip);
  return [
    [{ name: 'check-ip-minute', subject: network, max: 30, seconds: MINUTE_S }],
    [{ name: 'check-ip-hour', subject: network, max: 300, seconds: HOUR_S }],
    [{ name: 'check-ip-day', subject: network, max: 1000, seconds: DAY_S }],
    [{ name: 'check-address', subject: email, max: 30, seconds: HOUR_S }],
    [{ name: 'check-site', subject: '', max: 50, seconds: 1 }],
  ];
}

/** What the login screen needs to know about an address (ACC-16, ACC-17). @throws Refusal 429, 503. */
export async function checkEmail(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  caller: Caller,
  email: string,
): Promise<CheckEmailAnswer> {
  await limit(deps, ...checkLimits(email, caller.ip));
  const row = await selectUser(deps.db)
    .select('players.email_verified_at')
    .where('players.email', '=', email)
    .executeTakeFirst();
  const user = row && toUser(row);
  caller.log.info(
    { event: 'check_email', network: networkOf(caller.ip), exists: user !== undefined },
    'an address was checked',
  );
  return {
    exists: user !== undefined,
    verified: row !== undefined && row.email_verified_at !== null,
    has_set_password: user?.has_set_password ?? false,
    profile_setup_complete: user?.profile_setup_complete ?? false,
  };
}
