import { expect, test } from 'vitest';
import { keptElsewhere, keptHere } from './kept-open.ts';

const season = { id: '7', league_id: '3', league: 'Dock League', name: 'Season 1' };
const none = { held: 0, complaints: 0 };

test('SEASON-21: a sentence says how many of the cases in view keep a season open', () => {
  const kept = { ...season, held: 3, complaints: 1, here: { held: 1, complaints: 0 } };
  expect(keptHere([kept], 'held', 2)).toEqual(['1 of them keeps Season 1 of Dock League open']);
  expect(keptHere([kept], 'complaints', 1)).toEqual([]);
  const all = { ...kept, here: { held: 3, complaints: 1 } };
  expect(keptHere([all], 'held', 3)).toEqual(['They keep Season 1 of Dock League open']);
});

test('SEASON-21: a season that cases of other venues keep open has a row of its own', () => {
  const kept = { ...season, held: 3, complaints: 1, here: { held: 1, complaints: 0 } };
  expect(keptElsewhere([kept])).toEqual([
    {
      id: '7',
      league: 'Dock League',
      name: 'Season 1',
      title: '2 held games and 1 report elsewhere',
      about: 'They keep Season 1 of Dock League open',
      to: '/console/leagues/3/season?season=7',
    },
  ]);
  expect(keptElsewhere([{ ...kept, here: { held: 3, complaints: 1 } }])).toEqual([]);
  expect(keptElsewhere([{ ...season, held: 1, complaints: 0, here: none }])).toMatchObject([
    { title: '1 held game elsewhere', about: 'It keeps Season 1 of Dock League open' },
  ]);
});
