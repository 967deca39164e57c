import type { PlayedGame } from '#contract/wire/games.ts';
import type { User } from '#contract/wire/profile.ts';
import { useGames } from '../session/reads.ts';
import { serverDate } from '../ui/server-clock.ts';
import { mayAsk } from './asking.ts';
import { useWallQuestion } from './queries.ts';

/** Whether it is worth asking the server (HAND-50). */
export const mayAskAboutWall = (user: User, game: PlayedGame | undefined, now: Date): boolean =>
  mayAsk(user, game, now) && user.visibility === 'players' && game.venue !== null;

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
