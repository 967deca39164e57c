import { expect, test } from 'vitest';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { listVenues } from './venues.ts';

const t = withApp();

const post = (path: string, body: object) =>
  t.call('POST', `/api/operator/${path}`, { as: { key: OPERATOR_KEY }, body });

test('MACH-09: a venue is added with its time zone, and gets opening hours', async () => {
  const added = await post('venues/', { name: 'Dockside', timezone: 'europe/berlin' });
  expect([added.status, added.body]).toEqual([
    201,
    { id: expect.any(String), name: 'Dockside', timezone: 'Europe/Berlin', hours: null },
  ]);
  expect((await post('venues/', { name: 'DOCKSIDE', timezone: 'UTC' })).status).toBe(409);
  expect((await post('venues/', { name: 'Moon', timezone: 'Moon/Base' })).body).toEqual({
    timezone: [expect.stringContaining('“Moon/Base” is no time zone')],
  });

  const hours = 'MON-thu 15:00-23:00, fri-sat 12:00-1:00';
  const opened = await post('venues/change/', { venue: 'dockside', hours });
  expect(opened.body.hours).toBe('mon-thu 15:00-23:00, fri-sat 12:00-01:00');
  const wrong = await post('venues/change/', { venue: 'Dockside', hours: 'mon 15-23' });
  expect([wrong.status, wrong.body.hours[0]]).toEqual([400, expect.stringMatching(/“15” is no/)]);
  expect((await listVenues(t.db)).map((venue) => venue.hours)).toEqual([opened.body.hours]);
  const always = await post('venues/change/', { venue: 'Dockside', hours: null, timezone: 'UTC' });
  expect(always.body).toMatchObject({ hours: null, timezone: 'UTC' });
  const typo = await post('venues/change/', { venue: 'Docksid', hours: null });
  expect([typo.status, typo.body.detail]).toEqual([404, expect.stringMatching(/Did you mean/)]);
});
