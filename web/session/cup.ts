import { inFull } from '#contract/rules/games.ts';
import type { RunningCup } from '#contract/wire/cups.ts';
import { shortLeft, timeLeft } from '../ui/times.ts';

/** From this duration on, the time left is in days. */
const LONG_MS = 48 * 3_600_000;

/** `34 min`, `1 h 21`, or `5 days` for a long window. */
export const leftText = (ms: number): string => (ms < LONG_MS ? shortLeft(ms) : timeLeft(ms).words);

/** `Semi-final: you are ahead by 212. 34 min left`, for the profile (CUP-31). */
export function cupText(cup: RunningCup, now: number = Date.parse(cup.now)): string {
  const { pairing, starts_at, ends_at, ahead, known } = cup;
  if (now < Date.parse(starts_at))
    return `${pairing}: begins in ${leftText(Date.parse(starts_at) - now)}`;
  if (now >= Date.parse(ends_at)) return `${pairing}: last games are coming in`;
  const left = `${leftText(Date.parse(ends_at) - now)} left`;
  if (!known) return `${pairing}: your opponent is not known yet. ${left}`;
  if (ahead === 0) return `${pairing}: you are level. ${left}`;
  return ahead > 0
    ? `${pairing}: you are ahead by ${inFull(ahead)}. ${left}`
    : `${pairing}: you are behind by ${inFull(-ahead)}. ${left}`;
}
