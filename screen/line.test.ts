import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAIRING_LIFE_MS } from '#contract/rules/screens.ts';
import { pair } from './line.ts';

/** What each claim is answered, by the time since the code was given. */
let claimed: (ms: number) => Response;
const codes: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('screen', { width: 1280, height: 720 });
  vi.stubGlobal('devicePixelRatio', 1);
  codes.length = 0;
  const began = performance.now();
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/screen/pair/'
      ? Response.json({ code: `CODE${codes.length}`, secret: 'secret' })
      : claimed(performance.now() - began),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const noted = (code: string) => void codes.push(code);

test('SCREEN-01: a code that staff type in its last second still pairs the screen', async () => {
  claimed = (ms) => Response.json({ token: ms > PAIRING_LIFE_MS - 500 ? 'token' : null });
  const paired = pair(noted);
  await vi.advanceTimersByTimeAsync(PAIRING_LIFE_MS + 5_000);
  expect(codes).toEqual(['CODE0']);
  expect(await paired).toBe('token');
});

test.each([404, 429])(
  'SCREEN-01: after a code that nobody typed comes a new one, also if its last claim is answered %i',
  async (status) => {
    claimed = (ms) =>
      ms < PAIRING_LIFE_MS
        ? Response.json({ token: null })
        : codes.length === 1
          ? Response.json({}, { status, headers: { 'retry-after': '3600' } })
          : Response.json({ token: 'next' });
    const paired = pair(noted);
    await vi.advanceTimersByTimeAsync(PAIRING_LIFE_MS + 10_000);
    expect(codes).toEqual(['CODE0', 'CODE1']);
    expect(await paired).toBe('next');
  },
);
