import { expect, test } from 'vitest';
import { changedNight, newNight } from './fields.tsx';

test('CONTEST-07: a change has no machines unless staff chose others, because some may have left', () => {
  const night = newNight('2026-12-04T19:00', '2026-12-04T22:00');
  const before = { ...night, machines: ['Hoop 1', 'Moved away'] };
  expect(changedNight(before, { ...before, name: 'Final night' }, false)).not.toHaveProperty(
    'machines',
  );
  const chosen = { ...before, machines: ['Hoop 1'] };
  expect(changedNight(before, chosen, false)).toMatchObject({ machines: ['Hoop 1'], n: 5 });
  expect(changedNight(before, { ...before, machines: [] }, false)).toMatchObject({
    machines: null,
  });
  expect(Object.keys(changedNight(before, chosen, true)).sort()).toEqual([
    ...['ends', 'name', 'only', 'prizes'],
  ]);
});
