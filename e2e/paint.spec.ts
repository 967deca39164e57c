import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { OPEN_PATHS, PLAYER_PATHS } from '#contract/rules/pages.ts';
import { expect, holdBack, test } from './fixtures.ts';

/** What a server sends before its first acknowledgement arrives: ten TCP segments. */
const FIRST_FLIGHT_BYTES = 14_000;
const SHIFT_MOST = 0.02;

test('P32 PROD-163: each page contains its style, and its policy names the style’s hash', async ({
  server,
}) => {
  for (const path of [...OPEN_PATHS, ...PLAYER_PATHS, '/index.html', '/profile.html']) {
    const answer = await fetch(`${server.url}${path}`);
    const html = await answer.text();
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text);
    expect(styles, path).toHaveLength(1);
    const [, allowed = ''] =
      /style-src ([^;]+)/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
    const hashes = styles.map((text) => createHash('sha256').update(text).digest('base64'));
    expect(allowed, path).toBe(["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].join(' '));
    expect(html, path).not.toContain('rel="stylesheet"');
    expect(gzipSync(html).length, path).toBeLessThan(FIRST_FLIGHT_BYTES);
  }
});

/** A server that does not know its providers yet sends bare pages. */
const isPrepared = async ({ url }: { url: string }) =>
  (await (await fetch(`${url}/login`)).text()).includes('<h1');

test('pages for players request the players’ script at once, open pages do not', async ({
  server,
}) => {
  await expect.poll(() => isPrepared(server)).toBe(true);
  const requests = async (path: string) =>
    /<link rel="modulepreload"[^>]* href="\/assets\/player-[^"]+\.js">/.test(
      await (await fetch(`${server.url}${path}`)).text(),
    );
  for (const path of [...PLAYER_PATHS, '/seasons/1', '/join/ABC234', '/friend/ABC234'])
    expect(await requests(path), path).toBe(true);
  for (const path of OPEN_PATHS) expect(await requests(path), path).toBe(false);
});

/** Opens a page and holds back its scripts and fonts. Returns a function that releases them. */
async function openPageAlone(page: Page, path: string): Promise<() => void> {
  const release = await holdBack(page, '**/assets/**');
  await page.addInitScript(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as LayoutShift).value);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
  await page.goto(path, { waitUntil: 'commit' });
  return release;
}
type LayoutShift = PerformanceEntry & { value: number };

const isPainted = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length === 1);

test('PROD-163: the first answer paints the login page, and nothing moves afterwards', async ({
  page,
  server,
}) => {
  await expect.poll(() => isPrepared(server)).toBe(true);
  const release = await openPageAlone(page, '/login');
  await expect.poll(() => isPainted(page)).toBe(true);
  const go = page.getByRole('button', { name: 'Continue' });
  await expect(go).toHaveCSS('background-color', 'rgb(18, 40, 92)');
  const before = await go.boundingBox();
  release();
  await expect(go).toBeEnabled();
  await page.evaluate(() => document.fonts.ready);
  expect(await go.boundingBox()).toEqual(before);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(SHIFT_MOST);
});

test('PROD-163: the first answer paints the frame of the profile', async ({ page }) => {
  await openPageAlone(page, '/profile');
  await expect.poll(() => isPainted(page)).toBe(true);
  const frame = page.locator('#frame');
  await expect(frame).toBeVisible();
  await expect(frame.locator('header')).toHaveCSS('position', 'sticky');
});
