import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { expectCode, NAVY, openProfile, play, RED } from './profile-page.ts';
import { setLeagueMode } from './teams.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const opener = (page: Page) => page.getByRole('button', { name: 'Show the code full screen' });

/** Counts requested and held wake locks. A hidden page loses its lock, as in a browser. */
async function watchWakeLocks(page: Page) {
  await page.addInitScript(() => {
    const locks = { asked: 0, held: 0 };
    Object.assign(window, { locks });
    Object.defineProperty(Navigator.prototype, 'wakeLock', {
      value: {
        request: async () => {
          locks.asked += 1;
          locks.held += 1;
          let released = false;
          const release = async () => {
            if (!released) locks.held -= 1;
            released = true;
          };
          document.addEventListener('visibilitychange', release, { once: true, capture: true });
          return { release };
        },
      },
    });
  });
  return () =>
    page.evaluate(() => (window as unknown as { locks: { asked: number; held: number } }).locks);
}

/** Hides or shows the page, as when the phone is locked or unlocked. */
const become = (page: Page, visibilityState: 'hidden' | 'visible') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);

const greatest = (a: number, b: number): number => (b === 0 ? a : greatest(b, a % b));

/** The number of the code's colours, and the size of a module in device pixels. */
async function modulesOf(page: Page): Promise<{ colours: number; module: number }> {
  const code = dialog(page).getByRole('img', { name: 'Player QR code' });
  const box = await code.boundingBox();
  if (box === null) throw new Error('the code is not there');
  const ratio = await page.evaluate(() => window.devicePixelRatio);
  // Take the whole page: the picture of an element would be resampled.
  const picture = PNG.sync.read(await page.screenshot());
  const [left0, top0] = [Math.ceil(box.x * ratio), Math.ceil(box.y * ratio)];
  const width = Math.floor((box.x + box.width) * ratio) - left0;
  const height = Math.floor((box.y + box.height) * ratio) - top0;
  const at = (x: number, y: number) =>
    picture.data.readUIntBE(4 * ((top0 + y) * picture.width + left0 + x), 3);
  const white = 0xffffff;
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => at(x, y)),
  );
  const top = rows.findIndex((row) => row.some((colour) => colour !== white));
  const left = rows[top]?.findIndex((colour) => colour !== white) ?? 0;
  let module = 0;
  for (const [y, row] of rows.entries())
    for (const [x, colour] of row.entries()) {
      if (x > 0 && colour !== row[x - 1]) module = greatest(module, Math.abs(x - left));
      if (y > 0 && colour !== rows[y - 1]?.[x]) module = greatest(module, Math.abs(y - top));
    }
  return { colours: new Set(rows.flat()).size, module };
}

test('a tap shows the code on the whole screen, and another tap closes it', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const locks = await watchWakeLocks(page);
  await openProfile(page, server, player);
  await expect(dialog(page)).toHaveCount(0);
  expect((await locks()).asked).toBe(0);

  await opener(page).tap();
  await expect(dialog(page)).toHaveAccessibleName(player.username);
  await expect(dialog(page).getByText('No team yet')).toBeVisible();
  await expect(dialog(page).getByText('This game counts for you.')).toBeVisible();
  await expect(dialog(page).getByText('Hard to scan? Turn the brightness up.')).toBeVisible();
  await expect(dialog(page).getByText(player.email)).toHaveCount(0);
  await expect(dialog(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expectCode(dialog(page), player.uuid, RED);
  await expect.poll(locks).toEqual({ asked: 1, held: 1 });
  // 8 whole pixels for each of 45 modules.
  const code = await dialog(page).getByRole('img').boundingBox();
  expect(code?.width).toBe(360);
  expect(await dialog(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await become(page, 'hidden');
  await expect.poll(locks).toEqual({ asked: 1, held: 0 });
  await become(page, 'visible');
  await expect.poll(locks).toEqual({ asked: 2, held: 1 });

  await page.touchscreen.tap(195, 120);
  await expect(dialog(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();
  await expect.poll(locks).toEqual({ asked: 2, held: 0 });
  await become(page, 'visible');
  expect((await locks()).asked).toBe(2);
});

test('keys, “Back to profile” and the back button close the code, a reload does not', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  await opener(page).press('Enter');
  await expect(dialog(page).getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Back to profile' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);

  await opener(page).press('Space');
  await expect(dialog(page)).toBeVisible();
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();
  await page.goForward();
  await expect(dialog(page)).toBeVisible();
  await page.reload();
  await expectCode(dialog(page), player.uuid, RED);
  // The second tap of a double tap does not leave the profile.
  await dialog(page)
    .getByRole('heading')
    .evaluate((heading: HTMLElement) => {
      heading.click();
      heading.click();
    });
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/profile$/);
  await expect(opener(page)).toBeFocused();
});

for (const deviceScaleFactor of [1, 2, 2.625, 3])
  test.describe(`with ${deviceScaleFactor} device pixels per CSS pixel`, () => {
    test.use({ deviceScaleFactor, viewport: { width: 412, height: 915 } });

    test('a module of the code is a whole number of device pixels', async ({ page, server }) => {
      const player = await signUp(server);
      await openProfile(page, server, player);
      await opener(page).press('Enter');
      await expectCode(dialog(page), player.uuid, RED);
      for (const width of [412, 333]) {
        await page.setViewportSize({ width, height: 915 });
        const module = Math.floor((width * deviceScaleFactor) / 45);
        await expect.poll(() => modulesOf(page)).toEqual({ colours: 2, module });
      }
    });
  });

test('the open code says in words and colour what a game counts for', async ({ page, server }) => {
  test.slow();
  const player = await signUp(server);
  const team = `Team ${player.username}`;
  const league = `League ${player.username}`;
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, team);
  await server.backboard('team', 'add', team, player.email);
  await setLeagueMode(server, player, false);
  const machine = await server.addMachine(`Court ${player.username}`);
  await openProfile(page, server, player);
  const league_mode = page.getByRole('switch', { name: 'League Mode' });
  const counts = dialog(page).getByText(/This game counts/);

  await opener(page).click();
  await expect(dialog(page).getByText('League mode off')).toBeVisible();
  await expect(counts).toHaveText('This game counts for you, not for your team.');
  await expectCode(dialog(page), player.uuid, RED);
  await page.keyboard.press('Escape');

  await league_mode.click();
  // A game counts by the stored mode: wait until it is stored.
  await expect
    .poll(async () => {
      const answer = await fetch(`${server.url}/api/users/profile/`, {
        headers: { authorization: `Bearer ${player.access}` },
      });
      return (await answer.json()).league_mode_enabled;
    })
    .toBe(true);
  await opener(page).click();
  await expect(dialog(page).getByText('League mode on')).toBeVisible();
  await expect(counts).toHaveText(`This game counts for ${team}. 8 league games left this week.`);
  await expectCode(dialog(page), player.uuid, NAVY);
  await expectAccessible(page);
  await page.goBack();

  await play(server, machine.key, player, [100, 200, 300, 400, 500, 600, 700]);
  await opener(page).click();
  await expect(counts).toHaveText(`This game counts for ${team}. 1 league game left this week.`);
  await page.goBack();
  await play(server, machine.key, player, [800]);
  await opener(page).click();
  await expect(counts).toHaveText('No league games left this week. This game counts for you.');
});

test('in landscape the code is as high as the screen, and dark mode does not change the code', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await page.setViewportSize({ width: 844, height: 390 });
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await openProfile(page, server, player);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await opener(page).click();
  const code = await dialog(page).getByRole('img').boundingBox();
  expect(code?.width).toBe(360);
  expect(code?.y).toBeGreaterThanOrEqual(0);
  expect((code?.y ?? 0) + (code?.height ?? 0)).toBeLessThanOrEqual(390);
  await expectCode(dialog(page), player.uuid, RED);
  await expect(dialog(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(dialog(page).getByText('Tap anywhere to go back')).toBeInViewport();
  await expectAccessible(page);
});
