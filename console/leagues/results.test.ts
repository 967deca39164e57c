import { expect, test } from 'vitest';
import { resultsCsv } from './results.ts';

test('the results CSV has a row for each matchup and bye, and is safe for spreadsheets', () => {
  const week = { week: 1, from: '2026-11-16', to: '2026-11-22' };
  const first = {
    ...week,
    matchups: [{ home: 'Air, "Ballers"', away: 'x;=1+1', home_total: 5604, away_total: 0 }],
    bye: 'Net Profits',
  };
  const next = { home: 'Reapers', away: 'Cannons', home_total: null, away_total: null };
  expect(resultsCsv([first, { ...week, week: 2, matchups: [next], bye: null }])).toBe(
    [
      'week,from,to,home,home total,away,away total',
      `1,2026-11-16,2026-11-22,"Air, ""Ballers""",5604,x;'=1+1,0`,
      '1,2026-11-16,2026-11-22,Net Profits,,bye,',
      '2,2026-11-16,2026-11-22,Reapers,,Cannons,',
      '',
    ].join('\r\n'),
  );
});
