import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

export const indexes = { player_push_passed: 'on player_push (player_id) where passed' };

/**
 * Adds a player's place on a league's board when last checked (PUSH-05), a device's last failure,
 * and whether a message waits because its push service failed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table player_push add column place integer, add column place_week date,
      add column place_league integer, add column place_score integer`.execute(db);
  // failed_status: null if the push service did not answer.
  await sql`
    alter table push_devices add column failed_at timestamptz, add column failed_status smallint`.execute(
    db,
  );
  await sql`alter table push_sends add column retrying boolean not null default false`.execute(db);
}
