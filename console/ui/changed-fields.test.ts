import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('STAFF-25 MACH-09: a form sends only the fields that differ from those it opened with', () => {
  const opened = { id: '3', hours: 'mon 12:00-23:00', timezone: 'Europe/Berlin' };
  const form = { hours: opened.hours, timezone: opened.timezone };
  expect(changedFields(opened, form)).toEqual({});
  expect(changedFields(opened, { ...form, timezone: 'UTC' })).toEqual({ timezone: 'UTC' });
  expect(changedFields(opened, { ...form, hours: null })).toEqual({ hours: null });
});
