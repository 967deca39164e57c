import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import {
  FRIEND_CODE_DEAD,
  FRIEND_CODE_LENGTH,
  FRIEND_CODE_S,
  FRIENDS_MAX,
  pastedFriendCode,
} from '#contract/rules/friends.ts';
import { CODE_LETTERS } from '#contract/rules/short-code.ts';
import type { FriendAnswer, FriendAsked, FriendCode } from '#contract/wire/friends.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { giveBack, limit, limitOf, networkLimits } from '../http/limits.ts';
import { hashOf } from '../keys.ts';
import { type AgeRule, isBlocked, mayBeFriends } from '../players/visibility.ts';
import { block } from './blocks.ts';

/* Friends are made in person: one shows a code, the other opens it and asks, the first says yes. */

type CodeDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;
type Caller = Pick<Session, 'id' | 'player_id'> & { ip: string };

const hashOfCode = (code: string) => hashOf(`friend ${code}`);

/** One sentence for every reason that must stay unknown (FRIEND-04, P98). */
const dead = () => badRequest(FRIEND_CODE_DEAD);
const full = () => badRequest(`You have ${FRIENDS_MAX} friends, the most there can be.`);
const theyAreFull = () =>
  badRequest(`The player who asks has ${FRIENDS_MAX} friends, the most there can be.`);

async function isFull(on: Queryable, playerId: number): Promise<boolean> {
  const { rows } = await sql<{ friends: number }>`
    select count(*) as friends from friendships where player_id = ${playerId}`.execute(on);
  return (rows[0]?.friends ?? 0) >= FRIENDS_MAX;
}

/**
 * Makes a code to show, and ends the previous code (FRIEND-02).
 * @throws Refusal 400 if the player has FRIENDS_MAX friends, 401 if the session has ended, or 429
 *   after 20 codes in an hour.
 */
export async function makeCode(
  deps: CodeDeps,
  session: Pick<Session, 'id' | 'player_id'>,
): Promise<FriendCode> {
  await limit(deps, [limitOf('friend_code', String(session.player_id))]);
  const code = Array.from(
    { length: FRIEND_CODE_LENGTH },
    () => CODE_LETTERS[randomInt(CODE_LETTERS.length)],
  ).join('');
  return changeAs(deps, session, async (trx, { id }) => {
    if (await isFull(trx, id)) throw full();
    const expires_at = new Date(deps.clock.now().getTime() + FRIEND_CODE_S * 1_000);
    await sql`
      insert into friend_codes (player_id, code_hash, expires_at)
      values (${id}, ${hashOfCode(code)}, ${expires_at})
      on conflict (player_id) do update set code_hash = excluded.code_hash,
        expires_at = excluded.expires_at, asked_by = null`.execute(trx);
    return { code, expires_at: expires_at.toISOString() };
  });
}

/** SQL: name and jersey of the player in row `p`. Who shows or opens a code agrees to show both. */
const SHOWN = sql`p.username, p.avatar_color, p.jersey_number`;

/**
 * Who asks to be a friend by the code that the player shows (FRIEND-03).
 * @throws Refusal 404 if the player has no live code.
 */
export async function readAsked(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
): Promise<FriendAsked> {
  const { db, clock } = deps;
  const { rows } = await sql<Named & { expires_at: Date; asked_by: number | null }>`
    select c.expires_at, p.id as asked_by, ${SHOWN} from friend_codes c
    join players v on v.id = c.player_id
    left join players p on p.id = c.asked_by and ${mayBeFriends(deps)}
      and not ${isBlocked(sql`p.id`, sql`v.id`)}
    where c.player_id = ${playerId} and c.expires_at > ${clock.now()}`.execute(db);
  const [code] = rows;
  if (code === undefined) throw notFound('There is no code.');
  const { expires_at, asked_by, username, avatar_color, jersey_number } = code;
  return {
    expires_at: expires_at.toISOString(),
    asked_by: asked_by === null ? null : { username, avatar_color, jersey_number },
  };
}

type Shower = Named & { player_id: number };

/**
 * The player who shows this code, if the caller may ask them. One query judges everything, so that
 * every answer takes the same time.
 */
async function findShower(
  rule: AgeRule,
  on: Queryable,
  playerId: number,
  typed: string,
): Promise<Shower | undefined> {
  const { rows } = await sql<Shower>`
    select p.id as player_id, ${SHOWN}
    from friend_codes c join players p on p.id = c.player_id
    join players v on v.id = ${playerId}
    where c.code_hash = ${hashOfCode(pastedFriendCode(typed))} and c.expires_at > ${rule.clock.now()}
      and p.id <> v.id and coalesce(c.asked_by, v.id) = v.id
      and p.username is not null and v.username is not null
      and ${mayBeFriends(rule)} and not ${isBlocked(sql`p.id`, sql`v.id`)}`.execute(on);
  return rows[0];
}

/** Runs `work` with the player who shows the code; a wrong one uses up a try (FRIEND-12). */
async function withShower<T>(
  deps: CodeDeps,
  caller: Caller,
  typed: string,
  work: (shower: Shower) => Promise<T>,
): Promise<T> {
  const { player_id, ip } = caller;
  const own = [limitOf('friend_wrong', String(player_id))];
  const network = networkLimits(ip, 'friend_wrong_network');
  await limit(deps, own);
  // Charges the network only for calls within the player's own limit.
  await limit(deps, network).catch(async (error: unknown) => {
    // A refusal of the network is no wrong code of the player.
    await giveBack(deps, own);
    throw error;
  });
  const shower = await changeAs(deps, caller, (trx) => findShower(deps, trx, player_id, typed));
  if (shower === undefined) throw dead();
  await giveBack(deps, [...own, ...network]);
  return work(shower);
}

/**
 * Returns the player whose code this is (FRIEND-03).
 * @throws Refusal 400, with one sentence for every code that does not work, 401 if the session has
 *   ended, or 429 after too many wrong codes.
 */
export const openCode = (deps: CodeDeps, caller: Caller, typed: string): Promise<Named> =>
  withShower(deps, caller, typed, async ({ player_id: _, ...named }) => named);

/**
 * Asks the player who shows the code. Idempotent.
 * @throws Refusal 400 as `openCode`, or if the player has FRIENDS_MAX friends.
 * @throws Refusal 401 if the session has ended, or 429 after 20 questions in a day.
 */
export async function askByCode(deps: CodeDeps, caller: Caller, typed: string): Promise<void> {
  await withShower(deps, caller, typed, async () => {
    await limit(deps, [limitOf('friend_ask', String(caller.player_id))]);
    await changeAs(deps, caller, async (trx, { id }) => {
      if (await isFull(trx, id)) throw full();
      // Check again, in the transaction that stores the request.
      const shower = await findShower(deps, trx, id, typed);
      if (shower === undefined) throw dead();
      const { numAffectedRows = 0n } = await sql`
        update friend_codes set asked_by = ${id}
        where player_id = ${shower.player_id} and code_hash = ${hashOfCode(pastedFriendCode(typed))}
          and coalesce(asked_by, ${id}) = ${id}`.execute(trx);
      if (numAffectedRows === 0n) throw dead();
      await notify(trx, { friend: [shower.player_id] });
    });
  });
}

/**
 * Answers the player who asks by the code that expires at `expires_at`, and ends that code
 * (FRIEND-03). Ignores a yes to a player who may not be a friend any more (FRIEND-04).
 * @throws Refusal 400 if nobody asks by this code any more, one of the two has FRIENDS_MAX friends,
 *   or the player has too many blocks; 401 if the session has ended.
 */
export async function answerCode(
  deps: CodeDeps,
  session: Pick<Session, 'id' | 'player_id'>,
  { yes, block: blocks = false, expires_at }: FriendAnswer,
): Promise<void> {
  const code = await deps.db
    .selectFrom('friend_codes')
    .select('asked_by')
    .where('player_id', '=', session.player_id)
    .executeTakeFirst();
  const asker = code?.asked_by ?? null;
  const answer = async (trx: Database, { id }: { id: number }) => {
    if (asker === null) throw dead();
    const now = deps.clock.now();
    const { numAffectedRows = 0n } = await sql`
      delete from friend_codes
      where player_id = ${id} and expires_at > ${now} and expires_at = ${new Date(expires_at)}
        and asked_by = ${asker}`.execute(trx);
    if (numAffectedRows === 0n) throw dead();
    if (blocks) return block(trx, id, asker, now);
    if (yes) await befriend(deps, trx, id, asker, now);
  };
  // Locks both players, so that neither can block the other meanwhile.
  await changeAs(deps, session, answer, asker === null ? undefined : [asker]);
}

async function befriend(
  rule: AgeRule,
  trx: Database,
  id: number,
  asker: number,
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    select from players p join players v on v.id = ${asker}
    where p.id = ${id} and ${mayBeFriends(rule)} and not ${isBlocked(sql`p.id`, sql`v.id`)}`.execute(
    trx,
  );
  if (rows.length === 0) return;
  if (await isFull(trx, id)) throw full();
  // The asker may have asked several players while there was room for one.
  if (await isFull(trx, asker)) throw theyAreFull();
  await sql`
    insert into friendships (player_id, friend_id, since)
    values (${id}, ${asker}, ${now}), (${asker}, ${id}, ${now}) on conflict do nothing`.execute(
    trx,
  );
  await notify(trx, { friend: [id, asker] });
}
