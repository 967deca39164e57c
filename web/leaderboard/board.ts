import { ordinal } from '#contract/rules/games.ts';
import { PLACES_KEPT } from '#contract/rules/leaderboards.ts';
import type { LeaderboardAnswer } from '#contract/wire/leaderboards.ts';

export type Scope = 'all' | 'league' | 'venue' | 'friends';
export type Period = 'week' | 'all';
export type Choice = { scope: Scope; period: Period };

export const SCOPE_NAMES: Record<Scope, string> = {
  all: 'All',
  league: 'League',
  venue: 'Venue',
  friends: 'Friends',
};
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

/**
 * How many places a row has gone up (down if negative) since the last 06:00 UTC, or `new` if it was
 * not on the board then; null to show nothing (HAND-96). `moves`: whether the places of 06:00 are
 * known.
 */
export function moveOf(
  { place, was, username }: Pick<BoardRow, 'place' | 'was' | 'username'>,
  moves: boolean,
): number | 'new' | null {
  if (!moves || username === null) return null;
  if (was === null) return place <= PLACES_KEPT ? 'new' : null;
  return was === place ? null : was - place;
}

/** The name of a board: "Highest scores, league, this week". */
export function boardName({ scope, period }: Choice): string {
  const whose = scope === 'all' ? 'everyone' : SCOPE_NAMES[scope].toLowerCase();
  return `Highest scores, ${whose}, ${period === 'week' ? 'this week' : 'all time'}`;
}

/** A board's score in words, on a player's card. */
export const BEST_WORDS: Record<Period, string> = {
  week: 'Best this week',
  all: 'Best of all time',
};

/** A place on a board, on a player's card: "2nd this week in the league". */
export function placeWords(
  { choice: { scope, period }, venue }: { choice: Choice; venue: string | null },
  place: number,
): string {
  const nth = ordinal(place);
  switch (scope) {
    case 'all':
      return period === 'week' ? `${nth} this week` : `${nth} of all time`;
    case 'league':
      return period === 'week'
        ? `${nth} this week in the league`
        : `${nth} of all time in the league`;
    case 'venue':
      return period === 'week' ? `${nth} this week at ${venue}` : `${nth} of all time at ${venue}`;
    case 'friends':
      return period === 'week'
        ? `${nth} this week among your friends`
        : `${nth} of all time among your friends`;
  }
}

/** What is announced after another board has loaded: "Venue, week, 20 players". */
export function announcement({ scope, period }: Choice, players: number): string {
  const count = players === 1 ? '1 player' : `${players} players`;
  return `${SCOPE_NAMES[scope]}, ${PERIOD_NAMES[period].toLowerCase()}, ${count}`;
}
