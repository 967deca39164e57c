import type { Award } from '#contract/wire/seasons.ts';

export const AWARD_WORDS: Record<Award['key'], string> = {
  best_game: 'Best game',
  best_week: 'Best week',
  best_average: 'Best average',
  most_games: 'Most games',
  most_improved: 'Most improved',
  carried: 'Carried the team',
  best_team_week: 'Best team week',
  closest: 'Closest matchup',
};

/** The drawing of each award, of those that achievements have. */
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
