import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/counting.ts';
import {
  FORMER_PLAYER,
  type LeagueStats,
  type Opponent,
  type Teammate,
} from '#contract/leagues.ts';
import type { Deps } from '../app.ts';
import type { Database } from '../db/database.ts';
import { gather } from '../db/gather.ts';
import { badRequest } from '../errors.ts';
import type { League } from './rosters.ts';
import { addDays, startOf, teamWeek, weekOf } from './week.ts';

/** What a player without a team is told; the client takes the 400 for 'none' (spec 7, contract 1). */
export const NO_TEAM = 'You are not on a team.';

/** A player's team and its league. */
type OwnTeam = { player_id: number; team_id: number; team: string; league: League };

/** The teams of players and their leagues, by player; who has no team is not there. */
async function readTeams(
  db: Database,
  playerIds: readonly number[],
): Promise<Map<number, OwnTeam>> {
  const { rows } = await sql<Omit<OwnTeam, 'league'> & League>`
    select p.id as player_id, t.id as team_id, t.name as team, l.id, l.name, l.timezone, l.starts_on
    from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
    where p.id = any(${playerIds}::bigint[])`.execute(db);
  return new Map(
    rows.map(({ player_id, team_id, team, ...league }) => [
      player_id,
      { player_id, team_id, team, league },
    ]),
  );
}

/** The team of a player and its league. @throws Refusal 400 without a team. */
export async function teamOf(db: Database, playerId: number): Promise<OwnTeam> {
  const own = (await readTeams(db, [playerId])).get(playerId);
  if (own === undefined) throw badRequest(NO_TEAM);
  return own;
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

/** One side of a team's week: who is on the team, and who else has counted games for it. */
type Side = { own: boolean; team: string; members: Member[]; own_games: number };

/**
 * Both sides of teams' weeks, by index, for each asked one in their order. `own_games` are the
 * player's counted games of the week, for whatever team.
 */
export async function readTeamWeeks(
  db: Database,
  asked: readonly { team_id: number; week: string; player_id: number }[],
): Promise<Side[][]> {
  // Lines of text, which PostgreSQL writes twice as fast as JSON.
  type Row = Omit<Side, 'members'> & { at: number; players: string | null; weeks: string | null };
  const { rows } = await sql<Row>`
    select r.at::integer, s.own, t.name as team, coalesce(o.games, 0) as own_games,
      (select string_agg(concat_ws(' ', id, username), e'\n') from players
        where team_id = s.team_id) as players,
      (select string_agg(
          concat_ws(' ', player_id, games_played, score_sum, total, fourth_best), e'\n')
        from league_weeks where team_id = s.team_id and week = r.week) as weeks
    from unnest(
      ${asked.map(({ team_id }) => team_id)}::integer[], ${asked.map(({ week }) => week)}::date[],
      ${asked.map(({ player_id }) => player_id)}::bigint[]
    ) with ordinality as r (team_id, week, player_id, at)
    cross join lateral (
      select r.team_id, true as own
      union all
      select opponent_id, false from matchup_sides
      where team_id = r.team_id and week = r.week and opponent_id is not null
    ) s
    join teams t on t.id = s.team_id
    left join lateral (
      select sum(games_played) as games from league_weeks
      where player_id = r.player_id and week = r.week
    ) o on s.own`.execute(db);
  const found = rows.map(({ players, weeks, ...row }) => ({
    ...row,
    ...membersOf(players, weeks),
  }));
  const names = await readNames(
    db,
    found.flatMap(({ gone }) => gone.map(({ player_id }) => player_id)),
  );
  const sides = asked.map((): Side[] => []);
  for (const { at, members, gone, ...side } of found) {
    for (const member of gone) member.username = names.get(member.player_id) ?? null;
    members.sort((a, b) => a.player_id - b.player_id);
    sides[at - 1]?.push({ ...side, members });
  }
  return sides;
}

const linesOf = (text: string | null) => (text === null ? [] : text.split('\n'));

/** The members of a side; of those who are not on the team any more only the number is known. */
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

/** A side's members in order of rank, with their sums; accounts that are gone under another name. */
export function tableOf({ members }: Pick<Side, 'members'>) {
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
 * GET user-league-stats: the present week of a player's team and of its opponent. Two queries by
 * index (a third names former members), whatever the history; calls that come together share them: three times as many a second.
 * The reader throws Refusal 400 without a team.
 */
export function leagueStatsReader(
  deps: Pick<Deps, 'db' | 'clock'>,
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

/** The present week of players' teams, in their order; null for a player without a team. */
export async function readLeagueStats(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerIds: readonly number[],
): Promise<(LeagueStats | null)[]> {
  const now = clock.now();
  const teams = await readTeams(db, playerIds);
  const zones = new Set([...teams.values()].map(({ league }) => league.timezone));
  const weeks = new Map([...zones].map((zone) => [zone, weekOf(now, zone)]));
  const asked = playerIds.flatMap((id) => {
    const own = teams.get(id);
    return own === undefined ? [] : { ...own, week: weeks.get(own.league.timezone) ?? '' };
  });
  const sides = asked.length === 0 ? [] : await readTeamWeeks(db, asked);
  const stats = new Map(asked.map((own, at) => [own.player_id, statsOf(own, sides[at] ?? [])]));
  return playerIds.map((id) => stats.get(id) ?? null);
}

function statsOf(
  { player_id, team, league, week }: OwnTeam & { week: string },
  sides: Side[],
): LeagueStats {
  const side = sides.find(({ own }) => own);
  const other = sides.find(({ own }) => !own);
  const own = tableOf(side ?? { members: [] });
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
    opponent: other === undefined ? null : opponent(other.team, tableOf(other)),
    week_closes_at: startOf(addDays(week, 7), league.timezone).toISOString(),
    season_starts_at:
      week < league.starts_on ? startOf(league.starts_on, league.timezone).toISOString() : null,
    me: {
      league_games_left: week < league.starts_on ? 0 : WEEK_GAMES - (side?.own_games ?? 0),
      fourth_best: me?.fourth_best ?? null,
    },
  };
}

function opponent(name: string, table: ReturnType<typeof tableOf>): Opponent {
  return {
    name,
    total_games_played: table.games_played,
    max_possible_games: table.max_possible_games,
    team_avg: table.average,
    total_score: table.total,
  };
}
