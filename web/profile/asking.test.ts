import { expect, test } from 'vitest';
import { mayAsk } from './asking.ts';

const NOW = new Date('2026-11-27T20:00:00Z');
const user = { visibility_max: 'venue', visibility_question: false } as const;
const game = { counts: 'league', landed_at: '2026-11-27T19:00:00Z' } as const;

test('PUSH-30 PUSH-T7 the question is asked only if every condition is met', () => {
  expect(mayAsk(user, game, NOW)).toBe(true);
  expect(mayAsk({ ...user, visibility_max: 'league' }, game, NOW)).toBe(false);
  expect(mayAsk({ ...user, visibility_question: true }, game, NOW)).toBe(false);
  expect(mayAsk(user, undefined, NOW)).toBe(false);
  expect(mayAsk(user, { ...game, counts: 'held' }, NOW)).toBe(false);
  expect(mayAsk(user, { ...game, counts: 'void' }, NOW)).toBe(false);
  expect(mayAsk(user, { ...game, landed_at: '2026-11-26T19:00:00Z' }, NOW)).toBe(false);
});
