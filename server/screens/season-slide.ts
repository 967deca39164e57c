import type { ScreenAnswer } from '#contract/wire/screens.ts';
import type { Database } from '../db/database.ts';
import { weekOf } from '../leagues/calendar.ts';
import { readCupOfSeason } from '../leagues/champions.ts';
import type { League } from '../leagues/leagues.ts';
import { readResult } from '../leagues/season-results.ts';
import { readSeason } from '../leagues/season-view.ts';
import { readSeasons, type Season, seasonInWeek, stateOf } from '../leagues/seasons.ts';

/** A final table is shown for this long. */
const SHOWN_MS = 14 * 24 * 3_600_000;
const TEAMS_MAX = 36;

type Slide = ScreenAnswer['season'];
type ShownLeague = Pick<League, 'id' | 'name' | 'timezone' | 'starts_on'>;

/** The champions' frame; null unless the season became final in the last 14 days. */
async function readFinal(
  db: Database,
  league: Pick<League, 'name'>,
  season: Season,
  now: Date,
): Promise<Slide> {
  if (season.final_at === null) return null;
  if (now.getTime() > season.final_at.getTime() + SHOWN_MS) return null;
  const newest = await readResult(db, season.id);
  if (newest === null) return null;
  return {
    league: league.name,
    name: season.name,
    by_cup: (await readCupOfSeason(db, season.id)) !== undefined,
    state: 'final',
    weeks: newest.weeks.length,
    rows: newest.rows.slice(0, TEAMS_MAX).map(({ place, team, won, drawn, lost, total }) => {
      return { place, team, won, drawn, lost, total };
    }),
  };
}

/** A season's table: the final one, or that of its weeks so far; null before a week is over. */
async function readTable(
  db: Database,
  league: ShownLeague,
  season: Season,
  now: Date,
): Promise<Slide> {
  if (season.final_at !== null) return readFinal(db, league, season, now);
  const { standings, rows, ended } = await readSeason(db, league, now, season);
  if (ended === 0) return null;
  return {
    league: league.name,
    name: season.name,
    by_cup: (await readCupOfSeason(db, season.id)) !== undefined,
    state: stateOf(season, now, league.timezone) === 'grace' ? 'grace' : 'running',
    weeks: ended,
    rows: standings.slice(0, TEAMS_MAX).map((row, at) => ({
      ...row,
      place: rows[at]?.withdrew ? null : row.place,
    })),
  };
}

/**
 * The table of a league's season for a screen. Until its first week is over, the former season's
 * table is shown, during that season's grace and for 14 days after it became final. null if there
 * is neither.
 */
export async function readSeasonSlide(
  db: Database,
  league: ShownLeague,
  now: Date,
): Promise<Slide> {
  const seasons = await readSeasons(db, league.id);
  const season = seasonInWeek(seasons, weekOf(now, league.timezone));
  if (stateOf(season, now, league.timezone) === 'planned') return null;
  const table = await readTable(db, league, season, now);
  const former = seasons.find(({ number }) => number === season.number - 1);
  if (table !== null || season.final_at !== null || former === undefined) return table;
  return readTable(db, league, former, now);
}
