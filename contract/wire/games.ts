import { z } from 'zod';
import { REPORT_TEXT_MAX } from '../rules/games.ts';
import { withoutUnseen } from '../rules/unseen.ts';
import { cursor, ref } from './fields.ts';

/** Whether a game counts for the league, and if not, why (GAME-06). */
export const counts = z.enum([
  'league',
  'bench',
  'over_8',
  'league_mode_off',
  'no_team',
  'off_season',
  'paused',
  'held',
  'void',
]);

/** Why a stored game is no league game (LEAGUE-02, SEASON-05). */
export const outside = counts.extract(['league_mode_off', 'no_team', 'off_season']);

export const reportReason = z.enum(['not_mine', 'machine', 'other']);
export const verdict = z.enum(['void', 'stands']);
export const reportState = z.enum(['open', ...verdict.options]);

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
  /** What else it counted for, whatever `counts` says (FRAME-01). */
  also: z.array(z.enum(['contest', 'cup'])),
  /** The running and decided duels whose best own game this is; a rival may be unnamed (P68). */
  duels: z.array(z.object({ id: z.string(), username: z.string().nullable() })),
  /**
   * When the player may be told that the game counts: when it was received, or a minute after staff
   * released or restored it, which may be later than `read_at` (HAND-01, OPS-17).
   */
  landed_at: z.string(),
  /** Received more than half an hour after it was played (HAND-17). */
  late: z.boolean(),
  /** Held at first, and released by staff. */
  released: z.boolean(),
  /** The high score that this game beat; null for a first game, or if it beat none (HAND-11). */
  beat: z.number().int().nullable(),
  /** The shots; null unless the machine reports both numbers (HAND-73). */
  shots: z.object({ made: z.number().int(), tried: z.number().int() }).nullable(),
  seconds: z.number().int().nullable(),
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
export const gamesQuery = z.object({ cursor: cursor(256) });
export const gamesAnswer = z.object({
  results: z.array(playedGame),
  /** The cursor to older games; null on the last page. */
  next: z.string().nullable(),
  /** The profile's figures; `highscore` is null without games. */
  games_played: z.number().int(),
  highscore: z.number().int().nullable(),
  /** When the first game was played; null without games. */
  since: z.string().nullable(),
  /** When this was read, by the server's clock. */
  read_at: z.string(),
});

/**
 * GET /api/users/profile/figures/: figures from the player's newest 500 counted games (HAND-80 to
 * HAND-84). A figure with too few games is null or empty.
 */
export const figuresAnswer = z.object({
  /** Over the games that have both numbers. */
  shooting: z
    .object({ made: z.number().int(), tried: z.number().int(), games: z.number().int() })
    .nullable(),
  /**
   * `over`: how far the average of the newest five is above that of all games; negative if below.
   */
  last_five: z.object({ average: z.number().int(), over: z.number().int() }).nullable(),
  /** Eight weeks, oldest first, by their Mondays (`YYYY-MM-DD`). The last one is running. */
  weeks: z.array(
    z.object({ from: z.string(), games: z.number().int(), average: z.number().int().nullable() }),
  ),
  /** At most five machines, those with the highest scores. */
  machines: z.array(
    z.object({
      machine: z.string(),
      venue: z.string().nullable(),
      best: z.number().int(),
      games: z.number().int(),
    }),
  ),
});

/** Why a game is held (GAME-07). */
export const heldReason = z.enum(['over_max_score', 'too_many_games', 'two_machines']);

const gameNumber = z.string().regex(/^\d{1,15}$/, 'A game is named by its number, such as 48213.');

/** A game, by its number (GAME-01). */
export const gameRef = z.object({ game: gameNumber });
export const gameAnswer = z.object({
  /** The game's number. */
  game: z.string(),
  /** The id that the machine gave the game, which players see too. */
  id: z.string(),
  machine: z.string(),
  /** null when the account was deleted. */
  player: z.string().nullable(),
  score: z.number().int(),
  played_at: z.string(),
  state: z.enum(['counted', 'held', 'void', 'discarded']),
});

const time = z.iso.datetime('Write a time such as 2027-01-04T18:00:00Z.');

/** Filters for a list of games, newest first (OPS-13). */
export const gamesListBody = z.object({
  /** An e-mail address or a username. */
  player: z.string().trim().min(1).max(254).optional(),
  machine: ref.optional(),
  since: time.optional(),
  /** The id that a machine gave the game; several machines may have used it. */
  id: z.guid('An id is such as 0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11.').optional(),
});

/** A `total` of GAMES_COUNT_MAX means that many or more. */
export const gamesListAnswer = z.object({
  results: z.array(gameAnswer),
  total: z.number().int(),
});
export const heldRow = gameAnswer
  .omit({ state: true })
  .extend({ received_at: z.string(), reason: heldReason });
export const heldAnswer = z.object({ results: z.array(heldRow), total: z.number().int() });

/** An open report with its game (GAME-11). */
export const reportRow = gameAnswer.extend({
  venue: z.string().nullable(),
  reason: reportReason,
  text: z.string().nullable(),
  reported_at: z.string(),
});
export const reportsAnswer = z.object({ results: z.array(reportRow), total: z.number().int() });
export const settleBody = gameRef.extend({ verdict });

/** The held games of a machine, all or those played from `since` (GAME-14). */
export const discardManyBody = z.object({ machine: ref, since: time.optional() });
/** The counted games of a machine that were played from `from`, before `to` (GAME-14). */
export const voidManyBody = z
  .object({ machine: ref, from: time, to: time })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    message: 'The end is before the beginning.',
  });
/** `left`: how many games still match. The caller calls again. */
export const manyAnswer = z.object({
  games: z.number().int(),
  players: z.number().int(),
  left: z.number().int(),
});

export const gameCalls = {
  'GET /api/users/profile/games/': { query: gamesQuery, answer: gamesAnswer },
  'GET /api/users/profile/figures/': { answer: figuresAnswer },
  'POST /api/users/profile/games/:id/report/': {
    params: reportParams,
    body: reportBody,
    answer: reportAnswer,
  },
  'DELETE /api/users/profile/games/:id/report/': { params: reportParams },
  'GET /api/operator/held/': { answer: heldAnswer },
  'POST /api/operator/games/list/': { body: gamesListBody, answer: gamesListAnswer },
  'GET /api/operator/games/show/': { query: gameRef, answer: gameAnswer },
  'POST /api/operator/held/release/': { body: gameRef, answer: gameAnswer },
  'POST /api/operator/held/discard/': { body: gameRef, answer: gameAnswer },
  'POST /api/operator/held/return/': { body: gameRef, answer: gameAnswer },
  'POST /api/operator/held/discard-many/': { body: discardManyBody, answer: manyAnswer },
  'POST /api/operator/games/void-many/': { body: voidManyBody, answer: manyAnswer },
  'POST /api/operator/games/void/': { body: gameRef, answer: gameAnswer },
  'POST /api/operator/games/restore/': { body: gameRef, answer: gameAnswer },
  'GET /api/operator/reports/': { answer: reportsAnswer },
  'POST /api/operator/reports/settle/': { body: settleBody, answer: gameAnswer },
  'POST /api/operator/reports/reopen/': { body: gameRef, answer: gameAnswer },
};

export type Counts = z.infer<typeof counts>;
export type ReportReason = z.infer<typeof reportReason>;
export type Verdict = z.infer<typeof verdict>;
export type ReportState = z.infer<typeof reportState>;
export type PlayedGame = z.infer<typeof playedGame>;
export type ReportBody = z.input<typeof reportBody>;
export type GamesAnswer = z.infer<typeof gamesAnswer>;
export type Figures = z.infer<typeof figuresAnswer>;
export type HeldReason = z.infer<typeof heldReason>;

export type GameAnswer = z.infer<typeof gameAnswer>;
export type ManyAnswer = z.infer<typeof manyAnswer>;
export type HeldRow = z.infer<typeof heldRow>;
export type Outside = z.infer<typeof outside>;
