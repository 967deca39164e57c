import { describe, expect, it } from 'vitest';
import type { Counts } from '#contract/wire/games.ts';
import { bestGame, byDay, countedFor, isInFigures } from './counted.ts';

describe('what a game counted for', () => {
  const cases: [Counts, number | null, string | null, string, string][] = [
    ['league', 1, 'Bankers', 'Counted for your team', 'counted'],
    ['league', 4, 'Reapers', 'Counted for Reapers', 'counted'],
    ['bench', 5, 'Bankers', 'Bench, 5th best', 'bench'],
    ['bench', 8, 'Bankers', 'Bench, 8th best', 'bench'],
    ['over_8', null, 'Bankers', 'Extra game', 'over'],
    ['league_mode_off', null, 'Bankers', 'League mode was off', 'out'],
    ['no_team', null, null, 'For you', 'out'],
    ['held', null, 'Bankers', 'Held for review', 'held'],
    ['void', null, 'Bankers', 'Taken out after review', 'out'],
  ];
  it.each(cases)('%s %s for %s: %s', (counts, place, team, words, sign) => {
    expect(countedFor({ counts, place, team }, 'Bankers')).toEqual({ words, sign });
  });
});

it('only held and void games are not in the figures', () => {
  const all: Counts[] = ['league', 'bench', 'over_8', 'league_mode_off', 'no_team', 'held', 'void'];
  expect(all.filter((counts) => !isInFigures({ counts }))).toEqual(['held', 'void']);
});

it('the best game is the earliest one with the high score; held games do not count', () => {
  const game = (id: string, score: number, counts: Counts = 'league') => ({ id, score, counts });
  const games = [game('d', 600), game('c', 900, 'held'), game('b', 600), game('a', 100)];
  expect(bestGame(games, 600)?.id).toBe('b');
  expect(bestGame(games, 900)).toBeUndefined();
  expect(bestGame(games, null)).toBeUndefined();
});

it('groups games by day in the phone’s time zone, and keeps their order', () => {
  const at = (day: number, hour: number) => ({
    played_at: new Date(2026, 10, day, hour).toISOString(),
  });
  const days = byDay([at(20, 23), at(20, 0), at(19, 23)]);
  expect(days.map(({ day, games }) => [day.getDate(), games.length])).toEqual([
    [20, 2],
    [19, 1],
  ]);
});
