import { describe, expect, it } from 'vitest';
import type { LeagueStats, Opponent } from '#contract/wire/leagues.ts';
import { numberToBeat } from './beat.ts';

const NOW = new Date('2026-11-20T19:34:00Z');
const REAPERS: Opponent = {
  name: 'Rim Reapers',
  total_games_played: 26,
  max_possible_games: 32,
  team_avg: 318,
  total_score: 5535,
};

function week(changes: Partial<LeagueStats> = {}, played = 6): LeagueStats {
  return {
    team_name: 'Brick City Bankers',
    teammates: [
      {
        username: 'Maya_Banks',
        weekly_games_played: played,
        weekly_avg_score: 386,
        weekly_total_score: 1804,
        nudge: null,
      },
    ],
    team_total_games_played: 21,
    team_max_possible_games: 32,
    team_avg: 333,
    team_total_score: 5400,
    opponent: REAPERS,
    invite: null,
    full: false,
    membership: null,
    week_opens_at: '2026-11-16T00:00:00Z',
    week_closes_at: '2026-11-23T00:00:00Z',
    season_starts_at: null,
    nudged: null,
    me: { league_games_left: 2, fourth_best: 341 },
    max_score: 2000,
    season: null,
    ...changes,
  };
}
const beat = (stats: LeagueStats) => numberToBeat(stats, 'Maya_Banks', NOW);
const against = (total_score: number) => week({ opponent: { ...REAPERS, total_score } });

describe('with four games counted', () => {
  it('the score to beat is the fourth best; taking the lead needs the gap plus one more', () => {
    expect(beat(week())).toEqual({ kind: 'score', score: 341, lead: 477 });
    expect(beat(against(5401))).toEqual({ kind: 'score', score: 341, lead: 343 });
  });

  it('lead is null if the team is level or ahead, or has no opponent', () => {
    for (const stats of [against(5400), against(5399), week({ opponent: null })])
      expect(beat(stats)).toEqual({ kind: 'score', score: 341, lead: null });
  });

  it('lead is null if it would exceed the highest allowed score', () => {
    const most = 2000 - 341 - 1;
    expect(beat(against(5400 + most))).toMatchObject({ lead: 2000 });
    expect(beat(against(5400 + most + 1))).toMatchObject({ lead: null });
  });

  it('accepts a fourth best of 0', () => {
    const me = { league_games_left: 4, fourth_best: 0 };
    expect(beat(week({ me }))).toMatchObject({ kind: 'score', score: 0 });
  });
});

it.each([0, 2, 3])('with %i games counted, any score adds to the total', (played) => {
  const me = { league_games_left: 8 - played, fourth_best: null };
  expect(beat(week({ me }, played))).toEqual({ kind: 'any', taken: played });
});

it('the number to beat is “done” when all eight league games are played', () => {
  const me = { league_games_left: 0, fourth_best: 341 };
  expect(beat(week({ me }))).toEqual({ kind: 'done', total: 1804 });
});

it('the number to beat is null before the season and after the week has closed', () => {
  expect(beat(week({ season_starts_at: '2026-11-30T00:00:00Z' }))).toBeNull();
  expect(beat(week({ week_closes_at: NOW.toISOString() }))).toBeNull();
});
