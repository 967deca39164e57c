import { type Browser, expect, type Page } from '@playwright/test';
import { type RunningServer, startServer } from '#testing/server.ts';
import { inviteStaff, setUpPasskey } from './fixtures.ts';
import { DESK, PHONE, shoot } from './pictures.ts';

// Pictures for docs/venues.md.

const VENUE = 'Dockside Arcade';

async function openPage(browser: Browser, viewport: { width: number; height: number }) {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: viewport === PHONE ? 2 : 1,
    locale: 'en-GB',
  });
  return context.newPage();
}

async function tonight(page: Page, server: RunningServer): Promise<void> {
  await setUpPasskey(page, await inviteStaff(server, 'Ines Duarte', '--role', 'owner'));
  await page.getByRole('heading', { level: 1, name: 'Tonight' }).waitFor();
  await page.getByRole('heading', { name: 'Needs a hand' }).waitFor();
}

/** The console's first page in both sizes, and a venue screen. */
export async function consolePictures(browser: Browser): Promise<void> {
  const server = await startServer({ DEMO: '1' });
  try {
    const screen = await openPage(browser, { width: 1280, height: 720 });
    await screen.goto(`${server.url}/screen`);
    const code = screen.locator('.is-on .boxes');
    await expect(code).toHaveAttribute('aria-label', /^Code \S/);
    const label = (await code.getAttribute('aria-label')) ?? '';
    const typed = label.replace('Code ', '').replaceAll(' ', '');
    await server.backboard('screen', 'add', typed, '--venue', VENUE, '--name', 'Bar');
    await screen.getByRole('heading', { level: 1, name: 'Tonight' }).waitFor();
    await shoot(screen, '82-screen-tonight');
    await screen.context().close();

    const page = await openPage(browser, PHONE);
    await tonight(page, server);
    await shoot(page, '80-console-tonight', { full: true });
    await page.setViewportSize(DESK);
    await shoot(page, '80-console-tonight-1280');
    await page.context().close();
  } finally {
    await server.close();
  }
}
