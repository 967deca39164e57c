import { sql } from 'kysely';
import { average, WEEK_GAMES } from '#contract/rules/games.ts';
import { isUnderAge } from '#contract/rules/of-age.ts';
import { isNamed } from '#contract/rules/visibility.ts';
import type {
  JoinedBy,
  Joining,
  LeagueStats,
  Opponent,
  SeasonOfStats,
  Teammate,
  WeekTable,
} from '#contract/wire/leagues.ts';
import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { NO_TEAM } from './leagues.ts';
import { isCounting, SEASON_OF_ROW, type SeasonOfRow, seasonsOfStats } from './season-of-week.ts';
import {
  OPPONENT,
  TEAM_WEEK,
  type TeamWeek,
  type TeamWeekRow,
  teamTable,
  teamWeeksOf,
} from './team-week.ts';
import { isNudging, type NudgesOf, readNudges, turningGain } from './turning.ts';

/**
 * How many reads share a query, and how many queries run at once. Three concurrent queries of 20
 * reads had 1.1 times the throughput of two queries of 50.
 */
const READ_MOST = 20;
const READ_AT_ONCE = 3;

/**
 * Returns a reader of a player's current week. Concurrent reads share queries (“Team weeks are read
 * together” in bench/results.md). The reader throws Refusal 400 without a team.
 */
export function leagueStatsReader(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
): (playerId: number) => Promise<LeagueStats> {
  const read = batched((playerIds: number[]) => readLeagueStats(deps, playerIds), {
    max: READ_MOST,
    concurrency: READ_AT_ONCE,
  });
  return async (playerId) => {
    const stats = await read(playerId);
    if (stats === null) throw badRequest(NO_TEAM);
    return stats;
  };
}

/** Leagues' zones seen so far. Every query contains the current week of each zone. */
const zones = new Set<string>();

type StatsRow = TeamWeekRow &
  SeasonOfRow & {
    team_id: number;
    league_id: number;
    league: string;
    team: string;
    join_code: string;
    joining: Joining;
    timezone: string;
    starts_on: string;
    /** Whether a season has closed the teams (SEASON-36). */
    rosters_locked: boolean;
    joined_at: Date | null;
    joined_how: JoinedBy | null;
    date_of_birth: string | null;
    /** null if the league's zone was not in `zones` at the query. */
    week: string | null;
  };

/** Each player's current week, in order; null without a team. */
export async function readLeagueStats(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  playerIds: readonly number[],
): Promise<(LeagueStats | null)[]> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const known = [...zones];
  const { rows } = await sql<StatsRow>`
    select r.team_id, r.league_id, r.league, r.team, r.join_code, r.joining, r.timezone,
      r.starts_on, r.week, c.at as joined_at, c.how as joined_how,
      c.how = 'code' and c.confirmed_at is null as check_names,
      exists (select from seasons where league_id = r.league_id and final_at is null
        and rosters_lock_week <= r.week) as rosters_locked,
      sn.*, ${TEAM_WEEK}, r.date_of_birth
    from (
      select p.id as player_id, t.id as team_id, t.name as team, t.join_code, l.id as league_id,
        l.name as league, l.joining, l.timezone, l.starts_on, z.week, p.date_of_birth
      from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
      left join unnest(
        ${known}::text[], ${known.map((zone) => weekOf(now, zone))}::date[]
      ) as z (timezone, week) on z.timezone = l.timezone
      where p.id = any(${playerIds}::bigint[])
    ) r
    left join lateral (
      -- An undone move off the team is no news (OPS-17): skip the row with which the player came back.
      select at, how, confirmed_at from team_changes
      where player_id = r.player_id and team_id = r.team_id
        and (how = 'code' or mail_waits is distinct from false)
      order by at desc limit 1
    ) c on true ${SEASON_OF_ROW} ${OPPONENT}`.execute(db);
  if (rows.some(({ week }) => week === null)) {
    for (const { timezone } of rows) {
      // Throw if Intl does not know the zone: once in `zones`, it would break every later query.
      weekOf(now, timezone);
      zones.add(timezone);
    }
    return readLeagueStats(deps, playerIds);
  }
  const played = await teamWeeksOf(deps, rows);
  const seasons = await seasonsOfStats(
    db,
    rows.map((row) => {
      const { league_id: id, league: name, timezone, starts_on } = row;
      return { ...row, week: row.week ?? '', league: { id, name, timezone, starts_on } };
    }),
    now,
  );
  const tables = played.map((week, at) => {
    const row = rows[at] as StatsRow;
    return weekTable(week, isCounting(row.week ?? '', row));
  });
  const nudges = await readNudges(
    db,
    rows
      .filter((row, at) => canNudge(row, tables[at]?.table, config, now))
      .map(({ player_id, team_id, week }) => ({ player_id, team_id, week: week ?? '' })),
  );
  const stats = new Map(
    played.map((week, at) => {
      const row = rows[at] as StatsRow;
      const shown = tables[at] as ShownWeek;
      const season = seasons[at] ?? null;
      const size = week.members.filter(({ on_team }) => on_team).length;
      return [
        row.player_id,
        {
          ...statsOf(row, week, shown, config),
          ...nudgesOf(row, week, shown, nudges.get(row.player_id)),
          season,
          invite: inviteOf(row, season, config.team_max - size),
          full: size >= config.team_max,
          membership: membershipOf(row),
        },
      ];
    }),
  );
  return playerIds.map((id) => stats.get(id) ?? null);
}

/** The invitation that members may share; null while nobody can join with the code (HAND-43). */
function inviteOf(
  { join_code: code, joining, rosters_locked, league }: StatsRow,
  season: SeasonOfStats | null,
  free: number,
): LeagueStats['invite'] {
  const over = season !== null && (season.state === 'grace' || season.state === 'final');
  if (joining === 'closed' || rosters_locked || over || free <= 0) return null;
  return { code, joining, free, league };
}

function membershipOf({ joined_at, joined_how }: StatsRow): LeagueStats['membership'] {
  if (joined_at === null || joined_how === null) return null;
  return { since: joined_at.toISOString(), how: joined_how };
}

type ShownWeek = ReturnType<typeof weekTable>;

/** By how much the team is behind; negative if it is ahead. */
const gapOf = ({ opponent, team_total_score }: WeekTable): number =>
  (opponent?.total_score ?? 0) - team_total_score;

/**
 * Whether the player may nudge or be nudged in this week: of age (PUSH-21), on a team that has an
 * opponent and is not ahead, from Thursday on (NUDGE-01, NUDGE-02).
 */
function canNudge(
  { week, timezone, date_of_birth }: StatsRow,
  table: WeekTable | undefined,
  { adult_age }: Deps['config'],
  now: Date,
): boolean {
  return (
    !!table?.opponent &&
    gapOf(table) >= 0 &&
    isNudging(week ?? '', timezone, now) &&
    !isUnderAge(date_of_birth, adult_age, now)
  );
}

/** The nudge buttons of the team mates, and the nudge to show the player; none without `found`. */
function nudgesOf(
  { player_id, timezone, week }: StatsRow,
  played: TeamWeek,
  { table, ranked }: ShownWeek,
  found: NudgesOf | undefined,
): Pick<LeagueStats, 'teammates' | 'nudged'> {
  const gap = gapOf(table);
  const chanceOf = (id: number | undefined) => {
    const chance = id === undefined ? undefined : found?.chances.get(id);
    return chance && turningGain(gap, chance) !== null ? chance : undefined;
  };
  const left = chanceOf(player_id)?.left;
  return {
    teammates: table.teammates.map((mate, at) => {
      const id = ranked[at]?.player_id;
      const chance = id === player_id || !isNamed(mate.username) ? undefined : chanceOf(id);
      return { ...mate, nudge: chance ? (chance.nudged ? 'sent' : 'open') : null };
    }),
    nudged:
      left === undefined || !found || found.nudged_by === null
        ? null
        : {
            by: nameOf(played, found.nudged_by),
            left,
            gap,
            closes_at: closeOf(week ?? '', timezone),
          },
  };
}

const closeOf = (week: string, timezone: string) =>
  startOf(addDays(week, 7), timezone).toISOString();

function statsOf(
  row: StatsRow,
  played: TeamWeek,
  { table, ranked }: ShownWeek,
  { max_score }: Deps['config'],
): Omit<
  LeagueStats,
  'season' | 'invite' | 'full' | 'membership' | keyof ReturnType<typeof nudgesOf>
> {
  const { player_id, team, timezone, starts_on, next_starts_on, entry_from } = row;
  const week = row.week ?? '';
  const counting = isCounting(week, row);
  const next = entry_from !== null && entry_from > week ? entry_from : next_starts_on;
  const begins = week < starts_on ? starts_on : counting ? null : next;
  const me = ranked.find((row) => row.player_id === player_id);
  return {
    team_name: team,
    ...table,
    week_opens_at: startOf(week, timezone).toISOString(),
    week_closes_at: closeOf(week, timezone),
    season_starts_at: begins === null ? null : startOf(begins, timezone).toISOString(),
    me: {
      league_games_left: counting ? WEEK_GAMES - played.own_games : 0,
      fourth_best: me?.fourth_best ?? null,
    },
    max_score,
  };
}

/** The name of a team mate, if the caller may see it (NUDGE-07). */
const nameOf = ({ members }: TeamWeek, playerId: number): string | null =>
  members.find(({ player_id }) => player_id === playerId)?.username ?? null;

/** The table of a team's week for the answer, and its rows with the players' numbers. */
export function weekTable(
  played: TeamWeek,
  counting: boolean,
): { table: WeekTable; ranked: ReturnType<typeof teamTable>['ranked'] } {
  const { members, opponent } = counting ? played : uncounted(played);
  const { ranked, ...own } = teamTable({ members });
  return {
    ranked,
    table: {
      teammates: ranked.map(
        ({ username, games_played, average, total, on_team }): Teammate => ({
          username,
          weekly_games_played: games_played,
          weekly_avg_score: average,
          weekly_total_score: total,
          ...(on_team ? {} : { former: true }),
        }),
      ),
      team_total_games_played: own.games_played,
      team_max_possible_games: own.max_possible_games,
      team_avg: own.average,
      team_total_score: own.total,
      opponent: opponent && opponentOf(opponent),
    },
  };
}

/** A week between seasons, or a postponed one: every figure is 0 (SEASON-07, SEASON-32). */
const uncounted = ({ members }: TeamWeek): TeamWeek => ({
  members: members
    .filter(({ on_team }) => on_team)
    .map((member) => ({ ...member, games_played: 0, score_sum: 0, total: 0, fourth_best: null })),
  own_games: 0,
  opponent: null,
});

function opponentOf({
  name,
  on_team,
  games_played,
  score_sum,
  total,
}: NonNullable<TeamWeek['opponent']>): Opponent {
  return {
    name,
    total_games_played: games_played,
    max_possible_games: WEEK_GAMES * on_team,
    team_avg: average(score_sum, games_played),
    total_score: total,
  };
}
