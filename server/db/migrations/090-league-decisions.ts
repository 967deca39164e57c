import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Decisions about players, teams and matchups of leagues (HAND-C11). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table league_decisions (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      -- Null: the operator key.
      staff_id bigint,
      who text not null,
      league_id integer not null references leagues on delete cascade,
      decision text not null check (decision in ('moved', 'accepted', 'declined', 'reopened',
        'made', 'renamed', 'deleted', 'ruled')),
      player_id bigint references players on delete cascade,
      team_id integer references teams on delete cascade,
      -- The team that a moved player left, or the away team of a matchup.
      other_id integer references teams on delete cascade,
      -- Names of a team, or rulings.
      before text,
      after text,
      week date,
      reason_before text,
      asked_at timestamptz
    )`.execute(db);
  await sql`create index league_decisions_by_time on league_decisions (at)`.execute(db);
}
