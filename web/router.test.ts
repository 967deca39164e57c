import { expect, it } from 'vitest';
import { isPlainClick } from './router.tsx';

const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

it.each([
  ['the main button', {}, true],
  ['the middle button', { button: 1 }, false],
  ['Ctrl', { ctrlKey: true }, false],
  ['Command', { metaKey: true }, false],
  ['Shift', { shiftKey: true }, false],
  ['Alt', { altKey: true }, false],
])('a click with %s opens the link in this tab: %s', (_name, how, stays) => {
  expect(isPlainClick({ ...plain, ...how })).toBe(stays);
});
