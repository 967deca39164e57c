import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { Duel } from '#contract/wire/duels.ts';
import { fullDayOf, weekdayAndLongDay, weekdayAndTime } from '../ui/dates.ts';
import { clockTime, dayBefore, isSameDay } from '../ui/times.ts';

/** "Wednesday 2 December, midnight"; in another time zone, the day and the time. */
export function endText(endsAt: Date): string {
  const time = clockTime(endsAt);
  return time === '00:00'
    ? `${fullDayOf(new Date(endsAt.getTime() - 1))}, midnight`
    : `${fullDayOf(endsAt)}, ${time}`;
}

/**
 * "Wed 2 December": the last day of a duel that is accepted now, if the phone is in the league's
 * zone (DUEL-03).
 */
export function lastDay(now: Date, days: number): string {
  const end = new Date(now);
  end.setDate(end.getDate() + days - 1);
  return weekdayAndLongDay(end);
}

/** "You asked yesterday, 21:12". */
export function askedText(at: Date, now: Date): string {
  if (isSameDay(at, now)) return `You asked today, ${clockTime(at)}`;
  if (isSameDay(at, dayBefore(now))) return `You asked yesterday, ${clockTime(at)}`;
  return `You asked ${weekdayAndTime(at)}`;
}

export const playedText = (at: Date): string => `${fullDayOf(at)}, ${clockTime(at)}`;

/** Who leads the duel, and the score that takes the lead. */
export function leadWords(
  own: number | null,
  other: number | null,
): { lead: string; hint: string } {
  if (own === null)
    return other === null
      ? { lead: 'No game yet.', hint: 'The first game takes the lead.' }
      : { lead: 'No game of yours yet.', hint: `${other + 1} takes the lead.` };
  if (other === null) return { lead: 'You lead.', hint: '' };
  if (own > other) return { lead: `You lead by ${own - other}.`, hint: '' };
  return own < other
    ? { lead: `You are ${other - own} behind.`, hint: '' }
    : { lead: 'Level.', hint: `${own + 1} takes the lead.` };
}

type Scores = { own: number | null; other: number | null };

export const DUEL_RULE =
  'The best single game of 7 days wins. Any machine, as many games as you like.';

const differenceOf = ({ own, other }: Scores): number | null =>
  own !== null && other !== null ? Math.abs(own - other) : null;

/** "Won by 14", "Lost by 26", "Level"; without a number if one of the two had no game. */
export function resultWords(result: Duel['result'], scores: Scores): string {
  const by = differenceOf(scores);
  switch (result) {
    case 'won':
      return by === null ? 'Won' : `Won by ${by}`;
    case 'lost':
      return by === null ? 'Lost' : `Lost by ${by}`;
    case 'level':
      return 'Level';
    default:
      return 'Nobody played';
  }
}

/** The title of the strip about a decided duel with a game in it. */
export function stripTitle(result: Duel['result'], scores: Scores): string {
  const by = differenceOf(scores);
  if (result === 'won') return by === null ? 'Duel won' : `Duel won by ${by}`;
  if (result === 'lost') return by === null ? 'Duel lost' : `Duel lost by ${by}`;
  return 'Duel level';
}

export const scoresOf = ({ best, rival_best }: Duel): Scores => ({
  own: best?.score ?? null,
  other: rival_best,
});

/** The rival's name as the player may see it, in capitals as on the jersey. */
export const rivalName = ({ rival }: Pick<Duel, 'rival'>): string =>
  rival.username?.toUpperCase() ?? A_PLAYER;
