import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlayedGame } from '#contract/wire/games.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { tallyWeek } from '../../server/leagues/tally.ts';
import { freshGames, untilNext } from './fresh.ts';
import { added, isWeekStale, makeSlip } from './slip.ts';

const OPENS = Date.parse('2026-11-16T00:00:00Z');
const DAY = 24 * 3_600_000;
const WEEK = {
  team_name: 'Brick City Bankers',
  invite: null,
  full: false,
  membership: null,
  week_opens_at: new Date(OPENS).toISOString(),
  week_closes_at: new Date(OPENS + 7 * DAY).toISOString(),
};
const TEAMS = [WEEK.team_name, 'Rim Reapers'];

const SOME_GAME = fc.record({
  score: fc.integer({ min: 0, max: 999 }),
  minute: fc.integer({ min: 0, max: 7 * 1440 - 1 }),
  team: fc.nat({ max: 9 }).map((n) => (n === 0 ? 1 : 0)),
  fate: fc.constantFrom('counted', 'counted', 'counted', 'counted', 'held', 'void', 'off'),
  isFresh: fc.boolean(),
});

/** A game of the list, judged by the server's tally of the whole week. */
function listOf(made: readonly (typeof SOME_GAME extends fc.Arbitrary<infer T> ? T : never)[]) {
  const rows = made.map((game, at) => ({
    ...game,
    id: String(at).padStart(2, '0'),
    team_id: game.team,
    played_at: new Date(OPENS + game.minute * 60_000),
  }));
  const counted = rows.filter(({ fate }) => fate === 'counted');
  const { fates } = tallyWeek(counted);
  const NOT = { held: 'held', void: 'void', off: 'league_mode_off' } as const;
  const games = rows.map((row) => ({
    id: row.id,
    score: row.score,
    played_at: row.played_at.toISOString(),
    team: row.fate === 'counted' ? (TEAMS[row.team] ?? null) : null,
    counts:
      row.fate === 'counted'
        ? (fates.get(row)?.counts ?? 'over_8')
        : NOT[row.fate as keyof typeof NOT],
  }));
  games.sort((a, b) => (a.played_at < b.played_at ? 1 : -1));
  const total = (of: typeof counted) =>
    tallyWeek(of).shares.find(({ team_id }) => team_id === 0)?.total ?? 0;
  return { games, fresh: rows.filter(({ isFresh }) => isFresh), counted, total };
}

describe('HAND-V1: what the fresh games added', () => {
  it('is the server’s count with the fresh games minus the count without them', () => {
    fc.assert(
      fc.property(fc.array(SOME_GAME, { maxLength: 12 }), (made) => {
        const { games, fresh, counted, total } = listOf(made);
        const ids = new Set(fresh.map(({ id }) => id));
        const without = counted.filter(({ id }) => !ids.has(id));
        expect(added(games, ({ id }) => ids.has(id), WEEK, false)?.points).toBe(
          total(counted) - total(without),
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it('what was added is unknown while older games of the week are on the next page', () => {
    const { games } = listOf([{ score: 300, minute: 90, team: 0, fate: 'counted', isFresh: true }]);
    expect(added(games, () => true, WEEK, true)).toBeNull();
    expect(added(games, () => false, WEEK, true)).toEqual({ points: 0, replaced: null });
  });

  it('the result names the score that fell out of the best four', () => {
    const scores = [452, 388, 341, 611, 402];
    const { games } = listOf(
      scores.map((score, minute) => ({ score, minute, team: 0, fate: 'counted', isFresh: false })),
    );
    expect(added(games, ({ id }) => id === '04', WEEK, false)).toEqual({
      points: 61,
      replaced: 341,
    });
  });
});

const NOW = '2026-11-20T19:34:00.000Z';
const ago = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();

function game(changes: Partial<PlayedGame> = {}): PlayedGame {
  return {
    id: '1',
    score: 402,
    played_at: ago(0.1),
    landed_at: ago(0.05),
    machine: 'Hoop 2',
    venue: null,
    counts: 'league',
    place: 3,
    team: WEEK.team_name,
    also: [],
    duels: [],
    late: false,
    released: false,
    beat: null,
    shots: null,
    seconds: null,
    report: null,
    report_reason: null,
    report_text: null,
    ...changes,
  };
}

describe('HAND-01, HAND-02: which games are fresh', () => {
  const found = (games: PlayedGame[], mark = ago(3)) =>
    freshGames({ results: games, read_at: NOW }, mark);
  it('games that landed after the mark are fresh unless they are void', () => {
    const games = [
      game({ id: '3' }),
      game({ id: '2', counts: 'void' }),
      game({ landed_at: ago(4) }),
    ];
    expect(found(games).fresh.map(({ id }) => id)).toEqual(['3']);
  });
  it('OPS-17: the slip waits for a game that lands later', () => {
    const games = [game({ id: '2', landed_at: ago(-1) }), game({ id: '1' })];
    expect(found(games)).toMatchObject({ fresh: [{ id: '1' }], newest: games[1]?.landed_at });
    expect(untilNext({ results: games, read_at: NOW })).toBe(3_600_000);
    expect(untilNext({ results: games.slice(1), read_at: NOW })).toBeUndefined();
  });
  it('games that landed more than a day ago are left out, and the mark moves past them', () => {
    const games = [game({ landed_at: ago(25) }), game({ landed_at: ago(30) })];
    expect(found(games, ago(48))).toEqual({ fresh: [], newest: ago(25) });
  });
});

describe('makeSlip', () => {
  const stats: LeagueStats = {
    ...WEEK,
    teammates: [],
    team_total_games_played: 22,
    team_max_possible_games: 32,
    team_avg: 341.3,
    team_total_score: 5412,
    opponent: {
      name: 'Rim Reapers',
      total_games_played: 26,
      max_possible_games: 32,
      team_avg: 318,
      total_score: 5373,
    },
    season_starts_at: null,
    nudged: null,
    me: { league_games_left: 1, fourth_best: 388 },
    max_score: 9999,
    season: null,
  };
  const reads = (results: PlayedGame[]) => ({
    games: { results, read_at: NOW, next: null, games_played: results.length },
    stats,
    team: WEEK.team_name,
    username: 'Maya_Banks',
    won: [],
    achievements: [],
  });
  const older = [611, 452, 388, 341].map((score, at) =>
    game({ id: `0${at}`, score, landed_at: ago(30), played_at: ago(30 + at) }),
  );

  it('is null without a fresh game', () => {
    expect(makeSlip(reads(older), ago(3))).toBeNull();
  });
  it('has the points, the lead before and after, and the number to beat', () => {
    const bench = older.map((one) =>
      one.score === 341 ? { ...one, counts: 'bench' as const } : one,
    );
    expect(makeSlip(reads([game({ id: '9' }), ...bench]), ago(3))).toMatchObject({
      added: { points: 61, replaced: 341 },
      swing: { own: 5412, other: 5373, lead: 39, before: -22 },
      beat: { kind: 'score', score: 388 },
      left: 1,
    });
  });
  it('a bench game changes no number to beat, but has the league games left (HAND-09)', () => {
    const bench = game({ id: '9', score: 10, counts: 'bench' });
    expect(makeSlip(reads([bench, ...older]), ago(3))).toMatchObject({ beat: null, left: 1 });
  });
  it('leaves out the week that could not be read (HAND-03)', () => {
    expect(makeSlip({ ...reads([game()]), stats: null }, ago(3))).toMatchObject({
      added: null,
      swing: null,
      beat: null,
      left: null,
    });
  });
  it('the week is stale if it counts fewer games than the list (HAND-03)', () => {
    const bench = game({ id: '2', counts: 'bench' });
    const others = [
      game({ counts: 'over_8' }),
      game({ team: 'Rim Reapers' }),
      game({ played_at: new Date(OPENS - 1).toISOString() }),
    ];
    const all = reads([bench, game(), ...others]);
    const week = (weekly_games_played: number, username = all.username) => ({
      ...all,
      stats: {
        ...stats,
        teammates: [
          {
            username,
            weekly_games_played,
            weekly_avg_score: 0,
            weekly_total_score: 0,
            nudge: null,
          },
        ],
      },
    });
    expect([1, 2, 3].map((played) => isWeekStale(week(played)))).toEqual([true, false, false]);
    expect(isWeekStale(week(2, 'Sam_Swish')), 'not on the list yet').toBe(true);
    expect(isWeekStale({ ...all, stats: null })).toBe(false);
  });
});
