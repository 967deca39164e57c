import { type HeldReason, HOUR_GAMES_MAX, SHORTEST_GAME_S } from '#contract/machines.ts';

/** When and where a game was played. */
export type TimedGame = { machine_id: number; played_at: Date; duration_s: number | null };

const HOUR_MS = 3_600_000;

/** A game is compared with the player's games up to this many milliseconds before and after it. */
export const AROUND_MS = HOUR_MS;

function end({ played_at, duration_s }: TimedGame): number {
  // Limit the reported duration: only games within AROUND_MS are compared.
  return played_at.getTime() + Math.min((duration_s ?? SHORTEST_GAME_S) * 1000, HOUR_MS);
}

const overlap = (a: TimedGame, b: TimedGame) =>
  a.played_at.getTime() < end(b) && b.played_at.getTime() < end(a);

/** Whether any hour that contains `game` has more games than one person can play. */
function isTooMany(game: TimedGame, others: readonly TimedGame[]): boolean {
  const time = game.played_at.getTime();
  const times = [time, ...others.map(({ played_at }) => played_at.getTime())]
    .filter((other) => Math.abs(other - time) < HOUR_MS)
    .sort((a, b) => a - b);
  // An hour has too many games if two games HOUR_GAMES_MAX apart in the sorted list are both in it.
  return times.some((first, at) => {
    const last = times[at + HOUR_GAMES_MAX];
    return last !== undefined && last - first < HOUR_MS && first <= time && time <= last;
  });
}

/**
 * Why a game must be held (GAME-07, P31f), or null. `others` are the player's counted games within
 * AROUND_MS, without held ones.
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
