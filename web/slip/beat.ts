import { BEST_GAMES } from '#contract/rules/games.ts';
import { whyUncounted } from '#contract/rules/team-week.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';

/** What the player's next league game has to beat (PROD-38). */
export type Beat =
  /**
   * Four games count. `score` is the fourth best. `lead` is the score that puts the team ahead, or
   * null if the team is not behind or one game cannot do it.
   */
  | { kind: 'score'; score: number; lead: number | null }
  /** Fewer than four games count (`taken`), so any score adds to the total. */
  | { kind: 'any'; taken: number }
  /** No league game is left this week. `total` is the player's total. */
  | { kind: 'done'; total: number };

/**
 * What `username` has to beat; null in a week that does not count for the team, and when the week of
 * `stats` has closed.
 */
export function numberToBeat(stats: LeagueStats, username: string, now: Date): Beat | null {
  const { me, opponent, week_closes_at, max_score } = stats;
  if (whyUncounted(stats) !== null || new Date(week_closes_at) <= now) return null;
  const own = stats.teammates.find((mate) => mate.username === username);
  if (me.league_games_left === 0) return { kind: 'done', total: own?.weekly_total_score ?? 0 };
  if (me.fourth_best === null)
    return { kind: 'any', taken: Math.min(own?.weekly_games_played ?? 0, BEST_GAMES - 1) };
  const gap = opponent === null ? 0 : opponent.total_score - stats.team_total_score;
  const lead = me.fourth_best + gap + 1;
  return {
    kind: 'score',
    score: me.fourth_best,
    // A game above the limit would be held (GAME-07).
    lead: gap > 0 && lead <= max_score ? lead : null,
  };
}
