import { type Kysely, sql } from 'kysely';

/**
 * Indexes a team's games by machine: one entry per team and machine tells whether a league is
 * played at a venue.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_by_team on games (team_id, machine_id, received_at)
    where team_id is not null`.execute(db);
}
