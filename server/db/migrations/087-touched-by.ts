import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** What last marked a final season as changed: a game, or a ruling on a matchup (SEASON-25). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table seasons add column touched_by text not null default 'game'
      check (touched_by in ('game', 'ruling'))`.execute(db);
}
