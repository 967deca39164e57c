import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { LeagueSeason, LeagueStats } from '#contract/wire/leagues.ts';
import { ThisWeek } from './ThisWeek.tsx';

const OPPONENT = {
  name: 'Rim Reapers',
  total_games_played: 3,
  max_possible_games: 24,
  team_avg: 300,
  total_score: 1000,
};
const RUNNING = {
  name: 'Season 1',
  state: 'running' as const,
  place: null,
  champion: false,
  teams: 2,
  entered: true,
  settles_at: null,
  next_starts_on: null,
  postponed: null,
};
const WEEK: LeagueStats = {
  team_name: 'Brick City Bankers',
  teammates: [],
  team_total_games_played: 8,
  team_max_possible_games: 16,
  team_avg: 386.5,
  team_total_score: 1000,
  opponent: OPPONENT,
  week_opens_at: '2026-12-28T00:00:00Z',
  week_closes_at: '2027-01-04T00:00:00Z',
  season_starts_at: null,
  nudged: null,
  me: { league_games_left: 0, fourth_best: 300 },
  max_score: 9999,
  season: RUNNING,
  invite: null,
  full: false,
  membership: null,
};
const SEASON: LeagueSeason = {
  league: 'City League',
  week: 1,
  weeks: 1,
  standings: [],
  schedule: [],
  best_games: [],
  season: {
    id: '1',
    number: 1,
    name: 'Season 1',
    state: 'running',
    starts_on: '2026-12-28',
    ends_on: null,
    settles_at: null,
    tie_break: 'total',
    next: null,
  },
  champions: [],
  rows: [],
  changes: [],
};

const drawn = (week: Partial<LeagueStats>, season: Partial<LeagueSeason> = {}) =>
  renderToStaticMarkup(
    <ThisWeek
      league={{ season: { ...SEASON, ...season }, week: { ...WEEK, ...week } }}
      staleSince={null}
    />,
  );

describe('ThisWeek', () => {
  it.each([
    [1412, ['Brick City BankersAhead by 412', 'Opponent: Rim Reapers']],
    [412, ['Brick City Bankers', 'Opponent: Rim ReapersAhead by 588']],
    [1000, ['Brick City BankersLevel', 'Opponent: Rim ReapersLevel']],
  ])('HAND-90: at %i to 1000 the label is on the leader’s row, or on both', (total, names) => {
    const rows = [...drawn({ team_total_score: total }).matchAll(/<li[^>]*>(.*?)<small>/g)];
    expect(rows.map(([, name = '']) => name.replace(/<[^>]*>/g, ''))).toEqual(names);
  });

  it('HAND-90: a bye has no label', () => {
    expect(drawn({ opponent: null })).not.toMatch(/Level|Ahead/);
  });

  it('SEASON-32: the week after a postponed one shows its own matchups and bye', () => {
    const scheduled = { week: 1, from: '2026-12-28', to: '2027-01-03', matchups: [], bye: null };
    const played = { ...scheduled, from: '2027-01-04', to: '2027-01-10', bye: WEEK.team_name };
    const schedule = [{ ...scheduled, postponed: 'A burst pipe' }, played];
    expect(drawn({ opponent: null }, { schedule })).toContain('Your team has a bye.');
  });

  it.each([
    ['in a week that counts', {}],
    ['between seasons', { season: { ...RUNNING, state: 'final' as const } }],
    ['in a postponed week', { season: { ...RUNNING, postponed: 'A burst pipe' } }],
    ['before the season', { season_starts_at: '2027-01-04T00:00:00Z' }],
  ])('HAND-43: %s the player invites others, or reads why not', (_when, week) => {
    const invite = { code: 'K7M2QX', joining: 'open' as const, free: 2, league: 'City League' };
    expect(drawn({ ...week, invite })).toContain('Invite');
    expect(drawn(week)).toContain('Staff add players to this league.');
    expect(drawn({ ...week, full: true })).toContain('Your team is full.');
    expect(drawn({ ...week, full: true })).not.toContain('Invite');
  });
});
