/** The slides of a venue screen, in their default order (PROD-110). */
export const SLIDES = [
  'tonight',
  'week',
  'all',
  'matchups',
  'achievements',
  'join',
  'notice',
] as const;
export type SlideName = (typeof SLIDES)[number];

/** What each slide is called where staff choose them. */
export const SLIDE_LABELS: Record<SlideName, string> = {
  tonight: 'Tonight',
  week: 'This week here',
  all: 'All time here',
  matchups: 'Matchups',
  achievements: 'Won tonight',
  join: 'Play here',
  notice: 'From the house',
};

/** How long a slide is on, in seconds. */
export const SLIDE_SECONDS = 12;
export const MATCHUPS_SECONDS = 20;
export const SECONDS_MIN = 5;
export const SECONDS_MAX = 120;

/** The longest notice of a venue, in characters. */
export const NOTICE_MAX = 200;

/** A slide of one screen: whether it is shown, and for how many seconds. */
export type SlideSetting = { slide: SlideName; on: boolean; seconds: number };

/** The seconds of a slide on a new screen. */
export const defaultSeconds = (slide: SlideName): number =>
  slide === 'matchups' ? MATCHUPS_SECONDS : SLIDE_SECONDS;

/** The slides of a new screen: all of them, in the default order. */
export const defaultSlides = (): SlideSetting[] =>
  SLIDES.map((slide) => ({ slide, on: true, seconds: defaultSeconds(slide) }));

/** The code on an unpaired screen. Without 0, O, 1, I and L, which look alike. */
export const PAIRING_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const PAIRING_LENGTH = 6;
export const PAIRING_LIFE_MS = 15 * 60_000;

/** A code as somebody types it, without spaces and hyphens, in upper case. */
export const pairingCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** Whether a text has the form of a code. */
export const isPairingCode = (text: string): boolean =>
  text.length === PAIRING_LENGTH && text.split('').every((one) => PAIRING_LETTERS.includes(one));

/** Where an unpaired screen sends staff: its QR code holds this path and nothing else. */
export const PAIRING_PATH = '/console/screens';

/** How often the stream of a screen sends a heartbeat (SCREEN-04). */
export const SCREEN_HEARTBEAT_MS = 5_000;
