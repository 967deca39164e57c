import { expect, test } from 'vitest';
import { countedFor } from './counted.ts';
import { opens, reportedLine } from './reported.ts';

test('PROD-98 the line under a game says what was reported, and what staff decided', () => {
  const line = (
    report: 'open' | 'void' | 'stands' | null,
    report_reason: 'not_mine' | 'machine' | 'other' | null,
  ) => reportedLine({ report, report_reason })?.words ?? null;
  expect(line(null, null)).toBeNull();
  expect(line('open', 'not_mine')).toBe('You reported: not mine. Staff will take a look.');
  expect(line('open', 'machine')).toBe('You reported the machine. Staff will take a look.');
  expect(line('open', 'other')).toBe('You reported this. Staff will take a look.');
  expect(line('void', 'not_mine')).toBe('You reported this. It counts nowhere now.');
  expect(line('stands', 'machine')).toBe('Checked: it counts.');
  const stands = { report: 'stands', report_reason: 'machine' } as const;
  expect(reportedLine({ ...stands, counts: 'league' })?.words).toBe('Checked: it counts.');
  expect(reportedLine({ ...stands, counts: 'void' })).toBeNull();
  expect(reportedLine({ ...stands, counts: 'held' })).toBeNull();
});

test('PROD-98 a game taken out after “not mine” reads “not your game”', () => {
  const game = { counts: 'void', place: null, team: null, report: 'void' } as const;
  expect(countedFor({ ...game, report_reason: 'not_mine' }, null)).toBe('Taken out: not your game');
  expect(countedFor({ ...game, report_reason: 'machine' }, null)).toBe('Taken out after review');
});

test('PROD-98 the button opens the form or the report, or is absent', () => {
  const row = { counts: 'league', report_reason: null } as const;
  expect(opens({ ...row, report: null })).toBe('form');
  expect(opens({ ...row, report: 'stands' })).toBe('form');
  expect(opens({ ...row, report: 'open' })).toBe('report');
  expect(opens({ ...row, counts: 'void', report: 'void' })).toBe('report');
  expect(opens({ ...row, counts: 'void', report: null })).toBeNull();
});
