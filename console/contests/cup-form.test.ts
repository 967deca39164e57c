import { expect, test } from 'vitest';
import {
  countWords,
  newCup,
  ofLeague,
  ofSeason,
  sentCup,
  sizeHelp,
  teamLines,
} from './cup-form.tsx';

test('CUP-04: if the table has fewer teams than staff want, the form says how many', () => {
  const season = { ...newCup('1'), from: 'season' as const };
  expect(sizeHelp(season, 6)).toMatch(/ The table has 6 teams\.$/);
  expect(sizeHelp({ ...season, size: '4' }, 4)).not.toMatch('The table');
  expect(sizeHelp(season, undefined)).not.toMatch('The table');
});

test('CUP-10: the form says which games count, even if only one game counts', () => {
  expect(countWords(4, 8)).toMatch(/^Of the first 8 games .*, the best 4 are added up\./);
  expect(countWords(1, 8)).toMatch(/^Of the first 8 games .*, the best one counts\./);
  expect(countWords(1, 1)).toMatch(/^The first game .* counts\./);
});

test('CUP-07: a cup of weeks starts at midnight, a cup of hours at the chosen time', () => {
  const form = { ...newCup('1'), starts: '2026-11-30' };
  expect(sentCup({ ...form, windows: 'weeks' }).starts).toBe('2026-11-30T00:00');
  expect(sentCup({ ...form, starts: '2026-11-30T19:00' }).starts).toBe('2026-11-30T19:00');
});

const named = (name: string) => ({ id: name, name, waiting: 0, players: [] });
const row = (team: string) => ({ place: 1, team, won: 0, drawn: 0, lost: 0, total: 0 });

test('CUP-04: the form lists teams in the table’s order while the season runs, otherwise by name', () => {
  const page = {
    teams: ['Aces', 'Bears', 'Cobras', 'Ducks'].map(named),
    standings: ['Cobras', 'Gone', 'Aces', 'Ducks'].map(row),
  };
  const running = { ...page, week: 3, weeks: 8, ended: 2 };
  expect(teamLines(running)).toBe('Cobras\nAces\nDucks\nBears');
  expect(teamLines({ ...running, weeks: 0, ended: 0 })).toBe('Cobras\nAces\nDucks\nBears');
  const byName = 'Aces\nBears\nCobras\nDucks';
  expect(teamLines({ ...running, week: 8, ended: 8 })).toBe(byName);
  expect(teamLines({ ...running, week: 0, ended: 0 })).toBe(byName);
});

test('CUP-04: the form opens with a past season’s table, or with a league’s teams', () => {
  expect(ofSeason('2', '7')).toEqual({ from: 'season', league: '2', season: '7' });
  expect(ofSeason('2', null)).toEqual({ from: 'sides', league: '2' });
  expect(ofSeason(null, null)).toEqual({});
});

test('CUP-04: choosing another league removes only teams that the form filled in', () => {
  expect(ofLeague({ sides: 'Aces\nBears' }, '2', 'Aces\nBears')).toMatchObject({ sides: null });
  expect(ofLeague({ sides: '' }, '2', 'Aces\nBears')).toMatchObject({ sides: null });
  expect(ofLeague({ sides: 'Bears' }, '2', 'Aces\nBears')).toEqual({ league: '2', season: '' });
});
