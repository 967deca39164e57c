/** The slides in their default order (PROD-110). */
export const SLIDES = [
  'tonight',
  'contest',
  'week',
  'all',
  'matchups',
  'cup',
  'season',
  'achievements',
  'join',
  'notice',
] as const;
export type SlideName = (typeof SLIDES)[number];

export const SLIDE_LABELS: Record<SlideName, string> = {
  tonight: 'Tonight',
  week: 'This week here',
  all: 'All time here',
  matchups: 'Matchups',
  contest: 'Contest',
  cup: 'Cup',
  season: 'Season',
  achievements: 'Won tonight',
  join: 'Play here',
  notice: 'From the house',
};

export const SLIDE_SECONDS = 12;
export const MATCHUPS_SECONDS = 20;
export const SECONDS_MIN = 5;
export const SECONDS_MAX = 120;

export const NOTICE_MAX = 200;

/** A notice and when it is shown. `from` null: at once; `until` null: without an end. */
export type NoticeTime = { text: string; from: string | null; until: string | null };

/** The notice that is shown at `now`: the first in the list whose time it is (HAND-C14). */
export const noticeAt = <T extends Omit<NoticeTime, 'text'>>(
  times: readonly T[],
  now: number,
): T | undefined =>
  times.find(
    ({ from, until }) =>
      (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until)),
  );

export type SlideSetting = { slide: SlideName; on: boolean; seconds: number };

export const defaultSeconds = (slide: SlideName): number =>
  slide === 'matchups' ? MATCHUPS_SECONDS : SLIDE_SECONDS;

export const defaultSlides = (): SlideSetting[] =>
  SLIDES.map((slide) => ({ slide, on: true, seconds: defaultSeconds(slide) }));

export const PAIRING_LIFE_MS = 15 * 60_000;

/** The path in the QR code of an unpaired screen. */
export const PAIRING_PATH = '/console/screens?pair';
