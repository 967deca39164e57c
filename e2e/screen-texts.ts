import type { OpenScreen, PlayerScreen } from '#contract/screens.ts';

/** A text of each player's page with its data. */
export const PLAYER_TEXTS: Record<PlayerScreen, RegExp> = {
  '/profile': /^Team Stats \(Weekly\)/,
  '/games': /games since/,
  '/league': /Schedule/,
  '/leaderboard': /Leaderboard/,
  '/achievements': /won, \d+ still to win/,
  '/week': /Week in one picture/,
  '/account': /Where I am signed in/,
  '/card': /Spare card/,
};

/** The pages without sign-in. */
export const OPEN_HEADINGS: Record<OpenScreen, string> = {
  '/': 'Login',
  '/login': 'Login',
  '/signup': 'Create account',
  '/reset-password': 'Login',
  '/auth/google/callback': 'Login',
  '/auth/oidc/callback': 'Login',
  '/join': 'Join a team',
  '/privacy': 'Privacy Policy',
  '/terms': 'Terms and Conditions',
};
