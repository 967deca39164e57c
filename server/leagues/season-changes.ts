import { sql } from 'kysely';
import { PAUSES_MAX } from '#contract/rules/leagues.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import type { SeasonChangeBody } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { badField, badRequest, conflict, notFound } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import type { League, Team } from './leagues.ts';
import { insertSides, roundsOf } from './schedule.ts';
import { readFacts, type Side } from './season-view.ts';
import {
  followSchedule,
  lockSeasons,
  numberer,
  type Season,
  seasonAfter,
  seasonInWeek,
  stateOf,
} from './seasons.ts';

/**
 * What staff change in a season: rulings, postponed weeks, teams that enter or withdraw, and the
 * end. Each function locks the league's seasons, and is called in a transaction.
 */

const CHANGES_SHOWN = 5;

/** The newest changes of a season, without names of players (SEASON-37). */
export async function readChanges(
  db: Database,
  { id }: Pick<Season, 'id'>,
): Promise<{ at: string; text: string }[]> {
  const { rows } = await sql<{ at: Date; text: string }>`
    select at, text from season_changes where season_id = ${id}
    order by id desc limit ${CHANGES_SHOWN}`.execute(db);
  return rows.map(({ at, text }) => ({ at: at.toISOString(), text }));
}

/** Tells everybody of the league, and keeps the sentence for its page (SEASON-37). */
async function tell(trx: Database, season: Season, at: Date, text: string): Promise<void> {
  await trx.insertInto('season_changes').values({ season_id: season.id, at, text }).execute();
  await notify(trx, { league: [season.league_id] });
}

/** Marks a final season whose weeks have changed, so that staff can correct it (SEASON-25). */
export async function touchSeason(trx: Database, season: Season, at: Date): Promise<void> {
  if (season.final_at === null) return;
  await trx.updateTable('seasons').set({ touched_at: at }).where('id', '=', season.id).execute();
}

type Place = {
  seasons: Season[];
  season: Season;
  current: string;
  number: (week: string) => number;
};

/** Locks, and finds the season that holds a week. */
async function lockWeek(trx: Database, league: League, week: string, now: Date): Promise<Place> {
  const seasons = await lockSeasons(trx, league.id);
  const season = seasonInWeek(seasons, week);
  const { pauses } = await readFacts(trx, season);
  return {
    seasons,
    season,
    current: weekOf(now, league.timezone),
    number: numberer(season, new Set(pauses.keys())),
  };
}

/** @throws Refusal 400 unless the season is running. */
function requireRunning(season: Season, league: League, now: Date): void {
  if (stateOf(season, now, league.timezone) !== 'running')
    throw badRequest(`“${season.name}” is not running.`);
}

// --- Postponed weeks --------------------------------------------------------------------------

/** A century of weeks. */
const FAR_DAYS = 5_200 * 7;

/** Moves the matchups of a season from the week `from` on by `days`, a multiple of 7. */
async function moveMatchups(
  trx: Database,
  { id }: Pick<Season, 'id'>,
  from: string,
  days: number,
): Promise<void> {
  // A primary key is checked row by row, so no row may pass over another one: first all go far away.
  await sql`
    update matchup_sides set week = week + ${FAR_DAYS}::integer
    where season_id = ${id} and week >= ${from}::date`.execute(trx);
  await sql`
    update matchup_sides set week = week + ${days - FAR_DAYS}::integer
    where season_id = ${id} and week >= ${addDays(from, FAR_DAYS)}::date`.execute(trx);
}

/** Moves the matchups of a season from `from` on, and the planned next season if it would overlap. */
async function shift(trx: Database, { seasons, season }: Place, from: string, days: number) {
  await moveMatchups(trx, season, from, days);
  if (season.ends === 'schedule') await followSchedule(trx, season.id);
  else if (season.last_week !== null)
    await trx
      .updateTable('seasons')
      .set({ last_week: addDays(season.last_week, days) })
      .where('id', '=', season.id)
      .execute();
  const next = seasonAfter(seasons, season);
  if (next === undefined) return;
  const { rows } = await sql<{ last: string | null }>`
    select last_week as last from seasons where id = ${season.id}`.execute(trx);
  const last = rows[0]?.last ?? null;
  const moves = days > 0 ? last !== null && next.starts_on <= last : next.moved_weeks > 0;
  if (!moves) return;
  await sql`
    update seasons set starts_on = starts_on + ${days}::integer,
      last_week = last_week + ${days}::integer, moved_weeks = moved_weeks + ${Math.sign(days)}
    where id = ${next.id}`.execute(trx);
  await sql`update season_entries set from_week = from_week + ${days}::integer
    where season_id = ${next.id}`.execute(trx);
  await moveMatchups(trx, next, next.starts_on, days);
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
  await shift(trx, place, week, 7);
  await trx
    .insertInto('season_pauses')
    .values({ season_id: season.id, week, reason, at: now, by_plan: false })
    .execute();
  await tell(trx, season, now, `Week ${number(week)} is postponed by a week: ${reason}`);
  return season;
}

/**
 * Takes a postponement back until the week is over (SEASON-33).
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
  await shift(trx, place, addDays(week, 7), -7);
  await tell(trx, season, now, `Week ${number(week)} is played as planned`);
  return season;
}

// --- Rulings ----------------------------------------------------------------------------------

/**
 * Decides a matchup of a begun week by a ruling, or removes it (SEASON-30).
 * @throws Refusal 400 for a week that has not begun, a bye or a missing reason.
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
): Promise<{ season: Season; before: Ruling | null; home: string; away: string }> {
  const week = mondayOf(day);
  const { season, current, number } = await lockWeek(trx, league, week, now);
  if (week > current) throw badRequest('This week has not begun: there is nothing to decide yet.');
  const { rows } = await sql<{
    home_id: number;
    home: string;
    away: string;
    before: Ruling | null;
  }>`
    select h.team_id as home_id, t.name as home, o.name as away, r.ruling as before
    from matchup_sides m
    join matchup_sides h on h.week = m.week and h.home and h.team_id in (m.team_id, m.opponent_id)
    join teams t on t.id = h.team_id join teams o on o.id = h.opponent_id
    left join matchup_rulings r on r.team_id = h.team_id and r.week = h.week
    where m.team_id = ${team.id} and m.week = ${week}::date and m.season_id = ${season.id}`.execute(
    trx,
  );
  const [matchup] = rows;
  if (matchup === undefined)
    throw badRequest(`“${team.name}” has no opponent in the week of ${week}.`);
  const { home_id, home, away, before } = matchup;
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
  await tell(trx, season, now, rulingInWords(ruling, number(week), home, away));
  return { season, before, home, away };
}

function rulingInWords(ruling: Ruling | 'none', week: number, home: string, away: string): string {
  switch (ruling) {
    case 'home':
      return `Week ${week}: ${home} beat ${away} by forfeit`;
    case 'away':
      return `Week ${week}: ${away} beat ${home} by forfeit`;
    case 'both_lose':
      return `Week ${week}: ${home} and ${away} both lose`;
    case 'annulled':
      return `Week ${week}: ${home} and ${away} is annulled`;
    case 'none':
      return `Week ${week}: ${home} and ${away} counts as played`;
  }
}

// --- Teams that enter and withdraw --------------------------------------------------------------

/**
 * Enters a team into the running season (SEASON-34), or changes from which week and against whom
 * it plays.
 * @param matchups `none`: nothing moves; `byes`: it meets who has the bye in each coming week;
 * `replan`: the coming weeks are made anew
 * @throws Refusal 400 when no coming week has a bye, or the season is not running or planned.
 */
export async function enterTeam(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  { matchups, from }: { matchups: 'none' | 'byes' | 'replan'; from?: string | undefined },
  now: Date,
): Promise<Season> {
  const current = weekOf(now, league.timezone);
  const seasons = await lockSeasons(trx, league.id);
  const season = seasons.findLast((one) =>
    ['running', 'planned'].includes(stateOf(one, now, league.timezone)),
  );
  if (season === undefined) throw badRequest('No season is running. Make the next season first.');
  const facts = await readFacts(trx, season);
  const none = facts.sides.length === 0;
  const running = current < season.starts_on || none ? season.starts_on : current;
  const first = from === undefined ? running : mondayOf(from);
  if (first < running || (season.last_week !== null && first > season.last_week))
    throw badField('from', `Choose a week from ${running} to the season's end.`);
  if (facts.sides.some((side) => side.team_id === team.id && side.week < first))
    throw conflict(`“${team.name}” has matchups before that week already.`);
  await trx
    .insertInto('season_entries')
    .values({
      season_id: season.id,
      team_id: team.id,
      from_week: first,
      to_week: null,
      withdrew_why: null,
    })
    .onConflict((clash) =>
      clash.columns(['season_id', 'team_id']).doUpdateSet({ from_week: first }),
    )
    .execute();
  const coming = facts.sides.filter(({ week }) => week > current && week >= first);
  if (matchups === 'byes') await takeByes(trx, season, team, coming);
  if (matchups === 'replan') await replan(trx, season, current, coming, team.id);
  await tell(trx, season, now, `${team.name} joins`);
  return season;
}

/** In each coming week with a bye, the team meets the one that has it, home by turns. */
async function takeByes(
  trx: Database,
  season: Season,
  { id }: Pick<Team, 'id'>,
  coming: readonly Side[],
) {
  const byWeek = Map.groupBy(coming, ({ week }) => week);
  const without = [...byWeek].filter(([, sides]) => !sides.some(({ team_id }) => team_id === id));
  const free = without.flatMap(([week, sides]) => {
    const bye = sides.find(({ opponent_id }) => opponent_id === null);
    return bye === undefined ? [] : { week, opponent: bye.team_id };
  });
  if (without.length > 0 && free.length === 0)
    throw badRequest('No week is free: make the coming weeks anew.');
  for (const { week, opponent } of free)
    await trx
      .deleteFrom('matchup_sides')
      .where('team_id', '=', opponent)
      .where('week', '=', week)
      .execute();
  const inByes = new Set(free.map(({ week }) => week));
  const sides = [
    ...free.flatMap(({ week, opponent }, at): Side[] => [
      { team_id: id, week, opponent_id: opponent, home: at % 2 === 0 },
      { team_id: opponent, week, opponent_id: id, home: at % 2 === 1 },
    ]),
    ...without.flatMap(([week]): Side[] =>
      inByes.has(week) ? [] : [{ team_id: id, week, opponent_id: null, home: false }],
    ),
  ];
  await insertSides(trx, season, sides);
}

/** Makes the coming weeks anew, from round 0 of all entered teams (SEASON-34). */
async function replan(
  trx: Database,
  season: Season,
  current: string,
  coming: readonly Side[],
  teamId: number,
): Promise<void> {
  const { teams } = await readFacts(trx, season);
  const entered = [...teams.values()].filter(({ to_week }) => to_week === null).map(({ id }) => id);
  const weeks = [...new Set(coming.map(({ week }) => week))].sort();
  await sql`delete from matchup_sides where season_id = ${season.id} and week > ${current}::date
    and week = any(${weeks}::date[])`.execute(trx);
  const ids = [...new Set([...entered, teamId])].sort((a, b) => a - b);
  await insertSides(trx, season, roundsOf(ids, weeks, 0));
}

/**
 * Withdraws a team from a week on (SEASON-35).
 * @throws Refusal 400 when it is not in a running season; 409 when it has withdrawn already.
 */
export async function withdrawTeam(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  { reason, from, now: atOnce }: { reason: string; from?: string | undefined; now: boolean },
  now: Date,
): Promise<{ season: Season; from_week: string; annulled: boolean }> {
  const seasons = await lockSeasons(trx, league.id);
  const current = weekOf(now, league.timezone);
  const season = seasonInWeek(seasons, current);
  requireRunning(season, league, now);
  const facts = await readFacts(trx, season);
  const entry = facts.teams.get(team.id);
  if (entry === undefined) throw badRequest(`“${team.name}” is not in “${season.name}”.`);
  if (entry.to_week !== null) throw conflict(`“${team.name}” has withdrawn already.`);
  const monday = atOnce ? current : from === undefined ? addDays(current, 7) : mondayOf(from);
  if (monday < current)
    throw badField('from', 'A team withdraws from the running week or a later one.');
  if (monday <= entry.from_week && monday !== current && monday < season.starts_on)
    throw badField('from', `“${team.name}” joins in the week of ${entry.from_week}.`);
  const own = facts.sides.filter(
    ({ team_id, opponent_id, week }) =>
      team_id === team.id && opponent_id !== null && !facts.pauses.has(week),
  );
  const before = own.filter(({ week }) => week < monday).length;
  const annulled = before * 2 < own.length;
  await trx
    .updateTable('season_entries')
    .set({ to_week: addDays(monday, -7), withdrew_why: reason, annulled })
    .where('season_id', '=', season.id)
    .where('team_id', '=', team.id)
    .execute();
  const number = numberer(season, new Set(facts.pauses.keys()));
  await tell(trx, season, now, `${team.name} withdraws from week ${number(monday)}`);
  return { season, from_week: monday, annulled };
}

/**
 * Takes a withdrawal back until its Monday (SEASON-35).
 * @throws Refusal 400 when the team has not withdrawn, or the Monday has passed.
 */
export async function undoWithdrawal(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  now: Date,
): Promise<Season> {
  const seasons = await lockSeasons(trx, league.id);
  const current = weekOf(now, league.timezone);
  const season = seasonInWeek(seasons, current);
  const entry = (await readFacts(trx, season)).teams.get(team.id);
  if (entry === undefined || entry.to_week === null)
    throw badRequest(`“${team.name}” has not withdrawn.`);
  if (addDays(entry.to_week, 7) < current)
    throw badRequest(
      'The week from which the team withdrew has begun: it cannot come back this season.',
    );
  await trx
    .updateTable('season_entries')
    .set({ to_week: null, withdrew_why: null, annulled: false })
    .where('season_id', '=', season.id)
    .where('team_id', '=', team.id)
    .execute();
  await tell(trx, season, now, `${team.name} stays`);
  return season;
}

// --- The season itself --------------------------------------------------------------------------

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
  const { name, ends, tie_break, grace_hours, rosters_lock_week, starts } = body;
  if (state === 'final') throw badRequest(`“${season.name}” is final.`);
  if (tie_break !== undefined && tie_break !== season.tie_break && current > season.starts_on)
    throw conflict('The tie-break is fixed, because the first week is over.');
  if (ends !== undefined && ends !== season.ends && state === 'grace')
    throw badRequest(`“${season.name}” is over: its end is fixed.`);
  if (rosters_lock_week != null && mondayOf(rosters_lock_week) < current)
    throw badField('rosters_lock_week', 'Choose this week or a later one.');
  const starts_on = starts === undefined ? season.starts_on : mondayOf(starts);
  if (starts_on !== season.starts_on) {
    if (state !== 'planned')
      throw badRequest(`“${season.name}” has begun: its first week is fixed.`);
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
  if (ends === 'schedule') {
    await followSchedule(trx, season.id);
    await refuseAnEarlierEnd(trx, season, current);
  }
  await notify(trx, { league: [league.id] });
  return season;
}

/** Nothing before the running week can be set (SEASON-03). */
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
  const days = (Date.parse(starts_on) - Date.parse(season.starts_on)) / 86_400_000;
  await moveMatchups(trx, season, season.starts_on, days);
  await sql`update season_entries set from_week = from_week + ${days}::integer where season_id = ${season.id}`.execute(
    trx,
  );
  await sql`update seasons set last_week = last_week + ${days}::integer, starts_on = ${starts_on}::date
    where id = ${season.id}`.execute(trx);
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
  await notify(trx, { league: [league.id] });
}
