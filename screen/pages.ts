import { aloneUntil, WINNER_MS } from '#contract/rules/contests.ts';
import { currentRound } from '#contract/rules/cups.ts';
import { noticeAt, type SlideName } from '#contract/rules/screens.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';

const MATCHUPS_OF_A_SLIDE = 4;
/** How long a slide of next week is shown (HAND-T1). */
const NEXT_SECONDS = 12;
/**
 * How many teams a season's first slide has below the first team, how many a later slide has, and
 * for how long it is shown.
 */
const TEAMS_BELOW = 5;
const TEAMS_OF_A_SLIDE = 6;
const TEAMS_SECONDS = 8;
/** After this long without contact, only the top tens are shown. */
const OLD_MS = 12 * 3_600_000;

/** A slide as it is shown; matchups, seasons, contests and cups can have several. */
export type Page = { key: string; seconds: number } & (
  | { slide: Exclude<SlideName, 'matchups' | 'season' | 'contest' | 'cup'> }
  | { slide: 'cup'; id: string; show: 'tree' | 'round' | 'won'; round: number; from: number }
  | { slide: 'season'; from: number; to: number }
  | { slide: 'contest'; code: string; winner: boolean }
  | { slide: 'matchups'; next: boolean; league: number; from: number; to: number }
);

/**
 * The slides with content, in staff's order; tonight's slide is never empty (PROD-111).
 * `silentFor`: ms since the server's last message. `now`, the server's time, decides
 * which notice is shown (SCREEN-08).
 */
export function pagesOf(
  payload: ScreenAnswer,
  silentFor = 0,
  now = Date.parse(payload.now),
): Page[] {
  const old = silentFor > OLD_MS;
  const contests = old ? null : contestPages(payload, now);
  if (contests !== null && contests.alone.length > 0) return contests.alone;
  const won = old ? [] : cupsWon(payload, now);
  if (won.length > 0) return won;
  const pages: Page[] = [];
  for (const { slide, seconds } of payload.slides) {
    if (old && slide !== 'week' && slide !== 'all') continue;
    if (slide === 'contest') pages.push(...(contests?.winners ?? []));
    else if (slide === 'matchups') pages.push(...matchupPages(payload, seconds));
    else if (slide === 'cup') pages.push(...cupPages(payload, seconds, now));
    else if (slide === 'season') pages.push(...seasonPages(payload, seconds));
    else if (hasContent(payload, slide, now)) pages.push({ key: slide, slide, seconds });
  }
  if (pages.length === 0) pages.push({ key: 'join', slide: 'join', seconds: 12 });
  return everySecond(contests?.running ?? [], pages);
}

/** Puts one of `pages` before each of `others`, in turn (CONTEST-09). */
function everySecond(pages: readonly Page[], others: Page[]): Page[] {
  if (pages.length === 0) return others;
  const all: Page[] = [];
  others.forEach((other, at) => {
    const page = pages[at % pages.length] as Page;
    all.push({ ...page, key: `${page.key} ${at}` }, other);
  });
  return all;
}

type ContestPages = Record<'running' | 'winners' | 'alone', Page[]>;

/**
 * The slides of contests (CONTEST-09). `running`: begun and not final. `winners` take turns with
 * the other slides. While `alone` has any, nothing else is shown.
 */
function contestPages(payload: ScreenAnswer, now: number): ContestPages | null {
  const setting = payload.slides.find(({ slide }) => slide === 'contest');
  // An earlier version stored no contests.
  if (setting === undefined || !payload.contests) return null;
  const { seconds } = setting;
  const pageOf = ({ code }: { code: string }, winner: boolean): Page => ({
    key: winner ? `winner ${code}` : `contest ${code}`,
    slide: 'contest',
    seconds,
    code,
    winner,
  });
  const begun = payload.contests.filter(
    ({ starts_at, final_at }) => final_at === null && Date.parse(starts_at) <= now,
  );
  const decided = payload.contests.filter(
    ({ final_at, shown_until, places }) =>
      final_at !== null && now < Date.parse(shown_until ?? '') && places.length > 0,
  );
  const fresh = decided.filter(({ final_at }) => now < Date.parse(final_at ?? '') + WINNER_MS);
  // Check the time too, because a held game can delay the final result all night.
  const only = begun.filter((contest) => contest.only && now < aloneUntil(contest.ends_at));
  return {
    running: begun.map((contest) => pageOf(contest, false)),
    winners: decided.map((contest) => pageOf(contest, true)),
    alone:
      fresh.length > 0
        ? fresh.map((contest) => pageOf(contest, true))
        : only.map((contest) => pageOf(contest, false)),
  };
}

/** The notice at `now`, the server's time, or null (SCREEN-08, HAND-C14). */
export function noticeText(payload: ScreenAnswer, now: number): string | null {
  const { notice, notice_until } = payload;
  // An earlier version sends no `notices`.
  const times = payload.notices || [{ text: notice, from: null, until: notice_until }];
  const shown = noticeAt(times, now);
  return shown ? shown.text : null;
}

function hasContent(
  payload: ScreenAnswer,
  slide: Exclude<SlideName, 'matchups' | 'season' | 'contest' | 'cup'>,
  now: number,
): boolean {
  switch (slide) {
    case 'tonight':
    case 'join':
      return true;
    case 'notice':
      return noticeText(payload, now) !== null;
    case 'week':
    case 'all':
    case 'achievements':
      return payload[slide].length > 0;
    default:
      // Only a newer server knows this slide.
      return false;
  }
}

/** The pairings of a long round on one slide, and how long such a slide is shown (CUP-32). */
export const PAIRINGS_OF_A_SLIDE = 8;
const PAIRINGS_SECONDS = 8;
/** A round of at most this many pairings, and what follows, is shown as a tree. */
const TREE_PAIRINGS = 4;

type CupRound = ScreenAnswer['cups'][number]['rounds'][number];

/** The pairings that a long round's slides show: all except decided ones without two sides. */
export const shownPairings = ({ pairings }: Pick<CupRound, 'pairings'>) =>
  pairings.filter(({ a, b, decided }) => !decided || (a.seed !== null && b.seed !== null));

/** The winners of cups that became final in the last minutes: nothing else is shown (CUP-32). */
function cupsWon(payload: ScreenAnswer, now: number): Page[] {
  const setting = payload.slides.find(({ slide }) => slide === 'cup');
  // An earlier version sent no cups.
  if (setting === undefined || !payload.cups) return [];
  const fresh = payload.cups.filter(
    ({ final_at }) => final_at !== null && now < Date.parse(final_at) + WINNER_MS,
  );
  return cupPages({ ...payload, cups: fresh }, setting.seconds, now);
}

/** The pages of each cup: its tree, its long round, or its winner (CUP-32). */
function cupPages({ cups }: ScreenAnswer, seconds: number, now: number): Page[] {
  const pages: Page[] = [];
  // An earlier version sent no cups.
  (cups || []).forEach((cup) => {
    const { id } = cup;
    const add = (show: 'tree' | 'round' | 'won', round: number, from: number, shown: number) =>
      pages.push({
        key: `cup ${id} ${show} ${round} ${from}`,
        slide: 'cup',
        seconds: shown,
        id,
        show,
        round,
        from,
      });
    if (cup.final_at !== null) {
      if (cup.champion !== null && now < Date.parse(cup.shown_until ?? ''))
        add('won', 0, 0, seconds);
      return;
    }
    const round = currentRound(cup.rounds, now);
    const open = cup.rounds[round] ?? { pairings: [] };
    if (open.pairings.length <= TREE_PAIRINGS) add('tree', round, 0, seconds);
    else
      for (let from = 0; from < shownPairings(open).length; from += PAIRINGS_OF_A_SLIDE)
        add('round', round, from, PAIRINGS_SECONDS);
  });
  return pages;
}

/** The pages of the season's table, with six teams each. */
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
  const add = (next: boolean, league: number, count: number) => {
    for (let from = 0; from < count; from += MATCHUPS_OF_A_SLIDE)
      pages.push({
        key: `${next ? 'next' : 'matchups'} ${league} ${from}`,
        slide: 'matchups',
        seconds: next ? NEXT_SECONDS : seconds,
        next,
        league,
        from,
        to: Math.min(from + MATCHUPS_OF_A_SLIDE, count),
      });
  };
  leagues.forEach(({ matchups, next }, league) => {
    add(false, league, matchups.length);
    // An earlier version did not store `next`.
    add(true, league, next?.matchups.length ?? 0);
  });
  return pages;
}
