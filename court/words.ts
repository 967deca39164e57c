import type { HeldReason } from '#contract/wire/games.ts';
import type { GameResult } from '#contract/wire/machines.ts';

export type Sign =
  | 'counted'
  | 'best'
  | 'over'
  | 'out'
  | 'held'
  | 'again'
  | 'disk'
  | 'stopped'
  | { badge: string };

/** A line of the slip. `code`: the API's word. */
export type SlipLine = { sign: Sign; words: string; more?: string; code: string };

/** A 401 or 403 for the machine's key. */
export type Stopped = { status: number; detail: string };

const COUNTS: Record<string, Omit<SlipLine, 'code'>> = {
  league: { sign: 'counted', words: 'Counted for your team' },
  over_8: { sign: 'over', words: 'Over 8 games', more: 'For you, not for your team' },
  league_mode_off: { sign: 'out', words: 'League mode was off' },
  no_team: { sign: 'out', words: 'You had no team' },
};

/** The sentences of docs/machine-api.md (GAME-07). */
export const HELD: Record<HeldReason, string> = {
  over_max_score: "The score is over the server's limit (9999 unless the operator changes it).",
  too_many_games: 'The player has more games in an hour than a person can play (120).',
  two_machines: 'The player was playing on another machine at that moment.',
};

export const STOPPED = 'The machine has stopped: its key is not good';

/**
 * What `no_team` means for a player on a team: the API has no word for a week without a season
 * (SEASON-05).
 */
const NO_LEAGUE_WEEK: Omit<SlipLine, 'code'> = {
  sign: 'out',
  words: 'Counted for you',
  more: 'No league games this week',
};

/**
 * The slip's lines about the server's result, or about the game on disk (LOOK-92). `names`:
 * achievements by key. `onTeam`: whether the greeting named a team. An unknown word of the API is
 * shown as it is.
 */
export function slipLines(
  result: GameResult | null,
  stopped: Stopped | null,
  names: ReadonlyMap<string, string>,
  onTeam = false,
): SlipLine[] {
  if (result === null)
    return stopped
      ? [
          {
            sign: 'stopped',
            words: STOPPED,
            more: 'The game stays on disk',
            code: `${stopped.status}`,
          },
        ]
      : [
          {
            sign: 'disk',
            words: 'On disk. It will be sent.',
            more: 'You’ll see then what it counts for',
            code: 'queued',
          },
        ];
  switch (result.status) {
    case 'duplicate':
      return [{ sign: 'again', words: 'Was there already. Counted once', code: 'duplicate' }];
    case 'held':
      return [
        { sign: 'held', words: 'Held for review', more: HELD[result.reason], code: result.reason },
      ];
    case 'rejected':
      return [{ sign: 'out', words: 'Not taken', more: result.detail, code: result.reason }];
    case 'recorded':
      return [
        {
          ...(onTeam && result.counts === 'no_team'
            ? NO_LEAGUE_WEEK
            : (COUNTS[result.counts] ?? { sign: 'out', words: result.counts })),
          code: result.counts,
        },
        ...(result.personal_best
          ? [{ sign: 'best' as const, words: 'Personal best', code: 'personal_best' }]
          : []),
        ...result.achievements.map((key) => ({
          sign: { badge: key },
          words: names.get(key) ?? key,
          more: 'New achievement',
          code: key,
        })),
      ];
  }
}

/** "for 3 hours" */
export function waitedFor(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'for less than a minute';
  const [amount, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour'];
  return `for ${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

export const games = (amount: number): string => `${amount} ${amount === 1 ? 'game' : 'games'}`;

/** The name of a player without a greeting: the start of the code. */
export const nameless = (code: string): string => `Player ${code.slice(0, 4)}…`;
