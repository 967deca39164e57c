import type { PlayedGame } from '#contract/wire/games.ts';
import type { User } from '#contract/wire/profile.ts';

const RECENT_MS = 24 * 3_600_000;

/**
 * Whether a question about the last game may be asked: the player is of age and has no other open
 * question, and the game counted and landed in the last day (HAND-50, PUSH-30).
 */
export function mayAsk<Game extends Pick<PlayedGame, 'counts' | 'landed_at'>>(
  { visibility_max, visibility_question }: Pick<User, 'visibility_max' | 'visibility_question'>,
  game: Game | undefined,
  now: Date,
): game is Game {
  return (
    visibility_max !== 'league' &&
    !visibility_question &&
    game !== undefined &&
    game.counts !== 'held' &&
    game.counts !== 'void' &&
    now.getTime() - new Date(game.landed_at).getTime() < RECENT_MS
  );
}
