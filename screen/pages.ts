import type { SlideName } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';

const MATCHUPS_OF_A_SLIDE = 4;
/** Of older data, only the top tens are shown. */
const OLD_MS = 12 * 3_600_000;

/** A slide, or a part of a league's matchups. */
export type Page = { key: string; seconds: number } & (
  | { slide: Exclude<SlideName, 'matchups'> }
  | { slide: 'matchups'; league: number; from: number; to: number }
);

/**
 * The slides with content, in staff's order; tonight's slide is never empty (PROD-111).
 * `silentFor`: ms since the server's last message. `now`, the server's time, decides whether a
 * notice has ended (SCREEN-08).
 */
export function pagesOf(
  payload: ScreenAnswer,
  silentFor = 0,
  now = Date.parse(payload.now),
): Page[] {
  const old = silentFor > OLD_MS;
  const pages: Page[] = [];
  for (const { slide, seconds } of payload.slides) {
    if (old && slide !== 'week' && slide !== 'all') continue;
    if (slide === 'matchups') pages.push(...matchupPages(payload, seconds));
    else if (hasContent(payload, slide, now)) pages.push({ key: slide, slide, seconds });
  }
  if (pages.length === 0) pages.push({ key: 'join', slide: 'join', seconds: 12 });
  return pages;
}

function hasContent(
  payload: ScreenAnswer,
  slide: Exclude<SlideName, 'matchups'>,
  now: number,
): boolean {
  switch (slide) {
    case 'tonight':
    case 'join':
      return true;
    case 'notice':
      // An earlier version stored no `notice_until`.
      return (
        payload.notice !== null && (!payload.notice_until || now < Date.parse(payload.notice_until))
      );
    case 'week':
    case 'all':
    case 'achievements':
      return payload[slide].length > 0;
    default:
      // A newer server's slide.
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
