import { expect, test } from 'vitest';
import { changedNight, newNight } from './fields.tsx';

test('CONTEST-07: a change has only what staff changed, so that it undoes no colleague’s change', () => {
  const night = newNight('2026-12-04T19:00', '2026-12-04T22:00');
  const before = { ...night, machines: ['Hoop 1', 'Moved away'] };
  expect(changedNight(before, before, false)).toEqual({});
  expect(changedNight(before, { ...before, prizes: 'A ball' }, false)).toEqual({
    prizes: 'A ball',
  });
  const chosen = { ...before, n: 3, machines: ['Hoop 1'] };
  expect(changedNight(before, chosen, false)).toEqual({ n: 3, machines: ['Hoop 1'] });
  expect(changedNight(before, { ...before, machines: [] }, false)).toEqual({ machines: null });
  const begun = { ...chosen, starts: '2026-12-04T19:30', prizes: 'A ball' };
  expect(changedNight(before, begun, true)).toEqual({ prizes: 'A ball' });
});
