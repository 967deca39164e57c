import { z } from 'zod';
import { counts } from './games.ts';
import { machineStateWord } from './machines.ts';

const id = z.string().meta({ example: '1' });
const time = z.string();
/** null when the account was deleted. */
const person = z
  .object({ username: z.string(), avatar_color: z.string(), jersey_number: z.string() })
  .nullable();

/** The most games, and the most silences, on a machine's page. */
export const LAST_GAMES = 20;
export const LAST_AWAY = 10;

/** Times are ISO, with Z (MACH-16). */
export const machineCard = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  timezone: z.string(),
  state: machineStateWord,
  since: time.nullable(),
  revoked: z.boolean(),
  /** Whether all keys that the machine has called with have ended (MACH-22). */
  keyless: z.boolean(),
  repair_by: z.string().nullable(),
  repair_why: z.string().nullable(),
  heard_at: time.nullable(),
  /** Positive when the clock is fast. */
  clock_error_ms: z.number().nullable(),
  /** When the alert about the clock began. */
  clock_since: time.nullable(),
  /** When the last status came; the next four fields are from it. */
  reported_at: time.nullable(),
  queued: z.number().int().nullable(),
  oldest_played_at: time.nullable(),
  rejected: z.number().int().nullable(),
  software: z.string().nullable(),
  /** Who was greeted last; null while nobody plays. */
  player: person,
  greeted_at: time.nullable(),
  last_game: z
    .object({ played_at: time, score: z.number().int(), username: z.string().nullable() })
    .nullable(),
  games: z.number().int(),
  hours: z.array(z.number().int()),
});

const side = z.object({
  team: z.string(),
  total: z.number().int(),
  games: z.number().int(),
  max: z.number().int(),
});
export const tonightLeague = z.object({
  id,
  name: z.string(),
  week: z.number().int(),
  weeks: z.number().int(),
  closes_at: time,
  /** `away` is null for a bye. */
  matchups: z.array(z.object({ home: side, away: side.nullable() })),
});

export const tonightQuery = z.object({ venue: z.string().max(20).optional() });
/** GET /api/operator/tonight/ */
export const tonightAnswer = z.object({
  server_time: time,
  /** When a state next changes without a call; the console then fetches again (decision 084). */
  until: time.nullable(),
  /** The opening day. The console shows its times in `timezone`. */
  night: z.object({
    opens: time,
    closes: time,
    timezone: z.string(),
    open: z.boolean(),
    games: z.number().int(),
    players: z.number().int(),
    league_games: z.number().int(),
    hours: z.array(z.number().int()),
  }),
  machines: z.array(machineCard),
  held: z.object({ count: z.number().int(), oldest_at: time.nullable() }),
  reports: z.object({ count: z.number().int(), oldest_at: time.nullable() }),
  mails_to: z.array(z.string()),
  leagues: z.array(tonightLeague),
  /** Which first steps are done (MACH-18). */
  steps: z.object({ machines: z.boolean(), leagues: z.boolean(), staff: z.boolean() }),
});

export const machinePageQuery = z.object({ machine: z.string().min(1).max(200) });
/** GET /api/operator/machines/page/ */
export const machinePage = z.object({
  server_time: time,
  until: time.nullable(),
  machine: machineCard,
  /** The staff who get mails about this machine (MACH-15). */
  mails_to: z.array(z.string()),
  night: z.object({
    opens: time,
    /** Whether the venue is open. */
    open: z.boolean(),
    players: z.number().int(),
    held: z.number().int(),
  }),
  games: z.array(
    z.object({
      id: z.string(),
      played_at: time,
      score: z.number().int(),
      /** `id`: the account's number. */
      player: person.unwrap().extend({ id }).nullable(),
      team: z.string().nullable(),
      counts,
      state: z.enum(['counted', 'held', 'void', 'discarded']),
    }),
  ),
  /** Times without a call, newest first. `closed`: outside opening hours. */
  away: z.array(z.object({ from: time, to: time, closed: z.boolean() })),
  /**
   * The keys that work, and those that ended within the last 30 days or since the last rotation,
   * newest first. `ends_at` is null without an end.
   */
  keys: z.array(
    z.object({
      id: z.string(),
      created_at: time,
      last_used_at: time.nullable(),
      ends_at: time.nullable(),
    }),
  ),
});

export type MachineCard = z.infer<typeof machineCard>;
export type TonightLeague = z.infer<typeof tonightLeague>;
export type Tonight = z.infer<typeof tonightAnswer>;
export type MachinePage = z.infer<typeof machinePage>;
