import { sql } from 'kysely';
import { PAUSES_MAX } from '#contract/rules/leagues.ts';
import { ruledWords } from '#contract/rules/ruled-words.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import type { League, Team } from './leagues.ts';
import { insertSides } from './schedule.ts';
import { moveEntries, moveSeason, moveWeeks } from './season-moves.ts';
import { tell } from './season-news.ts';
import { readFacts } from './season-view.ts';
import {
  lockSeasons,
  numberer,
  readSeasons,
  type Season,
  seasonAfter,
  seasonInWeek,
} from './seasons.ts';

/**
 * Changes by staff to a week of a season: they postpone it, swap opponents, or decide a matchup by
 * a ruling. Each function locks the league's seasons, and must be called in a transaction.
 */

type Place = {
  seasons: Season[];
  season: Season;
  current: string;
  /** Postponed weeks, and weeks that are left out. */
  paused: ReadonlySet<string>;
  number: (week: string) => number;
};

/** Locks the league's seasons, and finds the season that contains a week. */
async function lockWeek(trx: Database, league: League, week: string, now: Date): Promise<Place> {
  const seasons = await lockSeasons(trx, league.id);
  const season = seasonInWeek(seasons, week);
  const paused = new Set((await readFacts(trx, season)).pauses.keys());
  const current = weekOf(now, league.timezone);
  return { seasons, season, current, paused, number: numberer(season, paused) };
}

/**
 * Moves the weeks of a season after the week `from` was postponed, or its postponement undone. Also
 * moves a planned next season that would overlap (SEASON-33).
 */
async function shift(
  trx: Database,
  { seasons, season, paused }: Place,
  from: string,
  now: ReadonlySet<string>,
): Promise<void> {
  await moveWeeks(trx, season, { from, paused }, { from, paused: now });
  await moveEntries(trx, season, { from, paused }, { from, paused: now });
  const next = seasonAfter(seasons, season);
  if (next === undefined) return;
  const last = (await readSeasons(trx, season.league_id)).find(
    ({ id }) => id === season.id,
  )?.last_week;
  if (last == null) return;
  let [starts_on, moved_weeks] = [next.starts_on, next.moved_weeks];
  for (; starts_on <= last; moved_weeks += 1) starts_on = addDays(starts_on, 7);
  for (; moved_weeks > 0 && addDays(starts_on, -7) > last; moved_weeks -= 1)
    starts_on = addDays(starts_on, -7);
  if (starts_on === next.starts_on) return;
  await moveSeason(trx, next, starts_on);
  await trx.updateTable('seasons').set({ moved_weeks }).where('id', '=', next.id).execute();
}

/**
 * Postpones a running or coming week (SEASON-32): its matchups and all later ones move by a week.
 * @throws Refusal 400 for a week that is over, without matchups or already postponed; 409 after
 * PAUSES_MAX.
 */
export async function postponeWeek(
  trx: Database,
  league: League,
  { week: day, reason }: { week: string; reason: string },
  now: Date,
): Promise<Season> {
  const week = mondayOf(day);
  const place = await lockWeek(trx, league, week, now);
  const { season, current, number } = place;
  if (week < current)
    throw badRequest('This week is over: only a running or coming week can be postponed.');
  const facts = await readFacts(trx, season);
  if (facts.pauses.has(week)) throw badRequest('This week is postponed already.');
  if (!facts.sides.some((side) => side.week === week))
    throw badRequest(`Nobody meets in the week of ${week}.`);
  if (facts.pauses.size >= PAUSES_MAX)
    throw conflict(`At most ${PAUSES_MAX} weeks of a season can be postponed.`);
  await shift(trx, place, week, new Set([...place.paused, week]));
  await trx
    .insertInto('season_pauses')
    .values({ season_id: season.id, week, reason, at: now, by_plan: false })
    .execute();
  await tell(trx, season, now, `Week ${number(week)} is postponed by a week: ${reason}`);
  return season;
}

/**
 * Undoes a postponement, which is possible until the week is over (SEASON-33).
 * @throws Refusal 400 when the week is not postponed, or is over.
 */
export async function undoPostponement(
  trx: Database,
  league: League,
  day: string,
  now: Date,
): Promise<Season> {
  const week = mondayOf(day);
  const place = await lockWeek(trx, league, week, now);
  const { season, current, number } = place;
  if (week < current) throw badRequest('This week is over: it stays postponed.');
  const { numDeletedRows } = await trx
    .deleteFrom('season_pauses')
    .where('season_id', '=', season.id)
    .where('week', '=', week)
    .where('by_plan', '=', false)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw badRequest('This week is not postponed.');
  await shift(trx, place, week, new Set([...place.paused].filter((one) => one !== week)));
  await tell(trx, season, now, `Week ${number(week)} is played as planned`);
  return season;
}

/**
 * Gives a team another opponent in a coming week (HAND-C1). The new and the former opponent swap
 * places in the week: home, away or bye. The same call with the former opponent undoes it.
 * @throws Refusal 400 for a week that has begun, a team without an opponent, or the same opponent.
 */
export async function swapOpponents(
  trx: Database,
  league: League,
  { team, opponent, week: day }: { team: Team; opponent: Team; week: string },
  now: Date,
): Promise<{ season: Season; before: string }> {
  const week = mondayOf(day);
  const { season, current, number } = await lockWeek(trx, league, week, now);
  if (week <= current) throw badRequest('This week has begun: its matchups stay.');
  const { sides, teams } = await readFacts(trx, season);
  const sideOf = new Map(
    sides.flatMap((side) => (side.week === week ? [[side.team_id, side]] : [])),
  );
  const former = sideOf.get(team.id)?.opponent_id ?? null;
  if (former === null || !sideOf.has(opponent.id))
    throw badRequest(
      `“${former === null ? team.name : opponent.name}” has no matchup in the week of ${week}.`,
    );
  if (opponent.id === former || opponent.id === team.id)
    throw badField('opponent', `Choose another team than “${team.name}” and its opponent.`);
  const swapped = (id: number) => (id === former ? opponent.id : id === opponent.id ? former : id);
  const changed = [...sideOf.values()].filter(
    ({ team_id, opponent_id }) =>
      swapped(team_id) !== team_id ||
      (opponent_id !== null && swapped(opponent_id) !== opponent_id),
  );
  await sql`delete from matchup_sides where week = ${week}::date
    and team_id = any(${changed.map(({ team_id }) => team_id)}::integer[])`.execute(trx);
  await insertSides(
    trx,
    season,
    changed.map((side) => ({
      ...side,
      team_id: swapped(side.team_id),
      opponent_id: side.opponent_id === null ? null : swapped(side.opponent_id),
    })),
  );
  const other = sideOf.get(opponent.id)?.opponent_id ?? null;
  const nameOf = (id: number) => teams.get(id)?.name ?? '';
  const meet = `Week ${number(week)}: ${team.name} meet ${opponent.name}`;
  await tell(
    trx,
    season,
    now,
    other === null
      ? `${meet}, and ${nameOf(former)} have a bye`
      : `${meet}, and ${nameOf(former)} meet ${nameOf(other)}`,
  );
  return { season, before: nameOf(former) };
}

/** Marks a final season in which a ruling has changed, so that staff can correct it (SEASON-25). */
async function touchSeason(trx: Database, season: Season, at: Date): Promise<void> {
  if (season.final_at === null) return;
  await trx
    .updateTable('seasons')
    .set({ touched_at: at, touched_by: 'ruling' })
    .where('id', '=', season.id)
    .execute();
}

/** A matchup with its previous ruling. */
type Ruled = {
  home_id: number;
  home: string;
  away_id: number;
  away: string;
  before: Ruling | 'none';
  reason_before: string | null;
};

/**
 * Sets or removes the ruling on a matchup of a week that has begun (SEASON-30), or changes one that
 * moved to a coming week when its week was postponed. `change` is the sentence that says how the
 * matchup now stands.
 * @throws Refusal 400 for a matchup without a ruling in a week that has not begun, a bye, a missing
 * reason, or without a ruling to remove.
 */
export async function ruleMatchup(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  {
    week: day,
    ruling,
    reason,
  }: { week: string; ruling: Ruling | 'none'; reason?: string | undefined },
  now: Date,
): Promise<{ season: Season; week: string; change: string } & Ruled> {
  const week = mondayOf(day);
  const { season, current, number } = await lockWeek(trx, league, week, now);
  const { rows } = await sql<Ruled>`
    select h.team_id as home_id, t.name as home, o.id as away_id, o.name as away,
      coalesce(r.ruling, 'none') as before, r.reason as reason_before
    from matchup_sides m
    join matchup_sides h on h.week = m.week and h.home and h.team_id in (m.team_id, m.opponent_id)
    join teams t on t.id = h.team_id join teams o on o.id = h.opponent_id
    left join matchup_rulings r on r.team_id = h.team_id and r.week = h.week
    where m.team_id = ${team.id} and m.week = ${week}::date and m.season_id = ${season.id}`.execute(
    trx,
  );
  const [matchup] = rows;
  if (week > current && (matchup === undefined || matchup.before === 'none'))
    throw badRequest('This week has not begun: there is nothing to decide yet.');
  if (matchup === undefined)
    throw badRequest(`“${team.name}” has no opponent in the week of ${week}.`);
  const { home_id, home, away, before } = matchup;
  if (ruling === 'none' && before === 'none') throw badRequest('There is no ruling.');
  await trx
    .deleteFrom('matchup_rulings')
    .where('team_id', '=', home_id)
    .where('week', '=', week)
    .execute();
  if (ruling !== 'none') {
    if (reason === undefined) throw badField('reason', 'Both teams read why: write a reason.');
    await trx
      .insertInto('matchup_rulings')
      .values({ team_id: home_id, week, ruling, reason, at: now })
      .execute();
  }
  await touchSeason(trx, season, now);
  const change = ruledWords(ruling, { week: number(week), home, away });
  await tell(trx, season, now, change);
  return { season, week, ...matchup, change };
}
