import type { SlideName } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';

const MATCHUPS_OF_A_SLIDE = 4;
/** Teams below the first on a slide of a season, and how long the further ones are shown. */
const TEAMS_BELOW = 5;
const TEAMS_OF_A_SLIDE = 6;
const TEAMS_SECONDS = 8;
/** Of older data, only the top tens are shown. */
const OLD_MS = 12 * 3_600_000;

/** A slide, or a part of a league's matchups. */
export type Page = { key: string; seconds: number } & (
  | { slide: Exclude<SlideName, 'matchups' | 'season'> }
  | { slide: 'season'; from: number; to: number }
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
    else if (slide === 'season') pages.push(...seasonPages(payload, seconds));
    else if (hasContent(payload, slide, now)) pages.push({ key: slide, slide, seconds });
  }
  if (pages.length === 0) pages.push({ key: 'join', slide: 'join', seconds: 12 });
  return pages;
}

function hasContent(
  payload: ScreenAnswer,
  slide: Exclude<SlideName, 'matchups' | 'season'>,
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

/** The first of the table with the next five, then six a page. */
function seasonPages({ season }: ScreenAnswer, seconds: number): Page[] {
  // An earlier version sent no season.
  const teams = season ? season.rows.length : 0;
  if (teams === 0) return [];
  const pages: Page[] = [];
  const add = (from: number, to: number, shown: number) =>
    pages.push({ key: `season ${from}`, slide: 'season', seconds: shown, from, to });
  add(0, Math.min(1 + TEAMS_BELOW, teams), seconds);
  for (let from = 1 + TEAMS_BELOW; from < teams; from += TEAMS_OF_A_SLIDE)
    add(from, Math.min(from + TEAMS_OF_A_SLIDE, teams), TEAMS_SECONDS);
  return pages;
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
