import { expect, test } from 'vitest';
import { boardOf } from './FriendList.tsx';

const jersey = { avatar_color: '#377AD3', jersey_number: '07' };
const me = { username: 'MAYA', ...jersey };
const friend = (
  username: string,
  best_week_game: number | null,
  high_score: number,
  games = 1,
) => ({
  n: username,
  username,
  ...jersey,
  high_score,
  average: 1,
  games,
  best_week_game,
});
const friends = {
  results: [
    friend('A', 500, 500),
    friend('B', 402, 900),
    friend('C', null, 0),
    friend('D', null, 0, 0),
  ],
  me: { best_week_game: 402, high_score: 611, games: 1 },
};
const rows = (period: 'week' | 'all') =>
  boardOf(friends, me, period).map(({ place, username }) => [place, username]);

test('FRIEND-08 equal scores share a place, and friends without a game come last', () => {
  expect(rows('week')).toEqual([
    [1, 'A'],
    [2, 'MAYA'],
    [2, 'B'],
    [null, 'C'],
    [null, 'D'],
  ]);
  expect(rows('all')).toEqual([
    [1, 'B'],
    [2, 'MAYA'],
    [3, 'A'],
    // Played, without a point.
    [4, 'C'],
    [null, 'D'],
  ]);
});
