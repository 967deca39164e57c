import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Nudged, nudgedWords } from './Nudged.tsx';

const NOW = new Date('2026-11-29T14:10:00Z');
const nudged = { by: 'dee-three', left: 2, gap: 135, closes_at: '2026-11-30T00:00:00Z' };

test.each([
  [
    {},
    'DEE-THREE nudges you',
    '2 league games left. Your team is 135 behind, the week closes in 9 h.',
  ],
  [
    { gap: 0, left: 1 },
    'DEE-THREE nudges you',
    '1 league game left. Your team is level, the week closes in 9 h.',
  ],
  [{ by: null }, 'Your team is 135 behind', '2 league games left. The week closes in 9 h.'],
  [{ by: null, gap: 0 }, 'Your team is level', '2 league games left. The week closes in 9 h.'],
])('NUDGE-06, NUDGE-07: a nudge with %j has its title and text', (changes, title, text) => {
  expect(nudgedWords({ ...nudged, ...changes }, NOW)).toEqual({ title, text });
});

test('NUDGE-06: the strip leaves before the last hour of its week', () => {
  const drawn = (ms: number) => {
    const closes_at = new Date(Date.now() + ms).toISOString();
    const props = { nudged: { ...nudged, closes_at }, onOpen: () => undefined };
    return renderToStaticMarkup(createElement(Nudged, props));
  };
  expect(drawn(61 * 60_000)).toContain('closes in 1 h');
  expect(drawn(59 * 60_000)).toBe('');
  expect(drawn(-9 * 3_600_000)).toBe('');
});
