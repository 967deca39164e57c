import { ordinal, TAKEN_OUT, TAKEN_OUT_NOT_MINE } from '#contract/rules/games.ts';
import type { Counts, PlayedGame } from '#contract/wire/games.ts';

type Judged = Pick<PlayedGame, 'counts' | 'place' | 'team'> &
  Partial<Pick<PlayedGame, 'report' | 'report_reason'>>;

const isForOwnTeam = (game: Judged, team: string | null) =>
  game.team === null || game.team === team;

/** Why a game did not count for a team; null if it did, or might have. */
function otherwise(counts: Counts, place: number | null): string | null {
  switch (counts) {
    case 'bench':
      return place === null ? 'Bench' : `Bench, ${ordinal(place)} best`;
    case 'over_8':
      return 'Extra game';
    case 'no_team':
      return 'For you';
    case 'off_season':
      return 'No season was running';
    case 'held':
      return 'Held for review';
    default:
      return null;
  }
}

/**
 * What a game counted for (GAME-06). `team` is the player's current team: the words call it “your
 * team”, and name any other.
 */
export function countedFor(game: Judged, team: string | null): string {
  const { counts, place, report, report_reason } = game;
  if (report === 'void' && report_reason === 'not_mine') return TAKEN_OUT_NOT_MINE;
  if (counts === 'void') return TAKEN_OUT;
  if (counts === 'league_mode_off') return 'League mode was off';
  if (counts === 'paused') return 'The week was postponed';
  return (
    otherwise(counts, place) ??
    (isForOwnTeam(game, team) ? 'Counted for your team' : `Counted for ${game.team}`)
  );
}

/** What a game counted for, in the few words of a row (HAND-71). */
export function shortReason(game: Judged, team: string | null): string {
  const { counts, place } = game;
  if (counts === 'void') return 'Taken out';
  if (counts === 'league_mode_off') return 'League mode off';
  if (counts === 'paused') return 'Week postponed';
  return (
    otherwise(counts, place) ?? (isForOwnTeam(game, team) ? 'Counted' : `Counted for ${game.team}`)
  );
}

/** The shooting in whole percent, rounded half up; null if the numbers make no sense (HAND-73). */
export function percentOf(shots: { made: number; tried: number } | null): number | null {
  if (shots === null || shots.tried <= 0 || shots.made > shots.tried) return null;
  return Math.floor((200 * shots.made + shots.tried) / (2 * shots.tried));
}

/** Whether a game counts in the player's figures (GAME-02). */
export function isInFigures({ counts }: Pick<PlayedGame, 'counts'>): boolean {
  return counts !== 'held' && counts !== 'void';
}

/** The earliest game with the high score. `games` are newest first. */
export function bestGame<G extends Pick<PlayedGame, 'score' | 'counts'>>(
  games: readonly G[],
  highscore: number | null,
): G | undefined {
  return games.findLast((game) => isInFigures(game) && game.score === highscore);
}

/** The games of each day; `venue` is where all of them were played, null if at several. */
export function byDay<G extends Pick<PlayedGame, 'played_at' | 'venue'>>(
  games: readonly G[],
): { day: Date; games: G[]; venue: string | null }[] {
  // Not `Map.groupBy`, which Safari has only from 17.4 on.
  const days = new Map<string, G[]>();
  for (const game of games) {
    const day = new Date(game.played_at).toDateString();
    days.set(day, [...(days.get(day) ?? []), game]);
  }
  return [...days].map(([day, own]) => {
    const venue = own[0]?.venue ?? null;
    return {
      day: new Date(day),
      games: own,
      venue: own.every((game) => game.venue === venue) ? venue : null,
    };
  });
}
