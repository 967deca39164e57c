import type { PlayedGame } from '#contract/wire/games.ts';
import type { User } from '#contract/wire/profile.ts';
import { useGames } from '../session/reads.ts';
import { serverDate } from '../ui/server-clock.ts';
import { useWallQuestion } from './queries.ts';

const RECENT_MS = 24 * 3_600_000;

/** Whether it is worth asking the server (HAND-50). */
export function mayAskAboutWall(
  { visibility, visibility_max, visibility_question }: User,
  game: PlayedGame | undefined,
  now: Date,
): boolean {
  return (
    visibility === 'players' &&
    visibility_max === 'venue' &&
    !visibility_question &&
    game !== undefined &&
    game.venue !== null &&
    game.counts !== 'held' &&
    game.counts !== 'void' &&
    now.getTime() - new Date(game.landed_at).getTime() < RECENT_MS
  );
}

/**
 * The player's newest game, and whether to ask about the screens of its `venue`. `isKnown`:
 * everything is read, and there is nothing to ask.
 */
export function useWall(user: User) {
  const games = useGames();
  const game = games.data?.pages[0]?.results[0];
  const question = useWallQuestion(mayAskAboutWall(user, game, serverDate()));
  const wall = question.data?.wall ?? null;
  return { game, wall, isKnown: !games.isLoading && !question.isLoading && wall === null };
}
