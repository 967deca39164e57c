import { type Kysely, sql } from 'kysely';

/**
 * Adds an index on a team's games by machine. With it, the check whether a league is played in some
 * venues reads one entry for each team and machine. Without it, the check would read all games of
 * the league.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_by_team on games (team_id, machine_id, received_at)
    where team_id is not null`.execute(db);
}
