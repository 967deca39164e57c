import { sql } from 'kysely';
import { LEFT_OUT } from '#contract/rules/leagues.ts';
import type { NextSeasonBody, NextSeasonPreview } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, mondayOf, weekOf } from './calendar.ts';
import { setJoining } from './joining.ts';
import { createTeams, type League } from './leagues.ts';
import { insertSides, roundsOf } from './schedule.ts';
import { isStaying, leaveTeams } from './season-end.ts';
import { readFacts, scheduleOf } from './season-view.ts';
import {
  followSchedule,
  lockSeasons,
  readSeasons,
  requireAtOnce,
  type Season,
  stateOf,
} from './seasons.ts';

/** The next season in one form (SEASON-50): previewed first, then made in one transaction. */

type Wanted = Omit<NextSeasonBody, 'league'>;

type Plan = {
  former: Season;
  name: string;
  starts_on: string;
  mondays: string[];
  left_out: string[];
  /** The teams of the league that play in the next season, by id. */
  teams: { id: number; name: string }[];
  players_stay: number;
  players_leave: number;
};

/**
 * Plans the next season without storing it.
 * @throws Refusal 400 while the former season runs, for weeks that overlap it or have passed, for a
 * team that is not of the league, or for fewer than two teams with weeks; 409 when a season is
 * planned already.
 */
async function plan(
  db: Database,
  league: League,
  seasons: readonly Season[],
  wanted: Wanted,
  now: Date,
): Promise<Plan> {
  const former = seasons.at(-1);
  if (former === undefined) throw new Error('a league has no season');
  const state = stateOf(former, now, league.timezone);
  if (state === 'planned')
    throw conflict(`“${former.name}” is planned already. Change it, or drop it first.`);
  if (state === 'running' || former.last_week === null)
    throw badRequest(
      `“${former.name}” is running. Make the next season once its last week is over.`,
    );
  const starts_on = mondayOf(wanted.starts ?? addDays(former.last_week, 14));
  if (starts_on <= former.last_week)
    throw badField(
      'starts',
      `“${former.name}” ends with the week of ${former.last_week}: begin later.`,
    );
  if (starts_on < weekOf(now, league.timezone))
    throw badField('starts', 'A season begins this week or later.');
  const facts = await readFacts(db, former);
  const staying =
    wanted.players === 'keep' ? sql<boolean>`true` : isStaying(former, league.timezone);
  const { rows: all } = await sql<{ id: number; name: string; stay: number; leave: number }>`
    select t.id, t.name, p.stay, p.leave from teams t cross join lateral (
      select count(*) filter (where stays)::integer as stay,
        count(*) filter (where not stays)::integer as leave
      from (select ${staying} as stays from players p where p.team_id = t.id) p) p
    where t.league_id = ${league.id} order by t.id`.execute(db);
  const stays = (id: number) => facts.teams.get(id)?.withdrew_why == null;
  const teams =
    wanted.teams === undefined
      ? all.filter(({ id }) => stays(id))
      : wanted.teams.map((named) => {
          const team = all.find(
            ({ id, name }) => name.toLowerCase() === named.toLowerCase() || String(id) === named,
          );
          if (team === undefined)
            throw badField('teams', `“${league.name}” has no team “${named}”.`);
          return team;
        });
  const weeks = wanted.weeks ?? new Set(facts.sides.map(({ week }) => week)).size;
  const left_out = [...new Set(wanted.leave_out.map(mondayOf))].sort();
  const early = left_out.find((monday) => monday < starts_on);
  if (early !== undefined)
    throw badField('leave_out', `The week of ${early} is before the season.`);
  if (weeks > 0 && teams.length + wanted.new_teams.length < 2)
    throw badField('teams', 'A season needs at least two teams before they can meet.');
  const mondays: string[] = [];
  for (let week = starts_on; mondays.length < weeks; week = addDays(week, 7))
    if (!left_out.includes(week)) mondays.push(week);
  const going = [...new Set(teams)].sort((a, b) => a.id - b.id);
  return {
    former,
    name: wanted.name ?? `Season ${former.number + 1}`,
    starts_on,
    mondays,
    left_out,
    teams: going,
    players_stay: going.reduce((sum, { stay }) => sum + stay, 0),
    players_leave: all.reduce((sum, { leave }) => sum + leave, 0),
  };
}

/** What `makeNextSeason` would do, in figures. @throws Refusal as `plan` */
export async function previewNextSeason(
  db: Database,
  league: League,
  wanted: Wanted,
  now: Date,
): Promise<NextSeasonPreview> {
  const seasons = await readSeasons(db, league.id);
  const { former, name, starts_on, mondays, left_out, teams, players_stay, players_leave } =
    await plan(db, league, seasons, wanted, now);
  // New teams have no ids yet. They come last, because they will get the highest ids.
  const seats = [
    ...teams.map(({ id, name }) => ({ id, name })),
    ...wanted.new_teams.map((name, at) => ({ id: -1 - at, name })),
  ];
  const sides = roundsOf(
    seats.map(({ id }) => id),
    mondays,
    0,
  );
  const entry = { from_week: starts_on, to_week: null, withdrew_why: null, annulled: false };
  const season = { ...former, starts_on, last_week: null };
  const schedule = scheduleOf(
    {
      season,
      teams: new Map(seats.map((seat) => [seat.id, { ...seat, ...entry }])),
      sides: sides.map((side) => ({ ...side, ruling: null, reason: null })),
      pauses: new Map(left_out.map((week) => [week, LEFT_OUT])),
      totals: new Map(),
      bests: [],
    },
    '',
  );
  const last = mondays.at(-1);
  return {
    name,
    starts_on,
    begins_at_once: starts_on === weekOf(now, league.timezone),
    ends_on: last === undefined ? null : addDays(last, 6),
    weeks: mondays.length,
    teams: teams.map(({ name }) => name),
    new_teams: wanted.new_teams,
    left_out,
    players_stay,
    players_leave,
    leave_at: wanted.players === 'keep' ? null : former.final_at === null ? 'final' : 'now',
    new_codes: wanted.codes === 'new' ? seats.length : 0,
    schedule,
  };
}

/**
 * Makes the next season, with its teams, weeks and codes. If the former season is still in grace,
 * players leave their teams when it ends (SEASON-51).
 * @throws Refusal as `plan`; 400 when it would begin in the running week without `at_once`; 409
 * when a new team's name is taken.
 */
export async function makeNextSeason(
  { db: trx, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  wanted: Wanted,
): Promise<Season> {
  const now = clock.now();
  const seasons = await lockSeasons(trx, league.id);
  const { former, name, starts_on, mondays, left_out, teams } = await plan(
    trx,
    league,
    seasons,
    wanted,
    now,
  );
  requireAtOnce(starts_on, weekOf(now, league.timezone), wanted.at_once);
  const { id } = await trx
    .insertInto('seasons')
    .values({
      league_id: league.id,
      number: former.number + 1,
      name,
      starts_on,
      ends: 'schedule',
      last_week: null,
      tie_break: wanted.tie_break ?? former.tie_break,
      grace_hours: wanted.grace_hours ?? former.grace_hours,
      rosters_lock_week: null,
      final_at: null,
      touched_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // The database enters new teams into the seasons that are not over (SEASON-34).
  const made = await createTeams({ db: trx, clock }, league, wanted.new_teams);
  const ids = [...teams, ...made].map((team) => team.id);
  await sql`
    insert into season_entries (season_id, team_id, from_week)
    select ${id}, team_id, ${starts_on}::date from unnest(${ids}::integer[]) as t (team_id)
    on conflict do nothing`.execute(trx);
  await sql`
    insert into season_pauses (season_id, week, reason, at, by_plan)
    select ${id}, week, ${LEFT_OUT}, ${now}, true
    from unnest(${left_out}::date[]) as w (week)`.execute(trx);
  await insertSides(trx, { id, league_id: league.id }, roundsOf(ids, mondays, 0));
  await followSchedule(trx, id, starts_on);
  if (wanted.joining !== undefined) await setJoining({ db: trx }, league, wanted.joining);
  if (wanted.codes === 'new')
    await sql`update teams set join_code = default where id = any(${ids}::integer[])`.execute(trx);
  const leave_players = wanted.players === 'leave';
  if (former.final_at === null)
    await trx.updateTable('seasons').set({ leave_players }).where('id', '=', former.id).execute();
  else if (leave_players) await leaveTeams(trx, former, league.timezone, now);
  await notify(trx, { league: [league.id] });
  const season = (await readSeasons(trx, league.id)).find((one) => one.id === id);
  if (season === undefined) throw new Error('the new season is gone');
  return season;
}
