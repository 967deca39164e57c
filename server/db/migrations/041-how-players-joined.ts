import type { Kysely } from 'kysely';

export const kind = 'expand';

/**
 * How a player came to the team (HAND-47), and whether a mail about it waits. Existing rows, and
 * those that an older process writes, have no `how`, so no mail is sent for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('team_changes')
    .addColumn('how', 'text')
    .addColumn('mail_waits', 'boolean')
    .execute();
}
