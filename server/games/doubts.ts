import { type HeldReason, HOUR_GAMES_MAX, SHORTEST_GAME_S } from '#contract/machines.ts';

/** What is looked at in a game, and in those around it. */
export type Moment = { machine_id: number; played_at: Date; duration_s: number | null };

const HOUR_MS = 3_600_000;

/** How far before and after a game others matter, in milliseconds. */
export const AROUND_MS = HOUR_MS;

function end({ played_at, duration_s }: Moment): number {
  // No length that a machine claims makes a game block more than the hour that is looked at.
  return played_at.getTime() + Math.min((duration_s ?? SHORTEST_GAME_S) * 1000, HOUR_MS);
}

const overlap = (a: Moment, b: Moment) =>
  a.played_at.getTime() < end(b) && b.played_at.getTime() < end(a);

/** Whether some hour that contains `game` has more games than anybody can play. */
function isTooMany(game: Moment, others: readonly Moment[]): boolean {
  const time = game.played_at.getTime();
  const times = [time, ...others.map(({ played_at }) => played_at.getTime())]
    .filter((other) => Math.abs(other - time) < HOUR_MS)
    .sort((a, b) => a - b);
  // Games in order: an hour with too many has two that are this far apart in the list.
  return times.some((first, at) => {
    const last = times[at + HOUR_GAMES_MAX];
    return last !== undefined && last - first < HOUR_MS && first <= time && time <= last;
  });
}

/**
 * Why a game is held (GAME-07, P31f), or null. `others` are the player's counted
 * games within an hour before and after it. Held games do not make others doubtful.
 */
export function doubtOf(
  game: Moment & { score: number },
  others: readonly Moment[],
  maxScore: number,
): HeldReason | null {
  if (game.score > maxScore) return 'over_max_score';
  if (others.some((other) => other.machine_id !== game.machine_id && overlap(game, other)))
    return 'two_machines';
  if (isTooMany(game, others)) return 'too_many_games';
  return null;
}
