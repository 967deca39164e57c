import { expect, test } from 'vitest';
import { newTeamWords } from './TeamStrips.tsx';

const SINCE = '2026-11-20T12:00:00.000Z';
const DAY_MS = 24 * 3_600_000;
const after = (ms: number) => new Date(new Date(SINCE).getTime() + ms);
const stats = (how: 'code' | 'accepted' | 'staff') => ({
  membership: { since: SINCE, how },
  me: { league_games_left: 8, fourth_best: null },
});

test('HAND-47 the strip announces a new team for seven days, but not to a player who typed a code', () => {
  expect(newTeamWords(stats('staff'), true, after(7 * DAY_MS))).toBe(
    'Staff added you. League mode is on: your next 8 games this week count.',
  );
  expect(newTeamWords(stats('accepted'), false, after(0))).toBe(
    'Staff said yes. League mode is off. Switch it on for your games to count.',
  );
  expect(newTeamWords(stats('staff'), true, after(7 * DAY_MS + 1))).toBeNull();
  expect(newTeamWords(stats('code'), true, after(0))).toBeNull();
  expect(newTeamWords({ ...stats('code'), membership: null }, true, after(0))).toBeNull();
});
