import type { Kysely } from 'kysely';

export const kind = 'expand';

/**
 * When a game entered the player's figures (HAND-01). Null means when it was received, so that the
 * existing rows, and those that an older process writes, need no value.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('games').addColumn('landed_at', 'timestamptz').execute();
}
