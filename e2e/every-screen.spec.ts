import type { Page } from '@playwright/test';
import { test } from './demo.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
} from './fixtures.ts';

/** The pages of a player, each with what is there once its figures are. */
const SCREENS: Record<string, RegExp> = {
  '/profile': /^Team Stats \(Weekly\)/,
  '/games': /games since/,
  '/league': /Schedule/,
  '/leaderboard': /Leaderboard/,
  '/achievements': /won, \d+ still to win/,
  '/week': /Week in one picture/,
  '/account': /Where I am signed in/,
  '/card': /Spare card/,
};

/** Words in the system's dark colours that are not light: what does not follow stays black. */
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

for (const [path, there] of Object.entries(SCREENS))
  test(`${path} with forced colours and on a desk: axe, 320 px, 200 % text`, async ({
    page,
    server,
    maya,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signInAs(page, server, maya);
    await page.goto(path);
    await expect(page.getByText(there).first()).toBeVisible();
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await expectAccessible(page, { colours: false });
    expect(await unreadable(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectAccessible(page);
    await expectRoomForLargeText(page);
  });
