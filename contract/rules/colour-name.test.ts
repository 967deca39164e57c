import { expect, it } from 'vitest';
import { colourName, hueName } from './colour-name.ts';

it('HAND-C18: hues have twelve names, and both ends of the hue scale are red', () => {
  const names = Array.from({ length: 360 }, (_, hue) => hueName(hue));
  expect(new Set(names).size).toBe(12);
  expect([names[0], names[344], names[345], names[359]]).toEqual(['red', 'pink', 'red', 'red']);
});

it.each([
  [215, 30, 'sky blue, dark'],
  [240, 54, 'blue'],
  [60, 90, 'yellow, light'],
])('HAND-C18: hue %d at lightness %d is %s', (hue, lightness, name) => {
  expect(colourName(hue, lightness)).toBe(name);
});
