import { describe, expect, it } from 'vitest';
import type { Counts } from '#contract/wire/games.ts';
import { bestGame, byDay, countedFor, isInFigures, percentOf, shortReason } from './counted.ts';

describe('what a game counted for', () => {
  const cases: [Counts, number | null, string | null, string, string][] = [
    ['league', 1, 'Bankers', 'Counted for your team', 'Counted'],
    ['league', 4, 'Reapers', 'Counted for Reapers', 'Counted for Reapers'],
    ['bench', 5, 'Bankers', 'Bench, 5th best', 'Bench, 5th best'],
    ['bench', 8, 'Bankers', 'Bench, 8th best', 'Bench, 8th best'],
    ['over_8', null, 'Bankers', 'Extra game', 'Extra game'],
    ['league_mode_off', null, 'Bankers', 'League mode was off', 'League mode off'],
    ['no_team', null, null, 'For you', 'For you'],
    ['off_season', null, 'Bankers', 'No season was running', 'No season was running'],
    ['paused', null, 'Bankers', 'The week was postponed', 'Week postponed'],
    ['held', null, 'Bankers', 'Held for review', 'Held for review'],
    ['void', null, 'Bankers', 'Taken out after review', 'Taken out'],
  ];
  it.each(cases)(
    'HAND-71 %s, place %s, for %s reads “%s”, in a row “%s”',
    (counts, place, team, words, short) => {
      expect(countedFor({ counts, place, team }, 'Bankers')).toBe(words);
      expect(shortReason({ counts, place, team }, 'Bankers')).toBe(short);
    },
  );
});

it.each([
  [4, 7, 57],
  [1, 200, 1],
  [1, 201, 0],
  [0, 3, 0],
  [3, 3, 100],
  [4, 3, null],
  [0, 0, null],
])('HAND-73 %d of %d shots are %s percent', (made, tried, percent) => {
  expect(percentOf({ made, tried })).toBe(percent);
});

it('HAND-73 a machine that sends no shots has no percentage', () => {
  expect(percentOf(null)).toBeNull();
});

it('the figures leave out held and void games, and no others', () => {
  const all: Counts[] = ['league', 'bench', 'over_8', 'league_mode_off', 'no_team', 'held', 'void'];
  expect(all.filter((counts) => !isInFigures({ counts }))).toEqual(['held', 'void']);
});

it('the best game is the earliest with the high score, and never a held game', () => {
  const game = (id: string, score: number, counts: Counts = 'league') => ({ id, score, counts });
  const games = [game('d', 600), game('c', 900, 'held'), game('b', 600), game('a', 100)];
  expect(bestGame(games, 600)?.id).toBe('b');
  expect(bestGame(games, 900)).toBeUndefined();
  expect(bestGame(games, null)).toBeUndefined();
});

it('groups games by day in the phone’s time zone, with the venue if the day has only one', () => {
  const at = (day: number, hour: number, venue: string | null = 'Dockside') => ({
    played_at: new Date(2026, 10, day, hour).toISOString(),
    venue,
  });
  const days = byDay([at(20, 23), at(20, 0), at(19, 23), at(18, 3), at(18, 2, 'Station')]);
  expect(days.map(({ day, games, venue }) => [day.getDate(), games.length, venue])).toEqual([
    [20, 2, 'Dockside'],
    [19, 1, 'Dockside'],
    [18, 2, null],
  ]);
});
