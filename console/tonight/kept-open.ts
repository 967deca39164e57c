import { openWords } from '#contract/rules/leagues.ts';
import type { KeptOpen } from '#contract/wire/tonight.ts';
import { seasonPath } from '../shell/paths.ts';
import { keepsWords } from '../ui/week-words.ts';

/**
 * A sentence for each season that waits for some of the `number` cases in view: `It keeps Season 1
 * of Dock League open` (SEASON-21).
 */
export const keptHere = (
  seasons: readonly KeptOpen[],
  kind: 'held' | 'complaints',
  number: number,
): string[] =>
  seasons
    .filter(({ here }) => here[kind] > 0)
    .map((season) => keepsWords(season, season.here[kind], number));

type Elsewhere = Pick<KeptOpen, 'id' | 'league' | 'name'> & {
  title: string;
  about: string;
  to: string;
};

/** The seasons that wait for cases of other venues, with those cases in words (SEASON-21). */
export function keptElsewhere(seasons: readonly KeptOpen[]): Elsewhere[] {
  return seasons.flatMap(({ id, league_id, league, name, here, ...all }) => {
    const open = { held: all.held - here.held, complaints: all.complaints - here.complaints };
    const number = open.held + open.complaints;
    if (number === 0) return [];
    return {
      id,
      league,
      name,
      title: `${openWords(open)} elsewhere`,
      about: keepsWords({ league, name }, number, number),
      to: seasonPath(league_id, id),
    };
  });
}
