import { EMAIL_EXISTS } from '#contract/rules/email.ts';
import type { RegisterAnswer, SessionAnswer } from '#contract/wire/accounts.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, Refusal, unavailable } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import {
  charge,
  clear,
  giveBack,
  type Limit,
  limitOf,
  networkLimits,
  networkOf,
  refund,
  usesOf,
} from '../http/limits.ts';
import { logSecurity } from '../http/security-log.ts';
import { chargeVisitor, limitVisitor, tooManyVisits } from '../http/work.ts';
import { codeMessage } from '../mail/messages.ts';
import {
  addOrLock,
  clearPlayer,
  findByEmail,
  lockByEmail,
  readUser,
  updatePlayer,
} from '../players/players.ts';
import { UNPROVEN_SHARE } from '../rate-limits.ts';
import { issueCode, type Owner, proveCode, spendCode } from './codes.ts';
import { endSessions, openSession } from './sessions.ts';

/** One message for every reason, because the reason would reveal the account's state (ACC-18). */
export const CODE_WRONG = 'This code is wrong or no longer works. You can ask for a new one.';
const CODES_PAUSED = 'Too many wrong codes today. Use "Mail me a link instead" to get in.';

type SignupDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>;

/** How many mails an hour the whole site may send to unproven addresses (P79e). */
export const unprovenMails = ({ mail_unproven_max }: Pick<Config, 'mail_unproven_max'>): Limit => ({
  ...limitOf('mail-unproven', ''),
  max: mail_unproven_max,
});

/**
 * A network's share of `unprovenMails`. Neither proof of work nor a venue raises it: otherwise one
 * guest could stop sign-up for all (P79e). A mail whose code proves the address no longer counts
 * (P79a).
 */
export const unprovenMailsHere = (
  { mail_unproven_max }: Pick<Config, 'mail_unproven_max'>,
  ip: string,
): Limit[] =>
  networkLimits(ip, 'mail-unproven-network').map(({ name, subject, seconds }) => ({
    name,
    subject,
    seconds,
    max: Math.ceil(mail_unproven_max * UNPROVEN_SHARE),
  }));

/** The limits of one network's requests for codes to one address (P79d). */
function ownRequests(email: string, ip: string): Limit[] {
  const here = `${email} ${networkOf(ip)}`;
  return [limitOf('code-hour', here), limitOf('code-day', here)];
}

const tooManyMails = (seconds: number) =>
  unavailable('We cannot send more mails just now. Please try again later.', seconds);

/**
 * Counts a request for a code, mailed or not: first in the limits of caller and address, then in
 * the network's (P22, P79d). All addresses are answered alike, so that answers reveal nothing.
 * @throws Refusal 429 over a limit, or 503 while the site may mail no more unproven addresses
 *   (P79e).
 */
async function countRequest(
  deps: Omit<SignupDeps, 'mail'>,
  caller: Caller,
  email: string,
): Promise<void> {
  const own = ownRequests(email, caller.ip);
  const used = await chargeVisitor(deps, caller, email, own, networkLimits(caller.ip, 'code-ip'));
  if (used.length > 0) {
    if (!used.some(({ name }) => own.some((one) => one.name === name)))
      await refund(deps, used, own);
    throw tooManyVisits(deps, caller, email, used);
  }
  const mails = [...unprovenMailsHere(deps.config, caller.ip), unprovenMails(deps.config)];
  const uses = await Promise.all(mails.map((limit) => usesOf(deps, limit)));
  const full = uses.find(({ uses }, at) => uses >= (mails[at]?.max ?? 0));
  if (full !== undefined) throw tooManyMails(full.wait_s);
}

/**
 * Whether a code may be mailed: once a minute and 60 times a day (P22, P79d). Call this also for
 * addresses that wait for no code, so that responses reveal nothing.
 * @throws Refusal 429 if the day's limit is used up, or 503 without the database.
 */
async function mayMailCode(
  deps: Omit<SignupDeps, 'mail'>,
  caller: Caller,
  { email, subject, mails }: { email: string; subject: string; mails: boolean },
): Promise<boolean> {
  const cooldown = limitOf('code-pause', subject);
  const here = unprovenMailsHere(deps.config, caller.ip);
  const site = unprovenMails(deps.config);
  const [used] = await charge(
    deps,
    [cooldown],
    [limitOf('code-account', subject)],
    mails ? here : [],
    mails ? [site] : [],
  );
  if (used === undefined) return true;
  if ([...here, site].some(({ name }) => name === used.name)) throw tooManyMails(used.wait_s);
  if (used.name !== cooldown.name) throw tooManyVisits(deps, caller, email, [used]);
  // The code from less than a minute ago serves this request too.
  await giveBack(deps, ownRequests(email, caller.ip));
  logSecurity(caller, 'throttled', { actor: 'visitor', email, reason: used.name });
  return false;
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
  const request = { email, subject: waiting(player), mails: true };
  if (!(await mayMailCode({ ...deps, db: trx }, caller, request))) return;
  const { secret, expires_at } = await issueCode(deps, trx, player, 'verify_email');
  await deps.mail.enqueue(trx, {
    ...codeMessage(deps.config, { to: player.email, code: secret, valid_until: expires_at }),
    player_id: player.id,
  });
}

/** Clears what a stranger can have set in an unverified account (P27, P29c). */
export async function restartAccount(trx: Database, playerId: number): Promise<void> {
  await clearPlayer(trx, playerId);
  await trx.deleteFrom('identities').where('player_id', '=', playerId).execute();
  await endSessions(trx, playerId);
}

/**
 * Creates an account, or clears the address's unverified one, and mails a code (P6, P27).
 * @throws Refusal 400 if the address has a verified account, 429 over a limit, or 503 as in
 *   `countRequest`.
 */
export async function register(
  deps: SignupDeps,
  caller: Caller,
  email: string,
): Promise<RegisterAnswer> {
  await countRequest(deps, caller, email);
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
 * @throws Refusal 429 or 503, as in `countRequest`.
 */
export async function resendCode(deps: SignupDeps, caller: Caller, email: string): Promise<void> {
  await countRequest(deps, caller, email);
  await deps.db.transaction().execute(async (trx) => {
    const player = await lockByEmail(trx, email);
    if (player !== undefined && player.email_verified_at === null)
      await sendCode(deps, caller, trx, player);
    else {
      const request = { email, subject: notWaiting(email), mails: false };
      await mayMailCode({ ...deps, db: trx }, caller, request);
    }
  });
  logSecurity(caller, 'code_requested', { actor: 'visitor', email });
}

/**
 * Verifies an address by a code and opens the first session (P6, P20).
 * @throws Refusal 400 with CODE_WRONG for a wrong or expired code.
 * @throws Refusal 429 after 20 wrong codes in a day from one network, after 60 from all networks,
 *   or after too many tries from the network.
 * @throws Refusal 503 without the database.
 */
export async function verifyEmail(
  deps: SignupDeps,
  caller: Caller,
  email: string,
  code: string,
): Promise<SessionAnswer> {
  // Limit the network, because each unknown address adds a row to `limits` (P16).
  const network = networkLimits(caller.ip, 'verify-ip');
  await limitVisitor(deps, caller, email, network);
  const known = await findByEmail(deps.db, email);
  const player = known?.email_verified_at === null ? known : undefined;
  const subject = player === undefined ? notWaiting(email) : waiting(player);
  const here = limitOf('code-wrong', `${subject} ${networkOf(caller.ip)}`);
  const everywhere = limitOf('code-wrong-account', subject);
  const [full] = await charge(deps, [here], [everywhere]);
  // Round up to whole hours, so that all addresses are answered alike (P79g).
  const wait_s = 3600 * Math.ceil((full?.wait_s ?? 0) / 3600);
  if (full !== undefined) throw new Refusal(429, { detail: CODES_PAUSED }, wait_s, full.name);
  const refuse = () => {
    logSecurity(caller, 'code_refused', { actor: 'visitor', email });
    return badRequest(CODE_WRONG);
  };
  const proven = player && (await proveCode(deps, player, code, caller.ip));
  if (!proven) throw refuse();
  return deps.db.transaction().execute(async (trx) => {
    const still = await lockByEmail(trx, email);
    if (still?.email_verified_at !== null || !(await spendCode(trx, proven))) throw refuse();
    // This also replaces the uuid, which an unverified caller has seen.
    await restartAccount(trx, player.id);
    await updatePlayer(trx, player.id, { email_verified_at: deps.clock.now() });
    // Once a code has proven its address, the sign-up's requests no longer count (P79a).
    const requests = networkLimits(caller.ip, 'code-ip');
    const mails = unprovenMailsHere(deps.config, caller.ip);
    await clear(
      { ...deps, db: trx },
      [...ownRequests(email, caller.ip), ...requests, ...network, here, everywhere, ...mails],
      [...requests, ...network, ...mails],
    );
    const tokens = await openSession(deps, trx, player.id, caller.client);
    logSecurity(caller, 'verified', { actor: 'player', player: player.id });
    return { tokens, user: await readUser({ ...deps, db: trx }, player.id) };
  });
}
