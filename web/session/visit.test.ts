import { beforeEach, expect, it, vi } from 'vitest';

let page: typeof import('./visit.ts');
beforeEach(async () => {
  vi.resetModules();
  page = await import('./visit.ts');
  page.visitBy('a@example.com');
});

it('HAND-51 a visit asks one question, and no more once it has its answer', () => {
  expect(page.isFirstQuestion('wall')).toBe(true);
  expect(page.isFirstQuestion('push')).toBe(false);
  expect(page.isFirstQuestion('wall'), 'after another room').toBe(true);
  page.endQuestion();
  expect(page.isFirstQuestion('wall')).toBe(false);
  expect(page.isFirstQuestion('push')).toBe(false);
});

it('a visit counts once for each question', () => {
  expect([page.countVisit('wall'), page.countVisit('wall'), page.countVisit('age')]).toEqual([
    true,
    false,
    true,
  ]);
});

it('the next player of this phone begins a visit', () => {
  page.endQuestion();
  page.countVisit('wall');
  page.visitBy('a@example.com');
  expect(page.isFirstQuestion('wall')).toBe(false);
  page.visitBy('b@example.com');
  expect(page.isFirstQuestion('wall')).toBe(true);
  expect(page.countVisit('wall')).toBe(true);
});
