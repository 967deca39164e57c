import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { Achievement } from '#contract/wire/achievements.ts';
import { addDays } from '../leagues/calendar.ts';
import { inOrderOfPlay } from '../leagues/tally.ts';

/** A player's figures after a game, which decide what it wins. */
export type Figures = {
  /** Counted games, including this one. */
  games_played: number;
  /** 1 if this game beat an earlier best, otherwise 0. */
  own_best_beaten: number;
  /** How many games in a row, around this one, each beat the game before. */
  times_better: number;
  /** The length of the streak of days with a game to which this game's day belongs. */
  days_running: number;
  /** Counted league games in this game's week; 0 for other games. */
  week_games: number;
};

type Definition = Omit<Achievement, 'progress'>;
type GameRule = Definition & { of: keyof Figures; need: number };

/**
 * A game wins the achievement when the figure `of` reaches `need`. Never change a key: it is stored
 * and names the icon. After a new rule, run `rebuild` (GAME-09).
 */
export const GAME_RULES: readonly GameRule[] = [
  {
    key: 'first-game',
    name: 'First game',
    description: 'Play your first game',
    rank: 1,
    of: 'games_played',
    need: 1,
  },
  {
    key: 'games-10',
    name: '10 games',
    description: 'Play 10 games',
    rank: 1,
    of: 'games_played',
    need: 10,
  },
  {
    key: 'games-50',
    name: '50 games',
    description: 'Play 50 games',
    rank: 2,
    of: 'games_played',
    need: 50,
  },
  {
    key: 'games-100',
    name: '100 games',
    description: 'Play 100 games',
    rank: 3,
    of: 'games_played',
    need: 100,
  },
  {
    key: 'personal-best',
    name: 'Personal best',
    description: 'Beat your own high score',
    rank: 2,
    of: 'own_best_beaten',
    need: 1,
  },
  {
    key: 'three-better',
    name: 'Hat-trick',
    description: 'Three games running, each better than the one before',
    rank: 2,
    of: 'times_better',
    need: 3,
  },
  {
    key: 'five-days',
    name: '5 days in a row',
    description: 'Play on five days running',
    rank: 1,
    of: 'days_running',
    need: 5,
  },
  {
    key: 'first-league-game',
    name: 'First league game',
    description: 'Play a game that counts for your team',
    rank: 1,
    of: 'week_games',
    need: 1,
  },
  {
    key: 'four-counted',
    name: 'Four that count',
    description: 'Fill all four places of your weekly total',
    rank: 2,
    of: 'week_games',
    need: BEST_GAMES,
  },
  {
    key: 'all-eight',
    name: 'All 8 in a week',
    description: 'Play all your league games in one week',
    rank: 2,
    of: 'week_games',
    need: WEEK_GAMES,
  },
].map((rule) => ({ ...rule, icon: rule.key }) as GameRule);

/**
 * The rule with the highest `need` of a figure. A player who has won it has won every other rule of
 * this figure.
 */
const hardest = (of: keyof Figures) =>
  GAME_RULES.filter((rule) => rule.of === of).reduce((a, b) => (b.need > a.need ? b : a));

export const BETTER_RULE = hardest('times_better');
export const DAYS_RULE = hardest('days_running');

export type FinishedWeek = {
  own_total: number;
  team_total: number;
  best_total: number;
  players: number;
  /** null without an opponent. */
  opponent_total: number | null;
  /** Whether staff, or a withdrawal, gave the team the matchup; null: the totals decide. */
  ruled: boolean | null;
};

type WeekRule = Definition & { won: (week: FinishedWeek) => boolean };

/**
 * A finished week's achievements. Computed on each read, because another player's late game can
 * change the result.
 */
export const WEEK_RULES: readonly WeekRule[] = [
  {
    key: 'team-win',
    name: 'Team win',
    description: 'Win a week with your team',
    rank: 2,
    icon: 'team-win',
    won: ({ team_total, opponent_total, ruled }) =>
      ruled ?? (opponent_total !== null && team_total > opponent_total),
  },
  {
    key: 'best-of-team',
    name: 'Best of the team',
    description: 'Finish a week with the highest total',
    rank: 3,
    icon: 'best-of-team',
    won: ({ own_total, best_total, players }) =>
      players > 1 && own_total > 0 && own_total === best_total,
  },
];

export type CareerGame = {
  id: string;
  score: number;
  played_at: Date;
  day: string;
  /** The Monday of the game's league week, or null. */
  week: string | null;
};

/** What `career` must know of the games recorded before the first `add`, whenever played. */
export type Past = {
  games_played: number;
  highscore: number;
  /** At least `BETTER_RULE.need` games before and after each added game, in any order. */
  games: Pick<CareerGame, 'id' | 'score' | 'played_at'>[];
  /** Days with a game: at least those near each added game. */
  days: string[];
  /** Counted league games by week, at least for the weeks of the added games. */
  weeks: Map<string, number>;
};

const NEWCOMER: Past = { games_played: 0, highscore: 0, games: [], days: [], weeks: new Map() };

/**
 * How many scores in a row, from the start, are lower than the one before: 2 for [9, 7, 4, 8]; -1
 * for an empty list.
 */
export function stepsDown(scores: readonly number[]): number {
  const end = scores.findIndex((score, at) => at > 0 && score >= (scores[at - 1] ?? 0));
  return (end === -1 ? scores.length : end) - 1;
}

/** How many scores in a row, around `at`, beat the one before. */
function timesBetter(scores: readonly number[], at: number): number {
  const before = scores.slice(Math.max(at - BETTER_RULE.need, 0), at + 1).reverse();
  const after = scores.slice(at, at + BETTER_RULE.need + 1).map((score) => -score);
  return stepsDown(before) + stepsDown(after);
}

/** How many consecutive `days` there are around `day`, itself included. */
export function daysRunning(days: ReadonlySet<string>, day: string): number {
  let running = 1;
  for (const step of [-1, 1])
    for (let other = addDays(day, step); days.has(other); other = addDays(other, step))
      running += 1;
  return running;
}

/**
 * Replays one player's games: `add` takes each in the order of arrival and returns the figures
 * after it. `past` has the stored games near the added ones; it is empty in a rebuild.
 */
export function career(past: Past = NEWCOMER) {
  let { games_played, highscore } = past;
  // `earlier`: the games played up to the last added one, in order; `later`: those played after it,
  // in reverse. Games usually arrive soon, so few move between the two.
  const earlier = past.games.toSorted(inOrderOfPlay);
  const later: typeof earlier = [];
  const moveWhile = (
    from: typeof earlier,
    to: typeof earlier,
    misplaced: (one: (typeof earlier)[number]) => boolean,
  ) => {
    for (let one = from.at(-1); one !== undefined && misplaced(one); one = from.at(-1)) {
      to.push(one);
      from.pop();
    }
  };
  const days = new Set(past.days);
  const weeks = new Map(past.weeks);
  return {
    add(game: CareerGame): Figures {
      const own_best_beaten = games_played > 0 && game.score > highscore ? 1 : 0;
      games_played += 1;
      highscore = Math.max(highscore, game.score);
      days.add(game.day);
      const week_games =
        game.week === null ? 0 : Math.min(WEEK_GAMES, (weeks.get(game.week) ?? 0) + 1);
      if (game.week !== null) weeks.set(game.week, week_games);
      moveWhile(earlier, later, (other) => inOrderOfPlay(other, game) > 0);
      moveWhile(later, earlier, (other) => inOrderOfPlay(other, game) < 0);
      earlier.push(game);
      const before = earlier.slice(-BETTER_RULE.need - 1);
      const near = [...before, ...later.slice(-BETTER_RULE.need).reverse()];
      const times_better = timesBetter(
        near.map(({ score }) => score),
        before.length - 1,
      );
      return {
        games_played,
        own_best_beaten,
        times_better,
        days_running: daysRunning(days, game.day),
        week_games,
      };
    },
  };
}

/** What a game with these figures wins, except keys in `won`. */
export function newlyWon(figures: Figures, won: ReadonlySet<string>): string[] {
  return GAME_RULES.filter(({ key, of, need }) => !won.has(key) && figures[of] >= need).map(
    ({ key }) => key,
  );
}
