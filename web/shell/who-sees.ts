import { ADULT_AGE_DEFAULT } from '#contract/rules/of-age.ts';
import type { Visibility } from '#contract/rules/visibility.ts';
import { useConfig } from '../session/config.ts';
import type { PickOf } from '../ui/Picks.tsx';

export const WHO_SEES = 'Who sees my name';

/** Who may see a player's name (PROD-80). */
export const WHO_SEES_PICKS: readonly PickOf<Visibility>[] = [
  {
    value: 'league',
    name: 'My team and the teams we play',
    text: 'Everybody else sees “A player” in your place.',
  },
  {
    value: 'players',
    name: 'Everybody with an account here',
    text: 'Your name and jersey on leaderboards.',
  },
  {
    value: 'venue',
    name: 'Also the screens in venues',
    text: 'Your games on the screens, with your name.',
  },
];

/** The age from which a player may choose who sees the name (ACC-61); 18 until it is known. */
export const useAdultAge = (): number => useConfig()?.adult_age ?? ADULT_AGE_DEFAULT;
