import { expect, it } from 'vitest';
import { pastedCode } from './short-code.ts';

it.each([
  ['k7w m3r', 'K7WM3R'],
  ['K7W-M3R', 'K7WM3R'],
  ['https://backboard.example/join/K7WM3R', 'K7WM3R'],
  ['Play for Bankers in the Dockside League: https://backboard.example/join/k7wm3r?x=1', 'K7WM3R'],
])('HAND-41: the code is taken out of “%s”', (text, code) => {
  expect(pastedCode(text)).toBe(code);
});
