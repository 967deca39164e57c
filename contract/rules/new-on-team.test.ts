import { expect, test } from 'vitest';
import { newOnTeamWords } from './new-on-team.ts';

const CLOSES = { week_closes_at: '2026-12-07T00:00:00Z' };

test.each([
  ['staff', true, 8, 'Staff added you. League mode is on: your next 8 games this week count.'],
  ['accepted', true, 2, 'Staff said yes. League mode is on: your next 2 games this week count.'],
  ['staff', true, 1, 'Staff added you. League mode is on: your next game this week counts.'],
  ['accepted', true, 1, 'Staff said yes. League mode is on: your next game this week counts.'],
  [
    'staff',
    true,
    0,
    'Staff added you. League mode is on: your games count when the next week begins.',
  ],
  ['staff', false, 8, 'Staff added you. League mode is off. Switch it on for your games to count.'],
  [
    'accepted',
    false,
    8,
    'Staff said yes. League mode is off. Switch it on for your games to count.',
  ],
] as const)(
  'HAND-47: the words say how a player came to the team (%s, mode %s, %i left)',
  (how, on, league_games_left, words) => {
    const stats = { me: { league_games_left }, season: null, season_starts_at: null, ...CLOSES };
    expect(newOnTeamWords({ how, on, stats })).toBe(words);
  },
);

const SEASON = 'Staff added you. League mode is on: your games count when the next season begins.';
const WEEK = 'Staff added you. League mode is on: your games count when the next week begins.';
const JOINS =
  'Staff added you. League mode is on: your games count when your team joins the season.';
const RUNNING = { state: 'running', postponed: null, entered: true };

test.each([
  ['before a season', null, '2026-12-07T00:00:00Z', SEASON],
  ['after a season', { state: 'final', postponed: null }, null, SEASON],
  ['while late games count', { state: 'grace', postponed: null }, '2026-12-07T00:00:00Z', SEASON],
  ['in a postponed week', { state: 'running', postponed: 'Snow' }, '2026-12-07T00:00:00Z', WEEK],
  ['a week before the team joins', RUNNING, '2026-12-07T00:00:00Z', WEEK],
  ['two weeks before the team joins', RUNNING, '2026-12-14T00:00:00Z', JOINS],
  ['outside the season', { state: 'running', postponed: null, entered: false }, null, SEASON],
] as const)('HAND-47: the words say from when games count, %s', (_, season, starts, words) => {
  const stats = { me: { league_games_left: 0 }, season, season_starts_at: starts, ...CLOSES };
  expect(newOnTeamWords({ how: 'staff', on: true, stats })).toBe(words);
});
