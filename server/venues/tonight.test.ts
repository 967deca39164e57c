import { expect, test } from 'vitest';
import { tonightBegan } from './tonight.ts';

test.each([
  ['in the evening', '2026-07-10T20:00:00Z', 'Europe/Berlin', '2026-07-10T04:00:00.000Z'],
  ['after midnight', '2026-07-11T00:30:00Z', 'Europe/Berlin', '2026-07-10T04:00:00.000Z'],
  ['at 06:00 sharp', '2026-07-11T04:00:00Z', 'Europe/Berlin', '2026-07-11T04:00:00.000Z'],
  ['a second before 06:00', '2026-07-11T03:59:59Z', 'Europe/Berlin', '2026-07-10T04:00:00.000Z'],
  [
    'after the clocks went forward',
    '2026-03-29T12:00:00Z',
    'Europe/Berlin',
    '2026-03-29T04:00:00.000Z',
  ],
  [
    'after the clocks went back',
    '2026-10-25T12:00:00Z',
    'Europe/Berlin',
    '2026-10-25T05:00:00.000Z',
  ],
  ['ahead of UTC', '2026-11-22T16:00:00Z', 'Pacific/Kiritimati', '2026-11-22T16:00:00.000Z'],
  ['behind UTC', '2026-11-22T09:00:00Z', 'America/Los_Angeles', '2026-11-21T14:00:00.000Z'],
])('SCREEN-05: tonight begins at 06:00 of the venue, %s', (_when, now, zone, began) => {
  expect(tonightBegan(new Date(now), zone).toISOString()).toBe(began);
});
