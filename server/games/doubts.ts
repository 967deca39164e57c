import { type HeldReason, HOUR_GAMES_MAX, SHORTEST_GAME_S } from '#contract/machines.ts';

/** When and where a game was played. */
export type TimedGame = { machine_id: number; played_at: Date; duration_s: number | null };

const HOUR_MS = 3_600_000;

/** How far before and after a game others are compared with it, in milliseconds. */
export const AROUND_MS = HOUR_MS;

function end({ played_at, duration_s }: TimedGame): number {
  // However long a machine says a game was, it blocks at most AROUND_MS.
  return played_at.getTime() + Math.min((duration_s ?? SHORTEST_GAME_S) * 1000, HOUR_MS);
}

const overlap = (a: TimedGame, b: TimedGame) =>
  a.played_at.getTime() < end(b) && b.played_at.getTime() < end(a);

/** Whether an hour around `game` has more games than one person can play. */
function isTooMany(game: TimedGame, others: readonly TimedGame[]): boolean {
  const time = game.played_at.getTime();
  const times = [time, ...others.map(({ played_at }) => played_at.getTime())]
    .filter((other) => Math.abs(other - time) < HOUR_MS)
    .sort((a, b) => a - b);
  // In order of time, an hour with too many games contains two that are this far apart in the list.
  return times.some((first, at) => {
    const last = times[at + HOUR_GAMES_MAX];
    return last !== undefined && last - first < HOUR_MS && first <= time && time <= last;
  });
}

/**
 * Why a game must be held (GAME-07, P31f), or null. `others` are the player's counted games within
 * AROUND_MS; held games are not among them.
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
