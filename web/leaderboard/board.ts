import type { LeaderboardAnswer } from '#contract/wire/leaderboards.ts';

export type Scope = 'all' | 'league' | 'venue';
export type Period = 'week' | 'all';
export type Choice = { scope: Scope; period: Period };

export const SCOPE_NAMES: Record<Scope, string> = { all: 'All', league: 'League', venue: 'Venue' };
export const PERIOD_NAMES: Record<Period, string> = { week: 'Week', all: 'All time' };

/**
 * `at` is the number of players above this row. `shared` means that another player has this place.
 * `me` marks the player's own row.
 */
export type BoardRow = LeaderboardAnswer['results'][number] & {
  at: number;
  shared: boolean;
  me: boolean;
};

/**
 * Splits a board. `near` has the player `username`, if further down than `best`, with up to two
 * neighbours on each side who are not in `best`. `gap` says whether players are missing between the
 * lists.
 */
export function listsOf(
  { results, around, above }: Pick<LeaderboardAnswer, 'results' | 'around' | 'above'>,
  username: string | undefined,
): { best: BoardRow[]; near: BoardRow[]; gap: boolean } {
  const isMe = (row: { username: string | null }) => row.username === username;
  const inside = results.some(isMe);
  const further = inside ? [] : around.slice(Math.max(results.length - above, 0));
  const all = [...results, ...further];
  const drawn = all.map((row, index) => ({
    ...row,
    at: index < results.length ? index : index + Math.max(above - results.length, 0),
    shared: all.some((other) => other !== row && other.place === row.place),
    me: isMe(row),
  }));
  return {
    best: drawn.slice(0, results.length),
    near: drawn.slice(results.length),
    gap: further.length > 0 && above > results.length,
  };
}

/** The name of a board: "Highest scores, league, this week". */
export function boardName({ scope, period }: Choice): string {
  const whose = scope === 'all' ? 'everyone' : SCOPE_NAMES[scope].toLowerCase();
  return `Highest scores, ${whose}, ${period === 'week' ? 'this week' : 'all time'}`;
}

/** What is announced after another board has loaded: "Venue, week, 20 players". */
export function announcement({ scope, period }: Choice, players: number): string {
  const count = players === 1 ? '1 player' : `${players} players`;
  return `${SCOPE_NAMES[scope]}, ${PERIOD_NAMES[period].toLowerCase()}, ${count}`;
}
