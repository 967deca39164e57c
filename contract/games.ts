import { z } from 'zod';
import { REPORT_TEXT_MAX } from './report.ts';
import { withoutUnseen } from './unseen.ts';

/** Whether a game counts for the league, and if not, why (GAME-06). */
export const counts = z.enum([
  'league',
  'bench',
  'over_8',
  'league_mode_off',
  'no_team',
  'held',
  'void',
]);
export type Counts = z.infer<typeof counts>;

export const reportReason = z.enum(['not_mine', 'machine', 'other']);
export type ReportReason = z.infer<typeof reportReason>;
export const verdict = z.enum(['void', 'stands']);
export type Verdict = z.infer<typeof verdict>;
export const reportState = z.enum(['open', ...verdict.options]);
export type ReportState = z.infer<typeof reportState>;

/** A game in GET /api/users/profile/games/. */
export const playedGame = z.object({
  id: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  machine: z.string(),
  venue: z.string().nullable(),
  counts,
  /** The rank by score, 1 to 8, among the week's counted games for the team, or null. */
  place: z.number().int().nullable(),
  team: z.string().nullable(),
  /** The newest report's state; null without a report (GAME-11). */
  report: reportState.nullable(),
  report_reason: reportReason.nullable(),
  report_text: z.string().nullable(),
});
/** POST /api/users/profile/games/{id}/report/ */
export const reportBody = z.object({
  reason: reportReason,
  text: z
    .string()
    .max(REPORT_TEXT_MAX, `Write at most ${REPORT_TEXT_MAX} letters.`)
    .transform((typed) => withoutUnseen(typed, (sign) => (sign === '\n' ? sign : ' ')).trim())
    .optional(),
});
export const reportAnswer = z.object({ state: reportState });
export const reportParams = z.object({ id: z.string().max(64) });
export const gamesQuery = z.object({ cursor: z.string().max(256).optional() });
/** Games on a page: enough for the chart. */
export const GAMES_PAGE = 40;
export const gamesAnswer = z.object({
  results: z.array(playedGame),
  /** The cursor to older games; null on the last page. */
  next: z.string().nullable(),
  /** The profile's figures; `highscore` is null without games. */
  games_played: z.number().int(),
  highscore: z.number().int().nullable(),
  /** When the first game was played; null without games. */
  since: z.string().nullable(),
});

export type PlayedGame = z.infer<typeof playedGame>;
export type ReportBody = z.input<typeof reportBody>;
export type GamesAnswer = z.infer<typeof gamesAnswer>;
