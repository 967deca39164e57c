import { HOUR_GAMES_MAX } from '#contract/rules/games.ts';
import type { HeldReason } from '#contract/wire/games.ts';
import type { Decided, InboxAnswer, InboxCase, InboxRequest } from '#contract/wire/inbox.ts';
import { serverDate } from '../../web/ui/server-clock.ts';
import type { CaseDecision } from '../api/calls.ts';
import { clockTime, nightTime, timeInLine } from '../ui/times.ts';
import { othersChange, totalChange, weekName } from '../ui/week-words.ts';

const points = (score: number) => score.toLocaleString('en');

function ordinal(number: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(number);
  return `${number}${{ one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th', zero: 'th' }[rule]}`;
}

const HELD: Record<HeldReason, (score: number) => string> = {
  over_max_score: (score) => `${points(score)} is higher than a score can be`,
  too_many_games: () => `${ordinal(HOUR_GAMES_MAX + 1)} game within an hour`,
  two_machines: () => 'Was playing on another machine',
};

const REPORTED = {
  not_mine: '“This game is not mine”',
  machine: '“This machine is broken”',
  other: '“Something is wrong with this game”',
} as const;

/** A case's heading. */
export function reasonOf({ held_reason, report_reason, score }: InboxCase): string {
  if (report_reason !== null) return REPORTED[report_reason];
  return held_reason === null ? 'Held' : HELD[held_reason](score);
}

/** A case's player in words. */
export const nameOf = ({ player }: { player: { username: string | null } | null }): string =>
  player === null ? 'A deleted player' : (player.username ?? 'A player without a name');

/** Where and when the game was played; for a report, also when it arrived. */
export function whereOf(
  { kind, machine, played_at, since }: InboxCase,
  now = serverDate(),
): string {
  const played = `${machine}, ${timeInLine(played_at, now)}`;
  if (kind === 'held') return played;
  const sameDay = new Date(played_at).toDateString() === new Date(since).toDateString();
  return `${played}, reported ${sameDay ? clockTime(since) : timeInLine(since, now)}`;
}

/** The text after “Release:”, such as `counts in week 5. …`. */
export function consequenceOf({ outside, week, player }: InboxCase): string {
  const who = player?.username ?? 'the player';
  if (outside === 'league_mode_off') return `counts for ${who} alone: league mode is off.`;
  if (outside === 'off_season') return `counts for ${who} alone: no season was running.`;
  if (outside === 'no_team' || week === null) return `counts for ${who} alone: no team.`;
  const displaced = othersChange(week);
  const begin = `counts in ${weekName(week)}. ${totalChange(week)}`;
  return displaced === '' ? begin : `${begin} A later game is then over the first 8: ${displaced}.`;
}

/** The text after “Void:”. */
export function voidOf(of: InboxCase): string {
  const { state, outside, week, best } = of;
  if (state === 'held') return 'it is held and counts nowhere yet. It then never counts.';
  if (state !== 'counted') return 'it counts nowhere already.';
  const high = best ? ` It is the high score of ${nameOf(of)}: the next best takes its place.` : '';
  const back = ' You can restore it.';
  if (outside !== null || week === null)
    return `out of the figures of ${nameOf(of)}. It counts for no team.${high}${back}`;
  const joined = othersChange(week);
  const eighth = joined === '' ? '' : ` A later game is then among the first 8: ${joined}.`;
  const own = totalChange(week, ', because it is not among the best four');
  return `out of every figure. W${weekName(week).slice(1)}: ${own}${eighth}${high}${back}`;
}

export const VERBS_DONE: Record<Decided['decision'], string> = {
  release: 'Released',
  discard: 'Discarded',
  void: 'Voided',
  restore: 'Restored',
  stands: 'Left as it is',
  return: 'Held again',
  reopen: 'Report reopened',
};

/** How to change each decision later. */
export const WAY_BACK: Record<Decided['decision'], string> = {
  release: 'To take it out, press Void at the game.',
  discard: 'It counts nowhere.',
  void: 'To count it again, press Restore at the game.',
  restore: 'To take it out again, press Void at the game.',
  stands: 'To take it out, press Void at the game.',
  return: 'It waits to be judged.',
  reopen: 'It waits to be judged.',
};

const DID: Record<Decided['decision'], string> = {
  release: 'released it',
  discard: 'discarded it',
  void: 'voided it',
  restore: 'restored it',
  stands: 'left it as it is',
  return: 'returned it to the held games',
  reopen: 'reopened the report',
};

/** Decisions that open a case again, so none of them settled it. */
const OPENS: readonly Decided['decision'][] = ['reopen', 'return'];

/**
 * `Ines released it at 22:05`. `decided` is the last decision about the game. If it did not settle
 * this case, the player took the report back, or the held game was discarded with all others of its
 * machine (GAME-14), which stores no decision.
 */
export function settledBy(
  decided: Decided | null,
  { kind, since }: Pick<InboxCase, 'kind' | 'since'>,
  now = serverDate(),
): string {
  if (
    decided === null ||
    OPENS.includes(decided.decision) ||
    Date.parse(decided.at) < Date.parse(since)
  )
    return kind === 'held'
      ? 'No longer to decide'
      : 'No longer to decide: the report was taken back';
  const at = nightTime(decided.at, now);
  return `${decided.by} ${DID[decided.decision]}${at.includes(' ') ? ',' : ' at'} ${at}`;
}

/** The text after “Yes:” of a request to join. */
export const yesMeans = ({ team, places_left }: InboxRequest): string =>
  places_left === 0
    ? `${team} is full. Take somebody off first.`
    : 'the next games count for the team. A mail says so.';

/** What a decision changes. */
export function meansOf(of: InboxCase, decision: CaseDecision): string {
  if (decision === 'discard') return 'it counts nowhere.';
  if (decision === 'stands') return 'it keeps counting, and the report is closed.';
  if (decision === 'release') return `it ${consequenceOf(of)}`;
  if (of.state === 'counted') return `it is ${voidOf(of)}`;
  return 'the report is closed, and the game never counts.';
}

export const VERBS: Record<CaseDecision, { button: string; done: string; failed: string }> = {
  release: { button: 'Release', done: 'Released', failed: 'Not released' },
  discard: { button: 'Discard', done: 'Discarded', failed: 'Not discarded' },
  void: { button: 'Void', done: 'Voided', failed: 'Not voided' },
  stands: { button: 'Let it count', done: 'Left as it is', failed: 'Not settled' },
};

/** The median of these scores and the range of their middle 90 %, or null without scores. */
export function usual(scores: readonly number[]) {
  if (scores.length === 0) return null;
  const sorted = scores.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), high: at(0.95), middle: at(0.5) };
}

/** What a card shows: a game to decide, or a request to join. */
export type Open = InboxCase | InboxRequest;
/** `gone`: somebody else settled the case. A case decided here stays while Undo is possible. */
export type Shown = { of: Open; gone: boolean };

export const requestKey = (account: string, team: string): string => `request ${account} ${team}`;
export const keyOf = (of: Open): string =>
  of.kind === 'request' ? requestKey(of.account, of.team_id) : `${of.kind} ${of.game}`;

export const openOf = ({ results, asking }: InboxAnswer): Open[] => [...results, ...asking];

/**
 * The cases to show after a read. A case that somebody else settled stays in its place as `gone`,
 * because a person may be judging it. `own` has the keys of the cases decided here, `undoable`
 * those among them that show Undo.
 */
export function nextShown(
  before: readonly Shown[],
  now: readonly Open[],
  own: ReadonlySet<string>,
  undoable: ReadonlySet<string>,
): Shown[] {
  const fresh = new Map(now.map((of) => [keyOf(of), of]));
  const stayed = before.flatMap(({ of }): Shown[] => {
    const key = keyOf(of);
    const again = fresh.get(key);
    fresh.delete(key);
    if (again !== undefined) return [{ of: again, gone: false }];
    if (undoable.has(key)) return [{ of, gone: false }];
    return own.has(key) ? [] : [{ of, gone: true }];
  });
  // A read that began before a decision may still have the decided case.
  const more = [...fresh].filter(([key]) => !own.has(key));
  return [...stayed, ...more.map(([, of]) => ({ of, gone: false }))];
}
