import { BEST_GAMES } from '#contract/counting.ts';
import type { LeagueStats } from '#contract/leagues.ts';

/** What a player's next league game is worth to the team (look 32). */
export type Beat =
  /** Four games count: `score` is the fourth best; `lead` takes the lead, where one game can. */
  | { kind: 'score'; score: number; lead: number | null }
  /** Fewer than four count, so any score adds to the total; `taken` of the four places. */
  | { kind: 'any'; taken: number }
  /** No league game is left this week; `total` is what the player's week stands at. */
  | { kind: 'done'; total: number };

/**
 * The number that a player has to beat. Takes the week and the player's own name in it; null when
 * there is none: before the league begins, and when the week is known only as it was before it
 * closed.
 */
export function numberToBeat(stats: LeagueStats, username: string, now: Date): Beat | null {
  const { me, opponent, season_starts_at, week_closes_at, max_score } = stats;
  if (season_starts_at !== null || new Date(week_closes_at) <= now) return null;
  const own = stats.teammates.find((mate) => mate.username === username);
  if (me.league_games_left === 0) return { kind: 'done', total: own?.weekly_total_score ?? 0 };
  if (me.fourth_best === null)
    return { kind: 'any', taken: Math.min(own?.weekly_games_played ?? 0, BEST_GAMES - 1) };
  const gap = opponent === null ? 0 : opponent.total_score - stats.team_total_score;
  const lead = me.fourth_best + gap + 1;
  return {
    kind: 'score',
    score: me.fourth_best,
    // A score above the limit is held back, so no one game can do that.
    lead: gap > 0 && lead <= max_score ? lead : null,
  };
}
