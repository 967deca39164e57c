import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { NoTeamStats, TeamStats } from './TeamStats.tsx';

const WEEK: LeagueStats = {
  team_name: 'Brick City Bankers',
  teammates: [
    {
      username: 'Maya_Banks',
      weekly_games_played: 8,
      weekly_avg_score: 386.5,
      weekly_total_score: 1249,
      nudge: null,
    },
    {
      username: 'dee-three',
      weekly_games_played: 0,
      weekly_avg_score: 0,
      weekly_total_score: 999,
      nudge: null,
    },
  ],
  team_total_games_played: 8,
  team_max_possible_games: 16,
  team_avg: 386.5,
  team_total_score: 2248,
  opponent: {
    name: 'Rim Reapers',
    total_games_played: 3,
    max_possible_games: 24,
    team_avg: 300,
    total_score: 12000,
  },
  week_opens_at: '2026-12-28T00:00:00Z',
  week_closes_at: '2027-01-04T00:00:00Z',
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

const drawn = (stats: Partial<LeagueStats>, username = 'Maya_Banks') =>
  renderToStaticMarkup(<TeamStats stats={{ ...WEEK, ...stats }} username={username} dim={false} />);

/** The texts of the caption. */
const captionOf = (stats: Partial<LeagueStats>) =>
  /<caption.*?<\/caption>/
    .exec(drawn(stats))?.[0]
    .split(/<[^>]*>/)
    .filter(Boolean);

/** Each cell's text, row by row, and the index of the player's own row. */
function rows(stats: Partial<LeagueStats>, username?: string) {
  return [...drawn(stats, username).matchAll(/<tr.*?<\/tr>/g)].map(([row]) => ({
    mine: row.includes('aria-current="true"'),
    cells: [...row.matchAll(/<t[hd].*?<\/t[hd]>/g)].map(([cell]) => cell.replace(/<[^>]*>/g, '')),
  }));
}

describe('TeamStats', () => {
  it('has a row for each teammate, the total and the opponent, and says who leads (HAND-90)', () => {
    expect(captionOf({})).toEqual(['Team Stats (Weekly)', 'Brick City Bankers']);
    expect(rows({}).map(({ cells }) => cells)).toEqual([
      ['#Rank', 'Username', 'Games', 'Avg', 'Total*'],
      ['1', 'MAYA_BANKS', '8/8', '386.5', '1.2k1249'],
      ['2', 'DEE-THREE', '0/8', '0', '999'],
      ['Total', '8/16', '386.5', '2.2k2248'],
      ['Opponent: Rim ReapersAhead by 9752', '3/24', '300', '12k12000'],
    ]);
  });

  it('marks the player’s own row and no other', () => {
    expect(rows({}, 'dee-three').map(({ mine }) => mine)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('says when there is no opponent', () => {
    expect(rows({ opponent: null }).at(-1)?.cells).toEqual(['No opponent this week']);
  });

  it('calls teams without a name Unknown Team', () => {
    const nameless = { ...(WEEK.opponent as NonNullable<LeagueStats['opponent']>), name: '' };
    const stats = { team_name: '', opponent: nameless };
    expect(captionOf(stats)).toEqual(['Team Stats (Weekly)', 'Unknown Team']);
    expect(rows(stats).at(-1)?.cells[0]).toContain('Opponent: Unknown Team');
  });
});

it('NUDGE-01: the panel speaks of nudges until the last hour of its week', () => {
  const teammates = WEEK.teammates.map((mate) => ({ ...mate, nudge: 'open' as const }));
  const closesIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  expect(drawn({ teammates, week_closes_at: closesIn(61) })).toContain('One nudge a week');
  for (const minutes of [59, -60])
    expect(drawn({ teammates, week_closes_at: closesIn(minutes) })).not.toContain('One nudge');
});

it('PROD-37: figures of a read before the last, which failed, have their time', () => {
  const at = new Date();
  at.setHours(0, 5);
  const stale = renderToStaticMarkup(
    <TeamStats stats={WEEK} username="Maya_Banks" dim={false} staleSince={at.getTime()} />,
  );
  expect(stale).toContain('As of 00:05');
  expect(drawn({})).not.toContain('As of');
});

describe('NoTeamStats', () => {
  it('still names the team', () => {
    const markup = renderToStaticMarkup(<NoTeamStats name="Brick City Bankers" dim />);
    expect(markup).toContain('Brick City Bankers');
    expect(markup).not.toContain('<table');
  });
});
