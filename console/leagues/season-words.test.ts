import { expect, test } from 'vitest';
import { championsWords, currentOf, latestEnd, rowOf, rulingOf, stepsOf } from './season-words.ts';

const inStates = (...states: ('planned' | 'running' | 'grace' | 'final')[]) =>
  states.map((state) => ({ state }));

test('a league opens the season that runs or is in grace, else the planned, else the last', () => {
  for (const [states, shown] of [
    [['final', 'planned'], 1],
    [['grace', 'planned'], 0],
    [['grace', 'running'], 1],
    [['final', 'running'], 1],
    [['final', 'final'], 1],
    [['planned'], 0],
  ] as const) {
    const seasons = inStates(...states);
    expect(currentOf(seasons), states.join()).toBe(seasons[shown]);
  }
});

test('SEASON-21: open cases keep a season open for 14 days after grace', () => {
  expect(latestEnd('2030-01-24T00:00:00.000Z')).toBe('2030-02-07T00:00:00.000Z');
});

test('SEASON-24, CUP-13: an open cup decides; a cup without a winner leaves no champion', () => {
  for (const [champions, no_champion, words] of [
    [['Reds', 'Blues'], false, 'Reds and Blues'],
    [[], false, 'The cup decides'],
    [[], true, 'No champion: the final had no winner'],
  ] as const)
    expect(championsWords({ champions: [...champions], no_champion })).toBe(words);
});

test('SEASON-50, FRAME-06: the next season knows a team by its id, under any name', () => {
  const named = (team: string, place: number | null) => ({
    ...{ team, place, won: 0, drawn: 0, lost: 0, total: 0 },
  });
  const noted = (team: string, team_id: string, withdrew: boolean) => ({
    ...{ team, team_id, withdrew, by: null, note: null },
  });
  const former = {
    standings: [named('Reds', 1), named('Old Name', null)],
    rows: [noted('Reds', '7', false), noted('Old Name', '8', true)],
  };
  expect(['7', '8', '9'].map((id) => rowOf(former, id))).toEqual([
    { place: 1, withdrew: false },
    { place: null, withdrew: true },
    { place: null, withdrew: false },
  ]);
});

test('SEASON-22, OPS-20: a season kept open can be ended while the next one runs', () => {
  for (const [states, steps] of [
    [['running'], [['follow', 'end']]],
    [['grace'], [['follow', 'end']]],
    [
      ['grace', 'running'],
      [['end'], ['follow', 'end']],
    ],
    [
      ['grace', 'grace'],
      [['end'], ['follow']],
    ],
    [
      ['final', 'final', 'planned'],
      [[], ['follow'], ['drop']],
    ],
  ] as const) {
    const seasons = inStates(...states).map((one, at) => ({ ...one, id: String(at) }));
    expect(seasons.map((one) => stepsOf(one, seasons))).toEqual(steps);
  }
});

test('SEASON-30, SEASON-35: a withdrawal decides a matchup without a ruling that staff could remove', () => {
  const sides = { home: 'Reds', away: 'Blues', home_total: 0, away_total: 0 };
  const decided = { ruling: 'home', reason: 'Moved away' } as const;
  for (const [matchup, ruling] of [
    [{}, null],
    [{ ...decided, decided_by: 'withdrawal' }, null],
    [{ ...decided, decided_by: 'ruling' }, decided],
  ] as const)
    expect(rulingOf({ ...sides, ...matchup })).toEqual(ruling);
});
