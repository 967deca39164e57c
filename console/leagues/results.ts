import { csvLine } from '#contract/rules/csv.ts';
import type { ScheduleWeek } from '#contract/wire/leagues.ts';

/** A league's weeks as CSV: a row for each matchup and bye. */
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
  return [head, ...rows].map(csvLine).join('');
}
