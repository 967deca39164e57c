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
  const { rows } = await sql<League & { team_id: number; team: string }>`
    select t.id as team_id, t.name as team, l.id, l.name, l.timezone, l.starts_on
    from players p join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
    where p.id = ${playerId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw badRequest(NO_TEAM);
  const { team_id, team, ...league } = row;
  return { team_id, team, league };
}

type WeekRow = {
  team_id: number;
  team: string;
  player_id: number | null;
  username: string | null;
  avatar_color: string | null;
  jersey_number: string | null;
  on_team: boolean;
  games_played: number;
  score_sum: number;
  total: number;
  fourth_best: number | null;
  /** The caller's counted games of the week, for whatever team. */
  own_games: number;
};

/**
 * Both sides of a team's week, by index: who is on the team, and who else has counted games for it.
 * A team without either has one row with no player.
 */
export async function readWeek(db: Database, teamId: number, week: string, playerId: number) {
  const { rows } = await sql<WeekRow>`
    with sides as (
      select ${teamId}::integer as team_id
      union all
      select opponent_id from matchup_sides
      where team_id = ${teamId} and week = ${week} and opponent_id is not null
    )
    select s.team_id, t.name as team, m.player_id, p.username, p.avatar_color, p.jersey_number,
      coalesce(p.team_id = s.team_id, false) as on_team,
      coalesce(w.games_played, 0) as games_played, coalesce(w.score_sum, 0) as score_sum,
      coalesce(w.total, 0) as total, w.fourth_best,
      (select coalesce(sum(games_played), 0) from league_weeks
        where player_id = ${playerId} and week = ${week}) as own_games
    from sides s
    join teams t on t.id = s.team_id
    left join lateral (
      select id as player_id from players where team_id = s.team_id
      union
      select player_id from league_weeks where team_id = s.team_id and week = ${week}
    ) m on true
    left join players p on p.id = m.player_id
    left join league_weeks w
      on w.team_id = s.team_id and w.week = ${week} and w.player_id = m.player_id
    order by m.player_id`.execute(db);
  return rows;
}

/** A team's rows in order of rank, with their sums; accounts that are gone under another name. */
export function tableOf(rows: readonly WeekRow[]) {
  let gone = 0;
  // A team that has nobody yet comes as one row without a player.
  const members = rows
    .filter(({ player_id }) => player_id !== null)
    .map((row) => {
      if (row.username !== null) return { ...row, username: row.username };
      gone += 1;
      return { ...row, username: gone === 1 ? FORMER_PLAYER : `${FORMER_PLAYER} ${gone}` };
    });
  return {
    ...teamWeek(members),
    max_possible_games: WEEK_GAMES * members.filter(({ on_team }) => on_team).length,
  };
}

/**
 * GET user-league-stats: the present week of a player's team and of its opponent. Two queries by
 * index, whatever the history.
 * @throws Refusal 400 without a team.
 */
export async function readLeagueStats(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<LeagueStats> {
  const { team_id, team, league } = await teamOf(db, playerId);
  const week = weekOf(clock.now(), league.timezone);
  const rows = await readWeek(db, team_id, week, playerId);
  const own = tableOf(rows.filter((row) => row.team_id === team_id));
  const theirs = rows.filter((row) => row.team_id !== team_id);
  const me = own.ranked.find(({ player_id }) => player_id === playerId);
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
    opponent: theirs[0] === undefined ? null : opponent(theirs[0].team, tableOf(theirs)),
    week_closes_at: startOf(addDays(week, 7), league.timezone).toISOString(),
    season_starts_at:
      week < league.starts_on ? startOf(league.starts_on, league.timezone).toISOString() : null,
    me: {
      league_games_left: week < league.starts_on ? 0 : WEEK_GAMES - (rows[0]?.own_games ?? 0),
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
