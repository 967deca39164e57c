import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Indexes for the console's searches: words of usernames, player and game of audit lines. Existing
 * lines have no player.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The same expression as in server/staff-pages/search.ts. A word begins after `_` or `-`, and
  // at a capital after a small letter; the whole name is a word too.
  await sql`
    create index players_name_words on players using gin (array_to_tsvector(array_remove(
      string_to_array(lower(translate(username, '_-', '  ') || ' '
        || regexp_replace(username, '([a-z])([A-Z])', '\\1 \\2', 'g')), ' '), '')))
    where username is not null`.execute(db);
  await sql`alter table audit add column player_id bigint`.execute(db);
  await sql`create index audit_by_player on audit (player_id, id) where player_id is not null`.execute(
    db,
  );
  await sql`
    create index audit_by_game on audit ((after ->> 'game'), id)
    where area = 'games' and after ->> 'game' is not null`.execute(db);
}
