import { type Kysely, sql } from 'kysely';

/**
 * Indexes a team's games by machine. To check whether a league is played in certain venues, it then
 * suffices to read one entry per team and machine instead of all games.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_by_team on games (team_id, machine_id, received_at)
    where team_id is not null`.execute(db);
}
