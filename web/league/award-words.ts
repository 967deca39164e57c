import type { Award } from '#contract/wire/seasons.ts';

/** The drawing of each award, chosen from those of the achievements. */
export const AWARD_ICONS: Record<Award['key'], string> = {
  best_game: 'personal-best',
  best_week: 'four-counted',
  best_average: 'three-better',
  most_games: 'all-eight',
  most_improved: 'games-50',
  carried: 'best-of-team',
  best_team_week: 'team-win',
  closest: 'first-league-game',
};
