import type { MachineStateWord } from '#contract/machines.ts';
import { nextOpening, type Opening, openNight, openSince } from '../venues/hours.ts';

/** A machine that has not called for this long in opening hours is silent (MACH-11). */
export const SILENT_MS = 5 * 60_000;
/** A larger clock error is shown and alerted. */
export const CLOCK_MS = 2 * 60_000;
/** How long a greeting counts as playing, unless a game is reported. */
export const GREETED_MS = 3 * 60_000;

/** A machine's rows, and its venue's opening hours. */
export type Facts = {
  created_at: Date;
  revoked_at: Date | null;
  repair_at: Date | null;
  /** The last accepted call, or null. */
  heard_at: Date | null;
  /** The last refused call, or null. */
  refused_at: Date | null;
  clock_error_ms: number | null;
  playing: boolean;
  greeted_at: Date | null;
  /** When the newest game was played, or null. */
  last_played_at: Date | null;
  /** When the last of the keys that it has called with ended; null while one of them works. */
  used_key_ended_at: Date | null;
  opening: Opening;
};

/**
 * `since` is null where no caller needs it. `until` is when the state changes without a further
 * call.
 */
export type State = { state: MachineStateWord; since: Date | null; until: Date | null };

/**
 * Returns until when somebody is playing: the machine says so, or it greeted a player a moment ago.
 * Otherwise null.
 */
function playsUntil(facts: Facts, now: Date, heardUntil: Date): Date | null {
  if (facts.playing) return heardUntil;
  const { greeted_at, last_played_at } = facts;
  if (greeted_at === null || (last_played_at !== null && last_played_at >= greeted_at)) return null;
  const until = new Date(greeted_at.getTime() + GREETED_MS);
  return until > now ? until : null;
}

/**
 * Returns since when the machine has had no working key: those that it called with have ended, and
 * nobody has called with a newer one. Otherwise null.
 */
export function keylessSince({
  revoked_at,
  heard_at,
  used_key_ended_at,
}: Pick<Facts, 'revoked_at' | 'heard_at' | 'used_key_ended_at'>): Date | null {
  if (revoked_at !== null || used_key_ended_at === null) return null;
  // A first call with a new key may be heard before it is stored with the key.
  return heard_at !== null && heard_at > used_key_ended_at ? null : used_key_ended_at;
}

/**
 * The only place that decides a machine's state (MACH-11). One that calls is never silent or
 * closed, even outside opening hours. All times are by the server's clock.
 */
export function stateOf(facts: Facts, now: Date): State {
  const { repair_at, revoked_at, refused_at, heard_at, opening, created_at } = facts;
  if (repair_at !== null) return { state: 'repair', since: repair_at, until: null };
  if (revoked_at !== null) return { state: 'refused', since: revoked_at, until: null };
  const keyless = keylessSince(facts);
  if (keyless !== null) return { state: 'refused', since: keyless, until: null };
  if (refused_at !== null && (heard_at === null || refused_at > heard_at))
    return { state: 'refused', since: heard_at ?? refused_at, until: null };

  const last = heard_at ?? created_at;
  const heardUntil = new Date(last.getTime() + SILENT_MS);
  if (heard_at === null || heardUntil <= now) {
    const night = openNight(opening, now);
    if (night === null) return { state: 'closed', since: last, until: nextOpening(opening, now) };
    // Silence begins anew at each opening, but not at midnight if the venue stays open.
    const opened = openSince(opening, now) ?? night.opens;
    const since = new Date(Math.max(last.getTime(), opened.getTime()));
    const silentAt = new Date(since.getTime() + SILENT_MS);
    return silentAt <= now
      ? { state: 'silent', since, until: opening.hours === null ? null : night.closes }
      : { state: 'closed', since: last, until: silentAt };
  }
  if (Math.abs(facts.clock_error_ms ?? 0) > CLOCK_MS)
    return { state: 'clock', since: null, until: heardUntil };
  const until = playsUntil(facts, now, heardUntil);
  if (until === null) return { state: 'idle', since: null, until: heardUntil };
  return { state: 'playing', since: null, until: new Date(Math.min(+until, +heardUntil)) };
}
