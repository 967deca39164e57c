import { expect, test } from 'vitest';
import type { PlayedGame } from '#contract/wire/games.ts';
import type { User } from '#contract/wire/profile.ts';
import { mayAskAboutWall } from './wall.ts';

const NOW = new Date('2026-11-20T20:00:00Z');
const USER = { visibility: 'players', visibility_max: 'venue', visibility_question: false } as User;
const GAME = { counts: 'bench', venue: 'Arcade', landed_at: '2026-11-20T19:00:00Z' } as PlayedGame;

test('HAND-50 the app asks the server only when the answer can be yes', () => {
  const asks = (user: Partial<User>, game: Partial<PlayedGame> = {}) =>
    mayAskAboutWall({ ...USER, ...user }, { ...GAME, ...game }, NOW);
  expect(asks({})).toBe(true);
  expect(asks({ visibility: 'venue' })).toBe(false);
  expect(asks({ visibility: 'league' })).toBe(false);
  expect(asks({ visibility_max: 'league' })).toBe(false);
  expect(asks({ visibility_question: true })).toBe(false);
  expect(asks({}, { counts: 'held' })).toBe(false);
  expect(asks({}, { counts: 'void' })).toBe(false);
  expect(asks({}, { venue: null })).toBe(false);
  expect(asks({}, { landed_at: '2026-11-19T19:59:00Z' })).toBe(false);
  expect(mayAskAboutWall(USER, undefined, NOW)).toBe(false);
});
