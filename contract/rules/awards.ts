/** The awards of a season, in their order (AWARD-01 to AWARD-08). */
export const AWARDS = [
  'best_game',
  'best_week',
  'best_average',
  'most_games',
  'most_improved',
  'carried',
  'best_team_week',
  'closest',
] as const;

export type AwardKey = (typeof AWARDS)[number];

export const AWARD_WORDS: Record<AwardKey, string> = {
  best_game: 'Best game',
  best_week: 'Best week',
  best_average: 'Best average',
  most_games: 'Most games',
  most_improved: 'Most improved',
  carried: 'Carried the team',
  best_team_week: 'Best team week',
  closest: 'Closest matchup',
};
