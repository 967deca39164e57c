import { expect, test } from 'vitest';
import type { ContestState } from '#contract/wire/contests.ts';
import { contestText } from './contest.ts';

test('CONTEST-10: the profile says how the contest stands', () => {
  const starts_at = '2026-11-27T19:00:00.000Z';
  const now = '2026-11-27T21:39:00.000Z';
  const contest = {
    ...{ code: 'R4T9WX', name: 'Friday Night Hoops', scoring: 'best3' as const, n: 5 },
    ...{ starts_at, ends_at: '2026-11-27T22:00:00.000Z', now },
  };
  const at = Date.parse(now);
  const text = (state: ContestState, place: number | null, when = at) =>
    contestText({ ...contest, state, place }, when);
  expect(text('running', 4)).toBe('You are 4th, 21 min left');
  expect(text('running', null)).toBe('Play, and you are in, 21 min left');
  expect(text('planned', null, Date.parse(starts_at) - 30 * 60_000)).toBe(
    'Begins in 30 min. Everybody who plays is in.',
  );
  expect(text('settling', 4)).toBe('Last games are coming in');
  expect([text('final', 1), text('final', 2)]).toEqual(['You won', 'You came 2nd']);
});
