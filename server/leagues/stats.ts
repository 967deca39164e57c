import { sql } from 'kysely';
import { average } from '#contract/abbreviate.ts';
import { WEEK_GAMES } from '#contract/counting.ts';
import {
  FORMER_PLAYER,
  type LeagueStats,
  type Opponent,
  type Teammate,
} from '#contract/leagues.ts';
import { gather } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { League } from './rosters.ts';
import { addDays, startOf, teamWeek, weekOf } from './week.ts';

/** What a player without a team is told; the client takes the 400 for 'none' (spec 7, contract 1). */
export const NO_TEAM = 'You are not on a team.';

/** The team of a player and its league. @throws Refusal 400 without a team. */
export async function teamOf(
  db: Database,
  playerId: number,
): Promise<{ team_id: number; team: string; league: League }> {
  const { rows } = await sql<{ team_id: number; team: string } & League>`
    select t.id as team_id, t.name as team, l.id, l.name, l.timezone, l.starts_on
    from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
    where p.id = ${playerId}`.execute(db);
  if (rows[0] === undefined) throw badRequest(NO_TEAM);
  const { team_id, team, ...league } = rows[0];
  return { team_id, team, league };
}

type Member = {
  player_id: number;
  username: string | null;
  on_team: boolean;
  games_played: number;
  score_sum: number;
  total: number;
  fourth_best: number | null;
};

/** What a team has in a week, all its members' counted games together. */
type Sums = { games_played: number; score_sum: number; total: number };

/** A team's week: who is on the team, and who else has counted games for it; and its opponent. */
type TeamWeek = {
  members: Member[];
  /** The player's counted games of the week, for whatever team. */
  own_games: number;
  opponent: ({ name: string; on_team: number } & Sums) | null;
};

type TeamWeekRow = Sums & {
  players: string | null;
  weeks: string | null;
  own_games: number;
  opponent: string | null;
  on_team: number;
};

/**
 * Teams' weeks by index, whatever the history: what is to be selected for each row `r` with a
 * team_id, a week and a player_id, and what is to be joined. Members come as lines of text, which
 * PostgreSQL writes twice as fast as JSON; of an opponent nobody sees more than the sums.
 */
const TEAM_WEEK = sql`
  (select string_agg(concat_ws(' ', id, username), e'\n') from players
    where team_id = r.team_id) as players,
  (select string_agg(concat_ws(' ', player_id, games_played, score_sum, total, fourth_best), e'\n')
    from league_weeks where team_id = r.team_id and week = r.week) as weeks,
  (select coalesce(sum(games_played), 0) from league_weeks
    where player_id = r.player_id and week = r.week) as own_games,
  o.name as opponent, s.*,
  (select count(*) from players where team_id = o.id) as on_team`;
const OPPONENT = sql`
  left join matchup_sides m on m.team_id = r.team_id and m.week = r.week
  left join teams o on o.id = m.opponent_id
  cross join lateral (
    select coalesce(sum(games_played), 0) as games_played,
      coalesce(sum(score_sum), 0)::bigint as score_sum, coalesce(sum(total), 0)::bigint as total
    from league_weeks where team_id = o.id and week = r.week
  ) s`;

/** A team's week, asked for a player who was on it. */
export async function readTeamWeek(
  db: Database,
  asked: { team_id: number; week: string; player_id: number },
): Promise<TeamWeek> {
  const { rows } = await sql<TeamWeekRow>`
    select ${TEAM_WEEK}
    from (select ${asked.team_id}::integer as team_id, ${asked.week}::date as week,
      ${asked.player_id}::bigint as player_id) r ${OPPONENT}`.execute(db);
  const [week] = await teamWeeksOf(db, rows);
  if (week === undefined) throw new Error('one row was asked for, and none came');
  return week;
}

/** The weeks that were read, in their order. */
async function teamWeeksOf(db: Database, rows: readonly TeamWeekRow[]): Promise<TeamWeek[]> {
  const found = rows.map((row) => membersOf(row.players, row.weeks));
  const names = await readNames(
    db,
    found.flatMap(({ gone }) => gone.map(({ player_id }) => player_id)),
  );
  return rows.map(({ own_games, opponent, on_team, games_played, score_sum, total }, at) => {
    const { members = [], gone = [] } = found[at] ?? {};
    for (const member of gone) member.username = names.get(member.player_id) ?? null;
    return {
      members: members.sort((a, b) => a.player_id - b.player_id),
      own_games,
      opponent:
        opponent === null ? null : { name: opponent, on_team, games_played, score_sum, total },
    };
  });
}

const linesOf = (text: string | null) => (text === null ? [] : text.split('\n'));

/** The members of a team; of those who are not on the team any more only the number is known. */
function membersOf(players: string | null, weeks: string | null) {
  const none = { games_played: 0, score_sum: 0, total: 0, fourth_best: null };
  const members = new Map<number, Member>();
  for (const line of linesOf(players)) {
    const [id = ''] = line.split(' ', 1);
    const player_id = Number(id);
    const username = line.slice(id.length + 1) || null;
    members.set(player_id, { player_id, username, on_team: true, ...none });
  }
  const gone: Member[] = [];
  for (const line of linesOf(weeks)) {
    const [player_id = 0, games_played = 0, score_sum = 0, total = 0, fourth_best = null] = line
      .split(' ')
      .map(Number);
    const figures = { games_played, score_sum, total, fourth_best };
    const member = members.get(player_id);
    if (member !== undefined) Object.assign(member, figures);
    else gone.push({ player_id, username: null, on_team: false, ...figures });
  }
  return { members: [...members.values(), ...gone], gone };
}

async function readNames(db: Database, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string | null>();
  const { rows } = await sql<{ id: number; username: string | null }>`
    select id, username from players where id = any(${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** A team's members in order of rank, with their sums; accounts that are gone under another name. */
export function tableOf({ members }: Pick<TeamWeek, 'members'>) {
  let gone = 0;
  const named = members.map((member) => {
    if (member.username !== null) return { ...member, username: member.username };
    gone += 1;
    return { ...member, username: gone === 1 ? FORMER_PLAYER : `${FORMER_PLAYER} ${gone}` };
  });
  return {
    ...teamWeek(named),
    max_possible_games: WEEK_GAMES * named.filter(({ on_team }) => on_team).length,
  };
}

/**
 * How many players' weeks are read together at most, and how many such readings at once: while the
 * database reads some, this process answers others; 1.1 times as many a second as with 50 and 2.
 */
const READ_MOST = 20;
const READ_AT_ONCE = 3;

/**
 * GET user-league-stats: the present week of a player's team and of its opponent. One query by
 * index (another names former members), whatever the history; calls that come together share it:
 * three times as many a second. The reader throws Refusal 400 without a team.
 */
export function leagueStatsReader(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
): (playerId: number) => Promise<LeagueStats> {
  const read = gather((playerIds: number[]) => readLeagueStats(deps, playerIds), {
    most: READ_MOST,
    atOnce: READ_AT_ONCE,
  });
  return async (playerId) => {
    const stats = await read(playerId);
    if (stats === null) throw badRequest(NO_TEAM);
    return stats;
  };
}

/** The zones of leagues that this process has met: what their weeks are goes along with a question. */
const zones = new Set<string>();

type StatsRow = TeamWeekRow & {
  player_id: number;
  team: string;
  timezone: string;
  starts_on: string;
  /** Null where the zone was not met before. */
  week: string | null;
};

/** The present week of players' teams, in their order; null for a player without a team. */
export async function readLeagueStats(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  playerIds: readonly number[],
): Promise<(LeagueStats | null)[]> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const known = [...zones];
  const { rows } = await sql<StatsRow>`
    select r.player_id, r.team, r.timezone, r.starts_on, r.week, ${TEAM_WEEK}
    from (
      select p.id as player_id, t.id as team_id, t.name as team, l.timezone, l.starts_on, z.week
      from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
      left join unnest(
        ${known}::text[], ${known.map((zone) => weekOf(now, zone))}::date[]
      ) as z (timezone, week) on z.timezone = l.timezone
      where p.id = any(${playerIds}::bigint[])
    ) r ${OPPONENT}`.execute(db);
  if (rows.some(({ week }) => week === null)) {
    for (const { timezone } of rows) {
      // A zone that is known to the database alone must not get into the questions of others.
      weekOf(now, timezone);
      zones.add(timezone);
    }
    return readLeagueStats(deps, playerIds);
  }
  const weeks = await teamWeeksOf(db, rows);
  const stats = new Map(
    weeks.map((week, at) => {
      const row = rows[at] as StatsRow;
      return [row.player_id, statsOf(row, week, config.max_score)];
    }),
  );
  return playerIds.map((id) => stats.get(id) ?? null);
}

function statsOf(
  { player_id, team, timezone, starts_on, ...row }: StatsRow,
  { members, own_games, opponent }: TeamWeek,
  max_score: number,
): LeagueStats {
  const week = row.week ?? '';
  const own = tableOf({ members });
  const me = own.ranked.find((row) => row.player_id === player_id);
  return {
    team_name: team,
    teammates: own.ranked.map(
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
    week_closes_at: startOf(addDays(week, 7), timezone).toISOString(),
    season_starts_at: week < starts_on ? startOf(starts_on, timezone).toISOString() : null,
    me: {
      league_games_left: week < starts_on ? 0 : WEEK_GAMES - own_games,
      fourth_best: me?.fourth_best ?? null,
    },
    max_score,
  };
}

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
