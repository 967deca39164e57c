import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { venuesShowing } from './visibility.ts';

/**
 * A restore recognises deleted players by this hash. It contains no personal data, so it needs no
 * key and survives a new SECRET_KEY.
 */
const tombstone = (player: { id: number; created_at: Date }) =>
  createHash('sha256').update(`player ${player.id} ${player.created_at.toISOString()}`).digest();

/** Deletes a player and all personal data (P30e). Ignores an unknown id. */
export async function deletePlayer(trx: Database, playerId: number, at: Date): Promise<void> {
  // Notify first: the deletion also deletes the rows that name whom to notify.
  const idsOf = async (query: RawBuilder<{ id: number }>) =>
    (await query.execute(trx)).rows.map(({ id }) => id);
  await notify(trx, {
    venue: await venuesShowing(trx, playerId),
    duel: await idsOf(sql`
      select offerer_id + rival_id - ${playerId} as id from duels
      where (offerer_id = ${playerId} or rival_id = ${playerId})
        and state in ('offered', 'running', 'decided')`),
    friend: await idsOf(sql`select friend_id as id from friendships where player_id = ${playerId}`),
    league: await idsOf(sql`
      select t.league_id as id from players p join teams t on t.id = p.team_id
      where p.id = ${playerId}`),
  });
  await notifyConsole(trx, ['reports', 'weeks']);
  const player = await trx
    .deleteFrom('players')
    .where('id', '=', playerId)
    .returning(['id', 'email', 'created_at'])
    .executeTakeFirst();
  if (player === undefined) return;
  await trx.deleteFrom('kept_mails').where('recipient', '=', player.email).execute();
  await trx
    .insertInto('tombstones')
    .values({ digest: tombstone(player), deleted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Deletes again the players who were deleted after the backup was made (P30e). A restore calls this
 * in its transaction. Returns how many.
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

export async function deleteUnverified(trx: Database, emails: string[]): Promise<void> {
  await trx
    .deleteFrom('players')
    .where((eb) => eb('email', '=', eb.fn.any(eb.val(emails))))
    .where('email_verified_at', 'is', null)
    .execute();
}

/**
 * Deletes at most `limit` unfinished accounts (P28): unverified ones created before
 * `unverifiedBefore`, and those verified before `unfinishedBefore` that lack a username, birth date
 * or way to sign in and have no game or team. Skips locked rows. Returns how many.
 */
export async function deleteUnfinished(
  db: Database,
  { unverifiedBefore, unfinishedBefore }: { unverifiedBefore: Date; unfinishedBefore: Date },
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from players where ctid in (
      select ctid from players
      where (email_verified_at is null and created_at < ${unverifiedBefore})
        or (email_verified_at < ${unfinishedBefore}
          and (username is null or date_of_birth is null or (password_hash is null
            and not exists (select from identities i where i.player_id = players.id)))
          and team_id is null
          and not exists (select from games g where g.player_id = players.id))
      limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}
