import { sql } from 'kysely';
import type { Rehearsal } from '#contract/wire/backups.ts';
import type { Database } from '../db/database.ts';
import type { League } from '../leagues/leagues.ts';
import { readSeason } from '../leagues/season-view.ts';

/** The places of teams before and after an upgrade that gives leagues seasons. */

/** From this migration on, `readSeason` can read the database. */
export const SEASONS = '050-seasons';

type Place = { team_id: number; league: string; team: string; place: number };

/**
 * The places that version 0.2 gives: by wins, points and name. Reads a database without seasons.
 */
export async function placesOf02(db: Database, now: Date): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with sums as (
      select team_id, week, sum(total) as total from league_weeks group by team_id, week
    ), t as (
      select t.id, t.league_id, t.name, l.name as league,
        date_trunc('week', timezone(l.timezone, ${now}::timestamptz))::date as current
      from teams t join leagues l on l.id = t.league_id
    ), figures as (
      select t.*, (
        select count(*) from matchup_sides s
        left join sums own on own.team_id = s.team_id and own.week = s.week
        left join sums other on other.team_id = s.opponent_id and other.week = s.week
        where s.team_id = t.id and s.week < t.current and s.opponent_id is not null
          and coalesce(own.total, 0) > coalesce(other.total, 0)
      ) as won, (
        select coalesce(sum(total), 0) from sums where team_id = t.id and week < t.current
      ) as points from t
    )
    select id as team_id, league, name as team, row_number() over (
      partition by league_id order by won desc, points desc, lower(name))::integer as place
    from figures order by league_id, place`.execute(db);
  return rows;
}

/** Compares each team's place after the upgrade to seasons with its place in `before`. */
export async function changedPlaces(
  db: Database,
  before: readonly Place[],
  now: Date,
): Promise<Rehearsal['places']> {
  const { rows: leagues } = await sql<League>`
    select id, name, timezone, starts_on from leagues order by id`.execute(db);
  const after = new Map<number, number>();
  for (const league of leagues) {
    const { standings, facts } = await readSeason(db, league, now);
    for (const { id, name } of facts.teams.values()) {
      const row = standings.find(({ team }) => team === name);
      if (row?.place) after.set(id, row.place);
    }
  }
  return {
    leagues: leagues.length,
    changed: before.flatMap(({ team_id, league, team, place }) => {
      const now = after.get(team_id) ?? null;
      return now === place ? [] : { league, team, before: place, after: now };
    }),
  };
}
