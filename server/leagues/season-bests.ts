import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { BestGame } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { namedFor } from '../players/visibility.ts';
import type { SeasonFacts } from './season-view.ts';
import { covers, numberOfWeek } from './seasons.ts';

const BEST_OF_SEASON = 5;

/**
 * SQL: the season's `most` best counted games: player_id, team_id, week, score, played_at, id, the
 * place, and whether nobody else was on the team in the season or is now (`alone`). Reads only the
 * games of weeks that can have one of the best: those with a high enough best score, or with an
 * unknown one.
 */
function bestOf({ season, bests, pauses }: SeasonFacts, most: number) {
  const played = bests.filter(({ week }) => !pauses.has(week));
  const known = played.flatMap(({ best }) => best ?? []).sort((a, b) => b - a);
  const least = known[most - 1] ?? 0;
  const high = played.filter(({ best }) => best === null || best >= least);
  return sql`
    with best as (
      select g.player_id, g.team_id, g.week, g.score, g.played_at, g.id
      from ${recordset(high, 'team_id integer, week date')}
      join league_weeks w on w.team_id = r.team_id and w.week = r.week
      cross join lateral (
        select * from games g
        where g.player_id = w.player_id and g.week = w.week and g.state = 'counted'
        order by g.played_at, g.id limit ${WEEK_GAMES}
      ) g
      where g.team_id = w.team_id
        and (w.best_sum is distinct from w.score_sum or w.best >= ${least})
      order by g.score desc, g.played_at, g.id limit ${most}
    )
    select b.*, rank() over (order by b.score desc) as place,
      not exists (
        select from season_entries e join seasons s on s.id = e.season_id
        join league_weeks w on w.team_id = e.team_id and w.player_id <> b.player_id
          and ${covers(sql`w.week`)}
        where e.season_id = ${season.id} and e.team_id = b.team_id and not exists (
          select from season_pauses p where p.season_id = s.id and p.week = w.week))
      and not exists (
        select from players p where p.team_id = b.team_id and p.id <> b.player_id) as alone
    from best b`;
}

/**
 * The season's best counted games, as `playerId` may see them. A hidden player's game has no name
 * (ACC-60), and no team if nobody else was on it this season (LEAGUE-20).
 */
export async function readBestGames(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  facts: SeasonFacts,
  playerId: number,
): Promise<BestGame[]> {
  const { rows } = await sql<BestGame>`
    with listed as (${bestOf(facts, BEST_OF_SEASON)}), named as (
      select l.*, t.name as team, ${numberOfWeek(sql`s`, sql`l.week`)} as number,
        ${namedFor(deps, { player_id: playerId })}
      from listed l join teams t on t.id = l.team_id
      join seasons s on s.id = ${facts.season.id} left join players p on p.id = l.player_id
    )
    select place, username, avatar_color, jersey_number, number as week, score,
      case when username is not null or not alone then team end as team
    from named order by score desc, played_at, id`.execute(deps.db);
  return rows;
}

export type BestOfSeason = {
  player_id: number;
  team_id: number;
  week: string;
  score: number;
  alone: boolean;
};

/** The season's best counted games, best first, at most `most`. Players are given by their id. */
export async function readBestOfSeason(
  db: Database,
  facts: SeasonFacts,
  most: number,
): Promise<BestOfSeason[]> {
  const { rows } = await sql<BestOfSeason>`
    select player_id, team_id, week, score, alone
    from (${bestOf(facts, most)}) b order by score desc, played_at, id`.execute(db);
  return rows;
}
