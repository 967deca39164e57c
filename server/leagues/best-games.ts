import { sql } from 'kysely';
import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { BestGame, Named } from '#contract/wire/leagues.ts';
import type { Deps } from '../deps.ts';
import { namedFor } from '../players/visibility.ts';
import { weekNumber } from './calendar.ts';
import type { League } from './leagues.ts';

const BEST_OF_SEASON = 5;
/** A smaller team's name would reveal a hidden player. */
const ANONYMOUS_IN = 2;

/**
 * The season's best counted games, as `playerId` may see them. A hidden player's game has no name
 * (ACC-60), and no team if nobody else was on it this season (LEAGUE-20).
 */
export async function readBestGames(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  league: League,
  playerId: number,
): Promise<BestGame[]> {
  // Read only weeks that can have one of the season's best games. A week's best score is at least
  // the average of the games in its total, and at most the total minus three times the fourth-best.
  const { rows } = await sql<Named & { place: number; team: string; week: string; score: number }>`
    with weeks as (
      select w.*, w.total / least(w.games_played, ${BEST_GAMES}) as at_least,
        w.total - coalesce(w.fourth_best, 0) * ${BEST_GAMES - 1} as at_most
      from league_weeks w join teams t on t.id = w.team_id
      where t.league_id = ${league.id} and w.week >= ${league.starts_on}
    ), best as (
      select g.player_id, g.team_id, g.week, g.score, g.played_at, g.id
      from weeks w cross join lateral (
        select * from games g
        where g.player_id = w.player_id and g.week = w.week and g.state = 'counted'
        order by g.played_at, g.id limit ${WEEK_GAMES}
      ) g
      where g.team_id = w.team_id and w.at_most >= coalesce(
        (select at_least from weeks order by at_least desc offset ${BEST_OF_SEASON - 1} limit 1), 0)
      order by g.score desc, g.played_at, g.id limit ${BEST_OF_SEASON}
    ), listed as (
      select b.*, rank() over (order by b.score desc) as place, (
        select count(*) from (
          select player_id from weeks w where w.team_id = b.team_id
          union select id from players where team_id = b.team_id
        ) people) as people
      from best b
    ), named as (
      select l.*, t.name as team, ${namedFor(deps, { player_id: playerId })}
      from listed l join teams t on t.id = l.team_id left join players p on p.id = l.player_id
    )
    select place, username, avatar_color, jersey_number, week, score,
      case when username is not null or people >= ${ANONYMOUS_IN} then team end as team
    from named order by score desc, played_at, id`.execute(deps.db);
  return rows.map(({ week, ...row }) => ({ ...row, week: weekNumber(week, league.starts_on) }));
}
