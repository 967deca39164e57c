import { EMAIL_EXISTS, RESEND_COOLDOWN_S } from '#contract/rules/email.ts';
import type { RegisterAnswer, SessionAnswer } from '#contract/wire/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, Refusal } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { charge, clear, type Limit, limit, networkLimits, tooManyOf } from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { codeMessage } from '../mail/messages.ts';
import {
  addOrLock,
  clearPlayer,
  findByEmail,
  lockByEmail,
  readUser,
  updatePlayer,
} from '../players/players.ts';
import { issueCode, type Owner, proveCode, spendCode } from './codes.ts';
import { endSessions, openSession } from './sessions.ts';

/** One message for every reason, because the reason would reveal the account's state (ACC-18). */
export const CODE_WRONG = 'This code is wrong or no longer works. You can ask for a new one.';
const CODES_PAUSED = 'Too many wrong codes today. Use "Mail me a link instead" to get in.';
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

type SignupDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>;

/** Limits a network's requests for codes, with or without a mail (P22). */
const codeMailsByIp = (ip: string): Limit[] =>
  networkLimits(ip, { name: 'code-ip', max: 20, seconds: HOUR_S, remember: true });

/**
 * Whether a code may be mailed (P22). Call this also for addresses that wait for no code, so that
 * responses reveal nothing.
 * @throws Refusal 429 if the hour's or day's limit is used up; 503.
 */
async function mayMailCode(
  deps: Omit<SignupDeps, 'mail'>,
  caller: Caller,
  { email, subject }: { email: string; subject: string },
): Promise<boolean> {
  const cooldown = { name: 'code-pause', subject, max: 1, seconds: RESEND_COOLDOWN_S };
  const used = await charge(
    deps,
    [cooldown],
    [{ name: 'code-hour', subject, max: 5, seconds: HOUR_S }],
    [{ name: 'code-day', subject, max: 10, seconds: DAY_S }],
  );
  const caps = used.filter(({ name }) => name !== cooldown.name);
  if (caps.length > 0) throw tooManyOf(caps);
  for (const { name } of used)
    logSecurity(caller, 'throttled', { actor: 'visitor', email, reason: name });
  return used.length === 0;
}

const waiting = (player: Pick<Owner, 'id'>) => `account ${player.id}`;
const notWaiting = (email: string) => `address ${email}`;

async function sendCode(
  deps: SignupDeps,
  caller: Caller,
  trx: Database,
  player: Owner,
): Promise<void> {
  const { email } = player;
  if (!(await mayMailCode({ ...deps, db: trx }, caller, { email, subject: waiting(player) })))
    return;
  const { secret, expires_at } = await issueCode(deps, trx, player, 'verify_email');
  await deps.mail.enqueue(
    trx,
    codeMessage(deps.config, { to: player.email, code: secret, valid_until: expires_at }),
  );
}

/** Clears what a stranger can have set in an unverified account (P27, P29c). */
export async function restartAccount(trx: Database, playerId: number): Promise<void> {
  await clearPlayer(trx, playerId);
  await trx.deleteFrom('identities').where('player_id', '=', playerId).execute();
  await endSessions(trx, playerId);
}

/**
 * Creates an account, or clears the address's unverified one, and mails a code (P6, P27).
 * @throws Refusal 400 if the address has a verified account; 429, 503.
 */
export async function register(
  deps: SignupDeps,
  caller: Caller,
  email: string,
): Promise<RegisterAnswer> {
  await limit(deps, codeMailsByIp(caller.ip));
  const user = await deps.db.transaction().execute(async (trx) => {
    const found = await addOrLock(trx, { email, created_at: deps.clock.now() });
    if (found === undefined) throw badRequest('Please try again.');
    const { player, added } = found;
    if (!added) {
      if (player.email_verified_at !== null) throw badField('email', EMAIL_EXISTS);
      await restartAccount(trx, player.id);
    }
    await sendCode(deps, caller, trx, player);
    return readUser({ ...deps, db: trx }, player.id);
  });
  logSecurity(caller, 'registered', { actor: 'visitor', email });
  return { user, detail: `We sent a 6-digit code to ${email}.` };
}

/**
 * Mails another code to an unverified account (P22).
 * @throws Refusal 429, 503.
 */
export async function resendCode(deps: SignupDeps, caller: Caller, email: string): Promise<void> {
  await limit(deps, codeMailsByIp(caller.ip));
  await deps.db.transaction().execute(async (trx) => {
    const player = await lockByEmail(trx, email);
    if (player !== undefined && player.email_verified_at === null)
      await sendCode(deps, caller, trx, player);
    else await mayMailCode({ ...deps, db: trx }, caller, { email, subject: notWaiting(email) });
  });
  logSecurity(caller, 'code_requested', { actor: 'visitor', email });
}

/**
 * Verifies an address by a code and opens the first session (P6, P20).
 * @throws Refusal 400 with CODE_WRONG; 429 after 20 wrong codes in a day, or 30 tries from a
 * network in a minute; 503.
 */
export async function verifyEmail(
  deps: SignupDeps,
  caller: Caller,
  email: string,
  code: string,
): Promise<SessionAnswer> {
  // Each unknown address adds a row to `limits`: limit the network (P16).
  await limit(
    deps,
    networkLimits(caller.ip, { name: 'verify-ip', max: 30, seconds: 60, remember: true }),
  );
  const known = await findByEmail(deps.db, email);
  const player = known?.email_verified_at === null ? known : undefined;
  const wrong: Limit = {
    name: 'code-wrong',
    subject: player === undefined ? notWaiting(email) : waiting(player),
    max: 20,
    seconds: DAY_S,
  };
  const [full] = await charge(deps, [wrong]);
  if (full !== undefined) throw new Refusal(429, { detail: CODES_PAUSED }, full.wait_s, full.name);
  const refuse = () => {
    logSecurity(caller, 'code_refused', { actor: 'visitor', email });
    return badRequest(CODE_WRONG);
  };
  const proven = player && (await proveCode(deps, player, 'verify_email', code));
  if (!proven) throw refuse();
  return deps.db.transaction().execute(async (trx) => {
    const still = await lockByEmail(trx, email);
    if (still?.email_verified_at !== null || !(await spendCode(trx, proven))) throw refuse();
    // This also replaces the uuid, which an unverified caller has seen.
    await restartAccount(trx, player.id);
    await updatePlayer(trx, player.id, { email_verified_at: deps.clock.now() });
    await clear({ ...deps, db: trx }, [wrong]);
    const tokens = await openSession(deps, trx, player.id, caller.client);
    logSecurity(caller, 'verified', { actor: 'player', player: player.id });
    return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}
