import { expect, it } from 'vitest';
import { deviceOf, usedText } from './Sessions.tsx';

const NOW = new Date(2026, 10, 20, 9, 30);

it.each([
  [new Date(2026, 10, 20, 0, 5), 'Used today, 00:05'],
  [new Date(2026, 10, 19, 22, 10), 'Used yesterday, 22:10'],
  [new Date(2026, 10, 18, 22, 10), 'Used 18 Nov'],
  [new Date(2025, 10, 20, 9, 30), 'Used 20 Nov 2025'],
])('%s: %s', (at, words) => {
  expect(usedText(at, NOW)).toBe(words);
});

it.each([
  ['Chrome on Android', 'phone'],
  ['Safari on iPhone', 'phone'],
  ['Safari on iPad', 'tablet'],
  ['Firefox on Windows', 'computer'],
  ['A browser on Linux', 'computer'],
  ['Unknown browser', 'device'],
  ['Firefox', 'device'],
])('%s is a %s', (client, device) => {
  expect(deviceOf(client)).toBe(device);
});
