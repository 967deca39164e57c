/** Who may see a player's name and jersey (ACC-60), from few to many. */
export const VISIBILITIES = ['league', 'players', 'venue'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Replaces a name that the viewer may not see. Not a possible username: it has a space. */
export const A_PLAYER = 'A player';

/**
 * Whether a name in a list is a player's own, so that the viewer may open the player (HAND-61).
 * `A_PLAYER` and `FORMER_PLAYER` have a space.
 */
export const isNamed = (username: string | null): username is string =>
  username !== null && !username.includes(' ');

export const VISIBILITY_UNKNOWN = 'Visibility must be league, players or venue.';

/** Whether `one` shows a name to more people than `other` does. */
export function isWider(one: Visibility, other: Visibility): boolean {
  return VISIBILITIES.indexOf(one) > VISIBILITIES.indexOf(other);
}
