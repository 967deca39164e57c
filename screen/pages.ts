import type { SlideName } from '#contract/slides.ts';
import type { ScreenAnswer } from '#contract/venue-screen.ts';

/** More matchups than this go on a second slide. */
const MATCHUPS_OF_A_SLIDE = 4;
/** Without a connection for longer than this, only the boards are still true enough. */
const OLD_MS = 12 * 3_600_000;

/** One quarter at the foot: a slide, or a part of the matchups. */
export type Page = { key: string; seconds: number } & (
  | { slide: Exclude<SlideName, 'matchups'> }
  | { slide: 'matchups'; league: number; from: number; to: number }
);

/**
 * The slides of a rotation, in the order that staff chose. A slide without content is left out; the
 * slide of tonight is not, because an empty board is its content before the first game (PROD-111).
 * `silentFor` is how long nothing has been heard from the server, in ms.
 */
export function pagesOf(payload: ScreenAnswer, silentFor = 0): Page[] {
  const old = silentFor > OLD_MS;
  const pages: Page[] = [];
  for (const { slide, seconds } of payload.slides) {
    if (old && slide !== 'week' && slide !== 'all') continue;
    if (slide === 'matchups') pages.push(...matchupPages(payload, seconds));
    else if (hasContent(payload, slide)) pages.push({ key: slide, slide, seconds });
  }
  // Nothing to show: the wall is never empty.
  if (pages.length === 0) pages.push({ key: 'join', slide: 'join', seconds: 12 });
  return pages;
}

function hasContent(payload: ScreenAnswer, slide: Exclude<SlideName, 'matchups'>): boolean {
  switch (slide) {
    case 'tonight':
    case 'join':
      return true;
    case 'notice':
      return payload.notice !== null;
    case 'week':
    case 'all':
    case 'achievements':
      return payload[slide].length > 0;
    default:
      // A newer server may have slides that this version does not know.
      return false;
  }
}

function matchupPages({ leagues }: ScreenAnswer, seconds: number): Page[] {
  const pages: Page[] = [];
  leagues.forEach(({ matchups }, league) => {
    for (let from = 0; from < matchups.length; from += MATCHUPS_OF_A_SLIDE)
      pages.push({
        key: `matchups ${league} ${from}`,
        slide: 'matchups',
        seconds,
        league,
        from,
        to: Math.min(from + MATCHUPS_OF_A_SLIDE, matchups.length),
      });
  });
  return pages;
}
