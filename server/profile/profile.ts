import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { average } from '#contract/abbreviate.ts';
import {
  ageOn,
  BIRTH_YEARS,
  BIRTHDATE_INVALID,
  BIRTHDATE_REQUIRED,
  isRealDate,
  tooYoungMessage,
} from '#contract/birthdate.ts';
import { canonicalEmail } from '#contract/email.ts';
import { PASSWORD_TOO_SHORT } from '#contract/password.ts';
import type { profilePatch, User } from '#contract/profile.ts';
import {
  USERNAME_INAPPROPRIATE,
  USERNAME_REQUIRED,
  USERNAME_TAKEN,
  usernameProblem,
} from '#contract/username.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { badField, Refusal, unauthorized } from '../errors.ts';
import type { Session } from '../http/caller.ts';

/** Everything that the `user` of an answer is made of, in one query (contract 2). */
export function selectUser(db: Database) {
  return db
    .selectFrom('players')
    .leftJoin('teams', 'teams.id', 'players.team_id')
    .leftJoin('player_stats', 'player_stats.player_id', 'players.id')
    .select((eb) => [
      'players.uuid',
      'players.email',
      'players.username',
      'players.date_of_birth',
      'players.avatar_color',
      'players.jersey_number',
      'players.league_mode_enabled',
      'teams.name as team_name',
      'player_stats.games_played',
      'player_stats.highscore',
      'player_stats.score_sum',
      eb('players.password_hash', 'is not', null).as('has_password'),
      eb
        .exists(
          eb
            .selectFrom('identities')
            .whereRef('identities.player_id', '=', 'players.id')
            .select(eb.lit(1).as('one')),
        )
        .as('has_google'),
    ]);
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUser>['executeTakeFirstOrThrow']>>;

/** The player as answers carry them; both flags are derived from facts (contract 1, 0.8). */
export function toUser(row: UserRow): User {
  const hasPassword = Boolean(row.has_password);
  const hasGoogle = Boolean(row.has_google);
  return {
    uuid: row.uuid,
    email: row.email,
    username: row.username ?? '',
    profile_setup_complete:
      row.username !== null && row.date_of_birth !== null && (hasPassword || hasGoogle),
    has_set_password: hasPassword,
    sign_in_methods: [
      ...(hasPassword ? (['password'] as const) : []),
      ...(hasGoogle ? (['google'] as const) : []),
    ],
    date_of_birth: row.date_of_birth,
    avatar_color: row.avatar_color,
    jersey_number: row.jersey_number,
    league_mode_enabled: row.league_mode_enabled,
    team: row.team_name === null ? null : { name: row.team_name },
    user_stat: {
      games_played: row.games_played ?? 0,
      highscore: row.highscore ?? 0,
      avg_score: average(row.score_sum ?? 0, row.games_played ?? 0),
    },
  };
}

/** The player with this id. @throws when there is none: callers have just seen it. */
export async function readUser(db: Database, playerId: number): Promise<User> {
  return toUser(await selectUser(db).where('players.id', '=', playerId).executeTakeFirstOrThrow());
}

/** P30c: after a too young answer the question stays closed for this long. */
const REFUSED_MS = 24 * 3_600_000;
export const EMAIL_FIXED = 'The email address of an account cannot be changed here.';
export const BIRTHDATE_FIXED = 'Your date of birth is already set and cannot be changed here.';

type Owner = { id: number; email: string };
/** How a password is set; comes from the accounts, which build on the profile. */
export type PasswordChange = {
  /**
   * The hash of a new password, before any lock is taken.
   * @throws Refusal 400 on the field `password`, 429 (P12), 503 (P15).
   */
  prepare(player: Owner & { username: string | null }, password: string): Promise<string>;
  /** Ends what the old password opened but session `keep`, and tells the owner if `notify` (P7). */
  finish(trx: Database, player: Owner, after: { keep: string; notify: boolean }): Promise<void>;
};

/** @throws Refusal 400 when the form of a username is wrong; whether it is free, the update finds out. */
async function requireUsername(username: string): Promise<void> {
  const problem = usernameProblem(username);
  if (problem !== null) throw badField('username', problem);
  // Its words are loaded for the first name that somebody chooses.
  const { isInappropriate } = await import('#contract/profanity.ts');
  if (isInappropriate(username)) throw badField('username', USERNAME_INAPPROPRIATE);
}

/** @throws Refusal 400 when it is no date, in the future, or before the years offered (contract 1). */
function requireBirthdate(date: string, now: Date): void {
  if (date === '') throw badField('date_of_birth', BIRTHDATE_REQUIRED);
  const earliest = now.getUTCFullYear() - BIRTH_YEARS;
  if (
    !isRealDate(date) ||
    date > now.toISOString().slice(0, 10) ||
    Number(date.slice(0, 4)) < earliest
  )
    throw badField('date_of_birth', BIRTHDATE_INVALID);
}

type Patch = z.output<typeof profilePatch>;
type Change = Omit<Patch, 'email' | 'has_set_password'>;

/** The checks that need no more than the patch and its sender. */
async function checkedChange(patch: Patch, user: User, now: Date): Promise<Change> {
  const { email, has_set_password: _, ...change } = patch;
  if (email !== undefined && canonicalEmail(email) !== user.email)
    throw badField('email', EMAIL_FIXED);
  if (change.username !== undefined) await requireUsername(change.username);
  if (change.date_of_birth !== undefined) {
    requireBirthdate(change.date_of_birth, now);
    if (user.date_of_birth !== null && user.date_of_birth !== change.date_of_birth)
      throw badField('date_of_birth', BIRTHDATE_FIXED);
  }
  // An empty field is one that was not filled in (contract 1).
  if (change.password === '') delete change.password;
  return change;
}

/** @throws Refusal 400 naming every field that a finished setup still lacks (contract 1). */
function requireComplete(user: User, change: Change): void {
  const missing: Record<string, string[]> = {};
  if ((change.date_of_birth ?? user.date_of_birth) === null)
    missing.date_of_birth = [BIRTHDATE_REQUIRED];
  if ((change.username ?? user.username) === '') missing.username = [USERNAME_REQUIRED];
  if (change.password === undefined && user.sign_in_methods.length === 0)
    missing.password = [PASSWORD_TOO_SHORT];
  if (Object.keys(missing).length > 0) throw new Refusal(400, missing);
}

/** @throws Refusal 400 when somebody else has this username, in whatever case (contract 1). */
async function requireFree(db: Database, username: string, playerId: number): Promise<void> {
  const other = await db
    .selectFrom('players')
    .select('id')
    .where(sql<string>`lower(username)`, '=', username.toLowerCase())
    .where('id', '!=', playerId)
    .executeTakeFirst();
  if (other !== undefined) throw badField('username', USERNAME_TAKEN);
}

const isTaken = (error: unknown) =>
  error instanceof DatabaseError && error.constraint === 'players_username';

/**
 * Changes the caller's profile and returns it as it is then; all of the patch or nothing (P30a).
 * @throws Refusal 400 naming the field; 429 and 503 when a password is set.
 */
export async function updateProfile(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  session: Session,
  patch: Patch,
  passwords: PasswordChange,
): Promise<User> {
  const { player_id: id, user } = session;
  const now = clock.now();
  const tooYoung = () => badField('date_of_birth', tooYoungMessage(config.min_age, config.brand));
  const change = await checkedChange(patch, user, now);
  const { date_of_birth, username, password } = change;

  if (date_of_birth !== undefined && ageOn(date_of_birth, now) < config.min_age) {
    await db
      .updateTable('players')
      .set({ birthdate_refused_until: new Date(now.getTime() + REFUSED_MS) })
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('birthdate_refused_until', 'is', null),
          eb('birthdate_refused_until', '<=', now),
        ]),
      )
      .execute();
    throw tooYoung();
  }
  if (change.profile_setup_complete) requireComplete(user, change);
  // Before the password is hashed and counted: trying names must cost neither (P12, P15).
  if (username !== undefined) await requireFree(db, username, id);
  const owner = { id, email: user.email };
  const password_hash =
    password === undefined
      ? undefined
      : await passwords.prepare({ ...owner, username: username ?? user.username }, password);

  const write = async (trx: Database): Promise<User> => {
    const before = await trx
      .selectFrom('players')
      .select(['date_of_birth', 'birthdate_refused_until', 'league_mode_enabled'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before === undefined) throw unauthorized();
    if (date_of_birth !== undefined && before.date_of_birth !== date_of_birth) {
      if (before.date_of_birth !== null) throw badField('date_of_birth', BIRTHDATE_FIXED);
      if (before.birthdate_refused_until !== null && before.birthdate_refused_until > now)
        throw tooYoung();
    }
    const columns = Object.entries({
      date_of_birth,
      username,
      password_hash,
      avatar_color: change.avatar_color,
      jersey_number: change.jersey_number,
      league_mode_enabled: change.league_mode_enabled,
    }).filter(([, value]) => value !== undefined);
    if (columns.length > 0) {
      await trx
        .updateTable('players')
        .set(Object.fromEntries(columns))
        .where('id', '=', id)
        .execute();
      await notify(trx, { profile: [id] });
    }
    const enabled = change.league_mode_enabled;
    if (enabled !== undefined && enabled !== before.league_mode_enabled)
      // A late game is judged by how things stood when it was played (contract 4).
      await trx
        .insertInto('league_mode_changes')
        // Looked at under the lock, so that the history is in the order of the changes.
        .values({ player_id: id, at: clock.now(), enabled })
        .onConflict((conflict) => conflict.columns(['player_id', 'at']).doUpdateSet({ enabled }))
        .execute();
    if (password_hash !== undefined)
      await passwords.finish(trx, owner, {
        keep: session.id,
        // The first password of a new account is no news to anybody.
        notify: user.sign_in_methods.length > 0,
      });
    return readUser(trx, id);
  };
  return db
    .transaction()
    .execute(write)
    .catch((error: unknown) => {
      throw isTaken(error) ? badField('username', USERNAME_TAKEN) : error;
    });
}

/**
 * Sets a birth date in place of whatever the player gave, for the operator, who has seen a proof (P30c).
 * @throws Refusal 400 when it is no date, or of somebody who is too young to have an account.
 */
export async function replaceBirthdate(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
  date_of_birth: string,
): Promise<void> {
  const now = clock.now();
  requireBirthdate(date_of_birth, now);
  if (ageOn(date_of_birth, now) < config.min_age)
    throw badField('date_of_birth', tooYoungMessage(config.min_age, config.brand));
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('players')
      .set({ date_of_birth, birthdate_refused_until: null })
      .where('id', '=', playerId)
      .execute();
    await notify(trx, { profile: [playerId] });
  });
}
