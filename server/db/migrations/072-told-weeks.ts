import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

export const indexes = { matchup_sides_by_week: 'on matchup_sides (week)' };

/** What players were told about their team's week (PUSH-02). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table told_weeks (
      team_id integer not null references teams on delete cascade,
      week date not null,
      own bigint not null,
      other bigint not null,
      told_at timestamptz not null,
      turned boolean not null default false,
      primary key (team_id, week)
    )`.execute(db);
}
