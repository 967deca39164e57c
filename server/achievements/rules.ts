import type { Achievement } from '#contract/achievements.ts';
import { BEST_GAMES, WEEK_GAMES } from '#contract/counting.ts';
import { addDays } from '../leagues/calendar.ts';
import { inOrderOfPlay } from '../leagues/tally.ts';

/** How a player stands after a game, as far as an achievement may look. */
export type Figures = {
  /** All games that count, this one included. */
  games_played: number;
  /** 1 when this game beat every earlier one; 0 otherwise, also for the first. */
  own_best_beaten: number;
  /** How many times running a game beat the one before it, in the run that this game is part of. */
  times_better: number;
  /** How many days running had a game, in the run that this game's day is part of. */
  days_running: number;
  /** League games that count in this game's week; 0 when it is no league game. */
  week_games: number;
};

type Definition = Omit<Achievement, 'progress'>;
type GameRule = Definition & { of: keyof Figures; need: number };

/**
 * Won by a game: as soon as the figure reaches what is needed. The key is stored and names the
 * symbol; never change one. A new one is given to players by `rebuild`, dated by its game.
 */
export const GAME_RULES: readonly GameRule[] = [
  {
    key: 'first-game',
    name: 'First game',
    description: 'Play your first game',
    of: 'games_played',
    need: 1,
  },
  {
    key: 'games-10',
    name: '10 games',
    description: 'Play 10 games',
    of: 'games_played',
    need: 10,
  },
  {
    key: 'games-50',
    name: '50 games',
    description: 'Play 50 games',
    of: 'games_played',
    need: 50,
  },
  {
    key: 'games-100',
    name: '100 games',
    description: 'Play 100 games',
    of: 'games_played',
    need: 100,
  },
  {
    key: 'personal-best',
    name: 'Personal best',
    description: 'Beat your own high score',
    of: 'own_best_beaten',
    need: 1,
  },
  {
    key: 'three-better',
    name: 'Three in a row',
    description: 'Beat your last game three times running',
    of: 'times_better',
    need: 3,
  },
  {
    key: 'five-days',
    name: '5 days in a row',
    description: 'Play on five days running',
    of: 'days_running',
    need: 5,
  },
  {
    key: 'first-league-game',
    name: 'First league game',
    description: 'Play a game that counts for your team',
    of: 'week_games',
    need: 1,
  },
  {
    key: 'four-counted',
    name: 'Four counted',
    description: 'Fill all four places of your weekly total',
    of: 'week_games',
    need: BEST_GAMES,
  },
  {
    key: 'all-eight',
    name: 'All 8 in a week',
    description: 'Play all your league games in one week',
    of: 'week_games',
    need: WEEK_GAMES,
  },
].map((rule) => ({ ...rule, icon: rule.key }) as GameRule);

/** A finished league week in which the player had counted games. */
export type FinishedWeek = {
  own_total: number;
  team_total: number;
  /** The highest total of a player of the team, and how many of them played. */
  best_total: number;
  players: number;
  /** null: a bye. */
  opponent_total: number | null;
};

type WeekRule = Definition & { won: (week: FinishedWeek) => boolean };

/**
 * Won by a finished week, with the player's last counted game of it. Other players' late games can
 * still turn such a week round, so these are read from the weeks and never stored.
 */
export const WEEK_RULES: readonly WeekRule[] = [
  {
    key: 'team-win',
    name: 'Team win',
    description: 'Win a week with your team',
    icon: 'team-win',
    won: ({ team_total, opponent_total }) => opponent_total !== null && team_total > opponent_total,
  },
  {
    key: 'best-of-team',
    name: 'Best of the team',
    description: 'Finish a week with the highest total',
    icon: 'best-of-team',
    won: ({ own_total, best_total, players }) =>
      players > 1 && own_total > 0 && own_total === best_total,
  },
];

/** A game as the career sees it. */
export type CareerGame = {
  id: string;
  score: number;
  played_at: Date;
  /** `YYYY-MM-DD` */
  day: string;
  /** The Monday of its league week, or null. */
  week: string | null;
};

/** What was known of a player before: everything at the start, or enough of it in between. */
export type Known = {
  games_played: number;
  highscore: number;
  /** At least the three games before and after each one that will be added, in any order. */
  games: Pick<CareerGame, 'id' | 'score' | 'played_at'>[];
  /** At least the days near each game that will be added. */
  days: string[];
  /** League games that count, by week; at least for the weeks of what will be added. */
  weeks: Map<string, number>;
};

const NEWCOMER: Known = { games_played: 0, highscore: 0, games: [], days: [], weeks: new Map() };
const TIMES_BETTER_MAX = 3;

/** How many scores lead down from the first one, without a break. */
export function stepsDown(scores: readonly number[]): number {
  const end = scores.findIndex((score, at) => at > 0 && score >= (scores[at - 1] ?? 0));
  return (end === -1 ? scores.length : end) - 1;
}

/** How many times running a game beat the one before, in the run through the game at `at`. */
function timesBetter(scores: readonly number[], at: number): number {
  const before = scores.slice(Math.max(at - TIMES_BETTER_MAX, 0), at + 1).reverse();
  const after = scores.slice(at, at + TIMES_BETTER_MAX + 1).map((score) => -score);
  return stepsDown(before) + stepsDown(after);
}

/** How many days running have a game, in the run of which `day` is part. */
export function daysRunning(days: ReadonlySet<string>, day: string): number {
  let running = 1;
  for (const step of [-1, 1])
    for (let other = addDays(day, step); days.has(other); other = addDays(other, step))
      running += 1;
  return running;
}

/**
 * Follows one player's games in the order in which they became known, late ones too, and tells the
 * figures after each. The same code gives achievements when a game arrives (from what is known
 * around it) and when everything is rebuilt (from nothing), so that both always agree.
 */
export function career(known: Known = NEWCOMER) {
  let { games_played, highscore } = known;
  // In order of play, parted where the last game came in: the next one is nearly always beside it,
  // whichever way they come, so that no search and no shift grows with the career.
  const earlier = known.games.toSorted(inOrderOfPlay);
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
  const days = new Set(known.days);
  const weeks = new Map(known.weeks);
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
      const before = earlier.slice(-TIMES_BETTER_MAX - 1);
      const near = [...before, ...later.slice(-TIMES_BETTER_MAX).reverse()];
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

/** The keys that a game wins for a player who has not won them yet. */
export function newlyWon(figures: Figures, won: ReadonlySet<string>): string[] {
  return GAME_RULES.filter(({ key, of, need }) => !won.has(key) && figures[of] >= need).map(
    ({ key }) => key,
  );
}
