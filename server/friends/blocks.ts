import { sql } from 'kysely';
import { BLOCKS_MAX } from '#contract/rules/friends.ts';
import type { BlockedAnswer } from '#contract/wire/friends.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { endBetween, rivalIn } from '../duels/duels.ts';
import { badRequest } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { namedFor } from '../players/visibility.ts';

/* Who has blocked whom (FRIEND-10). Only the blocker sees and lifts a block (P101). */

/**
 * Blocks a player: ends the friendship and duels between the two, and their codes never work for
 * each other again. The caller must hold the locks of both players.
 * @throws Refusal 400 if the player has blocked BLOCKS_MAX players.
 */
export async function block(
  trx: Database,
  playerId: number,
  blockedId: number,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ blocks: number }>`
    select count(*) as blocks from blocks where player_id = ${playerId}`.execute(trx);
  if ((rows[0]?.blocks ?? 0) >= BLOCKS_MAX)
    throw badRequest(`You have blocked ${BLOCKS_MAX} players, the most there can be.`);
  await sql`insert into blocks (player_id, blocked_id, at) values (${playerId}, ${blockedId}, ${at})
    on conflict do nothing`.execute(trx);
  await unfriend(trx, playerId, blockedId);
  await endBetween(trx, playerId, blockedId, at);
}

/** Ends a friendship, if there is one, for both at once. `tells`: whether to notify their pages. */
export async function unfriend(
  trx: Database,
  one: number,
  other: number,
  tells = true,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    delete from friendships where (player_id, friend_id) in ((${one}, ${other}), (${other}, ${one}))`.execute(
    trx,
  );
  if (tells && numAffectedRows > 0n) await notify(trx, { friend: [one, other] });
}

/** The players whom the player has blocked, newest first. */
export async function listBlocked(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
): Promise<BlockedAnswer> {
  const { rows } = await sql<{ n: number } & Named>`
    select b.n, ${namedFor(deps, { player_id: playerId })} from blocks b
    join players p on p.id = b.blocked_id where b.player_id = ${playerId} order by b.n desc`.execute(
    deps.db,
  );
  return { results: rows.map((row) => ({ ...row, n: String(row.n) })) };
}

/** A number in the player's own list; null for other text. */
export const numberIn = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null;

/** Lifts a block by its number in the player's own list, if there is one. */
export async function unblock(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Pick<Session, 'id' | 'player_id'>,
  n: string,
): Promise<void> {
  const number = numberIn(n);
  if (number === null) return;
  await changeAs(deps, session, (trx, { id }) =>
    trx.deleteFrom('blocks').where('player_id', '=', id).where('n', '=', number).execute(),
  );
}

/** Blocks the rival of a duel, which ends the duel (DUEL-10). Ignores an unknown number. */
export async function blockRival(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Pick<Session, 'id' | 'player_id'>,
  duel: string,
): Promise<void> {
  const rivalId = await rivalIn(deps, session.player_id, duel);
  await changeAs(
    deps,
    session,
    async (trx, { id }) => {
      if (rivalId !== undefined) await block(trx, id, rivalId, deps.clock.now());
    },
    rivalId === undefined ? undefined : [rivalId],
  );
}
