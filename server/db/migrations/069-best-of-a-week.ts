import type { Kysely } from 'kysely';

export const kind = 'expand';

export const indexes = { matchup_sides_by_season: 'on matchup_sides (season_id, week)' };

/**
 * The best score of a player's week, and the matchups of a season by number. The score holds while `best_sum` is `score_sum`: version 0.2 changes
 * a week without it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('league_weeks')
    .addColumn('best', 'integer')
    .addColumn('best_sum', 'bigint')
    .execute();
}
