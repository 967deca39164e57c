import { expect, test } from 'vitest';
import { newMembership } from './TeamChange.tsx';

const SINCE = '2026-11-20T12:00:00.000Z';
const DAY_MS = 24 * 3_600_000;
const after = (ms: number) => new Date(new Date(SINCE).getTime() + ms);
const stats = (how: 'code' | 'accepted' | 'staff') => ({ membership: { since: SINCE, how } });

test('HAND-47 a team is new for seven days, but not to a player who typed a code', () => {
  const accepted = stats('accepted');
  expect(newMembership(accepted, after(0))).toEqual(accepted.membership);
  expect(newMembership(stats('staff'), after(7 * DAY_MS))).toMatchObject({ how: 'staff' });
  expect(newMembership(stats('staff'), after(7 * DAY_MS + 1))).toBeNull();
  expect(newMembership(stats('code'), after(0))).toBeNull();
  expect(newMembership({ membership: null }, after(0))).toBeNull();
});
