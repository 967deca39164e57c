import { describe, expect, test } from 'vitest';
import { closingTime, noticeRow, storedOf, timesOf } from './notice.ts';

const HOURS = 'mon-thu 15:00-23:00, fri-sat 12:00-01:00';
const dock = { timezone: 'Europe/Berlin', hours: HOURS };
const everyDay = { timezone: 'UTC', hours: 'mon-sun 00:00-24:00' };
const weekend = { timezone: 'UTC', hours: 'fri 18:00-24:00, sat 00:00-24:00, sun 00:00-02:00' };
const isle = { timezone: 'Pacific/Kiritimati', hours: null };
const at = (text: string) => new Date(text);

test.each([
  // Berlin in winter, an hour ahead of UTC. 20 November 2026 is a Friday.
  ['on an open night: the end of that night', dock, '2026-11-20T20:00Z', '2026-11-21T00:00Z'],
  ['after midnight: the end of the same night', dock, '2026-11-20T23:30Z', '2026-11-21T00:00Z'],
  ['before opening: the end of the next night', dock, '2026-11-20T08:00Z', '2026-11-21T00:00Z'],
  ['on a closed day: the end of the next night', dock, '2026-11-22T12:00Z', '2026-11-23T22:00Z'],
  [
    'on days without a gap: the end of the last day',
    weekend,
    '2026-11-20T20:00Z',
    '2026-11-22T02:00Z',
  ],
  [
    'before days without a gap: the end of the last day',
    weekend,
    '2026-11-18T20:00Z',
    '2026-11-22T02:00Z',
  ],
  [
    'at the end of days without a gap: the end of the next such days',
    weekend,
    '2026-11-22T02:00Z',
    '2026-11-29T02:00Z',
  ],
  ['open around the clock: the next 06:00', everyDay, '2026-11-20T08:00Z', '2026-11-21T06:00Z'],
  // The zone is 14 hours ahead: its 06:00 is 16:00 UTC of the day before.
  ['without hours: the next 06:00', isle, '2026-11-20T08:00Z', '2026-11-20T16:00Z'],
  [
    'without hours, after 06:00: the 06:00 of the next day',
    isle,
    '2026-11-20T16:00Z',
    '2026-11-21T16:00Z',
  ],
])('SCREEN-08: the closing time, %s', (_, opening, now, closes) => {
  expect(closingTime(opening, at(now))).toEqual(at(closes));
});

const text = 'Kitchen closes at 22:00';
const NEVER = { notice: text, notice_from: null, notice_until: null, notice_weekly: null };
const endOf = (until: string | null, opening: typeof dock, now: Date) =>
  storedOf({ notice: text, until }, opening, now).notice_until;

test('SCREEN-08: a notice ends at closing time, at a time on the venue’s clock, or never', () => {
  const now = at('2026-11-20T20:00Z');
  expect(endOf(null, dock, now)).toBeNull();
  expect(endOf('closing', dock, now)).toEqual(at('2026-11-21T00:00Z'));
  expect(endOf('2026-11-20T22:00', dock, now)).toEqual(at('2026-11-20T21:00Z'));
  // The console sends the closing time that it shows, so a choice made before closing stays.
  expect(endOf('2026-11-21T00:00:00.000Z', dock, now)).toEqual(at('2026-11-21T00:00Z'));
  // Clocks go back on 25 October 2026; the day before is summer time.
  expect(endOf('2026-10-24T22:00', dock, at('2026-10-20T00:00Z'))).toEqual(at('2026-10-24T20:00Z'));
});

test('SCREEN-08: a time that is past at the venue is refused', () => {
  const now = at('2026-11-20T20:00Z');
  expect(() => endOf('2026-11-20T21:00', dock, now)).toThrow(/This time is past/);
  expect(() => endOf('2026-11-20T20:00:00.000Z', dock, now)).toThrow(/This time is past/);
  expect(endOf('2026-11-20T21:01', dock, now)).toEqual(at('2026-11-20T20:01Z'));
});

test('SCREEN-08: a notice is shown until just before its end', () => {
  const notice_until = at('2026-11-20T21:00Z');
  const stored = { ...NEVER, notice_until };
  const before = at('2026-11-20T20:59:59.999Z');
  const until = notice_until.toISOString();
  expect(timesOf(stored, 'UTC', before)).toEqual([{ text, from: null, until }]);
  expect(noticeRow(stored, before)).toEqual({ ...stored, notice_until: until });
  expect(timesOf(stored, 'UTC', notice_until)).toEqual([]);
  expect(noticeRow(stored, notice_until)).toEqual({ ...NEVER, notice: null });
  expect(timesOf(NEVER, 'UTC', notice_until)).toEqual([{ text, from: null, until: null }]);
});

test('HAND-C14: a notice begins at a time on the venue’s clock, and its end must be later', () => {
  const now = at('2026-11-20T20:00Z');
  const typed = { notice: text, from: '2026-11-21T18:00', until: '2026-11-21T20:00' };
  const stored = storedOf(typed, dock, now);
  expect(timesOf(stored, dock.timezone, now)).toEqual([
    { text, from: '2026-11-21T17:00:00.000Z', until: '2026-11-21T19:00:00.000Z' },
  ]);
  // A start in the past means at once.
  expect(storedOf({ notice: text, from: '2026-11-01T18:00' }, dock, now).notice_until).toBeNull();
  for (const until of ['2026-11-21T18:00', '2026-11-21T17:00', 'closing'])
    expect(() => storedOf({ ...typed, until }, dock, now)).toThrow(/Choose a later end/);
});

describe('HAND-C14: a weekly notice', () => {
  const { timezone } = dock;
  const weekly = (typed: string) =>
    storedOf({ notice: text, weekly: typed }, dock, at('2026-11-20T20:00Z'));
  const times = (typed: string, now: string) =>
    timesOf(weekly(typed), timezone, at(now)).map(({ from, until }) => [
      from?.slice(0, 16),
      until?.slice(0, 16),
    ]);

  test('is stored as its shortest text; the error for a wrong text shows the right form', () => {
    expect(weekly('Fri 18:00-02:00, sat 18:00-02:00')).toEqual({
      ...NEVER,
      notice_weekly: 'fri-sat 18:00-02:00',
    });
    expect(() => weekly('friday')).toThrow(/Write them as/);
  });

  test('lists its times until tomorrow, including those past midnight', () => {
    // The night of Friday, 20 November 2026.
    const friday = ['2026-11-20T17:00', '2026-11-21T01:00'];
    const saturday = ['2026-11-21T17:00', '2026-11-22T01:00'];
    const both = 'fri-sat 18:00-02:00';
    expect(times(both, '2026-11-18T20:00Z')).toEqual([]);
    expect(times(both, '2026-11-19T20:00Z')).toEqual([friday]);
    expect(times(both, '2026-11-21T00:59:59.999Z')).toEqual([friday, saturday]);
    expect(times(both, '2026-11-21T01:00Z')).toEqual([saturday]);
    expect(times('fri 18:00-02:00', '2026-11-21T01:00Z')).toEqual([]);
    // A whole day ends at the midnight after it.
    expect(times('sat 00:00-00:00', '2026-11-20T20:00Z')).toEqual([
      ['2026-11-20T23:00', '2026-11-21T23:00'],
    ]);
  });

  test('follows the venue’s clock through clock changes', () => {
    // Clocks go back on Sunday, 25 October 2026, at 03:00 summer time, and forward on 28 March
    // 2027, at 02:00.
    expect(times('sat-sun 18:00-04:00', '2026-10-24T20:00Z')).toEqual([
      ['2026-10-24T16:00', '2026-10-25T03:00'],
      ['2026-10-25T17:00', '2026-10-26T03:00'],
    ]);
    expect(times('sat-sun 18:00-04:00', '2027-03-27T20:00Z')).toEqual([
      ['2027-03-27T17:00', '2027-03-28T02:00'],
      ['2027-03-28T16:00', '2027-03-29T02:00'],
    ]);
    // The clock skips 02:30. The start moves on by the skipped hour, to 03:30.
    expect(times('sun 02:30-05:00', '2027-03-27T20:00Z')).toEqual([
      ['2027-03-28T01:30', '2027-03-28T03:00'],
    ]);
  });
});
