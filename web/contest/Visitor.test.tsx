import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ContestPage } from '#contract/wire/contests.ts';
import { Visitor } from './Visitor.tsx';

const PAGE: ContestPage = {
  code: 'R4T9WX',
  name: 'Friday Night Hoops',
  venue: 'Dockside Arcade',
  scoring: 'best3',
  n: 5,
  starts_at: '2026-11-27T19:00:00.000Z',
  ends_at: '2026-11-27T22:00:00.000Z',
  state: 'running',
  prizes: null,
  now: '2026-11-27T21:39:00.000Z',
  players: 4,
  results: [],
  around: [],
  above: 0,
  waiting: [],
  next_at: null,
  mine: null,
};

const drawn = (state: ContestPage['state'], more: Partial<ContestPage> = {}) =>
  renderToStaticMarkup(<Visitor page={{ ...PAGE, state, ...more }} skew={0} code={PAGE.code} />);

test.each([
  ['planned', true],
  ['running', true],
  ['settling', false],
  ['final', false],
  ['cancelled', false],
] as const)(
  'CONTEST-05, CONTEST-12: a contest that is %s invites a visitor to play: %s',
  (state, invites) => {
    const page = drawn(state);
    expect(page.includes('Everybody who plays is in')).toBe(invites);
    expect(page.includes('hold your code up, play')).toBe(invites);
  },
);

test('CONTEST-07: a visitor reads that a contest was cancelled, without its prizes', () => {
  const more = { prizes: 'Bar tab of 50', next_at: '2026-12-04T19:00:00.000Z' };
  const page = drawn('cancelled', more);
  expect(page).toMatch(/It is not on: the contest was cancelled\. Fri 4 Dec .* it is on again\./);
  expect(page).not.toContain('Bar tab');
  expect(drawn('final', more)).toMatch(/It is over\. Fri 4 Dec .*Bar tab/s);
  const running = { next_at: new Date(Date.now() - 60_000).toISOString() };
  expect(drawn('final', running)).toContain('It is over. It is on again now.');
});

test('CONTEST-05: after the end a visitor reads that further games do not count', () => {
  const page = drawn('settling');
  expect(page).toContain('Last games are coming in at Dockside Arcade');
  expect(page).toContain('It has ended: games from now on do not count.');
});
