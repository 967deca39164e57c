import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Who may see a player's name (ACC-60). Existing players under 18 get `league`, and are asked when
 * they come of age; all others get `players`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table players
      add column visibility text not null default 'players'
        check (visibility in ('league', 'players', 'venue')),
      -- True until a player who was under age has answered the app's question (ACC-62).
      add column visibility_question boolean not null default false`.execute(db);
  // Ages count by the date in UTC+14, the latest on earth.
  await sql`
    update players set visibility = 'league', visibility_question = true
    where date_of_birth > (now() at time zone interval '14 hours')::date - interval '18 years'`.execute(
    db,
  );
}
