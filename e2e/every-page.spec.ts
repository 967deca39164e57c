import type { Locator, Page } from '@playwright/test';
import { OPEN_PATHS, PLAYER_PATHS, type PlayerPath } from '#contract/rules/pages.ts';
import { test } from './demo.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
} from './fixtures.ts';
import { OPEN_HEADINGS, PLAYER_TEXTS } from './page-texts.ts';

/** The first panel of each column (LOOK-67). */
const COLUMNS: Partial<Record<PlayerPath, (page: Page) => [left: Locator, right: Locator]>> = {
  '/profile': (page) => [
    page.getByRole('region', { name: 'MAYA_BANKS' }),
    page.getByRole('region', { name: 'Player Stats' }),
  ],
  '/league': (page) => [
    page.getByRole('region', { name: 'This week' }),
    page.getByRole('region', { name: 'Season', exact: true }),
  ],
  '/games': (page) => [
    page.getByRole('region', { name: 'Scores over time' }),
    page.getByRole('main').getByRole('list').first(),
  ],
  '/leaderboard': (page) => [
    page.getByRole('region', { name: 'league, this week' }),
    page.getByRole('region', { name: 'league, all time' }),
  ],
};

async function boxOf(panel: Locator) {
  await expect(panel).toBeVisible();
  const box = await panel.boundingBox();
  if (!box) throw new Error('The panel has no box.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Whether Tab visits the left column first. `middle` is that column's right edge in px. */
const tabsLeftFirst = (page: Page, middle: number) =>
  page.evaluate((x) => {
    const stops = [...document.querySelectorAll('main :is(a, button, input)')];
    const right = stops.map((stop) => stop.getBoundingClientRect().left > x);
    return right.lastIndexOf(false) < right.indexOf(true) || !right.includes(true);
  }, middle);

async function expectTwoColumns(page: Page, path: PlayerPath): Promise<void> {
  const columns = COLUMNS[path]?.(page);
  if (!columns) return;
  const [left, right] = columns;
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [one, other] = [await boxOf(left), await boxOf(right)];
    expect(one.right, `${path} at ${width} px`).toBeLessThan(other.x);
    expect(one.bottom, `${path} at ${width} px`).toBeGreaterThan(other.y);
    expect(await tabsLeftFirst(page, one.right), `${path} at ${width} px`).toBe(true);
    await expectNoSidewaysScroll(page);
  }
  if (path !== '/leaderboard') {
    for (const height of [800, 700]) {
      await page.setViewportSize({ width: 1280, height });
      await expect(left).toHaveCSS('position', 'sticky');
      expect((await boxOf(left)).bottom).toBeLessThanOrEqual(height);
      // 45 modules of 6 px, whatever the window's height.
      if (path === '/profile')
        expect((await boxOf(page.getByRole('img', { name: 'Player QR code' }))).width).toBe(270);
    }
    await page.setViewportSize({ width: 1280, height: 699 });
    await expect(left).toHaveCSS('position', 'static');
  }
  await page.setViewportSize({ width: 1023, height: 800 });
  if (path === '/leaderboard') await expect(right).toHaveCount(0);
  else expect((await boxOf(left)).bottom).toBeLessThanOrEqual((await boxOf(right)).y);
}

/** Headings are hyphenated with large text only (LOOK-68). */
async function expectHyphens(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveCSS('hyphens', 'manual');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expect(heading).toHaveCSS('hyphens', 'auto');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
}

const unreadable = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => {
        const words = [...element.childNodes].some(
          (node) => node.nodeName === '#text' && node.nodeValue?.trim(),
        );
        const { color, forcedColorAdjust } = getComputedStyle(element);
        const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
        return words && forcedColorAdjust === 'auto' && red + green + blue < 300;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

for (const path of PLAYER_PATHS)
  test(`${path} passes axe with forced colours and on a desktop, and fits 320 px and 200 % text`, async ({
    page,
    server,
    maya,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signInAs(page, server, maya);
    await page.goto(path);
    await expect(page.getByText(PLAYER_TEXTS[path]).first()).toBeVisible();
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
    if (path === '/achievements') await expectHyphens(page);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await expectAccessible(page, { colours: false });
    expect(await unreadable(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectAccessible(page);
    await expectRoomForLargeText(page);
    await expectTwoColumns(page, path);
  });

test('every public address opens, and an unknown address answers 404', async ({
  page,
  server,
  expectNoise,
}) => {
  await page.goto(`${server.url}/login`);
  await expectHyphens(page);
  for (const path of OPEN_PATHS) {
    const response = await page.goto(`${server.url}${path}`);
    expect(response?.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: OPEN_HEADINGS[path] })).toBeVisible();
  }
  expectNoise(/404/);
  const response = await page.goto(`${server.url}/nowhere`);
  expect(response?.status()).toBe(404);
  await expect(page.getByText('404 Not Found')).toBeVisible();
});
