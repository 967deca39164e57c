import { type RawBuilder, sql } from 'kysely';
import { OPEN_AT_MOST_DAYS } from '#contract/rules/leagues.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import { type Queryable, transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest, conflict } from '../errors.ts';
import { moveToTeams } from '../players/players.ts';
import { addDays, weekOf } from './calendar.ts';
import type { League } from './leagues.ts';
import type { ChangedWeek } from './player-weeks.ts';
import { type Award, type Meeting, type PlayerWeek, seasonAwards } from './season-awards.ts';
import { readBestOfSeason } from './season-bests.ts';
import { tell } from './season-news.ts';
import { readOpen } from './season-open.ts';
import {
  correctionBetween,
  type FinalRow,
  isSameResult,
  type Result,
  readResult,
  storeResult,
} from './season-results.ts';
import { byLot, sharedPlaces } from './season-table.ts';
import {
  decisionOn,
  notesOf,
  readFacts,
  type SeasonFacts,
  scheduleOf,
  tableOf,
} from './season-view.ts';
import {
  covers,
  endOf,
  lockSeasonRows,
  lockSeasons,
  numberer,
  type Season,
  settlesAt,
  stateOf,
} from './seasons.ts';

/** The end of a season: what keeps it open, its final table, and corrections. */

const WINNERS_MOST = 5;
const BEST_KEPT = 5;
/** Enough to find everybody who shares the best game. */
const BEST_READ = 50;
const OPEN_AT_MOST_MS = OPEN_AT_MOST_DAYS * 24 * 3_600_000;
const BY_ITSELF = 'Backboard';

/** Counts a season from games, rosters and rulings. Reads no stored result. */
export const countSeason = async (db: Database, season: Season): Promise<Result> =>
  count(db, await readFacts(db, season, 'players'));

/** Counts a final season again. Teams keep the names that are stored (FRAME-06). */
export async function recountSeason(
  db: Database,
  season: Season,
  { rows }: { rows: readonly FinalRow[] },
): Promise<Result> {
  const facts = await readFacts(db, season, 'players');
  const names = new Map(rows.map(({ team_id, team }) => [team_id, team]));
  const teams = [...facts.teams.values()].map((team) => ({
    ...team,
    name: names.get(team.id) ?? team.name,
  }));
  return count(db, { ...facts, teams: new Map(teams.map((team) => [team.id, team])) });
}

async function count(db: Database, facts: SeasonFacts): Promise<Result> {
  const { season } = facts;
  const after = season.last_week === null ? season.starts_on : addDays(season.last_week, 7);
  const table = tableOf(facts, after);
  const notes = notesOf(facts, table);
  const places = sharedPlaces(table);
  const best = await readBestOfSeason(db, facts, BEST_READ);
  const number = numberer(season, new Set(facts.pauses.keys()));
  const nameOf = (id: number) => facts.teams.get(id)?.name ?? '';
  const players = await readPlayerWeeks(db, season, number);
  const people = Map.groupBy(players, ({ team_id }) => team_id);
  const isAlone = (id: number) =>
    new Set((people.get(id) ?? []).map(({ player_id }) => player_id)).size < 2;
  const awards = seasonAwards(
    players,
    best.map(({ player_id, team_id, week, score }) => ({
      player_id,
      team_id,
      week: number(week),
      score,
    })),
    meetingsOf(facts, number),
    // A postponed last week has the number of the week after it.
    season.last_week === null ? 0 : number(addDays(season.last_week, 7)) - 1,
  );
  return {
    rows: table.map(({ team_id, name, withdrawn, won, drawn, lost, total, by }, at) => ({
      team_id,
      team: name,
      place: withdrawn ? null : (places[at] ?? null),
      won,
      drawn,
      lost,
      total,
      by,
      note: notes[at]?.note ?? null,
      withdrew: withdrawn,
    })),
    weeks: scheduleOf(facts, after),
    best: best.slice(0, BEST_KEPT).map(({ player_id, team_id, week, score, alone }) => ({
      player_id,
      team_id,
      team: nameOf(team_id),
      week: number(week),
      score,
      alone,
    })),
    awards: awards.map(({ key, value, winners }) => {
      const drawn = drawnOf(season.uuid, winners);
      // An award has a week only if all winners share it, including those that are not stored.
      const isOneWeek = new Set(winners.map(({ week }) => week)).size === 1;
      return {
        key,
        value,
        winners: drawn.slice(0, WINNERS_MOST).map((winner) => ({
          ...winner,
          week: isOneWeek ? winner.week : null,
          team: nameOf(winner.team_id),
          alone: isAlone(winner.team_id),
        })),
        more: Math.max(0, drawn.length - WINNERS_MOST),
      };
    }),
  };
}

/**
 * Keeps one entry for each winning player, sorted by lot (SEASON-15). Leaves winning teams as they
 * are.
 */
function drawnOf(uuid: string, winners: Award['winners']): Award['winners'] {
  const ids = winners.flatMap(({ player_id }) => player_id ?? []);
  if (ids.length === 0) return winners;
  return byLot(uuid, [...new Set(ids)]).flatMap(
    (id) => winners.find(({ player_id }) => player_id === id) ?? [],
  );
}

async function readPlayerWeeks(
  db: Database,
  season: Season,
  number: (week: string) => number,
): Promise<PlayerWeek[]> {
  const { rows } = await sql<Omit<PlayerWeek, 'week'> & { week: string }>`
    select w.player_id, w.team_id, w.week, w.games_played as games, w.score_sum, w.total
    from season_entries e join league_weeks w on w.team_id = e.team_id
    where e.season_id = ${season.id} and w.week >= greatest(e.from_week, ${season.starts_on}::date)
      and w.week <= coalesce(least(e.to_week, ${season.last_week}::date), 'infinity')
      and not exists (
        select from season_pauses p where p.season_id = ${season.id} and p.week = w.week)`.execute(
    db,
  );
  return rows.map(({ week, ...row }) => ({ ...row, week: number(week) }));
}

function meetingsOf(facts: SeasonFacts, number: (week: string) => number): Meeting[] {
  return facts.sides.flatMap((side) => {
    const { team_id, opponent_id, week, home } = side;
    if (!home || opponent_id === null || facts.pauses.has(week)) return [];
    return {
      week: number(week),
      home: team_id,
      away: opponent_id,
      home_total: facts.totals.get(`${team_id} ${week}`) ?? 0,
      away_total: facts.totals.get(`${opponent_id} ${week}`) ?? 0,
      ruled: decisionOn(facts, side) !== null,
    };
  });
}

/**
 * Makes a season in grace final: stores its table, weeks, best games and awards (SEASON-23). In the
 * same transaction, its players leave their teams if staff chose so for the next season
 * (SEASON-51). The caller must hold `lockSeasons`. `zone`: the league's.
 */
async function makeFinal(
  trx: Database,
  season: Season,
  zone: string,
  now: Date,
  who: string,
): Promise<void> {
  // Lock players before the season, in the same order as reports of games do.
  if (season.leave_players) await lockMembers(trx, season, zone);
  await lockSeasonRows(trx, [season.id]);
  await dropLateWithdrawals(trx, season);
  await storeResult(trx, season, await countSeason(trx, season), {
    version: 1,
    at: now,
    who,
    reason: null,
  });
  await trx
    .updateTable('seasons')
    .set({ final_at: now, touched_at: null, summed_to: null })
    .where('id', '=', season.id)
    .execute();
  if (season.leave_players) await leaveTeams(trx, season, zone, now);
  await notify(trx, { league: [season.league_id] });
  await notifyConsole(trx, ['weeks']);
}

/**
 * Drops withdrawals from a Monday after the season's last week (SEASON-35). Returns their teams.
 */
async function dropLateWithdrawals(
  trx: Queryable,
  { id, last_week }: Season,
): Promise<{ team: string }[]> {
  const { rows } = await sql<{ team: string }>`
    update season_entries e set to_week = null, withdrew_why = null, annulled = false
    from teams t
    where e.season_id = ${id} and e.to_week >= ${last_week}::date and t.id = e.team_id
    returning t.name as team`.execute(trx);
  return rows;
}

/**
 * SQL: whether player `p` stays on their team when the players of season `former` leave: they were
 * not on it when the season's last week ended (SEASON-51). From a final season, everybody leaves
 * (SEASON-50).
 */
export const isStaying = (former: Season, zone: string): RawBuilder<boolean> =>
  former.final_at !== null
    ? sql<boolean>`false`
    : sql<boolean>`p.team_id is distinct from (select team_id from team_changes c
        where c.player_id = p.id and c.at < ${endOf(former, zone)}::timestamptz
        order by c.at desc limit 1)`;

async function lockMembers(trx: Database, former: Season, zone: string): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from players p join teams t on t.id = p.team_id
    where t.league_id = ${former.league_id} and not ${isStaying(former, zone)}
    order by p.id for no key update of p`.execute(trx);
  return rows;
}

/** Takes the players of a season that is over off their teams. `zone`: the league's. */
export async function leaveTeams(
  trx: Database,
  former: Season,
  zone: string,
  at: Date,
): Promise<void> {
  const rows = await lockMembers(trx, former, zone);
  await moveToTeams(
    trx,
    rows.map(({ id }) => ({ player_id: id, team_id: null })),
    at,
    null,
  );
  await notify(trx, { profile: rows.map(({ id }) => id) });
}

type Due = { id: number; league_id: number; timezone: string };

/**
 * Makes seasons final once their grace is over and nothing keeps them open, each season in its own
 * transaction (SEASON-21). Returns how many.
 */
export async function endSeasons({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const { rows } = await sql<Due>`
    select s.id, s.league_id, l.timezone from seasons s join leagues l on l.id = s.league_id
    where s.final_at is null and s.last_week < ${now.toISOString().slice(0, 10)}::date
    order by s.id`.execute(db);
  let ended = 0;
  for (const { id, league_id, timezone } of rows)
    ended += await transact(db, async (trx) => {
      const season = (await lockSeasons(trx, league_id)).find((one) => one.id === id);
      if (season === undefined || !(await isDue(trx, season, timezone, now))) return 0;
      await makeFinal(trx, season, timezone, now, BY_ITSELF);
      return 1;
    });
  return ended;
}

async function isDue(db: Database, season: Season, zone: string, now: Date): Promise<boolean> {
  const settles = settlesAt(season, zone);
  if (season.final_at !== null || settles === null || now < settles) return false;
  if (now.getTime() >= settles.getTime() + OPEN_AT_MOST_MS) return true;
  const { held, complaints } = await readOpen(db, season);
  return held + complaints === 0;
}

/**
 * Ends a league's season (SEASON-22). The last week of a running season becomes the last finished
 * one or the current one, and grace follows. With `now`, a season whose last week is over has no
 * grace, and one in grace becomes final at once.
 * @throws Refusal 400 when nothing runs, or no week is over yet; 409 for a season in grace without
 * `now`.
 */
export async function endSeason(
  trx: Database,
  league: League,
  { after, now: atOnce }: { after: 'finished' | 'running'; now: boolean },
  now: Date,
  who: string,
): Promise<{
  season: Season;
  last_week: string;
  final: boolean;
  open: { held: number; complaints: number };
}> {
  const seasons = await lockSeasons(trx, league.id);
  const current = weekOf(now, league.timezone);
  const inGrace = seasons.find((one) => stateOf(one, now, league.timezone) === 'grace');
  const running = seasons.find((one) => stateOf(one, now, league.timezone) === 'running');
  const season = running ?? inGrace;
  if (season === undefined) throw badRequest('No season is running.');
  if (running === undefined || (inGrace !== undefined && atOnce)) {
    const ending = inGrace ?? season;
    // Somebody who means to end a running season does not know that it is over by now.
    if (!atOnce)
      throw conflict(
        `“${ending.name}” is over, and late games still count. To make its table final at once, end it now.`,
      );
    const open = await readOpen(trx, ending);
    await makeFinal(trx, ending, league.timezone, now, who);
    return { season: ending, last_week: ending.last_week ?? current, final: true, open };
  }
  const last_week = after === 'running' ? current : addDays(current, -7);
  if (last_week < season.starts_on)
    throw badRequest('No week of this season is over yet. End it after the running week.');
  await sql`delete from matchup_sides where season_id = ${season.id} and week > ${last_week}::date`.execute(
    trx,
  );
  await sql`delete from season_pauses where season_id = ${season.id} and week > ${last_week}::date`.execute(
    trx,
  );
  await trx.updateTable('seasons').set({ last_week }).where('id', '=', season.id).execute();
  const ended = { ...season, last_week };
  const staying = await dropLateWithdrawals(trx, ended);
  const paused = new Set((await readFacts(trx, ended)).pauses.keys());
  // A postponed last week has the number of the week after it.
  const played = numberer(ended, paused)(addDays(last_week, 7)) - 1;
  await tell(
    trx,
    season,
    now,
    ...staying.map(({ team }) => `${team} stays`),
    played === 0 ? 'The season ends without a week played' : `The season ends after week ${played}`,
  );
  const open = await readOpen(trx, ended);
  const isOver = atOnce && last_week < current;
  if (isOver) await makeFinal(trx, ended, league.timezone, now, who);
  return { season: ended, last_week, final: isOver, open };
}

/**
 * Counts a final season again and stores the result as its next version (SEASON-25). Returns what
 * changed, in words.
 * @throws Refusal 400 when the season is not final, or a new count changes nothing.
 */
export async function correctSeason(
  trx: Database,
  season: Season,
  reason: string,
  now: Date,
  who: string,
): Promise<string[]> {
  await lockSeasons(trx, season.league_id);
  // After this lock, a late game is either in the count or marks the new version.
  await lockSeasonRows(trx, [season.id]);
  const stored = await readResult(trx, season.id);
  if (stored === null)
    throw badRequest(`“${season.name}” is not final: its table changes by itself.`);
  const result = await recountSeason(trx, season, stored);
  if (isSameResult(stored, result)) throw badRequest('A new count changes nothing.');
  await storeResult(trx, season, result, { version: stored.version + 1, at: now, who, reason });
  await unmarkSeason(trx, season);
  await notify(trx, { league: [season.league_id] });
  return correctionBetween(stored, result);
}

/**
 * Removes a final season's mark, and with it the offer to correct the season, until the next change
 * (SEASON-25). Drops its stored sums: a version without them may have changed its games.
 */
export async function unmarkSeason(trx: Database, season: Season): Promise<void> {
  await trx
    .updateTable('seasons')
    .set({ touched_at: null, summed_to: null })
    .where('id', '=', season.id)
    .execute();
}

/**
 * Marks each of these seasons that is final (SEASON-25), and drops the stored sums from the changed
 * week on. Call it once, at the end of a transaction that changes games of past weeks: every
 * transaction locks players first, then the counts of scores, then seasons. A season that becomes
 * final at the same time either counts the game or is marked.
 */
export async function touchSeasons(
  trx: Queryable,
  changed: readonly { season_id: number; week: string }[],
  at: Date,
): Promise<void> {
  if (changed.length === 0) return;
  // A season's earliest week is the last to be set.
  const latestFirst = changed.toSorted((a, b) => (a.week < b.week ? 1 : -1));
  const first = new Map(latestFirst.map(({ season_id, week }) => [season_id, week]));
  await Promise.all([
    lockSeasonRows(trx, [...first.keys()]),
    sql`update seasons s set
        touched_at = case when s.final_at is null then s.touched_at else ${at} end,
        touched_by = case when s.final_at is null then s.touched_by else 'game' end,
        summed_to = case when s.summed_to >= r.week then r.week - 7 else s.summed_to end
      from ${recordset(
        [...first].map(([season_id, week]) => ({ season_id, week })),
        'season_id integer, week date',
      )}
      where s.id = r.season_id and (s.final_at is not null or s.summed_to >= r.week)`.execute(trx),
  ]);
}

/** Calls `touchSeasons` for the seasons that contain these teams' weeks. */
export async function touchSeasonsOf(
  trx: Queryable,
  games: readonly ChangedWeek[],
  at: Date,
): Promise<void> {
  if (games.every(({ week }) => week === null)) return;
  const { rows } = await sql<{ season_id: number; week: string }>`
    select s.id as season_id, r.week from seasons s join season_entries e on e.season_id = s.id
    join ${recordset(
      games.map(({ team_id, week }) => ({ team_id, week })),
      'team_id integer, week date',
    )} on e.team_id = r.team_id
    where ${covers(sql`r.week`)}`.execute(trx);
  await touchSeasons(trx, rows, at);
}
