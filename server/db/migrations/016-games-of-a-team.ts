import { type Kysely, sql } from 'kysely';

/**
 * Adds an index on the games of a team by machine. With it, a look whether a league is played in
 * some venues reads one entry for each team and machine, not all games of the league.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_by_team on games (team_id, machine_id, received_at)
    where team_id is not null`.execute(db);
}
