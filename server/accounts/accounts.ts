import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { CheckEmailAnswer } from '#contract/accounts.ts';
import { DEFAULT_AVATAR_COLOR, DEFAULT_JERSEY_NUMBER } from '#contract/jersey.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badField, forbidden } from '../errors.ts';
import type { Caller, Session } from '../http/caller.ts';
import { type Limit, limit, networkOf } from '../http/limits.ts';
import { selectUser, toUser } from '../profile/profile.ts';
import { provePassword } from './login.ts';
import { endSessions, IDLE_MS } from './sessions.ts';

export const PASSWORD_WRONG = 'That is not your password.';
export const REAUTHENTICATE = 'Enter your password, or sign in again, to delete your account.';
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

/** What the login screen has to know of an address (spec 4). @throws Refusal 429, 503. */
export async function checkEmail(
  deps: Deps,
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

/**
 * Empties an account whose address nobody has proven: whatever somebody else may have planted there
 * is gone, and what they saw of it is worth nothing (P27, P29c). Keeps the row and its team.
 */
export async function restartAccount(trx: Database, playerId: number): Promise<void> {
  await trx
    .updateTable('players')
    .set({
      uuid: sql`gen_random_uuid()`,
      username: null,
      password_hash: null,
      date_of_birth: null,
      avatar_color: DEFAULT_AVATAR_COLOR,
      jersey_number: DEFAULT_JERSEY_NUMBER,
      league_mode_enabled: false,
    })
    .where('id', '=', playerId)
    .execute();
  await trx.deleteFrom('identities').where('player_id', '=', playerId).execute();
  await trx.deleteFrom('league_mode_changes').where('player_id', '=', playerId).execute();
  await endSessions(trx, playerId);
}

/** The player of an address, locked until the transaction ends. */
export function lockByEmail(trx: Database, email: string) {
  return (
    trx
      .selectFrom('players')
      .select(['id', 'email', 'username', 'email_verified_at'])
      .where('email', '=', email)
      // The player's row is the first lock of every transaction: none can close a ring.
      .forNoKeyUpdate()
      .executeTakeFirst()
  );
}

/** P30e: how fresh a sign-in stands in for the password. */
const FRESH_MS = 5 * 60_000;

/**
 * Deletes the caller's account after a password or a sign-in of the last five minutes (contract 2).
 * @throws Refusal 400 when the password is wrong, 403 without either, 429, 503.
 */
export async function deleteOwnAccount(
  deps: Deps,
  caller: Caller,
  session: Session,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined && password !== '') {
    const player = await provePassword(deps, caller, session.user.email, password);
    if (player === null) throw badField('password', PASSWORD_WRONG);
  } else if (deps.clock.now().getTime() - session.created_at.getTime() > FRESH_MS)
    throw forbidden(REAUTHENTICATE);
  await deletePlayer(deps, session.player_id);
  caller.log.info({ event: 'account_deleted', player: session.player_id }, 'an account is deleted');
}

/**
 * What stays of a deleted account: enough to recognise its row in a restored backup. Nothing about
 * the person goes in, so it needs no key that could be rotated away; and who comes back with the
 * same address is somebody new.
 */
const tombstone = (player: { id: number; created_at: Date }) =>
  createHash('sha256').update(`player ${player.id} ${player.created_at.toISOString()}`).digest();

/**
 * Erases a player for good: everything personal at once, games kept without a person so that team
 * sums hold, and a tombstone (P30e). Deleting nobody is no error.
 */
export async function deletePlayer(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const player = await trx
      .deleteFrom('players')
      .where('id', '=', playerId)
      .returning(['id', 'email', 'created_at'])
      .executeTakeFirst();
    if (player === undefined) return;
    await trx.deleteFrom('kept_mails').where('recipient', '=', player.email).execute();
    await trx
      .insertInto('tombstones')
      .values({ digest: tombstone(player), deleted_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/**
 * In the transaction of a restore: deletes again what had been deleted since the backup was made
 * (P30e); the tombstones are there already. Returns how many accounts that were.
 */
export async function replayTombstones(trx: Database): Promise<number> {
  const stones = await trx.selectFrom('tombstones').select('digest').execute();
  const dead = new Set(stones.map(({ digest }) => digest.toString('hex')));
  const players = await trx.selectFrom('players').select(['id', 'created_at']).execute();
  const again = players.filter((player) => dead.has(tombstone(player).toString('hex')));
  const ids = again.map(({ id }) => id);
  await trx
    .deleteFrom('players')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
  return again.length;
}

/** P28 */
const UNPROVEN_LIFE_MS = 7 * DAY_S * 1000;
const UNFINISHED_LIFE_MS = 30 * DAY_S * 1000;
/** Rows deleted by one statement, so that nobody who wants one of them waits for long. */
const BATCH = 10_000;

/**
 * The nightly clean-up: sessions, codes and limits that are over, and unfinished accounts (P28). Who
 * has played or is on a team has finished, and who has lost the way in with a new address (P30b) has
 * the same 30 days for a password. It reads whole tables: `db` is without the limits of P38. What
 * somebody else holds is left for the next night. Returns how many rows of each went.
 */
export async function cleanUp({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<
  Record<'players' | 'sessions' | 'codes' | 'limits', number>
> {
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const batches = async (table: string, over: RawBuilder<unknown>) => {
    for (let all = 0; ; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in
          (select ctid from ${sql.table(table)} where ${over}
           limit ${BATCH} for update skip locked)`.execute(db);
      all += Number(numAffectedRows);
      if (numAffectedRows < BATCH) return all;
    }
  };
  return {
    sessions: await batches(
      'sessions',
      sql`expires_at <= ${now} or last_used_at <= ${before(IDLE_MS)}`,
    ),
    codes: await batches('codes', sql`expires_at <= ${now}`),
    limits: await batches('limits', sql`resets_at <= ${now}`),
    players: await batches(
      'players',
      sql`(email_verified_at is null and created_at < ${before(UNPROVEN_LIFE_MS)})
        or (email_verified_at < ${before(UNFINISHED_LIFE_MS)}
          and (username is null or date_of_birth is null or (password_hash is null
            and not exists (select from identities i where i.player_id = players.id)))
          and team_id is null
          and not exists (select from games g where g.player_id = players.id))`,
    ),
  };
}
