import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import { FORMER_PLAYER } from '#contract/rules/players.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { mayBeNamed } from '../players/visibility.ts';
import { SIDES } from './matchups.ts';
import { tallyTeam } from './tally.ts';

type TeamWeekDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

type MemberWeek = {
  player_id: number;
  username: string | null;
  on_team: boolean;
  games_played: number;
  score_sum: number;
  total: number;
  fourth_best: number | null;
};

type Sums = { games_played: number; score_sum: number; total: number };

/** `members`: players on the team, or with counted games for it. */
export type TeamWeek = {
  members: MemberWeek[];
  /** The caller's games that count that week, for any team. */
  own_games: number;
  opponent: ({ name: string; on_team: number } & Sums) | null;
};

export type TeamWeekRow = Sums & {
  player_id: number;
  players: string | null;
  weeks: string | null;
  own_games: number;
  opponent: string | null;
  on_team: number;
  /** Whether to check all names: the caller is no team mate, or joined by the code (LEAGUE-23). */
  check_names: boolean | null;
};

/**
 * Parts of a query for team weeks: TEAM_WEEK is the select list, OPPONENT the joins. They read from
 * `r`, with columns team_id, week and player_id. Members are text, which PostgreSQL builds twice as
 * fast as JSON. `teamWeeksOf` filters names: team mates see each other, except under LEAGUE-23.
 */
export const TEAM_WEEK = sql`
  r.player_id,
  (select string_agg(concat_ws(' ', id, username), e'\n') from players
    where team_id = r.team_id) as players,
  (select string_agg(concat_ws(' ', player_id, games_played, score_sum, total, fourth_best), e'\n')
    from league_weeks where team_id = r.team_id and week = r.week) as weeks,
  (select coalesce(sum(games_played), 0) from league_weeks
    where player_id = r.player_id and week = r.week) as own_games,
  o.name as opponent, s.*,
  (select count(*) from players where team_id = o.id) as on_team`;
export const OPPONENT = sql`
  left join ${SIDES} m on m.team_id = r.team_id and m.week = r.week
  left join teams o on o.id = m.opponent_id
  cross join lateral (
    select coalesce(sum(games_played), 0) as games_played,
      coalesce(sum(score_sum), 0)::bigint as score_sum, coalesce(sum(total), 0)::bigint as total
    from league_weeks where team_id = o.id and week = r.week
      and (m.opponent_to_week is null or week <= m.opponent_to_week)
  ) s`;

/**
 * A team's week, as `player_id`, a player of the same league, sees it. With `check_names`, it has
 * only the names that this player may see.
 */
export async function readTeamWeek(
  deps: TeamWeekDeps,
  asked: { team_id: number; week: string; player_id: number; check_names: boolean },
): Promise<TeamWeek> {
  const { rows } = await sql<TeamWeekRow>`
    select ${asked.check_names}::boolean as check_names, ${TEAM_WEEK}
    from (select ${asked.team_id}::integer as team_id, ${asked.week}::date as week,
      ${asked.player_id}::bigint as player_id) r ${OPPONENT}`.execute(deps.db);
  const [week] = await teamWeeksOf(deps, rows);
  if (week === undefined) throw new Error('one row was asked for, and none came');
  return week;
}

/**
 * The team weeks of rows of TEAM_WEEK and OPPONENT, in their order. The caller of a row sees the
 * names of all team mates. Former members are named only if `mayBeNamed` allows it. With
 * `check_names`, the same applies to team mates.
 */
export async function teamWeeksOf(
  deps: TeamWeekDeps,
  rows: readonly TeamWeekRow[],
): Promise<TeamWeek[]> {
  const found = rows.map((row) => {
    const { members, gone } = membersOf(row.players, row.weeks);
    return { members, unsure: row.check_names ? members : gone };
  });
  const names = await readNames(
    deps,
    found.flatMap(({ unsure }, at) =>
      unsure.map(({ player_id }) => ({ player_id, viewer: rows[at]?.player_id ?? 0 })),
    ),
  );
  return rows.map((row, at) => {
    const { own_games, opponent, on_team, games_played, score_sum, total } = row;
    const { members = [], unsure = [] } = found[at] ?? {};
    for (const member of unsure)
      member.username = names.get(`${row.player_id} ${member.player_id}`) ?? null;
    return {
      members: members.sort((a, b) => a.player_id - b.player_id),
      own_games,
      opponent:
        opponent === null ? null : { name: opponent, on_team, games_played, score_sum, total },
    };
  });
}

const linesOf = (text: string | null) => (text === null ? [] : text.split('\n'));

/** `gone`: former members, whose names are read later. */
function membersOf(players: string | null, weeks: string | null) {
  const none = { games_played: 0, score_sum: 0, total: 0, fourth_best: null };
  const members = new Map<number, MemberWeek>();
  for (const line of linesOf(players)) {
    const [id = ''] = line.split(' ', 1);
    const player_id = Number(id);
    const username = line.slice(id.length + 1) || null;
    members.set(player_id, { player_id, username, on_team: true, ...none });
  }
  const gone: MemberWeek[] = [];
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

/** Usernames by “viewer player_id”, if the viewer may see them (ACC-60). */
async function readNames(
  deps: TeamWeekDeps,
  pairs: readonly { viewer: number; player_id: number }[],
): Promise<Map<string, string | null>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ viewer: number; id: number; username: string | null }>`
    select r.viewer, p.id, p.username
    from ${recordset(pairs, 'viewer bigint, player_id bigint')} join players p on p.id = r.player_id
    where ${mayBeNamed(deps, { player_id: sql.ref('r.viewer') })}`.execute(deps.db);
  return new Map(rows.map(({ viewer, id, username }) => [`${viewer} ${id}`, username]));
}

/**
 * Returns a team's members by rank, and the team's sums. Replaces a hidden name by A_PLAYER, or by
 * FORMER_PLAYER if the member has left the team.
 */
export function teamTable({ members }: Pick<TeamWeek, 'members'>) {
  const unnamed = { [A_PLAYER]: 0, [FORMER_PLAYER]: 0 };
  const named = members.map((member) => {
    if (member.username !== null) return { ...member, username: member.username };
    const name = member.on_team ? A_PLAYER : FORMER_PLAYER;
    unnamed[name] += 1;
    return { ...member, username: unnamed[name] === 1 ? name : `${name} ${unnamed[name]}` };
  });
  return {
    ...tallyTeam(named),
    max_possible_games: WEEK_GAMES * named.filter(({ on_team }) => on_team).length,
  };
}
