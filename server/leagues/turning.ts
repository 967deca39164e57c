import { sql } from 'kysely';
import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import { isBeforeLastHour, NUDGE_FROM_DAY } from '#contract/rules/nudges.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { isBlocked } from '../players/visibility.ts';
import { addDays, startOf } from './calendar.ts';
import { OPPONENT } from './team-week.ts';

/* Whether a player's games can still turn the team's week (NUDGE-01). */

/** A player's week: the `scores` that count for the team, and how many games are `left`. */
export type Chance = { scores: readonly number[]; left: number; high_score: number };

const totalOf = (scores: readonly number[]) =>
  scores
    .toSorted((a, b) => b - a)
    .slice(0, BEST_GAMES)
    .reduce((total, score) => total + score, 0);

/**
 * How much the team's total grows if each game left equals the player's high score; null if that
 * does not turn the week. To turn it, a team that is behind by `gap` must draw level, and a level
 * team must lead (NUDGE-01).
 */
export function turningGain(gap: number, { scores, left, high_score }: Chance): number | null {
  const best = Array.from({ length: left }, () => high_score);
  const gain = totalOf([...scores, ...best]) - totalOf(scores);
  return gap >= 0 && gain >= Math.max(gap, 1) ? gain : null;
}

/** Whether team mates can nudge now, in the week of `monday` (NUDGE-01, NUDGE-02). */
export function isNudging(monday: string, zone: string, now: Date): boolean {
  return (
    startOf(addDays(monday, NUDGE_FROM_DAY), zone) <= now &&
    isBeforeLastHour(startOf(addDays(monday, 7), zone), now)
  );
}

/**
 * SQL: whether row `m` of SIDES, the week of a team, has an opponent, was not postponed, and is
 * decided by totals.
 */
export const DECIDED_BY_GAMES = sql<boolean>`(m.opponent_id is not null and m.ruling is null
  and not exists (select from season_pauses p where p.season_id = m.season_id and p.week = m.week))`;

/** SQL: by how much the team of row `r` is behind, in a query that joins OPPONENT. */
export const GAP = sql<number>`(s.total - (
  select coalesce(sum(total), 0)::bigint from league_weeks
  where team_id = r.team_id and week = r.week))`;

/**
 * SQL: the chances of a team's players with league mode on, as text for `chancesOf`; null if the
 * team leads, or if games do not decide its week. The query must have `r`, with team_id and week,
 * and join OPPONENT.
 */
export const CHANCES = sql<string | null>`
  case when ${DECIDED_BY_GAMES} and ${GAP} >= 0 then (
    select string_agg(concat_ws(' ', p.id, n.player_id is not null, coalesce(st.highscore, 0),
      g.played, g.scores), e'\n')
    from players p left join player_stats st on st.player_id = p.id
    left join nudges n on n.player_id = p.id and n.week = r.week
    cross join lateral (
      select count(*) as played,
        string_agg(f.score::text, ' ') filter (where f.team_id = r.team_id) as scores
      from (
        select score, team_id from games
        where player_id = p.id and week = r.week and state = 'counted'
        order by played_at, id limit ${sql.lit(WEEK_GAMES)}
      ) f
    ) g
    where p.team_id = r.team_id and p.league_mode_enabled
  ) end`;

/**
 * Parses the text of `CHANCES`, by player. `nudged`: whether anybody nudged the player this week.
 */
export function chancesOf(text: string | null): Map<number, Chance & { nudged: boolean }> {
  const lines = text === null ? [] : text.split('\n');
  return new Map(
    lines.map((line) => {
      const [id, nudged, high_score = 0, played = 0, ...scores] = line
        .split(' ')
        .map((word) => (word === 't' ? 1 : word === 'f' ? 0 : Number(word)));
      const left = WEEK_GAMES - played;
      return [id ?? 0, { nudged: nudged === 1, high_score, left, scores }];
    }),
  );
}

/** What a nudge depends on: the chances of the team, and who nudged the player this week. */
export type NudgesOf = {
  chances: ReturnType<typeof chancesOf>;
  /** 0 for the app or a deleted player; null if there is no nudge to show. */
  nudged_by: number | null;
};

/**
 * SQL: who nudged player `r` this week; null if nobody did, one has blocked the other, the player
 * takes no nudges, or has played since (NUDGE-05, NUDGE-06).
 */
const NUDGED_BY = sql`(
  select coalesce(n.sender_id, 0) from nudges n
  where n.player_id = r.player_id and n.week = r.week
    and coalesce((select nudge from player_push where player_id = n.player_id), true)
    and not ${isBlocked(sql`n.player_id`, sql`n.sender_id`)}
    and not exists (select from games g where g.player_id = n.player_id and g.played_at > n.at))`;

/**
 * What the nudges of players depend on, by player. Reads each team once. Sends no query without
 * players.
 */
export async function readNudges(
  on: Queryable,
  players: { player_id: number; team_id: number; week: string }[],
): Promise<Map<number, NudgesOf>> {
  if (players.length === 0) return new Map();
  const { rows } = await sql<{
    player_id: number;
    chances: string | null;
    nudged_by: number | null;
  }>`
    with asked as (
      select * from ${recordset(players, 'player_id bigint, team_id integer, week date')}
    ), teams as materialized (
      select r.team_id, r.week, ${CHANCES} as chances
      from (select distinct team_id, week from asked) r ${OPPONENT}
    )
    select r.player_id, teams.chances, ${NUDGED_BY} as nudged_by
    from asked r join teams using (team_id, week)`.execute(on);
  return new Map(
    rows.map(({ player_id, chances, nudged_by }) => [
      player_id,
      { chances: chancesOf(chances), nudged_by },
    ]),
  );
}
