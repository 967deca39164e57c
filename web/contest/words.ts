import { whatCounts } from '#contract/rules/contests.ts';
import { ordinal } from '#contract/rules/games.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { ContestCounts, ContestPage } from '#contract/wire/contests.ts';
import { weekdayAndDay } from '../ui/dates.ts';
import { clockTime } from '../ui/times.ts';

/* Each sentence is one string, because it will be translated. Sums are never shortened. */

/** `Your best three games, together.` */
export const rule = ({ scoring, n }: Pick<ContestPage, 'scoring' | 'n'>): string =>
  `Your ${whatCounts(scoring, n)}.`;

/** `Fri 4 Dec 19:00` */
export const beginText = (iso: string, now: Date): string =>
  `${weekdayAndDay(new Date(iso), now)} ${clockTime(new Date(iso))}`;

/** What a game counts for (CONTEST-03). */
export function gameText(counts: ContestCounts, { scoring, n }: ContestPage): string {
  switch (counts) {
    case 'counts':
      return 'Counts';
    case 'below':
      return scoring === 'best' ? 'Not your best game' : 'Not among your best three';
    case 'over':
      return `Not for the contest: your first ${n} count`;
    case 'held':
      return 'Held: staff look at it';
  }
}

/** The heading for a player without a place: after the end, who won. */
export function withoutPlaceText({ state, results }: ContestPage, isOn: boolean): string {
  if (isOn) return 'Play, and you are in';
  const winners = results.filter(({ place }) => place === 1);
  if (state !== 'final' || winners.length === 0) return 'It is over';
  const names = winners.map(({ username }) => username?.toUpperCase() ?? A_PLAYER);
  return `${names.join(' and ')} won`;
}

export type Standing = { place: number; points: number; gap: number | null; to: string };

/** The player's place, and the gap to the place above, or the lead; null without a place. */
export function standingOf(page: ContestPage): Standing | null {
  const { mine, results, around } = page;
  if (mine === null || mine.place === null) return null;
  const { place, points: own } = mine;
  const at = (wanted: number) =>
    [...results, ...around].find((row) => row.place === wanted)?.points;
  const other = at(place === 1 ? 2 : place - 1);
  return {
    place,
    points: own,
    gap: other === undefined ? null : Math.abs(other - own),
    to: place === 1 ? 'ahead' : `to ${ordinal(place - 1)} place`,
  };
}
