import { expect, test } from 'vitest';
import type { ContestState } from '#contract/wire/contests.ts';
import { contestText, lineText } from './contest.ts';

test('CONTEST-10: the profile says how the contest stands', () => {
  const starts_at = '2026-11-27T19:00:00.000Z';
  const now = '2026-11-27T21:39:00.000Z';
  const contest = {
    ...{
      games_left: null,
      code: 'R4T9WX',
      name: 'Friday Night Hoops',
      scoring: 'best3' as const,
      n: 5,
    },
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

test('CONTEST-03, CUP-10: the line under the code leaves out what no more game can count for', () => {
  const times = {
    ...{ starts_at: '2026-11-27T19:00:00.000Z', ends_at: '2026-11-27T22:00:00.000Z' },
    ...{ now: '2026-11-27T21:39:00.000Z' },
  };
  const text = (contestLeft: number | null, cupLeft: number, team = false) =>
    lineText(
      {
        contest: {
          ...{ ...times, code: 'R4T9WX', name: 'Friday Night Hoops', state: 'running' },
          ...{ scoring: 'first_n', n: 5, place: 1, games_left: contestLeft },
        },
        cup: {
          ...{ ...times, id: '1', name: 'Finals night', pairing: 'Final', kind: 'players' },
          ...{ ahead: 0, known: true, games_left: cupLeft },
        },
      },
      team,
    );
  expect(text(1, 1)).toBe('This game counts for the cup and the contest.');
  expect(text(0, 1, true)).toBe('This game counts for the cup and your team.');
  expect(text(null, 0)).toBe('This game counts for the contest and you.');
  expect(text(0, 0)).toBeNull();
});
