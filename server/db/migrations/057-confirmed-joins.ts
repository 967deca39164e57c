import type { Kysely } from 'kysely';

export const kind = 'expand';

/** When staff confirmed a player who joined by a code (LEAGUE-23). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('team_changes').addColumn('confirmed_at', 'timestamptz').execute();
}
