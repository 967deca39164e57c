import type { Kysely } from 'kysely';

export const kind = 'expand';

/**
 * On how many visits a player was asked about showing the name on screens (HAND-50). A player who
 * has answered, or has chosen in Account, gets the highest number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('players')
    .addColumn('wall_asked', 'smallint', (column) => column.notNull().defaultTo(0))
    .execute();
}
