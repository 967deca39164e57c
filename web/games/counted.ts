import { ordinal, TAKEN_OUT, TAKEN_OUT_NOT_MINE } from '#contract/rules/games.ts';
import type { Counts, PlayedGame } from '#contract/wire/games.ts';

export type Sign = 'counted' | 'bench' | 'out' | 'over' | 'held';

const SIGNS: Record<Counts, Sign> = {
  league: 'counted',
  bench: 'bench',
  over_8: 'over',
  league_mode_off: 'out',
  no_team: 'out',
  off_season: 'out',
  paused: 'out',
  held: 'held',
  void: 'out',
};

/**
 * What a game counted for (GAME-06), in words and as an icon. `team` is the player's current team:
 * the words call it “your team”, and name any other.
 */
export function countedFor(
  {
    counts,
    place,
    team: playedFor,
    report,
    report_reason,
  }: Pick<PlayedGame, 'counts' | 'place' | 'team'> &
    Partial<Pick<PlayedGame, 'report' | 'report_reason'>>,
  team: string | null,
): { words: string; sign: Sign } {
  if (report === 'void' && report_reason === 'not_mine')
    return { words: TAKEN_OUT_NOT_MINE, sign: SIGNS[counts] };
  return { words: words(counts, place, playedFor, team), sign: SIGNS[counts] };
}

function words(
  counts: Counts,
  place: number | null,
  playedFor: string | null,
  team: string | null,
): string {
  switch (counts) {
    case 'league':
      return `Counted for ${playedFor === null || playedFor === team ? 'your team' : playedFor}`;
    case 'bench':
      return place === null ? 'Bench' : `Bench, ${ordinal(place)} best`;
    case 'over_8':
      return 'Extra game';
    case 'league_mode_off':
      return 'League mode was off';
    case 'no_team':
      return 'For you';
    case 'off_season':
      return 'No season was running';
    case 'paused':
      return 'The week was postponed';
    case 'held':
      return 'Held for review';
    case 'void':
      return TAKEN_OUT;
  }
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

export function byDay<G extends Pick<PlayedGame, 'played_at'>>(
  games: readonly G[],
): { day: Date; games: G[] }[] {
  // Not `Map.groupBy`, which Safari has only from 17.4 on.
  const days = new Map<string, G[]>();
  for (const game of games) {
    const day = new Date(game.played_at).toDateString();
    days.set(day, [...(days.get(day) ?? []), game]);
  }
  return [...days].map(([day, own]) => ({ day: new Date(day), games: own }));
}
