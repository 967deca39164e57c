import { FIRST_N, type Loud, type Scoring, whatCounts } from '#contract/rules/contests.ts';
import type { ContestForStaff, ContestListed, LevelPlace } from '#contract/wire/contests.ts';
import { spanOf } from '../ui/machine-words.ts';
import { count, nightTime } from '../ui/times.ts';

/** `Best three games, together` */
export function countsWords(scoring: Scoring, n: number = FIRST_N): string {
  const what = whatCounts(scoring, n);
  return what.charAt(0).toUpperCase() + what.slice(1);
}

/** ` Only Hoop 1 and Hoop 2 take part.`; nothing when all machines of the venue do. */
export function machinesWords({ machines }: Pick<ContestListed, 'machines'>): string {
  if (machines === null) return '';
  const names = new Intl.ListFormat('en-GB').format(machines);
  return ` Only ${names} ${machines.length === 1 ? 'takes' : 'take'} part.`;
}

const WAITS: Record<Loud, (machine: string, games: number | null) => string> = {
  silent: (machine) => `${machine} has not reported since the end`,
  queued: (machine, games) => `${machine} has ${count(games ?? 0, 'game')} on its disk`,
  playing: (machine) => `${machine} plays`,
};
/** Why a contest waits for a machine after its end (FRAME-04). */
export const waitsWords = ({
  machine,
  queued,
  why,
}: Pick<ContestForStaff['waiting'][number], 'machine' | 'queued' | 'why'>): string =>
  WAITS[why](machine, queued);

/** What ends the wait, and when it ends at the latest: the instant `at`. */
export function waitEndsWords(
  at: string,
  { machines, held }: { machines: number; held: number },
  now?: Date,
): string {
  // A cup of weeks waits for days.
  const until = nightTime(at, now);
  // A cup over all venues does not wait for machines.
  if (machines === 0)
    return held === 0
      ? `It waits until ${until} for late games.`
      : `It waits until the held games are decided, ${until} at the latest.`;
  return held === 0
    ? `It waits until every machine has reported that nobody plays and no game is on its disk: usually a minute, ${until} at the latest. Is one switched off? Mark it in repair on its page.`
    : `It waits until every machine has reported that nobody plays and no game is on its disk, and the held games are decided, ${until} at the latest. Is one switched off? Mark it in repair on its page.`;
}

const LEVEL: Record<NonNullable<LevelPlace['level']>, string> = {
  best_game: 'Level on points: the other has the better game',
  earlier: 'Level on points: the other had them earlier',
};
/** Why a player is below another with as many points (CONTEST-04). */
export const levelWords = (level: NonNullable<LevelPlace['level']>): string => LEVEL[level];

/** `19:00`, on the venue's clock. */
const timeWords = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(iso),
  );

const DAY_MS = 24 * 3_600_000;

/**
 * `Fri 4 Dec, 19:00 to 22:00`, on the venue's clock. Longer than a day: `Fri 4 Dec, 19:00 to Sun 6
 * Dec, 22:00`; of whole days, `Mon 30 Nov to Sun 6 Dec`.
 */
export function windowWords({
  starts_at,
  ends_at,
  timezone,
}: Pick<ContestListed, 'starts_at' | 'ends_at' | 'timezone'>): string {
  const [from, to] = [timeWords(starts_at, timezone), timeWords(ends_at, timezone)];
  const day = dayWords(starts_at, timezone);
  if (Date.parse(ends_at) - Date.parse(starts_at) <= DAY_MS) return `${day}, ${from} to ${to}`;
  if (from !== '00:00' || to !== '00:00')
    return `${day}, ${from} to ${dayWords(ends_at, timezone)}, ${to}`;
  const last = new Date(Date.parse(ends_at) - 1);
  return `${day} to ${dayWords(last.toISOString(), timezone)}`;
}

export const dayWords = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
    .format(new Date(iso))
    .replace(',', '');

/** `Again next Friday` */
export const againWords = ({
  starts_at,
  timezone,
}: Pick<ContestListed, 'starts_at' | 'timezone'>): string =>
  `Again next ${new Intl.DateTimeFormat('en-GB', { timeZone: timezone, weekday: 'long' }).format(
    new Date(starts_at),
  )}`;

/** `21 min left`, `begins in 2 h`, or the contest's state. */
export function stateWords(contest: ContestListed, now: Date): string {
  const span = (to: string) => spanOf(now.toISOString(), new Date(to));
  switch (contest.state) {
    case 'planned':
      return `begins in ${span(contest.starts_at)}`;
    case 'running':
      return `${span(contest.ends_at)} left`;
    case 'settling':
      return 'Last games are coming in';
    case 'final':
      return 'Final';
    default:
      return 'Cancelled';
  }
}
