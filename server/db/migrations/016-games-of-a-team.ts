import { type Kysely, sql } from 'kysely';

/**
 * Indexes a team's games by machine. The check whether a league is played in some venues then reads
 * one entry for each team and machine, instead of all the league's games.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_by_team on games (team_id, machine_id, received_at)
    where team_id is not null`.execute(db);
}
