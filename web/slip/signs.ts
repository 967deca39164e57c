import type { Counts, PlayedGame } from '#contract/wire/games.ts';

/**
 * Ball: counts for the team, or the player has no team. Ring: bench. Clock: held. Dash: the rest.
 */
export type Sign = 'ball' | 'ring' | 'dash' | 'clock';

export const SIGNS: Record<Counts, Sign> = {
  league: 'ball',
  bench: 'ring',
  over_8: 'dash',
  league_mode_off: 'dash',
  no_team: 'ball',
  off_season: 'dash',
  paused: 'dash',
  held: 'clock',
  void: 'dash',
};

/** The line at the foot of the pass (HAND-18). */
export function lastGame({ score, counts }: Pick<PlayedGame, 'score' | 'counts'>): string {
  switch (counts) {
    case 'league':
      return `**Last game ${score},** counted`;
    case 'bench':
      return `**Last game ${score},** bench`;
    case 'over_8':
      return `**Last game ${score},** extra game`;
    case 'league_mode_off':
      return `**Last game ${score},** league mode was off`;
    case 'no_team':
      return `**Last game ${score},** counted for you`;
    case 'off_season':
      return `**Last game ${score},** no season was running`;
    case 'paused':
      return `**Last game ${score},** the week was postponed`;
    case 'held':
      return `**Last game ${score},** held for review`;
    case 'void':
      return `**Last game ${score},** taken out`;
  }
}

/** The label on the leader's plate, or on both if they are level (HAND-15). */
export const aheadBy = (lead: number) => (lead === 0 ? 'Level' : `Ahead by ${Math.abs(lead)}`);
