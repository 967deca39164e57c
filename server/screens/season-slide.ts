import type { ScreenAnswer } from '#contract/wire/screens.ts';
import type { Database } from '../db/database.ts';
import { weekOf } from '../leagues/calendar.ts';
import { readCupOfSeason } from '../leagues/champions.ts';
import type { League } from '../leagues/leagues.ts';
import { readResult } from '../leagues/season-end.ts';
import { readSeason } from '../leagues/season-view.ts';
import { readSeasons, seasonInWeek, stateOf } from '../leagues/seasons.ts';

/** A final table is shown for this long. */
const SHOWN_MS = 14 * 24 * 3_600_000;
const TEAMS_MAX = 36;

type Slide = ScreenAnswer['season'];

/** The table of a league's season for a screen; null before a week is over, and long after its end. */
export async function readSeasonSlide(
  db: Database,
  league: Pick<League, 'id' | 'name' | 'timezone' | 'starts_on'>,
  now: Date,
): Promise<Slide> {
  const season = seasonInWeek(await readSeasons(db, league.id), weekOf(now, league.timezone));
  const state = stateOf(season, now, league.timezone);
  if (state === 'planned') return null;
  const by_cup = (await readCupOfSeason(db, season.id)) !== undefined;
  const head = { league: league.name, name: season.name, by_cup };
  if (season.final_at !== null) {
    if (now.getTime() > season.final_at.getTime() + SHOWN_MS) return null;
    const newest = await readResult(db, season.id);
    if (newest === null) return null;
    const rows = newest.rows.slice(0, TEAMS_MAX).map(({ place, team, won, drawn, lost, total }) => {
      return { place, team, won, drawn, lost, total };
    });
    return { ...head, state: 'final', weeks: newest.weeks.length, rows };
  }
  const { standings, rows, ended } = await readSeason(db, league, now, season);
  if (ended === 0) return null;
  return {
    ...head,
    state: state === 'grace' ? 'grace' : 'running',
    weeks: ended,
    rows: standings.slice(0, TEAMS_MAX).map((row, at) => ({
      ...row,
      place: rows[at]?.withdrew ? null : row.place,
    })),
  };
}
