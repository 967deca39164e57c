import { describe, expect, test } from 'vitest';
import { ACCEPTED_MS, CLOCK_MS, type Facts, GREETED_MS, SILENT_MS, stateOf } from './state.ts';

const now = new Date('2026-11-20T20:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const MINUTE = 60_000;

const facts = (more: Partial<Facts> = {}): Facts => ({
  created_at: new Date('2026-01-01T00:00:00Z'),
  revoked_at: null,
  repair_at: null,
  heard_at: ago(1000),
  refused_at: null,
  clock_error_ms: 300,
  playing: false,
  greeted_at: null,
  last_played_at: ago(10 * MINUTE),
  used_key_ended_at: null,
  opening: { timezone: 'UTC', hours: 'fri 12:00-01:00' },
  ...more,
});
const word = (more: Partial<Facts>, at = now) => stateOf(facts(more), at).state;

describe('MACH-11: a machine is', () => {
  test('MACH-22: refused since its last key ended, until it calls with another key', () => {
    const used_key_ended_at = ago(500);
    const state = { state: 'refused', since: used_key_ended_at, until: null };
    expect(stateOf(facts({ used_key_ended_at }), now)).toEqual(state);
    expect(word({ used_key_ended_at, heard_at: ago(499) })).toBe('idle');
    expect(word({ used_key_ended_at, repair_at: ago(1) })).toBe('repair');
  });

  test('idle when it calls and nobody plays', () => {
    expect(stateOf(facts(), now)).toEqual({
      state: 'idle',
      since: null,
      until: new Date(now.getTime() - 1000 + SILENT_MS),
    });
  });

  test('playing when it says so, or for three minutes after a greeting without a game', () => {
    expect(word({ playing: true })).toBe('playing');
    const greeted_at = ago(GREETED_MS - 1);
    expect(stateOf(facts({ greeted_at }), now)).toMatchObject({
      state: 'playing',
      until: new Date(now.getTime() + 1),
    });
    expect(word({ greeted_at: ago(GREETED_MS) })).toBe('idle');
    expect(word({ greeted_at, last_played_at: ago(MINUTE) })).toBe('idle');
  });

  test('silent after five minutes without a call inside opening hours, and not before', () => {
    expect(word({ heard_at: ago(SILENT_MS - 1), playing: true })).toBe('playing');
    const heard_at = ago(SILENT_MS);
    expect(stateOf(facts({ heard_at, playing: true }), now)).toEqual({
      state: 'silent',
      since: heard_at,
      until: new Date('2026-11-21T01:00:00Z'),
    });
  });

  test('silent since its last call at a venue that is always open, across midnight', () => {
    const heard_at = new Date('2026-11-20T23:57:00Z');
    const opening = { timezone: 'UTC', hours: null };
    const late = new Date('2026-11-21T00:03:00Z');
    expect(stateOf(facts({ heard_at, opening }), late)).toEqual({
      state: 'silent',
      since: heard_at,
      until: null,
    });
  });

  test('closed outside opening hours, and for five minutes after opening', () => {
    const heard_at = new Date('2026-11-20T01:00:00Z');
    const noon = new Date('2026-11-20T12:00:00Z');
    const at = (ms: number) => stateOf(facts({ heard_at }), new Date(noon.getTime() + ms));
    expect(at(-1)).toEqual({ state: 'closed', since: heard_at, until: noon });
    expect(at(0)).toMatchObject({ state: 'closed', until: new Date(noon.getTime() + SILENT_MS) });
    expect(at(SILENT_MS)).toMatchObject({ state: 'silent', since: noon });
    expect(word({ heard_at: ago(1), opening: { timezone: 'UTC', hours: 'mon 1:00-2:00' } })).toBe(
      'idle',
    );
  });

  test('silent when it has never called', () => {
    expect(word({ heard_at: null })).toBe('silent');
    expect(word({ heard_at: null, created_at: ago(MINUTE) })).toBe('closed');
  });

  test('refused when its last call was refused, or when it is revoked', () => {
    const heard_at = ago(ACCEPTED_MS);
    expect(stateOf(facts({ heard_at, refused_at: ago(1) }), now)).toEqual({
      state: 'refused',
      since: heard_at,
      until: null,
    });
    expect(word({ refused_at: ago(ACCEPTED_MS + 1), heard_at })).toBe('idle');
    expect(word({ refused_at: ago(1), heard_at: null })).toBe('refused');
    expect(word({ revoked_at: ago(1) })).toBe('refused');
  });

  test('not refused when a stranger sends an ended key while the machine calls with a working one', () => {
    const heard_at = ago(ACCEPTED_MS - 1);
    expect(stateOf(facts({ heard_at, refused_at: ago(1) }), now)).toEqual({
      state: 'idle',
      since: null,
      until: new Date(now.getTime() + 1),
    });
    expect(word({ heard_at, refused_at: ago(1), playing: true })).toBe('playing');
  });

  test('off the clock by more than two minutes, in either direction', () => {
    expect(word({ clock_error_ms: CLOCK_MS, playing: true })).toBe('playing');
    for (const error of [CLOCK_MS + 1, -CLOCK_MS - 1])
      expect(word({ clock_error_ms: error, playing: true })).toBe('clock');
    expect(word({ clock_error_ms: CLOCK_MS + 1, heard_at: ago(SILENT_MS) })).toBe('silent');
  });

  test('in repair, whatever else is wrong', () => {
    expect(word({ repair_at: ago(1), revoked_at: ago(1), heard_at: null })).toBe('repair');
  });
});
