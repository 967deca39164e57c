import { currentRound } from '#contract/rules/cups.ts';
import type { CupPage, CupPairing, CupSide } from '#contract/wire/cups.ts';
import { leftText } from '../session/cup.ts';
import { weekdayAndDay } from '../ui/dates.ts';
import { clockTime, isSameDay } from '../ui/times.ts';

/**
 * A side's name on a phone: the team, the player, `A player` with the seed, or the earlier pairing.
 */
export function sideName({ seed, team, username, from }: CupSide): string {
  if (team !== null) return team;
  if (username !== null) return username;
  if (from !== null) return from;
  return seed === null ? 'Nobody' : `A player (seed ${seed})`;
}

/** What a side's sum is made of (CUP-10). Only a cup of teams limits the games of a player. */
export const countsText = ({
  best,
  of,
  per_player,
}: Pick<CupPage, 'best' | 'of' | 'per_player'>): string =>
  per_player === null
    ? best === 1
      ? `The best of a player’s first ${of} games.`
      : `Best ${best} of a player’s first ${of} games.`
    : `Best ${best} of a team’s first ${of} games, at most ${per_player} of each player.`;

/** The text under a pairing: when it is played, or how it was decided. */
export function pairingText({ how, decided }: CupPairing, time: string): string {
  switch (how) {
    case 'bye':
      return 'Bye';
    case 'no_show':
      return 'No show';
    case 'walkover':
      return 'Walkover';
    case 'ruling':
      return 'Decided by the house';
    case 'best_game':
      return 'Level: the better game';
    case 'seed':
      return 'Level: the better seed';
    default:
      return decided ? 'Decided' : time;
  }
}

/** Whether a pairing has sums to show. One decided without a game has none. */
export const hasSums = ({ decided, games }: CupPairing): boolean =>
  !decided || (games ?? []).some((count) => count > 0);

/** The text in the painted square: the score to beat, `Any`, or `Done` without a game left. */
export function gainTarget({ to_gain }: NonNullable<CupPage['mine']>): string {
  if (to_gain === null) return 'Done';
  return to_gain === 0 ? 'Any' : String(to_gain);
}

/** The player's pairing in a cup, and the number of its round; null without a pairing. */
export function ownPairing({
  rounds,
  mine,
}: CupPage): { pairing: CupPairing; round: number } | null {
  if (mine?.pairing == null) return null;
  const round = rounds.findIndex(({ pairings }) => pairings.some(({ id }) => id === mine.pairing));
  const pairing = rounds[round]?.pairings.find(({ id }) => id === mine.pairing);
  return pairing === undefined ? null : { pairing, round };
}

/** What a player reads who plays no game in the own pairing; null if there are games to play. */
export function withoutGames(
  { kind, mine }: Pick<CupPage, 'kind' | 'mine'>,
  { how, decided }: Pick<CupPairing, 'how' | 'decided'>,
): string | null {
  if (how === 'bye') return 'You go on.';
  // A side that has left stays in its open pairing until the opponent is known (CUP-16).
  if (!mine?.withdrew || decided) return null;
  return kind === 'teams'
    ? 'Your team has left the cup. Its opponent goes on.'
    : 'You have left the cup. Your opponent goes on.';
}

/** The round shown first: that of the player's open pairing, else the current one. */
export function firstRound(page: CupPage): number {
  const own = ownPairing(page);
  if (own !== null && !own.pairing.decided) return own.round;
  return currentRound(page.rounds, Date.parse(page.now));
}

/** `21:45` if `to` is on the same day as `day`, else `Mon 30 Nov, 00:00`. */
function endText(to: Date, day: Date, now: Date): string {
  return isSameDay(to, day) ? clockTime(to) : `${weekdayAndDay(to, now)}, ${clockTime(to)}`;
}

/** `Mon 30 Nov`, the same in every time zone; `day` is `YYYY-MM-DD`. */
const dayText = (day: string, now: Date) => weekdayAndDay(new Date(`${day}T12:00`), now);

const hasBegun = ({ starts_at }: CupPairing, now: Date): boolean =>
  starts_at !== null && Date.parse(starts_at) <= now.getTime();

/** Whether games of the pairing are played now. */
export const isRunning = (pairing: CupPairing, now: Date): boolean =>
  hasBegun(pairing, now) && !pairing.decided && now.getTime() < Date.parse(pairing.ends_at ?? '');

/**
 * `Fri 27 Nov, 20:30 to 21:45`, and `Until 21:45` once the pairing has begun. In a cup of weeks
 * `Mon 30 Nov to Sun 6 Dec`, and `Until Sun 6 Dec`.
 */
export function timeText(pairing: CupPairing, now: Date): string {
  const { starts_at, ends_at, days } = pairing;
  if (starts_at === null || ends_at === null) return '';
  const begun = hasBegun(pairing, now);
  if (days !== null)
    return begun
      ? `Until ${dayText(days.to, now)}`
      : `${dayText(days.from, now)} to ${dayText(days.to, now)}`;
  const [from, to] = [new Date(starts_at), new Date(ends_at)];
  if (begun) return `Until ${endText(to, now, now)}`;
  return `${weekdayAndDay(from, now)}, ${clockTime(from)} to ${endText(to, from, now)}`;
}

/** How long the player's pairing still runs, or when it is played. */
export function openText(pairing: CupPairing, now: Date): string {
  const { ends_at, days } = pairing;
  if (ends_at === null || !hasBegun(pairing, now)) return timeText(pairing, now);
  const left = Date.parse(ends_at) - now.getTime();
  if (left <= 0) return 'Last games are coming in';
  const end = days === null ? endText(new Date(ends_at), now, now) : dayText(days.to, now);
  return `${leftText(left)} left, until ${end}`;
}
