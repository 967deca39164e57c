import { expect, test } from 'vitest';
import { closingTime, endOf, shownNotice } from './notice.ts';

const HOURS = 'mon-thu 15:00-23:00, fri-sat 12:00-01:00';
const dock = { timezone: 'Europe/Berlin', hours: HOURS };
const everyDay = { timezone: 'UTC', hours: 'mon-sun 00:00-24:00' };
const weekend = { timezone: 'UTC', hours: 'fri 18:00-24:00, sat 00:00-24:00, sun 00:00-02:00' };
const isle = { timezone: 'Pacific/Kiritimati', hours: null };
const at = (text: string) => new Date(text);

test.each([
  // Berlin in winter, an hour ahead of UTC. 20 November 2026 is a Friday.
  ['on an open night, its end, after midnight', dock, '2026-11-20T20:00Z', '2026-11-21T00:00Z'],
  ['after midnight, the same end', dock, '2026-11-20T23:30Z', '2026-11-21T00:00Z'],
  ['before opening, the end of the next night', dock, '2026-11-20T08:00Z', '2026-11-21T00:00Z'],
  ['on a closed day, the end of the next night', dock, '2026-11-22T12:00Z', '2026-11-23T22:00Z'],
  [
    'days without a gap between them, the end of the last',
    weekend,
    '2026-11-20T20:00Z',
    '2026-11-22T02:00Z',
  ],
  ['before such days, the same', weekend, '2026-11-18T20:00Z', '2026-11-22T02:00Z'],
  ['at its end, that of the next ones', weekend, '2026-11-22T02:00Z', '2026-11-29T02:00Z'],
  ['around the clock, the next 06:00', everyDay, '2026-11-20T08:00Z', '2026-11-21T06:00Z'],
  // 14 hours ahead: 06:00 is 16:00 UTC of the day before.
  ['without hours, the next 06:00', isle, '2026-11-20T08:00Z', '2026-11-20T16:00Z'],
  ['without hours, after 06:00', isle, '2026-11-20T16:00Z', '2026-11-21T16:00Z'],
])('SCREEN-08: closing time is, %s', (_, opening, now, closes) => {
  expect(closingTime(opening, at(now))).toEqual(at(closes));
});

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

test('SCREEN-08: a notice is shown until its end, and not at it', () => {
  const notice_until = at('2026-11-20T21:00Z');
  const notice = { notice: 'Kitchen closes at 22:00', notice_until };
  expect(shownNotice(notice, at('2026-11-20T20:59:59.999Z'))).toEqual(notice);
  const none = { notice: null, notice_until: null };
  expect(shownNotice(notice, notice_until)).toEqual(none);
  expect(shownNotice({ ...notice, notice_until: null }, notice_until).notice).not.toBeNull();
});
