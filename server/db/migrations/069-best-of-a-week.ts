import type { Kysely } from 'kysely';

export const kind = 'expand';

export const indexes = { matchup_sides_by_season: 'on matchup_sides (season_id, week)' };

/**
 * Stores the best score of a player's week, and indexes matchups by season. The score is right only
 * while `best_sum` equals `score_sum`, because version 0.2 changes the sum but not the best score.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('league_weeks')
    .addColumn('best', 'integer')
    .addColumn('best_sum', 'bigint')
    .execute();
}
