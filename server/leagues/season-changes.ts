import { sql } from 'kysely';
import type { SeasonChangeBody } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { badField, badRequest, conflict, notFound } from '../errors.ts';
import { mondayOf, weekOf } from './calendar.ts';
import type { League } from './leagues.ts';
import { moveSeason } from './season-moves.ts';
import { followSchedule, lockSeasons, requireAtOnce, type Season, stateOf } from './seasons.ts';

/**
 * Changes by staff to a season as a whole. Each function locks the league's seasons, and must be
 * called in a transaction.
 */

/**
 * Changes a season (SEASON-01, SEASON-03, SEASON-52).
 * @throws Refusal 400 for a season that is over or a week that has passed; 409 when the tie-break
 * is fixed.
 */
export async function changeSeason(
  trx: Database,
  league: League,
  named: Season,
  body: Omit<SeasonChangeBody, 'season'>,
  now: Date,
): Promise<Season> {
  const seasons = await lockSeasons(trx, league.id);
  const season = seasons.find(({ id }) => id === named.id);
  if (season === undefined) throw notFound(`There is no season “${named.name}”.`);
  const state = stateOf(season, now, league.timezone);
  const current = weekOf(now, league.timezone);
  const { name, ends, tie_break, grace_hours, rosters_lock_week, starts, at_once } = body;
  if (state === 'final') throw badRequest(`“${season.name}” is final.`);
  if (tie_break !== undefined && tie_break !== season.tie_break && current > season.starts_on)
    throw conflict('The tie-break is fixed, because the first week is over.');
  if ((ends === 'open' || (ends !== undefined && ends !== season.ends)) && state === 'grace')
    throw badRequest(`“${season.name}” is over: its end is fixed.`);
  if (rosters_lock_week != null && mondayOf(rosters_lock_week) < current)
    throw badField('rosters_lock_week', 'Choose this week or a later one.');
  const starts_on = starts === undefined ? season.starts_on : mondayOf(starts);
  if (starts_on !== season.starts_on) {
    if (state !== 'planned')
      throw badRequest(`“${season.name}” has begun: its first week is fixed.`);
    requireAtOnce(starts_on, current, at_once);
    await moveStart(trx, seasons, season, starts_on, current);
  }
  await trx
    .updateTable('seasons')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(ends === undefined ? {} : { ends, ...(ends === 'open' ? { last_week: null } : {}) }),
      ...(tie_break === undefined ? {} : { tie_break }),
      ...(grace_hours === undefined ? {} : { grace_hours }),
      ...(rosters_lock_week === undefined
        ? {}
        : { rosters_lock_week: rosters_lock_week === null ? null : mondayOf(rosters_lock_week) }),
      starts_on,
    })
    .where('id', '=', season.id)
    .execute();
  if (ends === 'schedule' && ends !== season.ends) {
    await followSchedule(trx, season.id, current);
    await refuseAnEarlierEnd(trx, season, current);
  }
  await notify(trx, { league: [league.id] });
  return season;
}

/** Refuses to set an end before the running week (SEASON-03). */
async function refuseAnEarlierEnd(trx: Database, { id }: Season, current: string): Promise<void> {
  const { rows } = await sql<{ last: string | null }>`
    select last_week as last from seasons where id = ${id}`.execute(trx);
  const last = rows[0]?.last ?? null;
  if (last !== null && last < current)
    throw badField('ends', 'The schedule is over. Make more weeks first, or end the season.');
}

async function moveStart(
  trx: Database,
  seasons: readonly Season[],
  season: Season,
  starts_on: string,
  current: string,
): Promise<void> {
  const before = seasons.find(({ number }) => number === season.number - 1);
  if (starts_on < current) throw badField('starts', 'A season begins this week or later.');
  if (before !== undefined && (before.last_week === null || starts_on <= before.last_week))
    throw conflict(`“${before.name}” has not ended by then.`);
  await moveSeason(trx, season, starts_on);
}

/**
 * Drops a planned season (SEASON-52).
 * @throws Refusal 400 once it has begun, and for a league's only season.
 */
export async function dropSeason(
  trx: Database,
  league: League,
  named: Season,
  now: Date,
): Promise<void> {
  const seasons = await lockSeasons(trx, league.id);
  if (stateOf(named, now, league.timezone) !== 'planned' || seasons.length === 1)
    throw badRequest(`“${named.name}” has begun, or is the league's only season: it stays.`);
  await trx.deleteFrom('seasons').where('id', '=', named.id).execute();
  // Players leave only for a next season.
  await trx
    .updateTable('seasons')
    .set({ leave_players: false })
    .where('league_id', '=', league.id)
    .where('final_at', 'is', null)
    .execute();
  await notify(trx, { league: [league.id] });
}
