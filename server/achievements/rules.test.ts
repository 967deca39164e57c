import { expect, test } from 'vitest';
import { type CareerGame, career, GAME_RULES, newlyWon, WEEK_RULES } from './rules.ts';

let made = 0;
const minute = (at: number) => new Date(Date.UTC(2026, 0, 5, 12, at));
const game = (fields: Partial<CareerGame> = {}): CareerGame => {
  made += 1;
  return {
    id: `id-${String(made).padStart(6, '0')}`,
    score: 0,
    played_at: minute(made),
    day: '2026-01-05',
    week: null,
    ...fields,
  };
};
function follow(games: CareerGame[]): string[][] {
  const { add } = career();
  const won = new Set<string>();
  return games.map((one) => {
    const keys = newlyWon(add(one), won);
    for (const key of keys) won.add(key);
    return keys;
  });
}
const when = (key: string, games: CareerGame[]) =>
  follow(games).findIndex((keys) => keys.includes(key));
const scored = (...scores: number[]) => scores.map((score) => game({ score }));
const on = (...days: number[]) =>
  days.map((day) => game({ day: `2026-01-${String(day).padStart(2, '0')}` }));

test('there are at least twelve achievements with distinct keys', () => {
  const keys = [...GAME_RULES, ...WEEK_RULES].map(({ key }) => key);
  expect(keys.length).toBeGreaterThanOrEqual(12);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the 1st, 10th, 50th and 100th game win an achievement', () => {
  const games = Array.from({ length: 120 }, () => game());
  for (const [key, at] of [
    ['first-game', 1],
    ['games-10', 10],
    ['games-50', 50],
    ['games-100', 100],
  ] as const)
    expect([key, when(key, games) + 1]).toEqual([key, at]);
});

test('each achievement is won once', () => {
  const games = Array.from({ length: 120 }, (_, at) => game({ score: at, week: '2026-01-05' }));
  const won = follow(games).flat();
  expect(new Set(won).size).toBe(won.length);
});

test('a personal best beats all earlier games; the first game is no personal best', () => {
  expect(when('personal-best', scored(500))).toBe(-1);
  expect(when('personal-best', scored(500, 400, 500))).toBe(-1);
  expect(when('personal-best', scored(500, 400, 501))).toBe(2);
});

test('three better games in a row take four games, each better than the one before', () => {
  expect(when('three-better', scored(1, 2, 3))).toBe(-1);
  expect(when('three-better', scored(1, 2, 3, 4))).toBe(3);
  expect(when('three-better', scored(1, 2, 2, 3, 4))).toBe(-1);
  expect(when('three-better', scored(9, 1, 2, 3, 0, 1, 2, 3))).toBe(7);
});

test('a late game completes three better games in a row, in the order of play', () => {
  const [one, two, three, four] = scored(1, 2, 3, 4);
  if (!one || !two || !three || !four) throw new Error('four games');
  expect(when('three-better', [one, two, four, three])).toBe(3);
  expect(when('three-better', [four, three, two, one])).toBe(3);
});

test('five days in a row have no gap, and the missing day may arrive late', () => {
  expect(when('five-days', on(1, 2, 3, 4))).toBe(-1);
  expect(when('five-days', on(1, 2, 3, 4, 5))).toBe(4);
  expect(when('five-days', on(1, 1, 2, 2, 3, 4, 4, 5))).toBe(7);
  expect(when('five-days', on(1, 2, 3, 5, 6, 7))).toBe(-1);
  expect(when('five-days', on(1, 2, 4, 5, 3))).toBe(4);
});

test('a run of days continues over the end of a month', () => {
  const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03'];
  expect(
    when(
      'five-days',
      days.map((day) => game({ day })),
    ),
  ).toBe(4);
});

test('league achievements count league games of one week', () => {
  const league = (week: string, count: number) =>
    Array.from({ length: count }, () => game({ week }));
  const mixed = [game(), ...league('2026-01-05', 3), game(), ...league('2026-01-12', 9)];
  expect(when('first-league-game', mixed)).toBe(1);
  expect(when('four-counted', mixed)).toBe(8);
  expect(when('all-eight', mixed)).toBe(12);
  expect(when('all-eight', league('2026-01-05', 7))).toBe(-1);
});

test('a career that resumes from stored games gives the same figures as a complete replay', () => {
  const games = [
    ...scored(5, 3, 4),
    ...on(6, 7, 8, 9),
    game({ score: 9, week: '2026-01-05', day: '2026-01-10' }),
  ];
  const last = games.at(-1);
  if (last === undefined) throw new Error('no game');
  const earlier = games.slice(0, -1);
  const { add } = career();
  const whole = games.map(add).at(-1);
  const resumed = career({
    games_played: earlier.length,
    highscore: 5,
    games: earlier.slice(-3),
    days: earlier.map(({ day }) => day),
    weeks: new Map(),
  });
  expect(resumed.add(last)).toEqual(whole);
});

test('a team wins a finished week by a higher total; a bye and a draw win nothing', () => {
  const rule = WEEK_RULES.find(({ key }) => key === 'team-win');
  const week = { own_total: 1, team_total: 100, best_total: 60, players: 3, ruled: null };
  expect(rule?.won({ ...week, opponent_total: 99 })).toBe(true);
  expect(rule?.won({ ...week, opponent_total: 100 })).toBe(false);
  expect(rule?.won({ ...week, opponent_total: 101 })).toBe(false);
  expect(rule?.won({ ...week, opponent_total: null })).toBe(false);
  // SEASON-30: a ruling decides, whatever the totals.
  expect(rule?.won({ ...week, opponent_total: 101, ruled: true })).toBe(true);
  expect(rule?.won({ ...week, opponent_total: 99, ruled: false })).toBe(false);
});

test('the team’s best player wins the achievement only if the team has another player', () => {
  const rule = WEEK_RULES.find(({ key }) => key === 'best-of-team');
  const week = { team_total: 100, opponent_total: null, ruled: null };
  expect(rule?.won({ ...week, own_total: 60, best_total: 60, players: 3 })).toBe(true);
  expect(rule?.won({ ...week, own_total: 40, best_total: 60, players: 3 })).toBe(false);
  expect(rule?.won({ ...week, own_total: 60, best_total: 60, players: 1 })).toBe(false);
  expect(rule?.won({ ...week, own_total: 0, best_total: 0, players: 3 })).toBe(false);
});

test('games that arrive newest first cost about as much as games in order', () => {
  let looks = 0;
  class Watched extends Date {
    override getTime(): number {
      looks += 1;
      return super.getTime();
    }
  }
  const games = Array.from({ length: 2_000 }, (_, at) =>
    game({ score: at % 7, played_at: new Watched(minute(at)) }),
  );
  const countLooks = (ordered: CareerGame[]) => {
    looks = 0;
    const { add } = career();
    const last = ordered.map(add).at(-1);
    return { last, looks };
  };
  const forwards = countLooks(games);
  const backwards = countLooks(games.toReversed());
  expect(backwards.looks).toBeLessThan(forwards.looks * 3);
  expect(backwards.last).toMatchObject({ games_played: 2_000, times_better: 3 });
});
