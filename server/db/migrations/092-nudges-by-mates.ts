import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Which nudges a mate sent, also once the mate's account is deleted (NUDGE-03). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nudges add column by_mate boolean not null default false`.execute(db);
  await sql`update nudges set by_mate = true where sender_id is not null`.execute(db);
}
