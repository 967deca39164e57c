import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import {
  ageOn,
  BIRTH_YEARS,
  BIRTHDATE_INVALID,
  BIRTHDATE_REQUIRED,
  isRealDate,
  latestDate,
  lockedMessage,
  tooYoungMessage,
} from '#contract/rules/birthdate.ts';
import { canonicalEmail } from '#contract/rules/email.ts';
import { looksOfficial } from '#contract/rules/official-names.ts';
import { PASSWORD_TOO_SHORT } from '#contract/rules/password.ts';
import {
  USERNAME_INAPPROPRIATE,
  USERNAME_REQUIRED,
  USERNAME_TAKEN,
  USERNAME_UNAVAILABLE,
  usernameProblem,
} from '#contract/rules/username.ts';
import type { profilePatch, User } from '#contract/wire/profile.ts';
import { finishPasswordChange, preparePassword } from '../accounts/password-change.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField, Refusal } from '../errors.ts';
import type { Session, UserSession } from '../http/caller.ts';
import { charge, clear, limit, limitOf, usesOf } from '../http/limits.ts';
import {
  isUsernameTaken,
  lockPlayer,
  type Player,
  readUser,
  recordLeagueMode,
  refuseBirthdates,
  updatePlayer,
} from '../players/players.ts';
import {
  chosenVisibility,
  venuesShowing,
  visibilityFor,
  WALL_ASKED,
} from '../players/visibility.ts';

/** After a birth date that is too recent, all birth dates are refused for this long (P30c). */
const REFUSED_MS = 24 * 3_600_000;
const SHOWN_TO_OTHERS: ReadonlySet<string> = new Set([
  'username',
  'avatar_color',
  'jersey_number',
  'visibility',
  'date_of_birth',
]);
export const EMAIL_FIXED = 'The email address of an account cannot be changed here.';
export const BIRTHDATE_FIXED = 'Your date of birth is already set and cannot be changed here.';

/** @throws Refusal 400 when the username is malformed, inappropriate or official (P51) */
async function requireUsername(username: string, brand: string): Promise<void> {
  const problem = usernameProblem(username);
  if (problem !== null) throw badField('username', problem);
  if (looksOfficial(username, brand)) throw badField('username', USERNAME_UNAVAILABLE);
  const { isInappropriate } = await import('#contract/rules/profanity.ts');
  if (isInappropriate(username)) throw badField('username', USERNAME_INAPPROPRIATE);
}

/** @throws Refusal 400 when `date` is no date, in the future, or too long ago (ACC-12) */
function requireBirthdate(date: string, now: Date): void {
  if (date === '') throw badField('date_of_birth', BIRTHDATE_REQUIRED);
  const earliest = now.getUTCFullYear() - BIRTH_YEARS;
  if (!isRealDate(date) || date > latestDate(now) || Number(date.slice(0, 4)) < earliest)
    throw badField('date_of_birth', BIRTHDATE_INVALID);
}

type Patch = z.output<typeof profilePatch>;
type Change = Omit<Patch, 'email' | 'has_set_password'>;

/**
 * Makes all checks that need no database. Returns the fields to change.
 * @throws Refusal 400 that names the field.
 */
async function checkedChange(
  patch: Patch,
  user: User,
  { now, brand }: { now: Date; brand: string },
): Promise<Change> {
  const { email, has_set_password: _, ...change } = patch;
  if (email !== undefined && canonicalEmail(email) !== user.email)
    throw badField('email', EMAIL_FIXED);
  // The current username stays allowed even if newer rules forbid it. '' is no username.
  if (change.username !== undefined && (change.username !== user.username || user.username === ''))
    await requireUsername(change.username, brand);
  if (change.date_of_birth !== undefined) {
    requireBirthdate(change.date_of_birth, now);
    if (user.date_of_birth !== null && user.date_of_birth !== change.date_of_birth)
      throw badField('date_of_birth', BIRTHDATE_FIXED);
  }
  // An empty password means no change (ACC-07).
  if (change.password === '') delete change.password;
  return change;
}

/** @throws Refusal 400 that names every missing field (ACC-05) */
function requireComplete(user: User, change: Change): void {
  const missing: Record<string, string[]> = {};
  if ((change.date_of_birth ?? user.date_of_birth) === null)
    missing.date_of_birth = [BIRTHDATE_REQUIRED];
  if ((change.username ?? user.username) === '') missing.username = [USERNAME_REQUIRED];
  if (change.password === undefined && user.sign_in_methods.length === 0)
    missing.password = [PASSWORD_TOO_SHORT];
  if (Object.keys(missing).length > 0) throw new Refusal(400, missing);
}

const isTaken = (error: unknown) =>
  error instanceof DatabaseError && error.constraint === 'players_username';

/**
 * Applies a patch atomically (P30a). Returns the new profile.
 * @throws Refusal 400 that names the field, 401 if the session has ended, 429 if username, password
 *   or league mode change too often, or 503 when the server is too busy.
 */
export async function updateProfile(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
  session: UserSession,
  patch: Patch,
): Promise<User> {
  const { config, db, clock } = deps;
  const { player_id: id, user } = session;
  const now = clock.now();
  const tooYoung = () => badField('date_of_birth', tooYoungMessage(config.min_age, config.brand));
  const locked = () => badField('date_of_birth', lockedMessage(config.support_email));
  const refusal = limitOf('too-young', user.email);
  /** Also refuses by address, because the player may have deleted an account (P30c). */
  const isLocked = async (trx: Database, { birthdate_refused_until: until }: Player) =>
    (until !== null && until > now) || (await usesOf({ ...deps, db: trx }, refusal)).uses > 0;
  const change = await checkedChange(patch, user, { now, brand: config.brand });
  const { date_of_birth, username, password } = change;

  if (date_of_birth !== undefined && ageOn(date_of_birth, now) < config.min_age) {
    const until = new Date(now.getTime() + REFUSED_MS);
    await changeAs(deps, session, async (trx, player) => {
      if (await isLocked(trx, player)) throw locked();
      await refuseBirthdates(trx, id, { now, until });
      await charge({ ...deps, db: trx }, [refusal]);
    });
    throw tooYoung();
  }
  if (change.profile_setup_complete) requireComplete(user, change);
  // Check the name first, so that a taken one costs no hash and no use of the password limit (P12,
  // P15).
  if (username !== undefined && (await isUsernameTaken(db, username, id)))
    throw badField('username', USERNAME_TAKEN);
  const owner = { id, email: user.email };
  const password_hash =
    password === undefined
      ? undefined
      : await preparePassword(deps, { ...owner, username: username ?? user.username }, password);

  const write = async (trx: Database, before: Player): Promise<User> => {
    if (date_of_birth !== undefined && before.date_of_birth !== date_of_birth) {
      if (before.date_of_birth !== null) throw badField('date_of_birth', BIRTHDATE_FIXED);
      if (await isLocked(trx, before)) throw locked();
    }
    const spend = (name: 'username' | 'league-mode') =>
      limit({ ...deps, db: trx }, [limitOf(name, String(id))]);
    if (username !== undefined && before.username !== null && username !== before.username)
      await spend('username');
    const enabled = change.league_mode_enabled;
    const turns = enabled !== undefined && enabled !== before.league_mode_enabled;
    if (turns) await spend('league-mode');
    const birthdate = before.date_of_birth ?? date_of_birth ?? null;
    const columns = Object.entries({
      date_of_birth,
      ...(before.date_of_birth === null && date_of_birth !== undefined
        ? visibilityFor(deps, date_of_birth, null)
        : {}),
      ...(change.visibility === undefined
        ? {}
        : chosenVisibility(deps, birthdate, change.visibility)),
      // A choice in Account also answers the question about the screens, unless it answers the one
      // at coming of age.
      wall_asked:
        change.visibility === undefined || before.visibility_question ? undefined : WALL_ASKED,
      username,
      password_hash,
      avatar_color: change.avatar_color,
      jersey_number: change.jersey_number,
      league_mode_enabled: change.league_mode_enabled,
    }).filter(([, value]) => value !== undefined);
    if (columns.length > 0) {
      await updatePlayer(trx, id, Object.fromEntries(columns));
      const looks = columns.some(([name]) => SHOWN_TO_OTHERS.has(name));
      await notify(trx, { profile: [id], venue: looks ? await venuesShowing(trx, id) : [] });
    }
    if (turns) await recordLeagueMode(trx, id, { at: clock.now(), enabled });
    if (password_hash !== undefined)
      await finishPasswordChange(deps, trx, owner, {
        keep: session.id,
        notify: user.sign_in_methods.length > 0,
      });
    return readUser({ ...deps, db: trx }, id);
  };
  return changeAs(deps, session, write).catch((error: unknown) => {
    throw isTaken(error) ? badField('username', USERNAME_TAKEN) : error;
  });
}

/**
 * Replaces a birth date, for staff or the operator (P30c).
 * @throws Refusal 400 if the date is invalid (ACC-12), or makes the player too young.
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
  await transact(db, async (trx) => {
    const before = await lockPlayer(trx, playerId);
    await updatePlayer(trx, playerId, {
      date_of_birth,
      birthdate_refused_until: null,
      ...visibilityFor({ config, clock }, date_of_birth, before?.date_of_birth ?? null),
    });
    if (before !== undefined)
      await clear({ config, db: trx }, [limitOf('too-young', before.email)]);
    await notify(trx, { profile: [playerId], venue: await venuesShowing(trx, playerId) });
  });
}

/** Replaces the player's code (ACC-26). Returns the new code. */
export function replacePlayerCode(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Session,
): Promise<string> {
  return changeAs(deps, session, async (trx, { id }) => {
    const uuid = randomUUID();
    await updatePlayer(trx, id, { uuid });
    await notify(trx, { profile: [id] });
    return uuid;
  });
}
