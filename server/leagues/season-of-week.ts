import { sql } from 'kysely';
import type { SeasonOfStats, SeasonState } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { isChampion, type OfCup, ofCup } from './champions.ts';
import { placeOf, readSeason } from './season-view.ts';
import { ENTERED, settlesAt, stateIn } from './seasons.ts';

/** What a read of a team's week must know of the season: columns of `SEASON_OF_ROW`. */
export type SeasonOfRow = {
  season_id: number | null;
  season: string;
  season_starts_on: string;
  last_week: string | null;
  grace_hours: number;
  final_at: Date | null;
  postponed: string | null;
  next_starts_on: string | null;
  entered: number;
  entry_from: string | null;
  entry_to: string | null;
};

/**
 * SQL: joins the season that a row's league shows in the row's week. Reads from `r`, with columns
 * team_id, league_id and week.
 */
export const SEASON_OF_ROW = sql`
  left join lateral (
    select s.id as season_id, s.name as season, s.starts_on as season_starts_on, s.last_week,
      s.grace_hours, s.final_at,
      (select reason from season_pauses where season_id = s.id and week = r.week) as postponed,
      (select min(starts_on) from seasons n
        where n.league_id = r.league_id and n.starts_on > r.week) as next_starts_on,
      ${ENTERED} as entered,
      e.from_week as entry_from, e.to_week as entry_to
    from seasons s left join season_entries e on e.season_id = s.id and e.team_id = r.team_id
    where s.league_id = r.league_id and s.starts_on <= r.week
    order by s.starts_on desc limit 1
  ) sn on true`;

/** Whether the week counts for the team: in the season and its entry, and not postponed. */
export function isCounting(
  week: string,
  row: Pick<SeasonOfRow, 'season_id' | 'last_week' | 'postponed' | 'entry_from' | 'entry_to'>,
): boolean {
  const { season_id, last_week, postponed, entry_from, entry_to } = row;
  return (
    season_id !== null &&
    postponed === null &&
    (last_week === null || week <= last_week) &&
    entry_from !== null &&
    entry_from <= week &&
    (entry_to === null || week <= entry_to)
  );
}

type Placed = SeasonOfRow & {
  team_id: number;
  team: string;
  /** The league's running week. */
  week: string;
  league: { id: number; name: string; timezone: string; starts_on: string };
};

/**
 * The season of each row for GET /api/leaderboards/user-league-stats/; null before the league's
 * first season.
 */
export async function seasonsOfStats(
  db: Database,
  rows: readonly Placed[],
  now: Date,
): Promise<(SeasonOfStats | null)[]> {
  const found = rows.map((row) => {
    const { week, final_at, last_week, season_starts_on: starts_on } = row;
    return { ...row, state: stateIn(week, { final_at, last_week, starts_on }) };
  });
  const places = await placesAfter(db, found, now);
  return found.map((row) => {
    if (row.season_id === null) return null;
    const { season, state, week, last_week, grace_hours, next_starts_on, postponed } = row;
    const { entry_from, entry_to } = row;
    const placed = places.get(`${row.season_id} ${row.team_id}`);
    return {
      name: season,
      state,
      place: placed?.place ?? null,
      champion: placed?.champion ?? false,
      teams: row.entered,
      entered: entry_from !== null && (entry_to === null || week <= entry_to),
      settles_at: settlesAt({ last_week, grace_hours }, row.league.timezone)?.toISOString() ?? null,
      next_starts_on,
      postponed,
    };
  });
}

/**
 * The places of teams whose season is over, by “season team”. The places of a final season are read
 * from its stored result.
 */
async function placesAfter(
  db: Database,
  rows: readonly (Placed & { state: SeasonState })[],
  now: Date,
) {
  const places = new Map<string, { place: number | null; champion: boolean }>();
  const final = rows.flatMap(({ season_id, state }) =>
    season_id !== null && state === 'final' ? season_id : [],
  );
  if (final.length > 0) {
    const { rows: stored } = await sql<{
      season_id: number;
      team_id: number;
      place: number | null;
      cup: OfCup;
    }>`
      select r.season_id, t.team_id, t.place,
        ${ofCup(sql`r.season_id`, sql`t.team_id`)} as cup
      from (
        select distinct on (season_id) season_id, rows from season_results
        where season_id = any(${[...new Set(final)]}::integer[]) order by season_id, version desc
      ) r cross join lateral jsonb_to_recordset(r.rows) as t (team_id integer, place integer)`.execute(
      db,
    );
    for (const { season_id, team_id, place, cup } of stored)
      places.set(`${season_id} ${team_id}`, { place, champion: isChampion(cup, place) });
  }
  // Grace lasts for days, so this is rare.
  const inGrace = new Map(
    rows.flatMap(({ season_id, state, league }) =>
      season_id !== null && state === 'grace' ? [[season_id, league] as const] : [],
    ),
  );
  for (const [seasonId, league] of inGrace) {
    const shown = await readSeason(db, league, now);
    for (const team of shown.facts.teams.values())
      places.set(`${seasonId} ${team.id}`, { place: placeOf(shown, team), champion: false });
  }
  return places;
}
