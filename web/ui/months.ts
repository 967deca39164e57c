/* Apart from dates.ts, because the steps of sign-up need only this. */

export const LONG_MONTHS = [
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

/** "14 September 2027"; `day` is `YYYY-MM-DD`. */
export function longDay(day: string): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
