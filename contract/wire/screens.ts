import { z } from 'zod';
import { SCORINGS } from '../rules/contests.ts';
import { NOTICE_MAX, SECONDS_MAX, SECONDS_MIN, SLIDES } from '../rules/screens.ts';
import { moment, momentOr, NAME_MAX, plain, ref } from './fields.ts';
import { ruling } from './leagues.ts';
import { claimBody, pairAnswer } from './pairing.ts';

/** The largest width or height that a television may report. */
const PIXELS_MAX = 20_000;
const pixels = z.number().int().min(1).max(PIXELS_MAX);
const size = z.object({ width: pixels, height: pixels });

export const pairBody = size.partial().optional();

/** `token` is null until staff pair the screen. The next claim gets it; later claims get 404. */
export const claimAnswer = z.object({ token: z.string().nullable() });

/** A player on a venue screen. All null: shown as "A player". */
const person = {
  username: z.string().nullable(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
};
const tonightGame = z.object({
  id: z.string(),
  ...person,
  machine: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  /** The high score that this game beat, or null; a first game beats none. */
  beat: z.number().int().nullable(),
});
const boardRow = z.object({ place: z.number().int(), ...person, score: z.number().int() });
const side = z.object({
  team: z.string(),
  total: z.number().int(),
  games: z.number().int(),
  games_max: z.number().int(),
});
const league = z.object({
  name: z.string(),
  week: z.number().int(),
  weeks: z.number().int(),
  closes_at: z.string(),
  /** `away` is null for a bye. `ruling`: only if the totals do not decide (SEASON-30, SEASON-35). */
  matchups: z.array(z.object({ home: side, away: side.nullable(), ruling: ruling.optional() })),
  /**
   * Next week's matchups, shown from Saturday on and before the first week (HAND-T1); null while
   * not shown.
   */
  next: z
    .object({
      week: z.number().int(),
      matchups: z.array(
        z.object({ home: z.string(), away: z.string().nullable(), ruling: ruling.optional() }),
      ),
    })
    .nullable(),
});

/** The table of the league most played here: its running season, or a final one for 14 days. */
const seasonTable = z.object({
  league: z.string(),
  name: z.string(),
  state: z.enum(['running', 'grace', 'final']),
  /** Whether a cup decides the champion instead of the table (SEASON-24). */
  by_cup: z.boolean(),
  /** How many weeks are over. */
  weeks: z.number().int(),
  /** A team that withdrew has no place. */
  rows: z.array(
    z.object({
      place: z.number().int().nullable(),
      team: z.string(),
      won: z.number().int(),
      drawn: z.number().int(),
      lost: z.number().int(),
      total: z.number().int(),
    }),
  ),
});

/** A contest that comes soon, runs, or was decided tonight (CONTEST-09). */
const contest = z.object({
  code: z.string(),
  name: z.string(),
  scoring: z.enum(SCORINGS),
  n: z.number().int(),
  starts_at: z.string(),
  ends_at: z.string(),
  /** null until the contest is final. */
  final_at: z.string().nullable(),
  /** When a final contest leaves the screens. */
  shown_until: z.string().nullable(),
  /** Whether nothing else is shown while the contest runs. */
  only: z.boolean(),
  /** The first prize, in at most 40 letters. */
  prize: z.string().nullable(),
  url: z.string(),
  places: z.array(boardRow),
});

/** A side of a cup. All null: shown as "A player", or as what `from` says. */
const cupSide = z.object({
  seed: z.number().int().nullable(),
  team: z.string().nullable(),
  ...person,
  from: z.string().nullable(),
});
/** A cup that comes soon, runs, or was won tonight (CUP-32). */
const cup = z.object({
  id: z.string(),
  name: z.string(),
  best: z.number().int(),
  of: z.number().int(),
  /** When a final cup leaves the screens; null before it is final. */
  shown_until: z.string().nullable(),
  final_at: z.string().nullable(),
  champion: cupSide.nullable(),
  rounds: z.array(
    z.object({
      name: z.string(),
      starts_at: z.string(),
      ends_at: z.string(),
      pairings: z.array(
        z.object({
          a: cupSide,
          b: cupSide,
          winner: z.number().int().nullable(),
          decided: z.boolean(),
          sums: z.array(z.number().int()).nullable(),
          /** How many games of both sides count; null whenever `sums` is. */
          games: z.array(z.number().int()).nullable(),
          /** The pairing's window, only if it differs from the round's. */
          starts_at: z.string().optional(),
          ends_at: z.string().optional(),
          third: z.boolean(),
        }),
      ),
    }),
  ),
});

/** All that a screen shows, at most 10 kB gzip. */
export const screenAnswer = z.object({
  now: z.string(),
  signup_url: z.string(),
  name: z.string(),
  still: z.boolean(),
  venue: z.object({
    id: z.string(),
    name: z.string(),
    /** Minutes ahead of UTC when tonight began: an old television has outdated zones. */
    utc_offset: z.number().int(),
    /** The first change of `utc_offset` within ten weeks of that, if there is one. */
    utc_change: z.object({ at: z.string(), utc_offset: z.number().int() }).nullable(),
  }),
  slides: z.array(z.object({ slide: z.enum(SLIDES), seconds: z.number().int() })),
  /** The notice at `now`, for a television that runs an earlier version of the page. */
  notice: z.string().nullable(),
  notice_until: z.string().nullable(),
  /**
   * The notices until tomorrow at least. Those of the screen come before those of the venue
   * (HAND-C14).
   */
  notices: z.array(
    z.object({
      text: z.string(),
      from: z.string().nullable(),
      until: z.string().nullable(),
    }),
  ),
  tonight: z.array(tonightGame),
  week: z.array(boardRow),
  all: z.array(boardRow),
  leagues: z.array(league),
  contests: z.array(contest),
  cups: z.array(cup),
  season: seasonTable.nullable(),
  achievements: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      icon: z.string(),
      ...person,
      won_at: z.string(),
    }),
  ),
});

export const slideSetting = z.object({
  slide: z.enum(SLIDES),
  on: z.boolean(),
  seconds: z
    .number()
    .int()
    .min(SECONDS_MIN, `At least ${SECONDS_MIN} seconds.`)
    .max(SECONDS_MAX, `At most ${SECONDS_MAX} seconds.`),
});
/** A notice and when it is shown (SCREEN-08). `notice` is null if there is none or it has ended. */
const noticeFields = {
  notice: z.string().nullable(),
  notice_from: z.string().nullable(),
  notice_until: z.string().nullable(),
  notice_weekly: z.string().nullable(),
};
const noticeRow = z.object(noticeFields);
export const screenRow = z.object({
  id: z.string(),
  name: z.string(),
  venue: z.string(),
  venue_id: z.string(),
  /** Whether the television has fetched its token. */
  paired: z.boolean(),
  last_seen_at: z.string().nullable(),
  /** Whether the television has called in the last few minutes. */
  live: z.boolean(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  still: z.boolean(),
  slides: z.array(slideSetting),
  /** The notice of the venue. */
  ...noticeFields,
  own: noticeRow,
  timezone: z.string(),
  /**
   * When the current or next opening day ends; if the venue never closes, when tonight ends
   * (SCREEN-08).
   */
  closes_at: z.string(),
  closes: z.boolean(),
});
export const screensAnswer = z.object({ results: z.array(screenRow) });
export const screenAddBody = z.object({
  code: z.string().min(1).max(40),
  venue: ref,
  name: plain(NAME_MAX, 'A name').optional(),
});
export const screenRef = z.object({ screen: ref });

/** Omitted fields do not change. */
export const screenChangeBody = screenRef.extend({
  name: plain(NAME_MAX, 'A name').optional(),
  venue: ref.optional(),
  still: z.boolean().optional(),
  slides: z
    .array(slideSetting)
    .min(1)
    .max(SLIDES.length)
    .refine(
      (list) => new Set(list.map(({ slide }) => slide)).size === list.length,
      'Name each slide once.',
    )
    .refine((list) => list.some(({ on }) => on), 'Leave at least one slide on.')
    .optional(),
});
const until = momentOr('closing', '2026-11-23 22:00');

/**
 * A notice for all screens of a venue, or for one screen. Without `from` it is shown at once;
 * without `until`, until staff remove it (SCREEN-08). `weekly` has the form of opening hours.
 */
export const noticeBody = z
  .object({
    venue: ref.optional(),
    screen: ref.optional(),
    notice: plain(NOTICE_MAX, 'A notice').nullable(),
    from: moment.nullable().optional(),
    until: until.nullable().optional(),
    weekly: z.string().max(400).nullable().optional(),
  })
  .refine(({ venue, screen }) => (venue === undefined) !== (screen === undefined), {
    path: ['venue'],
    message: 'Name one venue or one screen.',
  })
  .refine(({ from, until, weekly }) => !weekly || !(from || until), {
    path: ['weekly'],
    message: 'Give days of the week, or a begin and an end, not both.',
  });
/** `screen` is null for a venue's notice. */
export const noticeAnswer = noticeRow.extend({
  venue: z.string(),
  screen: z.string().nullable(),
  timezone: z.string(),
});
export const waitingQuery = z.object({ code: z.string().min(1).max(40) });
export const waitingAnswer = z.object({
  code: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  waiting_since: z.string(),
});
export type ScreenChange = Omit<z.input<typeof screenChangeBody>, 'screen'>;

export const screenCalls = {
  'GET /api/operator/screens/': { answer: screensAnswer },
  'GET /api/operator/screens/waiting/': { query: waitingQuery, answer: waitingAnswer },
  'POST /api/operator/screens/': { body: screenAddBody, created: screenRow },
  'POST /api/operator/screens/change/': { body: screenChangeBody, answer: screenRow },
  'POST /api/operator/screens/remove/': { body: screenRef, answer: screenRow },
  'GET /api/operator/screens/preview/': { query: screenRef, answer: screenAnswer },
  'POST /api/operator/screens/notice/': { body: noticeBody, answer: noticeAnswer },
  'POST /api/screen/pair/': { body: pairBody, answer: pairAnswer },
  'POST /api/screen/claim/': { body: claimBody, answer: claimAnswer },
  'GET /api/screen/': { answer: screenAnswer },
};

export type ScreenAnswer = z.infer<typeof screenAnswer>;
export type ScreenRow = z.infer<typeof screenRow>;
export type ScreenContest = z.infer<typeof contest>;
export type ScreenCup = ScreenAnswer['cups'][number];
export type ScreenLeague = z.infer<typeof league>;
export type ScreensAnswer = z.infer<typeof screensAnswer>;
export type NoticeAnswer = z.infer<typeof noticeAnswer>;
export type NoticeRow = z.infer<typeof noticeRow>;
export type WaitingAnswer = z.infer<typeof waitingAnswer>;
