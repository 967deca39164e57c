import { describe, expect, it } from 'vitest';
import { countsForTeam, modeOf, whatCounts } from './team.ts';

describe('modeOf', () => {
  const team = { name: 'Brick City Bankers' };
  it.each([
    [{ team, league_mode_enabled: true }, 'on'],
    [{ team, league_mode_enabled: false }, 'off'],
    [{ team: null, league_mode_enabled: true }, 'no-team'],
    [{ team: null, league_mode_enabled: false }, 'no-team'],
  ])('%j is %s', (user, mode) => {
    expect(modeOf(user)).toBe(mode);
  });
});

describe('whatCounts', () => {
  const now = new Date('2026-03-11T20:05:00Z');
  const week = (left: number, closes = '2026-03-16T00:00:00Z', starts: string | null = null) => ({
    week_closes_at: closes,
    season_starts_at: starts,
    me: { league_games_left: left, fourth_best: null },
    season: null,
  });
  const unknown = 'Your first 8 league games of a week count for Bankers.';
  const unbegun = 'The season has not begun. This game counts for you.';
  const over = {
    name: 'Season 1',
    state: 'grace',
    place: 2,
    champion: false,
    teams: 6,
    entered: true,
    settles_at: '2026-03-12T00:00:00Z',
    next_starts_on: null,
    postponed: null,
  } as const;
  it('a game counts for the team only during a week of the season (SEASON-05, SEASON-07)', () => {
    expect(countsForTeam('on', week(2), now)).toBe(true);
    expect(countsForTeam('off', week(2), now)).toBe(false);
    expect(countsForTeam('on', undefined, now)).toBe(false);
    const none = [
      week(0),
      week(2, '2026-03-11T20:00:00Z'),
      week(2, undefined, '2026-03-16T00:00:00Z'),
      { ...week(2), season: over },
    ];
    for (const stats of none) expect(countsForTeam('on', stats, now)).toBe(false);
  });
  it('the sentence says why a week counts for no team (SEASON-04, SEASON-07, SEASON-32, SEASON-34)', () => {
    const stats = { ...week(0), season: over };
    for (const next of [null, '2026-03-23T00:00:00Z'])
      expect(whatCounts('on', 'Bankers', { ...stats, season_starts_at: next }, now)).toBe(
        'Between seasons: games count for you.',
      );
    expect(
      whatCounts('on', 'Bankers', { ...stats, season: { ...over, postponed: 'A pipe' } }, now),
    ).toBe('The week is postponed. This game counts for you.');
    const without = { ...over, state: 'running' as const, entered: false };
    expect(whatCounts('on', 'Bankers', { ...stats, season: without }, now)).toBe(
      'Your team is not in this season. This game counts for you.',
    );
    const later = { ...without, entered: true };
    const joins = { ...stats, season: later, season_starts_at: '2026-03-16T12:00:00Z' };
    expect(whatCounts('on', 'Bankers', joins, now)).toBe(
      'Your team joins on Mon 16 Mar. This game counts for you.',
    );
  });
  it.each([
    ['no-team', undefined, 'This game counts for you.'],
    ['off', week(2), 'This game counts for you, not for your team.'],
    ['on', week(2), 'This game counts for Bankers. 2 league games left this week.'],
    ['on', week(1), 'This game counts for Bankers. 1 league game left this week.'],
    ['on', week(0), 'No league games left this week. This game counts for you.'],
    ['on', week(0, '2026-03-16T00:00:00Z', '2026-03-16T00:00:00Z'), unbegun],
    ['on', { ...week(0, '2026-03-16T00:00:00Z', '2026-03-16T00:00:00Z'), me: null }, unbegun],
    ['on', { ...week(2), me: null }, unknown],
    ['on', week(2, '2026-03-11T20:05:00Z'), unknown],
    ['on', undefined, unknown],
    ['on', null, unknown],
  ] as const)('league mode %s, %j: %s', (mode, stats, words) => {
    expect(whatCounts(mode, 'Bankers', stats, now)).toBe(words);
  });
});
