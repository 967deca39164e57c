import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

const WEEKS = 5_000;

/** Stores the best score of each week that has none. Games recorded meanwhile are left out. */
export async function batch(db: Kysely<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update league_weeks w set best = found.best, best_sum = found.score_sum
    from (
      select l.team_id, l.week, l.player_id, l.score_sum, (
        select max(score) from (
          select g.team_id, g.score from games g
          where g.player_id = l.player_id and g.week = l.week and g.state = 'counted'
          order by g.played_at, g.id limit 8
        ) g where g.team_id = l.team_id
      ) as best
      from league_weeks l where l.best_sum is null limit ${sql.lit(WEEKS)}
    ) found
    where w.team_id = found.team_id and w.week = found.week and w.player_id = found.player_id`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
