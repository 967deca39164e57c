import { expect, it } from 'vitest';
import { isPlainClick } from './router.tsx';

const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

it.each([
  ['the main button', {}, true],
  ['the middle button', { button: 1 }, false],
  ['with Ctrl', { ctrlKey: true }, false],
  ['with Command', { metaKey: true }, false],
  ['with Shift', { shiftKey: true }, false],
  ['with Alt', { altKey: true }, false],
])('a click with %s stays on the page: %s', (_name, how, stays) => {
  expect(isPlainClick({ ...plain, ...how })).toBe(stays);
});
