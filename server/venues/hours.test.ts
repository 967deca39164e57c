import { describe, expect, test } from 'vitest';
import {
  lastNight,
  nextOffset,
  nextOpening,
  offsetMs,
  openNight,
  openSince,
  wasOpen,
} from './hours.ts';

const HOURS = 'mon-thu 15:00-23:00, fri-sat 12:00-01:00, sun 12:00-22:00';
const berlin = { timezone: 'Europe/Berlin', hours: HOURS };
const at = (text: string) => new Date(text);
const open = (opening: Parameters<typeof openNight>[0], text: string) =>
  openNight(opening, at(text)) !== null;

describe('MACH-09: a venue', () => {
  test('is open from the first minute of its hours to just before the last, also past midnight', () => {
    // A Friday in winter time.
    expect(open(berlin, '2026-11-20T11:59:59+01:00')).toBe(false);
    expect(open(berlin, '2026-11-20T12:00:00+01:00')).toBe(true);
    expect(open(berlin, '2026-11-21T00:59:59+01:00')).toBe(true);
    expect(open(berlin, '2026-11-21T01:00:00+01:00')).toBe(false);
    expect(openNight(berlin, at('2026-11-21T00:30:00+01:00'))).toEqual({
      opens: at('2026-11-20T12:00:00+01:00'),
      closes: at('2026-11-21T01:00:00+01:00'),
    });
  });

  test('follows changes between summer and winter time', () => {
    const late = { timezone: 'Europe/Berlin', hours: 'sat 20:00-04:00, sun 12:00-22:00' };
    // Clocks in 2026: 02:00 → 03:00 on 29 March, 03:00 → 02:00 on 25 October.
    expect(openNight(late, at('2026-03-29T03:30:00+02:00'))?.closes).toEqual(
      at('2026-03-29T04:00:00+02:00'),
    );
    expect(openNight(late, at('2026-10-25T03:30:00+01:00'))?.closes).toEqual(
      at('2026-10-25T04:00:00+01:00'),
    );
    expect(nextOpening(late, at('2026-10-25T05:00:00+01:00'))).toEqual(
      at('2026-10-25T12:00:00+01:00'),
    );
    // 02:30 comes twice in October, and not at all in March.
    const half = { timezone: 'Europe/Berlin', hours: 'sat 20:00-02:30' };
    expect(openNight(half, at('2026-10-25T00:00:00+02:00'))?.closes).toEqual(
      at('2026-10-25T02:30:00+02:00'),
    );
    expect(open(half, '2026-10-25T02:10:00+01:00')).toBe(false);
    expect(openNight(half, at('2026-03-29T00:00:00+01:00'))?.closes).toEqual(
      at('2026-03-29T03:30:00+02:00'),
    );
  });

  test('that is closed has a previous opening day and a next one', () => {
    expect(lastNight(berlin, at('2026-11-20T09:00:00+01:00'))).toEqual({
      opens: at('2026-11-19T15:00:00+01:00'),
      closes: at('2026-11-19T23:00:00+01:00'),
    });
    expect(nextOpening(berlin, at('2026-11-20T13:00:00+01:00'))).toEqual(
      at('2026-11-21T12:00:00+01:00'),
    );
    const sundays = { timezone: 'UTC', hours: 'sun 10:00-12:00' };
    expect(lastNight(sundays, at('2026-11-22T09:00:00Z'))?.opens).toEqual(
      at('2026-11-15T10:00:00Z'),
    );
    expect(nextOpening(sundays, at('2026-11-15T13:00:00Z'))).toEqual(at('2026-11-22T10:00:00Z'));
  });

  test('without hours is always open, and its opening days are calendar days', () => {
    const always = { timezone: 'Asia/Tokyo', hours: null };
    expect(openNight(always, at('2026-11-20T15:00:00Z'))?.opens).toEqual(
      at('2026-11-20T15:00:00Z'),
    );
  });

  test('can tell whether it was open within a period', () => {
    const minutes = 5 * 60_000;
    const was = (from: string, to: string) => wasOpen(berlin, at(from), at(to), minutes);
    expect(was('2026-11-21T01:00:00+01:00', '2026-11-21T12:03:00+01:00')).toBe(false);
    expect(was('2026-11-21T01:00:00+01:00', '2026-11-21T12:06:00+01:00')).toBe(true);
    expect(was('2026-11-21T00:30:00+01:00', '2026-11-21T00:58:00+01:00')).toBe(true);
    expect(was('2026-10-01T00:30:00+02:00', '2026-11-21T00:58:00+01:00')).toBe(true);
  });

  test('that closes at midnight and opens at midnight is open without a break', () => {
    const minutes = 5 * 60_000;
    const midnight = ['2026-11-20T23:56:00Z', '2026-11-21T00:04:00Z'] as const;
    const was = (hours: string | null) =>
      wasOpen({ timezone: 'UTC', hours }, at(midnight[0]), at(midnight[1]), minutes);
    expect(was(null)).toBe(true);
    expect(was('mon-sun 00:00-00:00')).toBe(true);
    expect(was('fri 18:00-00:00, sat 00:00-02:00')).toBe(true);
    expect(was('fri 18:00-00:00, sat 00:02-02:00')).toBe(false);

    const since = (hours: string | null) => openSince({ timezone: 'UTC', hours }, at(midnight[1]));
    expect(since(null)).toEqual(new Date(0));
    expect(since('mon-sun 00:00-00:00')).toEqual(new Date(0));
    expect(since('fri 18:00-00:00, sat 00:00-02:00')).toEqual(at('2026-11-20T18:00:00Z'));
    expect(since('sat 00:02-02:00')).toEqual(at('2026-11-21T00:02:00Z'));
    expect(since('sat 00:05-02:00')).toBeNull();
  });
});

test.each([
  ['2026-07-10T20:00:00Z', 'Europe/Berlin', 120],
  ['2026-12-10T20:00:00.999Z', 'Europe/Berlin', 60],
  ['2026-12-10T20:00:00Z', 'Asia/Kathmandu', 345],
  ['2026-12-10T20:00:00Z', 'America/St_Johns', -210],
])(
  'SCREEN-05: the offset of a zone follows the zone’s clock changes, at %s in %s',
  (instant, zone, minutes) => {
    expect(offsetMs(Date.parse(instant), zone)).toBe(minutes * 60_000);
  },
);

test('PROD-114: the next change of a zone’s offset is known ten weeks ahead', () => {
  const next = (now: string, zone = 'Europe/Amsterdam') => nextOffset(new Date(now), zone);
  const winter = { at: new Date('2026-10-25T01:00:00Z'), offset_ms: 3_600_000 };
  expect(next('2026-08-20T12:00:30Z')).toEqual(winter);
  expect(next('2026-10-25T00:59:59.999Z')).toEqual(winter);
  expect(next('2026-10-25T01:00:00Z')).toBeNull();
  expect(next('2026-08-01T12:00:00Z')).toBeNull();
  expect(next('2027-03-20T12:00:00Z')?.at).toEqual(new Date('2027-03-28T01:00:00Z'));
  expect(next('2026-10-20T12:00:00Z', 'Asia/Kolkata')).toBeNull();
});
