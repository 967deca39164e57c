import type { ScreenAnswer } from '#contract/wire/screens.ts';
import type { Page } from './pages.ts';

export type Game = ScreenAnswer['tonight'][number];

/** How long tonight's slide is shown after a new game (PROD-112). */
const LANDED_MS = 10_000;
/** The longest time for tonight's slide when more games land: on a full night they never stop. */
const LANDED_MOST_MS = 20_000;
/** How long a personal best is shown, and the least time from one to the next. */
const BEST_MS = 8_000;
const BEST_EVERY_MS = 60_000;
/** An interrupted slide comes back for at least this long. */
const BACK_MIN_MS = 4_000;

export type Star = {
  game: Game;
  head: 'House record' | 'Best of the week' | 'Personal best';
  /** By how many points the game beats the best before it. */
  more: number;
  /** The previous house record; null under another head. */
  before: { score: number; username: string | null } | null;
};

type Boards = Pick<ScreenAnswer, 'week' | 'all'>;

/**
 * What takes the whole wall: a game under the highest head that it earns (HAND-T2); null if it
 * earns none. `before` are the boards before the game, null if unknown. `after` are the newest: a
 * better game may have come first while the line was lost. Only a personal best needs a name.
 */
export function starOf(game: Game, before: Boards | null, after: Boards | null): Star | null {
  const beats = (old: { score: number }, best = old) =>
    game.score > old.score && game.score >= best.score;
  const [record, week] = [before?.all[0], before?.week[0]];
  if (record !== undefined && beats(record, after?.all[0])) {
    const { score, username } = record;
    const more = game.score - score;
    return { game, head: 'House record', more, before: { score, username } };
  }
  if (week !== undefined && beats(week, after?.week[0]))
    return { game, head: 'Best of the week', more: game.score - week.score, before: null };
  if (game.beat === null || game.username === null) return null;
  return { game, head: 'Personal best', more: game.score - game.beat, before: null };
}

const HEADS: readonly Star['head'][] = ['House record', 'Best of the week', 'Personal best'];

/** Times are in ms of `performance.now()`. */
export type Show = {
  key: string;
  /** When the slide came on. */
  since: number;
  until: number;
  /** The game that has the whole wall, or null. */
  best: Star | null;
  /** The interrupted slide, and for how many ms to show it afterwards. */
  back: { key: string; left: number } | null;
  /** Whether the slide has come back: if interrupted again, it gets only the time that was left. */
  returned: boolean;
  bestAt: number;
};

export const opening: Show = {
  key: '',
  since: 0,
  until: 0,
  best: null,
  back: null,
  returned: false,
  bestAt: Number.NEGATIVE_INFINITY,
};

/**
 * The payload to compare `after` with: `before`, or null if there is none or the screen has moved to
 * another venue since.
 */
export const comparable = (
  before: ScreenAnswer | null,
  after: ScreenAnswer,
): ScreenAnswer | null => (before !== null && before.venue.id === after.venue.id ? before : null);

/**
 * The new games to animate, newest first: those listed before the newest game of `before`. A game
 * that a machine sent late is listed after that game, and is not animated. Empty for the first
 * payload.
 */
export function landed(before: readonly Game[] | null, after: readonly Game[]): Game[] {
  if (before === null) return [];
  const known = before.map(({ id }) => id);
  const at = after.findIndex(({ id }) => known.indexOf(id) !== -1);
  const fresh = at === -1 ? after : after.slice(0, at);
  // After a void, `fresh` can contain older games: drop them.
  return fresh.filter(({ played_at }) => before.every((old) => played_at >= old.played_at));
}

/**
 * Interrupts the rotation for new games: shows tonight's slide, or the best of them on the whole
 * wall (PROD-112, HAND-T2). `before`, `after`: the boards without and with the games.
 */
export function withGames(
  show: Show,
  pages: readonly Page[],
  games: readonly Game[],
  now: number,
  before: Boards | null = null,
  after: Boards | null = before,
): Show {
  if (games.length === 0 || !pages.some(({ slide }) => slide === 'tonight')) return show;
  const stars = games.map((game) => starOf(game, before, after));
  const best =
    now - show.bestAt >= BEST_EVERY_MS
      ? HEADS.map((name) => stars.find((star) => star !== null && star.head === name)).find(Boolean)
      : null;
  const back =
    show.back ??
    (show.key === 'tonight' || show.key === ''
      ? null
      : { key: show.key, left: Math.max(show.until - now, show.returned ? 0 : BACK_MIN_MS) });
  const since = show.key === 'tonight' ? show.since : now;
  if (best)
    return { ...show, key: 'tonight', since, until: now + BEST_MS, best, back, bestAt: now };
  // Show tonight's slide after the personal best.
  if (show.best !== null && now < show.until) return { ...show, back };
  return {
    ...show,
    key: 'tonight',
    since,
    until: Math.max(
      Math.min(now + LANDED_MS, since + LANDED_MOST_MS),
      show.key === 'tonight' ? show.until : 0,
    ),
    best: null,
    back,
  };
}

/** The rotation at `now`: the same slide, or the next one. */
export function atTime(show: Show, pages: readonly Page[], now: number): Show {
  const here = pages.findIndex(({ key }) => key === show.key);
  if (here !== -1 && now < show.until) return show;
  if (here !== -1 && show.best !== null) return { ...show, best: null, until: now + LANDED_MS };
  const back = show.back === null ? -1 : pages.findIndex(({ key }) => key === show.back?.key);
  if (show.back !== null && back !== -1)
    return {
      ...show,
      ...{ key: show.back.key, since: now, until: now + show.back.left },
      ...{ best: null, back: null, returned: true },
    };
  return turnTo(show, pages, here + 1, now);
}

/** Turns to the page `number`, which wraps around. */
export function turnTo(show: Show, pages: readonly Page[], number: number, now: number): Show {
  const page = pages[(number + pages.length) % pages.length];
  if (page === undefined) return show;
  return {
    ...show,
    ...{ key: page.key, since: now, until: now + page.seconds * 1000 },
    ...{ best: null, back: null, returned: false },
  };
}
