import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { NumberToBeat } from './NumberToBeat.tsx';

const WEEK: LeagueStats = {
  team_name: 'Brick City Bankers',
  teammates: [
    {
      username: 'Maya_Banks',
      weekly_games_played: 8,
      weekly_avg_score: 386.5,
      weekly_total_score: 2248,
      nudge: null,
    },
  ],
  team_total_games_played: 8,
  team_max_possible_games: 8,
  team_avg: 386.5,
  team_total_score: 2248,
  opponent: null,
  week_opens_at: '9998-12-28T00:00:00Z',
  week_closes_at: '9999-01-04T00:00:00Z',
  season_starts_at: null,
  nudged: null,
  me: { league_games_left: 0, fourth_best: 300 },
  max_score: 9999,
  season: {
    name: 'Season 1',
    state: 'running',
    place: null,
    champion: false,
    teams: 6,
    entered: true,
    settles_at: null,
    next_starts_on: null,
    postponed: null,
  },
  invite: null,
  full: false,
  membership: null,
};

describe('NumberToBeat', () => {
  const shown = (total_score: number) =>
    renderToStaticMarkup(
      <NumberToBeat
        stats={{
          ...WEEK,
          opponent: {
            name: 'Rim Reapers',
            total_games_played: 3,
            max_possible_games: 24,
            team_avg: 300,
            total_score,
          },
        }}
        username="Maya_Banks"
      />,
    ).replace(/<[^>]*>/g, '');

  it.each([
    [2249, 'behind Rim Reapers1'],
    [2248, 'level with Rim Reapers0'],
    [1000, 'ahead of Rim Reapers1.2k'],
  ])('against %i points says %s', (total, words) => {
    expect(shown(total)).toContain(words);
  });
});
