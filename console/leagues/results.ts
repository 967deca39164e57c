import type { ScheduleWeek } from '#contract/leagues.ts';

/**
 * Formats a CSV field. Escapes a name that begins like a formula, because a spreadsheet would run
 * it.
 */
function field(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A league's weeks as a CSV file, with a row for each matchup and each bye. */
export function resultsCsv(weeks: readonly ScheduleWeek[]): string {
  const rows = weeks.flatMap(({ week, from, to, matchups, bye }) => [
    ...matchups.map(({ home, home_total, away, away_total }) => [
      week,
      from,
      to,
      home,
      home_total,
      away,
      away_total,
    ]),
    ...(bye === null ? [] : [[week, from, to, bye, null, 'bye', null]]),
  ]);
  const head = ['week', 'from', 'to', 'home', 'home total', 'away', 'away total'];
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
