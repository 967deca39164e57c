import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * The total and best score of each team's week, stored each night for the season's page. The weeks
 * up to a season's `summed_to`, a Monday, are right. If it is null, none are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table team_weeks (
      team_id integer not null references teams on delete cascade,
      week date not null,
      total bigint not null,
      best integer,
      primary key (team_id, week)
    )`.execute(db);
  await sql`alter table seasons add column summed_to date`.execute(db);
}
