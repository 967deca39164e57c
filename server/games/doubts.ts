import { HOUR_GAMES_MAX, SHORTEST_GAME_S } from '#contract/rules/games.ts';
import type { HeldReason } from '#contract/wire/games.ts';

export type TimedGame = { machine_id: number; played_at: Date; duration_s: number | null };

const HOUR_MS = 3_600_000;

/** Games that began within this time of each other are compared. */
export const AROUND_MS = HOUR_MS;

function end({ played_at, duration_s }: TimedGame): number {
  return played_at.getTime() + Math.min((duration_s ?? SHORTEST_GAME_S) * 1000, AROUND_MS);
}

const overlap = (a: TimedGame, b: TimedGame) =>
  a.played_at.getTime() < end(b) && b.played_at.getTime() < end(a);

function isTooMany(game: TimedGame, others: readonly TimedGame[]): boolean {
  const time = game.played_at.getTime();
  const times = [time, ...others.map(({ played_at }) => played_at.getTime())]
    .filter((other) => Math.abs(other - time) < HOUR_MS)
    .sort((a, b) => a - b);
  // `first` and `last` enclose HOUR_GAMES_MAX + 1 games, too many within an hour.
  return times.some((first, at) => {
    const last = times[at + HOUR_GAMES_MAX];
    return last !== undefined && last - first < HOUR_MS && first <= time && time <= last;
  });
}

/**
 * Why a game must be held (GAME-07, P31f), or null. `others`: the player's counted games within
 * AROUND_MS.
 */
export function heldReasonOf(
  game: TimedGame & { score: number },
  others: readonly TimedGame[],
  maxScore: number,
): HeldReason | null {
  if (game.score > maxScore) return 'over_max_score';
  if (others.some((other) => other.machine_id !== game.machine_id && overlap(game, other)))
    return 'two_machines';
  if (isTooMany(game, others)) return 'too_many_games';
  return null;
}
