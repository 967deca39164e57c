import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import { addDays } from './calendar.ts';
import type { Season } from './seasons.ts';

/** Moves the weeks of a season. Each week keeps its number (SEASON-06, SEASON-32). */

/** The weeks from the Monday `from` on. `paused`: Mondays that are postponed or left out. */
type Run = { from: string; paused: ReadonlySet<string> };

/** Numbers `week` in the run `was`, and returns the week with that number in the run `is`. */
function moved(week: string, was: Run, is: Run): string {
  let left = 0;
  for (let at = was.from; at < week; at = addDays(at, 7)) if (!was.paused.has(at)) left += 1;
  for (let at = is.from; ; at = addDays(at, 7)) {
    if (is.paused.has(at)) continue;
    if (left === 0) return at;
    left -= 1;
  }
}

/** A century. No season is that long. */
const FAR_DAYS = 5_200 * 7;

/**
 * Moves the season's matchups from the week `was.from` on, with the decisions about them, and the
 * season's end.
 */
export async function moveWeeks(trx: Database, season: Season, was: Run, is: Run): Promise<void> {
  const { rows } = await sql<{ week: string }>`
    select distinct week from matchup_sides
    where season_id = ${season.id} and week >= ${was.from}::date`.execute(trx);
  const moves = rows
    .map(({ week }) => ({ week, to: moved(week, was, is) }))
    .filter(({ week, to }) => week !== to);
  // A primary key is checked row by row, so move all rows far away first: no two ever collide.
  await sql`
    update matchup_sides m set week = r.to + ${FAR_DAYS}::integer
    from ${recordset(moves, 'week date, "to" date')}
    where m.season_id = ${season.id} and m.week = r.week`.execute(trx);
  await sql`
    update matchup_sides set week = week - ${FAR_DAYS}::integer
    where season_id = ${season.id} and week >= ${addDays(is.from, FAR_DAYS)}::date`.execute(trx);
  // The inbox undoes a ruling in the week that now has the matchup (HAND-C11).
  await sql`
    update league_decisions d set week = r.to
    from ${recordset(moves, 'week date, "to" date')}
    where d.league_id = ${season.league_id} and d.decision = 'ruled' and d.week = r.week`.execute(
    trx,
  );
  if (season.last_week !== null && season.last_week >= was.from)
    await trx
      .updateTable('seasons')
      .set({ last_week: moved(season.last_week, was, is) })
      .where('id', '=', season.id)
      .execute();
}

/**
 * Moves with the season's weeks late entries and withdrawals, so that a withdrawal from week 7 stays
 * one from week 7 (SEASON-34, SEASON-35). What begins with the week `was.from` then begins with
 * `is.from`.
 */
export async function moveEntries(trx: Database, season: Season, was: Run, is: Run): Promise<void> {
  const { rows } = await sql<{ team_id: number; from_week: string; to_week: string | null }>`
    select team_id, from_week, to_week from season_entries
    where season_id = ${season.id}
      and (from_week >= ${was.from}::date or to_week >= ${was.from}::date)`.execute(trx);
  const after = (week: string) => {
    if (week === was.from) return is.from;
    return week > was.from ? moved(week, was, is) : week;
  };
  const entries = rows.map(({ team_id, from_week, to_week }) => ({
    team_id,
    from_week: after(from_week),
    // Move the week after `to_week`, because `to_week` itself may be postponed.
    to_week: to_week === null ? null : addDays(after(addDays(to_week, 7)), -7),
  }));
  await sql`
    update season_entries e set from_week = r.from_week, to_week = r.to_week
    from ${recordset(entries, 'team_id integer, from_week date, to_week date')}
    where e.season_id = ${season.id} and e.team_id = r.team_id`.execute(trx);
}

/**
 * Moves a season's start to the Monday `starts_on`. None of its weeks may have begun. If it is the
 * league's first season, the league begins then too. Left-out weeks do not move.
 */
export async function moveSeason(trx: Database, season: Season, starts_on: string): Promise<void> {
  const { rows } = await sql<{ week: string }>`
    select week from season_pauses where season_id = ${season.id}`.execute(trx);
  const paused = new Set(rows.map(({ week }) => week));
  const was = { from: season.starts_on, paused };
  const is = { from: starts_on, paused };
  await moveWeeks(trx, season, was, is);
  await moveEntries(trx, season, was, is);
  await setStart(trx, season, starts_on);
}

/**
 * Lets a season without matchups begin with the later Monday `starts_on`. Teams that enter after it
 * keep their week (HAND-C10).
 */
export async function beginLater(trx: Database, season: Season, starts_on: string): Promise<void> {
  await sql`
    update season_entries set from_week = greatest(from_week, ${starts_on}::date)
    where season_id = ${season.id}`.execute(trx);
  await setStart(trx, season, starts_on);
}

async function setStart(trx: Database, season: Season, starts_on: string): Promise<void> {
  await trx.updateTable('seasons').set({ starts_on }).where('id', '=', season.id).execute();
  if (season.number === 1)
    await trx
      .updateTable('leagues')
      .set({ starts_on })
      .where('id', '=', season.league_id)
      .execute();
}
