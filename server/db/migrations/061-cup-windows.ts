import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Adds the window in which a cup's result was counted, because a reopened pairing gets a new window
 * (CUP-23). Also adds the time when a cup last took its seeds from a table (CUP-02).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // null: stored before this migration; the window is that of the pairing.
  await sql`alter table cup_results add column starts_at timestamptz, add column ends_at timestamptz`.execute(
    db,
  );
  await sql`alter table cups add column followed_at timestamptz`.execute(db);
}
