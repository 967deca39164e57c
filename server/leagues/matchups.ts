import { sql } from 'kysely';
import type { Ruling } from '#contract/wire/leagues.ts';

/** Who plays whom in a week, with rulings and withdrawals (SEASON-30, SEASON-35). */

export type PlayedSide = {
  league_id: number;
  season_id: number;
  team_id: number;
  week: string;
  /** The last week in which a side that withdrew has a total; null if the side did not withdraw. */
  to_week: string | null;
  opponent_to_week: string | null;
  home: boolean;
  /** null for a bye, or if the opponent withdrew and its matchups are annulled. */
  opponent_id: number | null;
  /** The outcome by a ruling, or because a side withdrew; null if the totals decide. */
  ruling: Ruling | null;
};

/**
 * SQL: `PlayedSide`s as a subquery. A team that has withdrawn has no row for an annulled matchup,
 * and none for a bye after `to_week`. Reads of single teams and weeks use the key of matchup_sides.
 */
export const SIDES = sql`(
  select m.league_id, m.season_id, m.team_id, m.week, mine.to_week,
    theirs.to_week as opponent_to_week, m.home,
    case when r.ruling is not null or theirs.annulled is not true then m.opponent_id end as opponent_id,
    case
      when r.ruling is not null then r.ruling
      when theirs.annulled then null
      when mine.to_week < m.week and theirs.to_week < m.week then 'both_lose'
      when mine.to_week < m.week then case when m.home then 'away' else 'home' end
      when theirs.to_week < m.week then case when m.home then 'home' else 'away' end
    end as ruling
  from matchup_sides m
  left join season_entries mine on mine.season_id = m.season_id and mine.team_id = m.team_id
  left join season_entries theirs
    on theirs.season_id = m.season_id and theirs.team_id = m.opponent_id
  left join matchup_rulings r on r.week = m.week
    and r.team_id = case when m.home then m.team_id else m.opponent_id end
  where (r.ruling is not null or mine.annulled is not true)
    and (m.opponent_id is not null or mine.to_week is null or m.week <= mine.to_week))`;
