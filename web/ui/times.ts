const pad = (n: number) => String(n).padStart(2, '0');

export function clockTime(date: Date): string {
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** The same time on the day before, in the phone's time zone. */
export function dayBefore(date: Date): Date {
  const before = new Date(date);
  before.setDate(date.getDate() - 1);
  return before;
}

const UNITS = [
  { unit: 'day', minutes: 1440, from: 2 * 1440, iso: (n: number) => `P${n}D` },
  { unit: 'hour', minutes: 60, from: 60, iso: (n: number) => `PT${n}H` },
  { unit: 'minute', minutes: 1, from: 0, iso: (n: number) => `PT${n}M` },
];

/**
 * A duration: in days from 48 hours on ("2 days"), in hours from one hour on ("31 hours"),
 * otherwise in minutes ("40 minutes"), at least one.
 */
export function timeLeft(ms: number): { words: string; iso: string } {
  const left = Math.max(1, Math.floor(ms / 60_000));
  const { unit = '', minutes = 1, iso = String } = UNITS.find(({ from }) => left >= from) ?? {};
  const n = Math.floor(left / minutes);
  return { words: n === 1 ? `1 ${unit}` : `${n} ${unit}s`, iso: iso(n) };
}

const MINUTE_MS = 60_000;

/** `1 h 21`, in the last hour `21 min`, in the last minute `45 s`. */
export function shortLeft(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.ceil(ms / 1000))} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)}`;
}
