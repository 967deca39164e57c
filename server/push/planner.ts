import { sql } from 'kysely';
import { isUnderAge } from '#contract/rules/of-age.ts';
import {
  LOCKED_UNDER_AGE,
  type NoticeKind,
  PUSH_KINDS,
  type PushKind,
} from '#contract/rules/push.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { isDatabaseAway } from '../errors.ts';
import { dayOf } from '../leagues/calendar.ts';
import { nextMoment, type Sent } from './local-time.ts';

/* Decides which notice is sent, and when (PUSH-10 to PUSH-16, job 1 of PUSH-47). */

/** A notification's text. `path`: the page of this site that it leads to. */
export type Words = { title: string; body: string; path: string };

export type StoredNotice = {
  id: string;
  player_id: number;
  kind: NoticeKind;
  subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind knows its own data
  data: any;
  worth_until: Date;
};

export type NoticeOutcome = 'sent' | 'off' | 'too late' | 'no moment' | 'no longer true';

/** The rank and the words of a kind of notice, from the folder that causes it. */
export type Teller = {
  /** If several notices could be sent at once, the one with the lowest rank is (PUSH-15). */
  rank(data: StoredNotice['data']): number;
  /**
   * The text, from facts that are still true and visible to the player; null if there is nothing
   * left to tell (PUSH-16). `zone` and `locale` are those of the device.
   */
  words(
    deps: Pick<Deps, 'config' | 'db' | 'clock'>,
    notice: StoredNotice,
    at: { zone: string; locale: string },
  ): Promise<Words | null>;
  /** Stores what the player has been told, in the transaction that sends or drops the notice. */
  settle?(trx: Database, notice: StoredNotice, outcome: NoticeOutcome): Promise<void>;
};
export type Tellers = Record<PushKind, Teller>;

/** The test notice (PUSH-06). */
const TEST: Teller = {
  rank: () => 0,
  words: async ({ config }) => ({
    title: 'It works',
    body: `This is how ${config.brand} taps you on the shoulder.`,
    path: '/account',
  }),
};

export const tellerOf = (tellers: Tellers, kind: NoticeKind): Teller =>
  kind === 'test' ? TEST : tellers[kind];

type Judged = Sent &
  Record<PushKind, boolean> & {
    player_id: number;
    date_of_birth: string | null;
    zone: string;
    locale: string;
  };

/** How many due notices to try, to find a player whom no other process has locked. */
const LOOKED_AT = 50;

/**
 * Locks a player with a due notice; undefined if every such player is locked already, or there is
 * none. The zone is that of the device seen last (PUSH-10).
 */
async function lockDue(trx: Database, now: Date): Promise<Judged | undefined> {
  const { rows } = await sql<Judged>`
    select p.*, o.date_of_birth, coalesce(d.zone, l.timezone, 'UTC') as zone,
      coalesce(d.locale, 'en') as locale
    from (
      select player_id from push_notices where state = 'waiting' and due_at <= ${now}
      order by due_at limit ${sql.lit(LOOKED_AT)}
    ) n join player_push p using (player_id) join players o on o.id = p.player_id
    left join teams t on t.id = o.team_id left join leagues l on l.id = t.league_id
    left join lateral (
      select zone, locale from push_devices where player_id = p.player_id
      order by seen_at desc, id desc limit 1
    ) d on true
    limit 1 for update of p skip locked`.execute(trx);
  return rows[0];
}

const isOn = (
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  player: Judged,
  kind: NoticeKind,
): boolean => {
  if (kind === 'test') return true;
  const underAge = isUnderAge(player.date_of_birth, config.adult_age, clock.now());
  return player[kind] && !(underAge && LOCKED_UNDER_AGE.includes(kind));
};

/** Whether the player wants a notice of this kind now, and may get one (PUSH-16, PUSH-20). */
export async function wants(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
  kind: NoticeKind,
): Promise<boolean> {
  const player = await deps.db
    .selectFrom('player_push')
    .innerJoin('players', 'players.id', 'player_push.player_id')
    .select(['players.date_of_birth', ...PUSH_KINDS])
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  return player !== undefined && isOn(deps, player as Judged, kind);
}

type Waiting = StoredNotice & { due_at: Date; caused_at: Date };
type Dropped = { notice: Waiting; why: NoticeOutcome };

/** Marks a notice as sent and queues a message for each of the player’s devices. */
async function send(trx: Database, now: Date, notice: StoredNotice): Promise<void> {
  await sql`
    with planned as (
      update push_notices set state = 'sent', planned_at = ${now} where id = ${notice.id}
    )
    insert into push_sends (notice_id, device_id, host, due_at)
    select ${notice.id}, id, host, ${now} from push_devices
    where player_id = ${notice.player_id}`.execute(trx);
}

/** How long the notices of a player wait after an error. */
const AFTER_ERROR_MS = 5 * 60_000;

/**
 * Plans the notices of one player: sends at most one notice besides tests, and delays or drops the
 * others. Returns false if no unlocked player has a notice due. After an error, the player's
 * notices wait, so that those of others do not. Throws only if no player was read, or the database
 * is away.
 */
export async function planOne(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  tellers: Tellers,
): Promise<boolean> {
  let playerId: number | undefined;
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const now = deps.clock.now();
      const player = await lockDue(trx, now);
      if (player === undefined) return false;
      playerId = player.player_id;
      await planPlayer({ ...deps, db: trx }, tellers, player, now);
      return true;
    });
  } catch (err) {
    if (playerId === undefined || isDatabaseAway(err)) throw err;
    deps.log.error({ err, player: playerId }, 'the notices of a player cannot be planned');
    const now = deps.clock.now();
    await delay(deps.db, playerId, now, new Date(now.getTime() + AFTER_ERROR_MS));
    return true;
  }
}

/** Moves the player’s due notices to `next`. */
const delay = (db: Database, playerId: number, now: Date, next: Date) =>
  db
    .updateTable('push_notices')
    .set({ due_at: next })
    .where('player_id', '=', playerId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .execute();

/**
 * Plans the notices of a player whose row `deps.db`, a transaction, has locked, so that the limits
 * hold over all processes (P74).
 */
async function planPlayer(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  tellers: Tellers,
  player: Judged,
  now: Date,
): Promise<void> {
  const { db: trx } = deps;
  const { player_id, zone } = player;
  const waiting: Waiting[] = await trx
    .selectFrom('push_notices')
    .select(['id', 'player_id', 'kind', 'subject', 'data', 'worth_until', 'due_at', 'caused_at'])
    .where('player_id', '=', player_id)
    .where('state', '=', 'waiting')
    .orderBy('caused_at')
    .execute();
  const settle = (notice: StoredNotice, outcome: NoticeOutcome) =>
    tellerOf(tellers, notice.kind).settle?.(trx, notice, outcome);
  const dropped: Dropped[] = [];
  const candidates = waiting
    .filter((notice) => {
      const on = isOn(deps, player, notice.kind);
      const why = notice.worth_until <= now ? 'too late' : on ? null : 'off';
      if (why !== null) dropped.push({ notice, why });
      return why === null && notice.due_at <= now;
    })
    .sort(
      (a, b) => tellerOf(tellers, a.kind).rank(a.data) - tellerOf(tellers, b.kind).rank(b.data),
    );
  let next = nextMoment(now, zone, player);
  const rest: Waiting[] = [];
  for (const notice of candidates) {
    const isTest = notice.kind === 'test';
    if (!isTest && next > now) {
      rest.push(notice);
      continue;
    }
    const words = await tellerOf(tellers, notice.kind).words(deps, notice, player);
    if (words === null) {
      dropped.push({ notice, why: 'no longer true' });
      continue;
    }
    await settle(notice, 'sent');
    await send(trx, now, notice);
    if (isTest) continue;
    const day = dayOf(now, zone);
    const sent = {
      last_sent_at: now,
      sent_on: day,
      sent: 1 + (player.sent_on === day ? player.sent : 0),
    };
    await trx.updateTable('player_push').set(sent).where('player_id', '=', player_id).execute();
    next = nextMoment(now, zone, sent);
  }
  dropped.push(
    ...rest
      .filter(({ worth_until }) => worth_until <= next)
      .map((notice) => ({ notice, why: 'no moment' as const })),
  );
  for (const { notice, why } of dropped) {
    await settle(notice, why);
    await trx
      .updateTable('push_notices')
      .set({ state: 'dropped', why, planned_at: now })
      .where('id', '=', notice.id)
      // A newer notice may have replaced it since it was read, and still waits.
      .where('caused_at', '=', notice.caused_at)
      .execute();
  }
  await delay(trx, player_id, now, next);
}
