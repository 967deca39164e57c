import type { Teammate } from '#contract/wire/leagues.ts';

/** What the list that was tapped says about a player. */
export type Person = {
  /** "2nd this week in the league" */
  place: string;
  look?: { color: string | null; number: string | null };
  team?: string | null;
  /** Whether the team is one of the player's league, which has a page. */
  hasPage?: boolean;
  week?: Teammate;
  /** `mine`: null if the viewer has no such score. */
  best?: { words: string; mine: number | null; theirs: number };
};
