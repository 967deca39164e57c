import type { WeekChange } from '#contract/wire/inbox.ts';
import type { Matchup, Ruling } from '#contract/wire/leagues.ts';

const points = (score: number) => score.toLocaleString('en');

const STANDS = {
  1: { running: 'ahead of', over: 'won' },
  0: { running: 'level with', over: 'drawn' },
  '-1': { running: 'behind', over: 'lost' },
} as const;
const CHANGES = { 1: 'and they win', 0: 'and they draw', '-1': 'and they lose' } as const;

function resultOf({ total, total_after, opponent, opponent_total, over }: WeekChange): string {
  if (opponent === null) return '.';
  const lead = (own: number) => Math.sign(own - opponent_total) as -1 | 0 | 1;
  const [before, then] = [lead(total), lead(total_after)];
  if (over)
    return before === then ? `: the result stays ${STANDS[then].over}.` : `, ${CHANGES[then]}.`;
  const still = before === then ? 'still ' : '';
  return `, and they are ${still}${STANDS[then].running} ${opponent}.`;
}

const moved = ({ team, total, total_after }: WeekChange['others'][number]) =>
  `${team} from ${points(total)} ${total_after > total ? 'up' : 'down'} to ${points(total_after)}`;

/**
 * A team's week total before and after a decision: `Air Ballers from 4,588 up to 33,702,
 * and they win.`
 * `why` ends the sentence about a total that stays: `, because …`.
 */
export function totalChange(week: WeekChange, why = ''): string {
  const { team, total, total_after } = week;
  return total_after === total
    ? `${team} stay at ${points(total)}${why}.`
    : `${moved(week)}${resultOf(week)}`;
}

/** The other teams' totals that change: `Rim Reapers from 900 down to 750`, or nothing. */
export const othersChange = ({ others }: WeekChange): string => others.map(moved).join(', ');

/** `week 5`, or `week 5, which is over` */
export const weekName = ({ number, over }: WeekChange): string =>
  `week ${number}${over ? ', which is over' : ''}`;

/** How a matchup is decided other than by its totals: `forfeit: Net Profits win` (SEASON-30). */
export function rulingWords(home: string, away: string, ruling: Ruling): string {
  if (ruling === 'annulled') return 'annulled';
  if (ruling === 'both_lose') return 'both lose';
  return `forfeit: ${ruling === 'home' ? home : away} win`;
}

/** A matchup's ruling with its reason: `forfeit: Net Profits win (Nobody came)`; '' without one. */
export function decidedWords({ home, away, ruling, reason }: Matchup): string {
  if (ruling === undefined) return '';
  return `${rulingWords(home, away, ruling)}${reason ? ` (${reason})` : ''}`;
}

/**
 * Which of `number` open cases keep a season open: `It keeps Season 1 of Dock League open`, or
 * `2 of them keep …` (SEASON-21).
 */
export function keepsWords(
  { league, name }: { league: string; name: string },
  keep: number,
  number: number,
): string {
  const who = keep < number ? `${keep} of them` : keep === 1 ? 'It' : 'They';
  return `${who} ${keep === 1 ? 'keeps' : 'keep'} ${name} of ${league} open`;
}
