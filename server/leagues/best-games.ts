import { sql } from 'kysely';
import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { BestGame } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { namedFor } from '../players/visibility.ts';
import { numberOfWeek, type Season } from './seasons.ts';

const BEST_OF_SEASON = 5;
/** A smaller team's name would reveal a hidden player. */
const ANONYMOUS_IN = 2;

/**
 * SQL: the season's `most` best counted games: player_id, team_id, week, score, played_at, id, the
 * place and the number of people that the team had in the season. Reads only weeks that can have
 * one of them: a week's best score is at least the average of the games in its total, and at most
 * the total minus three times the fourth-best.
 */
const bestOf = ({ id }: Pick<Season, 'id'>, most: number) => sql`
  with weeks as (
    select w.*, w.total / least(w.games_played, ${BEST_GAMES}) as at_least,
      w.total - coalesce(w.fourth_best, 0) * ${BEST_GAMES - 1} as at_most
    from season_entries e join seasons s on s.id = e.season_id
    join league_weeks w on w.team_id = e.team_id
    where e.season_id = ${id} and w.week >= greatest(e.from_week, s.starts_on)
      and w.week <= coalesce(least(e.to_week, s.last_week), 'infinity')
      and not exists (select from season_pauses p where p.season_id = s.id and p.week = w.week)
  ), best as (
    select g.player_id, g.team_id, g.week, g.score, g.played_at, g.id
    from weeks w cross join lateral (
      select * from games g
      where g.player_id = w.player_id and g.week = w.week and g.state = 'counted'
      order by g.played_at, g.id limit ${WEEK_GAMES}
    ) g
    where g.team_id = w.team_id and w.at_most >= coalesce(
      (select at_least from weeks order by at_least desc offset ${most - 1} limit 1), 0)
    order by g.score desc, g.played_at, g.id limit ${most}
  )
  select b.*, rank() over (order by b.score desc) as place, (
    select count(*) from (
      select player_id from weeks w where w.team_id = b.team_id
      union select id from players where team_id = b.team_id
    ) people) as people
  from best b`;

/**
 * The season's best counted games, as `playerId` may see them. A hidden player's game has no name
 * (ACC-60), and no team if nobody else was on it this season (LEAGUE-20).
 */
export async function readBestGames(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  season: Season,
  playerId: number,
): Promise<BestGame[]> {
  const { rows } = await sql<BestGame>`
    with listed as (${bestOf(season, BEST_OF_SEASON)}), named as (
      select l.*, t.name as team, ${numberOfWeek(sql`s`, sql`l.week`)} as number,
        ${namedFor(deps, { player_id: playerId })}
      from listed l join teams t on t.id = l.team_id
      join seasons s on s.id = ${season.id} left join players p on p.id = l.player_id
    )
    select place, username, avatar_color, jersey_number, number as week, score,
      case when username is not null or people >= ${ANONYMOUS_IN} then team end as team
    from named order by score desc, played_at, id`.execute(deps.db);
  return rows;
}

export type BestOfSeason = {
  player_id: number;
  team_id: number;
  week: string;
  score: number;
  people: number;
};

/** The season's `most` best counted games, with players' numbers, best first. */
export async function readBestOfSeason(
  db: Database,
  season: Season,
  most: number,
): Promise<BestOfSeason[]> {
  const { rows } = await sql<BestOfSeason>`
    select player_id, team_id, week, score, people::integer
    from (${bestOf(season, most)}) b order by score desc, played_at, id`.execute(db);
  return rows;
}
