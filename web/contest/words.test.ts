import { expect, test } from 'vitest';
import type { ContestPage } from '#contract/wire/contests.ts';
import { shortLeft } from '../ui/times.ts';
import { gameText, rule, standingOf, withoutPlaceText } from './words.ts';

const row = (place: number, points: number) => ({
  place,
  points,
  username: null,
  avatar_color: null,
  jersey_number: null,
});
const page: ContestPage = {
  code: 'R4T9WX',
  name: 'Friday Night Hoops',
  venue: 'Dockside Arcade',
  scoring: 'best3',
  n: 5,
  starts_at: '2026-11-27T19:00:00.000Z',
  ends_at: '2026-11-27T22:00:00.000Z',
  state: 'running',
  prizes: null,
  now: '2026-11-27T21:39:00.000Z',
  players: 4,
  results: [row(1, 1_611), row(2, 1_530), row(3, 1_440), row(4, 1_402)],
  around: [],
  above: 0,
  waiting: [],
  next_at: null,
  mine: { place: 4, points: 1_402, games: [] },
};

test('CONTEST-10: the time left is in minutes in the last hour, in seconds in the last minute', () => {
  expect([shortLeft(81 * 60_000), shortLeft(21 * 60_000), shortLeft(59_001)]).toEqual([
    '1 h 21',
    '21 min',
    '60 s',
  ]);
  expect(shortLeft(-5)).toBe('0 s');
});

test('CONTEST-10: the standing has the place, and the gap to the place above or the lead', () => {
  expect(standingOf(page)).toEqual({ place: 4, points: 1_402, gap: 38, to: 'to 3rd place' });
  const first = { ...page, mine: { place: 1, points: 1_611, games: [] } };
  expect(standingOf(first)).toMatchObject({ gap: 81, to: 'ahead' });
  const alone = { ...first, results: [row(1, 1_611)] };
  expect(standingOf(alone)).toMatchObject({ gap: null });
  expect(standingOf({ ...page, mine: null })).toBeNull();
});

test('CONTEST-10: a player without a place reads that the contest is over, and then who won', () => {
  expect(withoutPlaceText(page, true)).toBe('Play, and you are in');
  expect(withoutPlaceText({ ...page, state: 'settling' }, false)).toBe('It is over');
  const final: ContestPage = { ...page, state: 'final' };
  expect(withoutPlaceText(final, false)).toBe('A player won');
  expect(
    withoutPlaceText({ ...final, results: [{ ...row(1, 1_611), username: 'Lil_Swish' }] }, false),
  ).toBe('LIL_SWISH won');
  const shared = [{ ...row(1, 1_611), username: 'Lil_Swish' }, row(1, 1_611), row(3, 900)];
  expect(withoutPlaceText({ ...final, results: shared }, false)).toBe('LIL_SWISH and A player won');
  expect(withoutPlaceText({ ...final, results: [] }, false)).toBe('It is over');
});

test('CONTEST-03: the words say which games count, and why a game does not count', () => {
  expect(rule(page)).toBe('Your best three games, together.');
  expect(rule({ scoring: 'first_n', n: 5 })).toBe('Your first five games, together.');
  expect(gameText('over', { ...page, scoring: 'first_n' })).toBe(
    'Not for the contest: your first 5 count',
  );
  expect(gameText('below', page)).toBe('Not among your best three');
});
