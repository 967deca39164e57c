import { sql } from 'kysely';
import { firstPlayed } from '#contract/rules/leagues.ts';
import type { Database } from '../db/database.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import type { League, Team } from './leagues.ts';
import { insertSides, roundsIn } from './schedule.ts';
import { tell } from './season-news.ts';
import { readFacts, type SeasonFacts, type Side } from './season-view.ts';
import { lockSeasons, numberer, type Season, seasonInWeek, stateOf } from './seasons.ts';
import { dropWeekSums } from './week-sums.ts';

/**
 * Teams enter a season and withdraw from it. Each function locks the league's seasons, and must be
 * called in a transaction.
 */

/** @throws Refusal 400 unless the season is running. */
function requireRunning(season: Season, league: League, now: Date): void {
  if (stateOf(season, now, league.timezone) !== 'running')
    throw badRequest(`“${season.name}” is not running.`);
}

/**
 * Enters a team into a season that runs or is planned (SEASON-34), or changes from which week and
 * against whom it plays. `of`: the season's id; by default the planned one, otherwise the running
 * one.
 * @param matchups `none`: nothing moves; `byes`: it meets the team with the bye in each coming
 * week; `replan`: the coming weeks get new matchups
 * @throws Refusal 400 when no coming week has a bye, or the season is not running or planned; 409
 * when the team has withdrawn.
 */
export async function enterTeam(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  {
    matchups,
    from,
    of,
  }: {
    matchups: 'none' | 'byes' | 'replan';
    from?: string | undefined;
    of?: number | undefined;
  },
  now: Date,
): Promise<Season> {
  const current = weekOf(now, league.timezone);
  const seasons = await lockSeasons(trx, league.id);
  const season = seasons.findLast(
    (one) =>
      (of === undefined || one.id === of) &&
      ['running', 'planned'].includes(stateOf(one, now, league.timezone)),
  );
  if (season === undefined) throw badRequest('No season is running. Make the next season first.');
  const facts = await readFacts(trx, season);
  if (facts.teams.get(team.id)?.to_week != null)
    throw conflict(`“${team.name}” has withdrawn: take the withdrawal back.`);
  const none = facts.sides.length === 0;
  const running = current < season.starts_on || none ? season.starts_on : current;
  const first = from === undefined ? running : mondayOf(from);
  if (first < running || (season.last_week !== null && first > season.last_week))
    throw badField('from', `Choose a week from ${running} to the season's end.`);
  const entered = facts.teams.get(team.id)?.from_week;
  // Once an entry has begun, its weeks stay.
  const from_week = entered !== undefined && entered < running ? entered : first;
  if (facts.sides.some((side) => side.team_id === team.id && side.week < from_week))
    throw conflict(`“${team.name}” has matchups before that week already.`);
  await trx
    .insertInto('season_entries')
    .values({
      season_id: season.id,
      team_id: team.id,
      from_week,
      to_week: null,
      withdrew_why: null,
    })
    .onConflict((clash) => clash.columns(['season_id', 'team_id']).doUpdateSet({ from_week }))
    .execute();
  // `touchSeasonsOf` looks at weeks of entries only: a week outside may have changed unnoticed.
  await dropWeekSums(trx, [season.id]);
  const coming = facts.sides.filter(({ week }) => week > current && week >= first);
  if (matchups === 'byes') await takeByes(trx, season, team, coming, facts.teams);
  if (matchups === 'replan') await replan(trx, season, coming);
  await tell(trx, season, now, `${team.name} joins`);
  return season;
}

/**
 * In each coming week with a bye, the team meets the team with the bye, alternately at home. A team
 * whose opponent has withdrawn has a bye if their matchup is annulled (SEASON-35).
 */
async function takeByes(
  trx: Database,
  season: Season,
  { id }: Pick<Team, 'id'>,
  coming: readonly Side[],
  teams: SeasonFacts['teams'],
) {
  const isGone = (teamId: number, week: string) =>
    (teams.get(teamId)?.to_week ?? 'infinity') < week;
  const hasBye = ({ team_id, opponent_id, week }: Side) =>
    !isGone(team_id, week) &&
    (opponent_id === null ||
      (isGone(opponent_id, week) && teams.get(opponent_id)?.annulled === true));
  const byWeek = Map.groupBy(
    coming.toSorted((a, b) => (a.week < b.week ? -1 : 1)),
    ({ week }) => week,
  );
  const without = [...byWeek].filter(([, sides]) => !sides.some(({ team_id }) => team_id === id));
  const free = without.flatMap(([week, sides]) => {
    const bye = sides.find(hasBye);
    return bye === undefined ? [] : { week, opponent: bye.team_id, gone: bye.opponent_id };
  });
  if (without.length > 0 && free.length === 0)
    throw badRequest('No week is free: make the coming weeks anew.');
  for (const { week, opponent, gone } of free)
    await trx
      .deleteFrom('matchup_sides')
      .where('team_id', 'in', [opponent, gone ?? opponent])
      .where('week', '=', week)
      .execute();
  const inByes = new Set(free.map(({ week }) => week));
  const sides = [
    ...free.flatMap(({ week, opponent, gone }, at): Side[] => [
      { team_id: id, week, opponent_id: opponent, home: at % 2 === 0 },
      { team_id: opponent, week, opponent_id: id, home: at % 2 === 1 },
      ...(gone === null ? [] : [{ team_id: gone, week, opponent_id: null, home: false }]),
    ]),
    ...without.flatMap(([week]): Side[] =>
      inByes.has(week) ? [] : [{ team_id: id, week, opponent_id: null, home: false }],
    ),
  ];
  await insertSides(trx, season, sides);
}

/**
 * Replaces the matchups of the weeks in `coming` by a round robin of all entered teams from round 0
 * (SEASON-34). The weeks themselves stay. A team that enters later or withdraws has matchups in the
 * weeks of its entry.
 */
async function replan(trx: Database, season: Season, coming: readonly Side[]): Promise<void> {
  const { teams } = await readFacts(trx, season);
  const weeks = [...new Set(coming.map(({ week }) => week))].sort();
  await sql`delete from matchup_sides where season_id = ${season.id}
    and week = any(${weeks}::date[])`.execute(trx);
  await insertSides(trx, season, roundsIn(teams, weeks, 0));
}

/** Whether fewer than half of a team's matchups are before `monday`, its withdrawal (SEASON-35). */
export const isBeforeHalf = (weeks: readonly string[], monday: string): boolean =>
  weeks.filter((week) => week < monday).length * 2 < weeks.length;

type Withdrawal = {
  season: Season;
  from_week: string;
  /** The number of that week in its season. */
  number: number;
  /** What becomes of the team's matchups. `none`: deleted, because the season has not begun. */
  matchups: 'annulled' | 'forfeits' | 'none';
};

/**
 * Withdraws a team from a week on (SEASON-35). Without `from`, it leaves the running season, or
 * else the planned one. It leaves a planned season as if it had never been in it (SEASON-52).
 * @throws Refusal 400 when the team is in no such season, a running season has no `reason`, or a
 * planned one would have too few teams; 409 when the team has withdrawn already.
 */
export async function withdrawTeam(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  {
    reason,
    from,
    now: atOnce,
  }: { reason?: string | undefined; from?: string | undefined; now: boolean },
  now: Date,
): Promise<Withdrawal> {
  const seasons = await lockSeasons(trx, league.id);
  const current = weekOf(now, league.timezone);
  const season = seasonInWeek(seasons, current);
  const planned = seasons.find((one) => stateOf(one, now, league.timezone) === 'planned');
  const isRunning = stateOf(season, now, league.timezone) === 'running';
  const leavesPlan = from === undefined ? !isRunning : mondayOf(from) >= (planned?.starts_on ?? '');
  if (planned !== undefined && !atOnce && leavesPlan) {
    await leavePlan(trx, planned, team, { from, only: seasons.length === 1 }, now);
    return { season: planned, from_week: planned.starts_on, number: 1, matchups: 'none' };
  }
  requireRunning(season, league, now);
  if (reason === undefined) throw badField('reason', 'The league reads why: write a reason.');
  const facts = await readFacts(trx, season);
  const entry = facts.teams.get(team.id);
  if (entry === undefined) throw badRequest(`“${team.name}” is not in “${season.name}”.`);
  if (entry.to_week !== null) throw conflict(`“${team.name}” has withdrawn already.`);
  const monday = atOnce ? current : from === undefined ? addDays(current, 7) : mondayOf(from);
  if (monday < current)
    throw badField('from', 'A team withdraws from the running week or a later one.');
  if (season.last_week !== null && monday > season.last_week)
    throw badRequest(`“${season.name}” is over by then: “${team.name}” plays all its weeks.`);
  if (monday <= entry.from_week && monday !== current && monday < season.starts_on)
    throw badField('from', `“${team.name}” joins in the week of ${entry.from_week}.`);
  const own = facts.sides.filter(
    ({ team_id, opponent_id, week }) =>
      team_id === team.id && opponent_id !== null && !facts.pauses.has(week),
  );
  const annulled = isBeforeHalf(
    own.map(({ week }) => week),
    monday,
  );
  await trx
    .updateTable('season_entries')
    .set({ to_week: addDays(monday, -7), withdrew_why: reason, annulled })
    .where('season_id', '=', season.id)
    .where('team_id', '=', team.id)
    .execute();
  const number = numberer(season, new Set(facts.pauses.keys()))(monday);
  await tell(trx, season, now, `${team.name} withdraws from week ${number}`);
  return { season, from_week: monday, number, matchups: annulled ? 'annulled' : 'forfeits' };
}

const TEAMS_MIN = 2;

/**
 * Takes a team out of a season that has not begun (SEASON-52). The season keeps all its weeks, even
 * those without matchups. If the team had matchups, the other teams get new ones.
 * @param only whether it is the league's only season, which cannot be dropped
 */
async function leavePlan(
  trx: Database,
  season: Season,
  team: Pick<Team, 'id' | 'name'>,
  { from, only }: { from: string | undefined; only: boolean },
  now: Date,
): Promise<void> {
  const { teams, sides } = await readFacts(trx, season);
  if (!teams.has(team.id)) throw badRequest(`“${team.name}” is not in “${season.name}”.`);
  if (from !== undefined && mondayOf(from) > season.starts_on)
    throw badField('from', `“${season.name}” has not begun: withdraw from ${season.starts_on}.`);
  if (sides.length > 0 && teams.size <= TEAMS_MIN)
    throw badRequest(
      only
        ? 'A season needs at least two teams. Take another team in first, or clear the weeks.'
        : 'A season needs at least two teams. Take another team in first, or drop the season.',
    );
  await trx
    .deleteFrom('season_entries')
    .where('season_id', '=', season.id)
    .where('team_id', '=', team.id)
    .execute();
  if (sides.some(({ team_id }) => team_id === team.id)) await replan(trx, season, sides);
  await tell(trx, season, now, `${team.name} is left out`);
}

/**
 * Undoes a withdrawal, which is possible until its first week is over or, if that is postponed, the
 * week played in its place (SEASON-35). Coming weeks that were made anew or added without the team
 * are made anew with it; all others stay.
 * @throws Refusal 400 when the team has not withdrawn, or that week is over.
 */
export async function undoWithdrawal(
  trx: Database,
  league: League,
  team: Pick<Team, 'id' | 'name'>,
  now: Date,
): Promise<{ season: Season; made_anew: boolean }> {
  const seasons = await lockSeasons(trx, league.id);
  const current = weekOf(now, league.timezone);
  const season = seasonInWeek(seasons, current);
  const { teams, sides, pauses } = await readFacts(trx, season);
  const entry = teams.get(team.id);
  if (entry === undefined || entry.to_week === null)
    throw badRequest(`“${team.name}” has not withdrawn.`);
  if (firstPlayed(addDays(entry.to_week, 7), [...pauses.keys()]) < current)
    throw badRequest(
      'The week from which the team withdrew is over: it cannot come back this season.',
    );
  await trx
    .updateTable('season_entries')
    .set({ to_week: null, withdrew_why: null, annulled: false })
    .where('season_id', '=', season.id)
    .where('team_id', '=', team.id)
    .execute();
  const own = new Set(sides.flatMap(({ team_id, week }) => (team_id === team.id ? week : [])));
  // Weeks made anew or added without the team are the last ones. A team that entered late can lack
  // earlier weeks, or all of them: it goes on without them. Only a withdrawal with matchups annuls
  // them, so a team without any lost all of them to weeks made anew.
  const last = [...own].sort().at(-1) ?? (entry.annulled ? '' : undefined);
  const missing = sides.filter(
    ({ week }) => last !== undefined && week > last && week > current && week >= entry.from_week,
  );
  const made_anew = missing.length > 0;
  if (made_anew) await replan(trx, season, missing);
  await tell(
    trx,
    season,
    now,
    made_anew ? `${team.name} stays: the coming weeks are made anew` : `${team.name} stays`,
  );
  return { season, made_anew };
}
