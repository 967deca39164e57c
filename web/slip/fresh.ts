import type { GamesAnswer, PlayedGame } from '#contract/wire/games.ts';

/** Without a mark, games that landed longer than this before the read are not fresh (HAND-01). */
const FIRST_LOOK_MS = 3 * 3_600_000;
/** A slip shows no game that landed longer ago (HAND-02). */
const SHOWN_MS = 24 * 3_600_000;

const before = (instant: string, ms: number) => new Date(Date.parse(instant) - ms).toISOString();

/** The mark of a phone that has put no slip away (HAND-01). */
export const firstMark = ({ read_at }: Pick<GamesAnswer, 'read_at'>) =>
  before(read_at, FIRST_LOOK_MS);

/**
 * The games that landed after `mark`, an ISO instant: `fresh` are those of the last 24 hours,
 * newest first. `newest` is when the last of them landed, or null (HAND-01, HAND-02).
 */
export function freshGames(
  { results, read_at }: Pick<GamesAnswer, 'results' | 'read_at'>,
  mark: string,
): { fresh: PlayedGame[]; newest: string | null } {
  const landed = results.filter(
    ({ counts, landed_at }) => counts !== 'void' && landed_at > mark && landed_at <= read_at,
  );
  const since = before(read_at, SHOWN_MS);
  return {
    fresh: landed.filter(({ landed_at }) => landed_at > since),
    newest: landed.reduce<string | null>(
      (last, { landed_at }) => (last === null || landed_at > last ? landed_at : last),
      null,
    ),
  };
}

/** Milliseconds until the next game lands; undefined if all have landed (OPS-17). */
export function untilNext({ results, read_at }: Pick<GamesAnswer, 'results' | 'read_at'>) {
  const waits = results.map(({ landed_at }) => Date.parse(landed_at) - Date.parse(read_at));
  return waits.filter((ms) => ms > 0).sort((a, b) => a - b)[0];
}
