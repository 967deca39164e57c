import { expect, test } from 'vitest';
import type { CupPage, CupPairing } from '#contract/wire/cups.ts';
import {
  countsText,
  firstRound,
  hasSums,
  isRunning,
  openText,
  timeText,
  withoutGames,
} from './cup.ts';

const side = { seed: 1, team: null, username: null, avatar_color: null, jersey_number: null };
const pairing = (starts_at: string, ends_at: string, days: CupPairing['days']): CupPairing => ({
  ...{ id: '0-0', label: 'Final', winner: null, decided: false, how: null, sums: null },
  ...{ games: null, starts_at, ends_at, days },
  a: { ...side, from: null },
  b: { ...side, seed: 2, from: null },
});

test('CUP-10: the page says how many games count, and how many of each player in a team', () => {
  expect(countsText({ best: 4, of: 8, per_player: null })).toBe(
    'Best 4 of a player’s first 8 games.',
  );
  expect(countsText({ best: 8, of: 16, per_player: 4 })).toBe(
    'Best 8 of a team’s first 16 games, at most 4 of each player.',
  );
});

test('CUP-30: a window of weeks is shown by its days, without times', () => {
  // A week in Sydney, which ends on a Sunday afternoon in Europe.
  const days = { from: '2026-11-30', to: '2026-12-06' };
  const week = pairing('2026-11-29T13:00:00Z', '2026-12-06T13:00:00Z', days);
  const [before, during] = [new Date('2026-11-27T12:00:00Z'), new Date('2026-12-01T13:00:00Z')];
  expect(timeText(week, before)).toBe('Mon 30 Nov to Sun 6 Dec');
  expect(openText(week, before)).toBe('Mon 30 Nov to Sun 6 Dec');
  expect(timeText(week, during)).toBe('Until Sun 6 Dec');
  expect(openText(week, during)).toBe('5 days left, until Sun 6 Dec');
  expect(openText(week, new Date('2026-12-06T13:00:00Z'))).toBe('Last games are coming in');
});

test('CUP-30: a window of one night is shown with its times', () => {
  const [starts, ends] = [new Date(2026, 10, 27, 20, 30), new Date(2026, 10, 27, 21, 45)];
  const night = pairing(starts.toISOString(), ends.toISOString(), null);
  expect(timeText(night, new Date(2026, 10, 26))).toBe('Fri 27 Nov, 20:30 to 21:45');
  expect(openText(night, new Date(2026, 10, 27, 21, 11))).toBe('34 min left, until 21:45');
  const at = (time: Date, ms: number) => isRunning(night, new Date(time.getTime() + ms));
  expect([at(starts, -1), at(starts, 0), at(ends, -1), at(ends, 0)]).toEqual([
    ...[false, true],
    ...[true, false],
  ]);
  expect(isRunning({ ...night, decided: true }, starts)).toBe(false);
});

test('CUP-16: a side that has left reads so until its opponent is known', () => {
  const mine = {
    ...{ seed: 1, pairing: '0-0', to_gain: null, games_left: 0, own_games: 0, own_max: 8 },
    ...{ withdrew: true, can_leave: false },
  };
  const [open, decided] = [
    { how: null, decided: false },
    { how: 'walkover' as const, decided: true },
  ];
  expect(withoutGames({ kind: 'players', mine }, open)).toBe(
    'You have left the cup. Your opponent goes on.',
  );
  expect(withoutGames({ kind: 'teams', mine }, open)).toContain('Your team has left the cup.');
  expect(withoutGames({ kind: 'players', mine }, decided)).toBeNull();
  expect(withoutGames({ kind: 'players', mine: { ...mine, withdrew: false } }, open)).toBeNull();
});

test('CUP-30: a pairing that is decided without a game has no sums', () => {
  const open = pairing('2026-11-27T20:30:00Z', '2026-11-27T21:45:00Z', null);
  const ruled: CupPairing = { ...open, decided: true, how: 'ruling', winner: 1 };
  expect(hasSums(open)).toBe(true);
  expect(hasSums({ ...ruled, sums: [0, 0], games: [0, 0] })).toBe(false);
  expect(hasSums({ ...ruled, sums: null, games: null })).toBe(false);
  expect(hasSums({ ...ruled, sums: [0, 290], games: [0, 1] })).toBe(true);
});

test('CUP-30: the page opens at the round that is played, not at one that waits for a held game', () => {
  const round = (hour: number, pairings: CupPairing[]): CupPage['rounds'][number] => ({
    ...{ name: 'Round', starts_at: `2026-11-27T${hour}:00:00Z`, pairings },
    ends_at: `2026-11-27T${hour}:45:00Z`,
  });
  const one = (from: number, to: number) =>
    pairing(`2026-11-27T${from}:00:00Z`, `2026-11-27T${to}:45:00Z`, null);
  const page = (now: string, ends: number): CupPage => ({
    ...{ id: '1', name: 'Cup', venue: null, kind: 'players', sides: 4, best: 1, of: 1 },
    ...{ per_player: null, state: 'running', league: null, season: null, mine: null },
    ...{ champion: null, now: `2026-11-27T${now}:00Z` },
    rounds: [round(19, [one(19, ends)]), round(20, [one(20, 20)])],
  });
  expect(firstRound(page('19:50', 19))).toBe(0);
  expect(firstRound(page('20:00', 19))).toBe(1);
  expect(firstRound(page('20:00', 20))).toBe(0);
});
