import type { MachineStateWord } from '#contract/wire/machines.ts';
import { nextOpening, type Opening, openNight, openSince } from '../venues/hours.ts';

/** A machine that has not called for this long in opening hours is silent (MACH-11). */
export const SILENT_MS = 5 * 60_000;
/** A larger clock error is shown and starts an alert. */
export const CLOCK_MS = 2 * 60_000;
/** A greeted player counts as playing for this long, unless a game is reported. */
export const GREETED_MS = 3 * 60_000;
/**
 * A refused call within this time after an accepted one is not from the machine: the machine has a
 * working key and calls every minute, so somebody else sent the ended key.
 */
export const ACCEPTED_MS = 2 * 60_000;

export type Facts = {
  created_at: Date;
  revoked_at: Date | null;
  repair_at: Date | null;
  /** The last accepted call. */
  heard_at: Date | null;
  refused_at: Date | null;
  clock_error_ms: number | null;
  playing: boolean;
  greeted_at: Date | null;
  last_played_at: Date | null;
  /** When the last key that the machine used ended; null if one still works, or none was used. */
  used_key_ended_at: Date | null;
  opening: Opening;
};

/**
 * `since`: null in the states clock, idle and playing. `until`: when time alone changes the state.
 */
export type State = { state: MachineStateWord; since: Date | null; until: Date | null };

/** Until when somebody counts as playing, by the status or a greeting; null if nobody does. */
function playsUntil(facts: Facts, now: Date, heardUntil: Date): Date | null {
  if (facts.playing) return heardUntil;
  const { greeted_at, last_played_at } = facts;
  if (greeted_at === null || (last_played_at !== null && last_played_at >= greeted_at)) return null;
  const until = new Date(greeted_at.getTime() + GREETED_MS);
  return until > now ? until : null;
}

/**
 * When the last working key ended (MACH-22); null if one works, none was used, or the machine is
 * revoked.
 */
export function keylessSince({
  revoked_at,
  heard_at,
  used_key_ended_at,
}: Pick<Facts, 'revoked_at' | 'heard_at' | 'used_key_ended_at'>): Date | null {
  if (revoked_at !== null || used_key_ended_at === null) return null;
  // When a new key makes its first call, `heard_at` may be stored before the key's use.
  return heard_at !== null && heard_at > used_key_ended_at ? null : used_key_ended_at;
}

/**
 * A machine's state (MACH-11). A machine that calls is never silent or closed, even outside opening
 * hours.
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

/** From when the last refused call counts as the machine's; null if a later call was accepted. */
function refusalCountsFrom({ refused_at, heard_at }: Facts): Date | null {
  if (refused_at === null || (heard_at !== null && refused_at <= heard_at)) return null;
  const accepted = heard_at === null ? 0 : heard_at.getTime() + ACCEPTED_MS;
  return new Date(Math.max(accepted, refused_at.getTime()));
}

function unrefusedState(facts: Facts, now: Date): State {
  const { heard_at, opening, created_at } = facts;
  const last = heard_at ?? created_at;
  const heardUntil = new Date(last.getTime() + SILENT_MS);
  if (heard_at === null || heardUntil <= now) {
    const night = openNight(opening, now);
    if (night === null) return { state: 'closed', since: last, until: nextOpening(opening, now) };
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
