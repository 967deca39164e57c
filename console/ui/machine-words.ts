import { needsHand } from '#contract/rules/machines.ts';
import type { MachineCard } from '#contract/wire/machines.ts';

const MINUTE_MS = 60_000;

/** `21:40` */
export function timeIn(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  );
}

/** `GMT+1`. Without `timeZone`, the offset of this device. */
function offsetIn(at: string, timeZone?: string): string | undefined {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' });
  return format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value;
}

/** `21:40 GMT+1`; without the offset if this device has the same. */
export function clockIn(at: string, timeZone: string): string {
  const offset = offsetIn(at, timeZone);
  return offset === offsetIn(at) ? timeIn(at, timeZone) : `${timeIn(at, timeZone)} ${offset}`;
}

function dayIn(at: string, timeZone: string): string {
  const day = { timeZone, weekday: 'short', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', day).format(new Date(at)).replace(',', '');
}

/** As `clockIn` within 20 hours, otherwise `Thu 19 Nov`. */
export function sinceIn(at: string, timeZone: string, now: Date): string {
  const recent = now.getTime() - Date.parse(at) < 20 * 60 * MINUTE_MS;
  if (recent) return clockIn(at, timeZone);
  return dayIn(at, timeZone);
}

/** `Fri 20 Nov, 21:40` */
export function dayAndTimeIn(at: string, timeZone: string): string {
  return `${dayIn(at, timeZone)}, ${clockIn(at, timeZone)}`;
}

/** `21:40` from `opens` on, otherwise `Thu 19 Nov, 21:40`. */
export function tonightOrDay(at: string, timeZone: string, opens: string): string {
  return Date.parse(at) >= Date.parse(opens) ? clockIn(at, timeZone) : dayAndTimeIn(at, timeZone);
}

/** `today 21:40`, `tomorrow 01:00` or `Fri 27 Nov, 21:40`. */
export function untilIn(at: string, timeZone: string, now: Date): string {
  const day = dayIn(at, timeZone);
  if (day === dayIn(now.toISOString(), timeZone)) return `today ${clockIn(at, timeZone)}`;
  const tomorrow = new Date(now.getTime() + 24 * 60 * MINUTE_MS).toISOString();
  if (day === dayIn(tomorrow, timeZone)) return `tomorrow ${clockIn(at, timeZone)}`;
  return dayAndTimeIn(at, timeZone);
}

/** `24 min`, `3 h 5 min` or `2 days`. */
export function spanOf(from: string, to: Date): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - Date.parse(from)) / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** `3 min fast`, `0.4 s slow`, `On time`, or `Not reported`. */
export function clockWords(error: number | null): string {
  if (error === null) return 'Not reported';
  const off = Math.abs(error);
  if (off < 100) return 'On time';
  const span = off < 90_000 ? `${(off / 1000).toFixed(1)} s` : `${Math.round(off / MINUTE_MS)} min`;
  return `${span} ${error > 0 ? 'fast' : 'slow'}`;
}

/** A machine's state in a few words (MACH-11). */
export function stateWords(card: MachineCard, now: Date): string {
  const { state, since, timezone } = card;
  switch (state) {
    case 'silent':
      if (card.heard_at === null) return 'Has not called yet';
      return since === null ? 'Silent' : `Silent since ${sinceIn(since, timezone, now)}`;
    case 'clock':
      return `Clock ${clockWords(card.clock_error_ms)}`;
    case 'refused':
      if (card.revoked) return 'Out of service';
      return card.keyless ? 'No working key' : 'Key refused';
    case 'playing':
      return 'Playing now';
    case 'repair':
      return 'In repair';
    case 'closed':
      return card.heard_at === null ? 'Has not called yet' : 'Off';
    default:
      return 'Idle';
  }
}

/** Whether the state says that the machine calls. Otherwise, its last status may be old. */
export const isHeard = ({ state }: MachineCard): boolean =>
  ['playing', 'idle', 'clock'].includes(state);

/**
 * What to announce when a machine's state was `was` before, such as `Hoop 2 is silent`, or null. Only
 * a machine that calls is back: one in repair, or at a venue that has closed, may still be silent.
 */
export function announcedWords(card: MachineCard, was: MachineCard['state']): string | null {
  const { name, state } = card;
  if (state === was) return null;
  if (state === 'silent') return `${name} is silent`;
  if (state === 'refused') return `${name}: its key is refused`;
  const needed = was === 'silent' || was === 'refused';
  return needed && isHeard(card) ? `${name} is back` : null;
}

/** The games on the machine's disk, by its last status. The first text is bold. */
export function queueWords(card: MachineCard): [waiting: string, rest: string] {
  const { queued, oldest_played_at, reported_at, timezone } = card;
  if (queued === null || reported_at === null) return ['', 'Queue not reported'];
  const at = isHeard(card) ? '' : ` at ${clockIn(reported_at, timezone)}`;
  if (queued === 0) return ['', `Nothing waiting${at}`];
  const oldest =
    at === '' && oldest_played_at !== null
      ? `, the oldest from ${clockIn(oldest_played_at, timezone)}`
      : at;
  return [`${queued.toLocaleString('en')} waiting`, oldest];
}

/** A machine's row of “Needs a hand”, or null. */
export function handOf(
  card: MachineCard,
  now: Date,
): { title: string; about: string; act: 'Look' | 'New key' } | null {
  if (!needsHand(card)) return null;
  const place = card.venue ?? 'No venue';
  const { name, since, timezone } = card;
  if (card.state === 'silent') {
    const span =
      since === null ? '' : `Since ${sinceIn(since, timezone, now)}, for ${spanOf(since, now)}. `;
    const title = card.heard_at === null ? `${name} has not called yet` : `${name} is silent`;
    return { title, about: `${span}${place}`, act: 'Look' };
  }
  if (card.state === 'refused' && card.keyless) {
    const from = since === null ? '' : `Since ${sinceIn(since, timezone, now)}. `;
    return { title: `${name} has no working key`, about: `${from}${place}`, act: 'Look' };
  }
  if (card.state === 'refused') {
    const from = since === null ? '' : `Since ${sinceIn(since, timezone, now)}. `;
    return { title: `${name}: its key is refused`, about: `${from}${place}`, act: 'New key' };
  }
  const from = card.clock_since;
  const worse = from === null ? '' : `Worse since ${sinceIn(from, timezone, now)}. `;
  return {
    title: `${name}: clock ${clockWords(card.clock_error_ms)}`,
    about: `${worse}${place}`,
    act: 'Look',
  };
}

const ORDER = ['silent', 'refused', 'clock', 'playing', 'idle', 'closed', 'repair'];
const RANK = (state: string) =>
  ['playing', 'idle', 'closed'].includes(state) ? 3 : ORDER.indexOf(state);

/** Sorts the cards: those that need a hand first, those in repair last, each group by name. */
export function inOrder(cards: readonly MachineCard[]): MachineCard[] {
  return cards.toSorted(
    (a, b) =>
      RANK(a.state) - RANK(b.state) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}
