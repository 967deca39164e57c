import { describe, expect, it } from 'vitest';
import { announcement, boardName, listsOf, moveOf } from './board.ts';

const row = (place: number, username: string) => ({
  place,
  username,
  avatar_color: '#377AD3',
  jersey_number: '00',
  score: 1000 - place,
  was: null,
});
const names = (rows: { username: string | null }[]) => rows.map(({ username }) => username);
const twenty = Array.from({ length: 20 }, (_, at) => row(at + 1, `p${at + 1}`));

describe('the lists', () => {
  it('are one list when the player is among the best', () => {
    const results = [row(1, 'a'), row(2, 'me'), row(2, 'b')];
    const { best, near, gap } = listsOf({ results, around: results, above: 0 }, 'me');
    expect(best.map(({ shared, me }) => [shared, me])).toEqual([
      [false, false],
      [true, true],
      [true, false],
    ]);
    expect([near, gap]).toEqual([[], false]);
  });

  it('are two lists with a gap when the player is further down', () => {
    const around = [row(56, 'x'), row(57, 'y'), row(58, 'me'), row(58, 'z'), row(60, 'q')];
    const { best, near, gap } = listsOf({ results: twenty, around, above: 55 }, 'me');
    expect(best).toHaveLength(20);
    expect(near.map(({ at }) => at)).toEqual([55, 56, 57, 58, 59]);
    expect(names(near)).toEqual(['x', 'y', 'me', 'z', 'q']);
    expect(near.map(({ shared }) => shared)).toEqual([false, false, true, true, false]);
    expect(gap).toBe(true);
  });

  it.each([
    [21, ['me', 'p22', 'p23']],
    [22, ['p21', 'me', 'p23', 'p24']],
    [23, ['p21', 'p22', 'me', 'p24', 'p25']],
  ])('are joined without a gap when the player is at place %d', (place, expected) => {
    const around = [-2, -1, 0, 1, 2].map((by) =>
      row(place + by, by === 0 ? 'me' : `p${place + by}`),
    );
    const { near, gap } = listsOf({ results: twenty, around, above: place - 3 }, 'me');
    expect(names(near)).toEqual(expected);
    expect(near[0]?.at).toBe(20);
    expect(gap).toBe(false);
  });

  it('have a gap when a neighbour below the best list shares the last row’s place', () => {
    const tied = twenty.map((one) => (one.place === 20 ? row(19, 'p20') : one));
    const around = [row(19, 'x'), row(19, 'y'), row(24, 'me')];
    expect(listsOf({ results: tied, around, above: 21 }, 'me').gap).toBe(true);
  });

  it('have no row for a player without a score', () => {
    expect(listsOf({ results: twenty, around: [], above: 0 }, 'me')).toMatchObject({
      near: [],
      gap: false,
    });
  });

  it('keep two rows without a name as two rows', () => {
    const nobody = (place: number) => ({ ...row(place, ''), username: null });
    const results = twenty.map((one) => (one.place < 19 ? one : nobody(one.place)));
    const around = [nobody(20), nobody(21), row(22, 'me'), nobody(23)];
    const { near, gap } = listsOf({ results, around, above: 19 }, 'me');
    expect(near.map(({ at, username }) => [at, username])).toEqual([
      [20, null],
      [21, 'me'],
      [22, null],
    ]);
    expect(gap).toBe(false);
  });
});

it('gives a board a full name and a short announcement', () => {
  expect(boardName({ scope: 'all', period: 'all' })).toBe('Highest scores, everyone, all time');
  expect(boardName({ scope: 'league', period: 'week' })).toBe('Highest scores, league, this week');
  expect(announcement({ scope: 'venue', period: 'week' }, 20)).toBe('Venue, week, 20 players');
  expect(announcement({ scope: 'all', period: 'all' }, 1)).toBe('All, all time, 1 player');
});

it('HAND-96 says how far a row has moved, but not for a row without a name', () => {
  const moved = (place: number, was: number | null) => moveOf({ ...row(place, 'a'), was }, true);
  expect([moved(2, 4), moved(4, 2), moved(3, 3)]).toEqual([2, -2, null]);
  // Only the first 100 places are kept.
  expect([moved(100, null), moved(101, null)]).toEqual(['new', null]);
  expect(moveOf({ ...row(2, 'a'), was: null }, false)).toBeNull();
  expect(moveOf({ ...row(2, 'a'), was: null, username: null }, true)).toBeNull();
});
