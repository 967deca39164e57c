import { ordinal } from '#contract/rules/games.ts';
import type { RunningAnswer } from '#contract/wire/contests.ts';
import { shortLeft } from '../ui/times.ts';

/** `You are 4th, 21 min left`, for the profile (CONTEST-10). */
export function contestText(
  contest: NonNullable<RunningAnswer['contest']>,
  now: number = Date.parse(contest.now),
): string {
  const { state, place, starts_at, ends_at } = contest;
  const youAre = place === null ? null : `You are ${ordinal(place)}`;
  switch (state) {
    case 'planned':
      return `Begins in ${shortLeft(Date.parse(starts_at) - now)}. Everybody who plays is in.`;
    case 'running':
      return `${youAre ?? 'Play, and you are in'}, ${shortLeft(Date.parse(ends_at) - now)} left`;
    case 'settling':
      return 'Last games are coming in';
    default:
      return place === 1 ? 'You won' : `You came ${ordinal(place ?? 0)}`;
  }
}

/**
 * What the next game counts for while a cup or a contest runs (CUP-31, CONTEST-10); null if it
 * counts for neither. `team`: it counts for the team, too.
 */
export function lineText(
  { contest, cup }: Pick<RunningAnswer, 'contest' | 'cup'>,
  team: boolean,
): string | null {
  const inContest = contest?.state === 'running' && contest.games_left !== 0;
  const inCup =
    cup !== null && cup.games_left !== 0 && cup.starts_at <= cup.now && cup.now < cup.ends_at;
  if (inCup && inContest)
    return team
      ? 'This game counts for the cup, the contest and your team.'
      : 'This game counts for the cup and the contest.';
  if (inCup)
    return team ? 'This game counts for the cup and your team.' : 'This game counts for the cup.';
  if (!inContest) return null;
  return team
    ? 'This game counts for the contest and your team.'
    : 'This game counts for the contest and you.';
}
