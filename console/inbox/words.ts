import type { InboxCase } from '#contract/inbox.ts';
import type { HeldReason } from '#contract/machines.ts';

const points = (score: number) => score.toLocaleString('en');

const HELD: Record<HeldReason, (score: number) => string> = {
  over_max_score: (score) => `${points(score)} is higher than a score can be`,
  too_many_games: () => 'Too many games within an hour',
  two_machines: () => 'Was playing on another machine',
};

const REPORTED = {
  not_mine: '“This game is not mine”',
  machine: '“This machine is broken”',
  other: '“Something is wrong with this game”',
} as const;

/** Why the case is in the inbox, as its heading. */
export function reasonOf({ held_reason, report_reason, score }: InboxCase): string {
  if (report_reason !== null) return REPORTED[report_reason];
  return held_reason === null ? 'Held' : HELD[held_reason](score);
}

/** Who won or leads with these totals: 1 the first, -1 the second, 0 nobody. */
const lead = (own: number, other: number) => Math.sign(own - other);

/** What a release would change, as a sentence without its subject: `counts in the week of …`. */
export function consequenceOf({ outside, week, player }: InboxCase): string {
  const who = player?.username ?? 'the player';
  if (outside === 'league_mode_off') return `counts for ${who} alone: league mode is off.`;
  if (outside === 'no_team' || week === null) return `counts for ${who} alone: no team.`;
  const day = new Date(`${week.week}T12:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const begin = `counts in the week of ${day}.`;
  const { total, total_after: after, opponent, opponent_total } = week;
  if (after === null) return `${begin} It changes the total only if it is among the first eight.`;
  if (after === total) return `${begin} ${week.team} stay at ${points(total)}.`;
  const change = `${week.team} ${points(total)} to ${points(after)}`;
  if (opponent === null) return `${begin} ${change}.`;
  const [before, then] = [lead(total, opponent_total), lead(after, opponent_total)];
  if (before === then) return `${begin} ${change}: the result against ${opponent} stays.`;
  return `${begin} ${change}, and they are ${then > 0 ? 'ahead of' : 'level with'} ${opponent}.`;
}

/** The scores between which the middle 90 % of these lie, and the median. null without scores. */
export function usual(scores: readonly number[]) {
  if (scores.length === 0) return null;
  const sorted = scores.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), high: at(0.95), middle: at(0.5) };
}
