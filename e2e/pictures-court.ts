import type { Browser, Page } from '@playwright/test';
import { startServer } from '#testing/server.ts';
import { DESK, PHONE, shoot } from './pictures.ts';

// Pictures of the court, which exists only without SMTP and for callers on this computer.

const SHOTS = 6;
const GAME_MS = 20_000;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A game in each size. */
export async function courtPictures(browser: Browser): Promise<void> {
  const server = await startServer({ SMTP_URL: '', DEMO: '1' });
  try {
    for (const [viewport, size] of [
      [PHONE, ''],
      [DESK, '-1280'],
    ] as const) {
      const context = await browser.newContext({
        viewport,
        deviceScaleFactor: viewport === PHONE ? 2 : 1,
        locale: 'en-GB',
      });
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${server.url}/dev/court`);
      await button(page, 'Hold it up').waitFor();
      await shoot(page, `60-court-choose${size}`);
      await button(page, 'Hold it up').click();
      await button(page, "Let's play!").waitFor();
      await shoot(page, `61-court-greeting${size}`);
      await button(page, "Let's play!").click();
      await button(page, 'Hold the meter still').click();
      for (let shot = 0; shot < SHOTS; shot += 1) {
        await button(page, 'Shoot').press('Space');
        await page.clock.runFor(500);
      }
      await shoot(page, `62-court-playing${size}`);
      await page.clock.fastForward(GAME_MS);
      await button(page, 'Again').waitFor();
      await shoot(page, `63-court-result${size}`);
      await context.close();
    }
  } finally {
    await server.close();
  }
}
