import type { Updateable } from 'kysely';
import { isUnderAge } from '#contract/rules/of-age.ts';
import { LOCKED_UNDER_AGE, PUSH_KINDS, type PushKind } from '#contract/rules/push.ts';
import type { PushAnswer, PushPatch } from '#contract/wire/push.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import type { AgeRule } from '../players/visibility.ts';
import { readPublicKey } from './keys.ts';

const DAY_MS = 24 * 3_600_000;
/** How long the question pauses after each “Not now”. The third one ends it (PUSH-32). */
const RESTS_DAYS = [30, 180];
const ASKED_MAX = RESTS_DAYS.length + 1;

type Kinds = Record<PushKind, boolean>;

/** The default switches (PUSH-20). */
export const kindsAtFirst = (underAge: boolean): Kinds => ({
  my_game: !underAge,
  my_week: !underAge,
  nudge: !underAge,
  duel: !underAge,
  passed: false,
});

/**
 * Stores the player's default switches, unless some are stored.
 * @param birthdate of the player
 */
export async function keepKinds(
  trx: Database,
  { clock, config }: AgeRule,
  { id, date_of_birth }: { id: number; date_of_birth: string | null },
): Promise<void> {
  await trx
    .insertInto('player_push')
    .values({
      player_id: id,
      ...kindsAtFirst(isUnderAge(date_of_birth, config.adult_age, clock.now())),
    })
    .onConflict((known) => known.doNothing())
    .execute();
}

/** The panel of Account: switches, devices, and whether the app may ask (PUSH-32). */
export async function readPush(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  { id: session_id, player_id }: Pick<Session, 'id' | 'player_id'>,
): Promise<PushAnswer> {
  const { db, clock, config } = deps;
  const [public_key, player, devices] = await Promise.all([
    config.push === null ? null : readPublicKey(deps),
    db
      .selectFrom('players')
      .leftJoin('player_push', 'player_push.player_id', 'players.id')
      .select(['date_of_birth', 'asked', 'ask_after', ...PUSH_KINDS])
      .where('players.id', '=', player_id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('push_devices')
      .select(['id', 'client', 'since', 'seen_at', 'session_id'])
      .where('player_id', '=', player_id)
      .orderBy('seen_at', 'desc')
      .execute(),
  ]);
  const now = clock.now();
  const underAge = isUnderAge(player.date_of_birth, config.adult_age, now);
  const locked = underAge ? [...LOCKED_UNDER_AGE] : [];
  const first = kindsAtFirst(underAge);
  const asked = player.asked ?? 0;
  return {
    public_key,
    kinds: Object.fromEntries(
      PUSH_KINDS.map((kind) => [kind, !locked.includes(kind) && (player[kind] ?? first[kind])]),
    ) as Kinds,
    locked,
    ask:
      public_key !== null &&
      !underAge &&
      asked < ASKED_MAX &&
      (player.ask_after === null || player.ask_after <= now),
    devices: devices.map((device) => ({
      id: String(device.id),
      client: device.client,
      since: device.since.toISOString(),
      seen_at: device.seen_at.toISOString(),
      current: device.session_id === session_id,
    })),
  };
}

/**
 * The columns to store for the answer “Not now” or “never”. While the question rests, “Not now” is
 * the same answer again, such as a retry.
 */
function restOf(
  { asked, ask_after }: { asked: number; ask_after: Date | null },
  answer: 'later' | 'never',
  now: Date,
) {
  if (answer === 'later' && ask_after !== null && ask_after > now) return {};
  const days = answer === 'never' ? undefined : RESTS_DAYS[asked];
  return days === undefined
    ? { asked: ASKED_MAX, ask_after: null }
    : { asked: asked + 1, ask_after: new Date(now.getTime() + days * DAY_MS) };
}

/**
 * Changes switches, or puts off the question (PUSH-32).
 * @throws Refusal 400 for a switch that is locked under age (PUSH-20), or 401 if the session has
 *   ended.
 */
export async function changePush(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
  { kinds = {}, ask }: PushPatch,
): Promise<PushAnswer> {
  await changeAs(deps, session, async (trx, player) => {
    const now = deps.clock.now();
    const { adult_age } = deps.config;
    if (
      LOCKED_UNDER_AGE.some((kind) => kinds[kind] === true) &&
      isUnderAge(player.date_of_birth, adult_age, now)
    )
      throw badField('kinds', `You can turn this on at ${adult_age}.`);
    await keepKinds(trx, deps, player);
    const known = await trx
      .selectFrom('player_push')
      .select(['asked', 'ask_after'])
      .where('player_id', '=', player.id)
      .executeTakeFirstOrThrow();
    const change: Updateable<Schema['player_push']> = {
      ...kinds,
      ...(ask && restOf(known, ask, now)),
    };
    if (Object.keys(change).length > 0)
      await trx.updateTable('player_push').set(change).where('player_id', '=', player.id).execute();
  });
  return readPush(deps, session);
}
