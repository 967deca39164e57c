// These names do not come from `Intl`: some browsers write "Sept" or a comma.
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const pad = (n: number) => String(n).padStart(2, '0');

/** "20 Nov" in the phone's time zone; with the year unless it is that of `now`. */
export function dayAndMonth(date: Date, now: Date): string {
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === now.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

export function weekdayAndDay(date: Date, now: Date): string {
  return `${DAYS[date.getDay()]} ${dayAndMonth(date, now)}`;
}

export function clockTime(date: Date): string {
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** "Sunday 27 December"; `day` is `YYYY-MM-DD`. */
export function fullDay(day: string): string {
  const date = new Date(day);
  return `${LONG_DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]}`;
}

const RECENT_MS = 6 * 24 * 3_600_000;

/** "19:21" today, "Thursday 21:05" in the last six days, otherwise "19 Nov 21:05". */
export function recentTime(date: Date, now: Date): string {
  const time = clockTime(date);
  if (isSameDay(date, now)) return time;
  const recent = now.getTime() - date.getTime() < RECENT_MS;
  return `${recent ? LONG_DAYS[date.getDay()] : dayAndMonth(date, now)} ${time}`;
}

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** "14 September 2027"; `day` is `YYYY-MM-DD`. */
export function longDay(day: string): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "9 November"; `day` is `YYYY-MM-DD`. */
export function dayAndLongMonth(day: string): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]}`;
}

/** "9–15 Nov" or "28 Sep – 4 Oct"; days are `YYYY-MM-DD`. */
export function dayRange(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  const month = (date: Date) => MONTHS[date.getUTCMonth()];
  const end = `${last.getUTCDate()} ${month(last)}`;
  return month(first) === month(last)
    ? `${first.getUTCDate()}–${end}`
    : `${first.getUTCDate()} ${month(first)} – ${end}`;
}

const UNITS = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * A duration in its two largest units, at least one minute: `short` for the screen, `words` for
 * screen readers, `iso` as ISO 8601.
 */
export function timeLeft(ms: number): { short: string; words: string; iso: string } {
  let minutes = Math.max(1, Math.floor(ms / 60_000));
  const parts = UNITS.map(([unit, size]) => {
    const n = Math.floor(minutes / size);
    minutes -= n * size;
    return { n, unit };
  });
  const largest = parts.findIndex(({ n }) => n > 0);
  const shown = parts.slice(largest, largest + 2).filter(({ n }) => n > 0);
  const inIso = (unit: string) =>
    shown.flatMap((part) => (part.unit === unit ? `${part.n}${unit.charAt(0).toUpperCase()}` : []));
  const time = [...inIso('hour'), ...inIso('minute')].join('');
  return {
    short: shown
      .map(({ n, unit }) => `${n} ${unit === 'minute' ? 'min' : unit.charAt(0)}`)
      .join(' '),
    words: shown.map(({ n, unit }) => `${n} ${unit}${n === 1 ? '' : 's'}`).join(' '),
    iso: `P${inIso('day').join('')}${time === '' ? '' : `T${time}`}`,
  };
}

const MINUTE_MS = 60_000;

/** `1 h 21`, in the last hour `21 min`, in the last minute `45 s`. */
export function shortLeft(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.ceil(ms / 1000))} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)}`;
}
