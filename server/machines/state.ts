import type { MachineStateWord } from '#contract/machines.ts';
import { nextOpening, type Opening, openNight, openSince } from '../venues/hours.ts';

/** A machine that has not called for this long in opening hours is silent (MACH-11). */
export const SILENT_MS = 5 * 60_000;
/** A larger clock error is shown and starts an alert. */
export const CLOCK_MS = 2 * 60_000;
/** A greeted player counts as playing for this long, unless a game is reported. */
export const GREETED_MS = 3 * 60_000;
/**
 * For this long after an accepted call, a refused call does not count as the machine's own: the
 * machine has a working key, so somebody else sent the ended one. A machine calls every minute.
 */
export const ACCEPTED_MS = 2 * 60_000;

/** What decides a machine's state: its rows, and its venue's opening hours. */
export type Facts = {
  created_at: Date;
  revoked_at: Date | null;
  repair_at: Date | null;
  /** When the last accepted call was, or null. */
  heard_at: Date | null;
  /** When the last refused call was, or null. */
  refused_at: Date | null;
  clock_error_ms: number | null;
  playing: boolean;
  greeted_at: Date | null;
  /** When the newest game was played, or null. */
  last_played_at: Date | null;
  /** When the last of the keys that the machine has used ended; null while one of them works. */
  used_key_ended_at: Date | null;
  opening: Opening;
};

/**
 * `since` is null where no caller needs it. `until` is when the state changes without another call;
 * null if it does not.
 */
export type State = { state: MachineStateWord; since: Date | null; until: Date | null };

/**
 * Until when somebody is playing, because the machine says so or has just greeted a player; null if
 * nobody is.
 */
function playsUntil(facts: Facts, now: Date, heardUntil: Date): Date | null {
  if (facts.playing) return heardUntil;
  const { greeted_at, last_played_at } = facts;
  if (greeted_at === null || (last_played_at !== null && last_played_at >= greeted_at)) return null;
  const until = new Date(greeted_at.getTime() + GREETED_MS);
  return until > now ? until : null;
}

/**
 * Since when the machine has had no working key: the keys that it has used have ended, and it has
 * not called with a newer one. null if it has a working key.
 */
export function keylessSince({
  revoked_at,
  heard_at,
  used_key_ended_at,
}: Pick<Facts, 'revoked_at' | 'heard_at' | 'used_key_ended_at'>): Date | null {
  if (revoked_at !== null || used_key_ended_at === null) return null;
  // The first call with a new key may be stored as heard before it is stored with the key.
  return heard_at !== null && heard_at > used_key_ended_at ? null : used_key_ended_at;
}

/**
 * Decides a machine's state (MACH-11); nothing else does. A machine that calls is never silent or
 * closed, even outside opening hours. All times are by the server's clock.
 */
export function stateOf(facts: Facts, now: Date): State {
  const { repair_at, revoked_at, refused_at, heard_at } = facts;
  if (repair_at !== null) return { state: 'repair', since: repair_at, until: null };
  if (revoked_at !== null) return { state: 'refused', since: revoked_at, until: null };
  const keyless = keylessSince(facts);
  if (keyless !== null) return { state: 'refused', since: keyless, until: null };
  const refusedFrom = refusalCountsFrom(facts);
  if (refusedFrom !== null && refusedFrom <= now)
    return { state: 'refused', since: heard_at ?? refused_at, until: null };
  const state = unrefusedState(facts, now);
  if (refusedFrom === null || (state.until !== null && state.until < refusedFrom)) return state;
  return { ...state, until: refusedFrom };
}

/** From when on the machine's last call counts as refused; null if it was accepted. */
function refusalCountsFrom({ refused_at, heard_at }: Facts): Date | null {
  if (refused_at === null || (heard_at !== null && refused_at <= heard_at)) return null;
  const accepted = heard_at === null ? 0 : heard_at.getTime() + ACCEPTED_MS;
  return new Date(Math.max(accepted, refused_at.getTime()));
}

/** The state of a machine that is not in repair and whose key works. */
function unrefusedState(facts: Facts, now: Date): State {
  const { heard_at, opening, created_at } = facts;
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
