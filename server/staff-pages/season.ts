import { sql } from 'kysely';
import type { SeasonForStaff, SeasonListed } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import type { League } from '../leagues/leagues.ts';
import { correctionsOf, namedResults, readChampions } from '../leagues/season-archive.ts';
import { isBeforeHalf } from '../leagues/season-entries.ts';
import { readOffer } from '../leagues/season-offer.ts';
import { readOpen } from '../leagues/season-open.ts';
import { readResults, tableOfResult } from '../leagues/season-results.ts';
import { pageTable, readSeason } from '../leagues/season-view.ts';
import { readSeasons, type Season, settlesAt, stateOf } from '../leagues/seasons.ts';

/** A league's seasons for staff, by number, with entries and postponed weeks. */
export async function listedSeasons(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
): Promise<SeasonListed[]> {
  const now = clock.now();
  const seasons = await readSeasons(db, league.id);
  const ids = seasons.map(({ id }) => id);
  const week = weekOf(now, league.timezone);
  const entries = await readEntries(db, ids);
  const { rows: pauses } = await sql<{ season_id: number; week: string; reason: string }>`
    select season_id, week, reason from season_pauses
    where season_id = any(${ids}::integer[]) order by week`.execute(db);
  const { rows: versions } = await sql<{ season_id: number; version: number }>`
    select season_id, max(version)::integer as version from season_results
    where season_id = any(${ids}::integer[]) group by season_id`.execute(db);
  return seasons.map((season) => ({
    id: String(season.id),
    league: league.name,
    number: season.number,
    name: season.name,
    state: stateOf(season, now, league.timezone),
    current_week: week,
    ends: season.ends,
    starts_on: season.starts_on,
    last_week: season.last_week,
    tie_break: season.tie_break,
    grace_hours: season.grace_hours,
    rosters_lock_week: season.rosters_lock_week,
    settles_at: settlesAt(season, league.timezone)?.toISOString() ?? null,
    version: versions.find(({ season_id }) => season_id === season.id)?.version ?? 0,
    touched: season.final_at !== null && season.touched_at !== null,
    entries: entries
      .filter(({ season_id }) => season_id === season.id)
      .map(({ season_id: _, weeks, ...entry }) => ({
        ...entry,
        annuls: {
          now: isBeforeHalf(weeks, week),
          next:
            season.last_week !== null && season.last_week <= week
              ? null
              : isBeforeHalf(weeks, addDays(week, 7)),
        },
        matchups: weeks.length,
      })),
    pauses: pauses
      .filter(({ season_id }) => season_id === season.id)
      .map(({ week, reason }) => ({ week, reason })),
  }));
}

async function readEntries(db: Database, seasonIds: readonly number[]) {
  type Entry = Omit<SeasonListed['entries'][number], 'annuls' | 'matchups'> & {
    season_id: number;
    /** The Mondays of the team's matchups. */
    weeks: string[];
  };
  const { rows } = await sql<Entry>`
    select e.season_id, t.name as team, e.from_week, e.to_week, e.withdrew_why as reason,
      array(select m.week::text from matchup_sides m
        where s.final_at is null and m.season_id = e.season_id and m.team_id = e.team_id and m.opponent_id is not null
          and not exists (select from season_pauses p
            where p.season_id = m.season_id and p.week = m.week)) as weeks
    from season_entries e join teams t on t.id = e.team_id join seasons s on s.id = e.season_id
    where e.season_id = any(${[...seasonIds]}::integer[])
      and e.from_week <= coalesce(s.last_week, 'infinity') order by lower(t.name)`.execute(db);
  return rows;
}

/**
 * A season's page for staff, who see every name: the newest version, or `version`.
 * @throws Refusal 404 for an unknown version.
 */
export async function readSeasonForStaff(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  league: League,
  season: Season,
  version?: number,
): Promise<SeasonForStaff> {
  const { db } = deps;
  const listed = (await listedSeasons(deps, league)).find(({ id }) => id === String(season.id));
  if (listed === undefined) throw notFound(`There is no season “${season.name}”.`);
  const versions = await readResults(db, season.id);
  const stored =
    version === undefined ? versions[0] : versions.find((one) => one.version === version);
  if (version !== undefined && stored === undefined)
    throw notFound(`“${season.name}” has no version ${version}.`);
  const shown = stored
    ? {
        ...tableOfResult(stored),
        rows: tableOfResult(stored).rows.map((row, at) => ({
          ...row,
          team_id: String(stored.rows[at]?.team_id),
        })),
        schedule: stored.weeks,
        awards: (await namedResults(deps, 'staff', stored)).awards,
        ...(await readChampions(db, season.id, stored)),
      }
    : await readUnfinished(deps, league, season);
  return {
    season: listed,
    ...shown,
    corrections: correctionsOf(versions),
    open: await readOpen(db, season),
    changes: await readOffer(db, season),
  };
}

async function readUnfinished(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  season: Season,
) {
  const shown = await readSeason(db, league, clock.now(), season);
  const { schedule, facts } = shown;
  const ids = new Map([...facts.teams.values()].map(({ id, name }) => [name, id]));
  const { standings, rows } = pageTable(shown);
  return {
    standings,
    rows: rows.map((row) => ({ ...row, team_id: String(ids.get(row.team)) })),
    schedule,
    awards: [],
    champions: [],
    won_table: [],
    no_champion: false,
  };
}
