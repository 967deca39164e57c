import type { OpenPath, PlayerPath } from '#contract/rules/pages.ts';

/** A text that each page of a player contains once it has its data. */
export const PLAYER_TEXTS: Record<PlayerPath, RegExp> = {
  '/profile': /^Team Stats \(Weekly\)/,
  '/games': /games since/,
  '/league': /Schedule/,
  '/league/team': /Results/,
  '/leaderboard': /Leaderboard/,
  '/friends': /Nobody yet/,
  '/friends/add': /Add a friend/,
  '/duels': /No duel yet/,
  '/achievements': /won, \d+ still to win/,
  '/seasons': /Seasons/,
  '/week': /Week in one picture/,
  '/account': /Where I am signed in/,
  '/card': /Spare card/,
};

/** The heading of each page that needs no sign-in. */
export const OPEN_HEADINGS: Record<OpenPath, string> = {
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
