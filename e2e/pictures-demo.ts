import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { type RunningServer, startServer } from '#testing/server.ts';
import { call, open, type Person, PHONE, shoot, wanted } from './pictures.ts';

// Pictures that need the demo's months of games.

const DEMO = 'demo@backboard.example';
const PASSWORD = 'courtside-demo';
const FURTHER_DOWN = 'paper_ball@example.com';

async function signIn(server: RunningServer, email: string): Promise<Person> {
  const { user, ...tokens } = await call(server, '/api/users/auth/login/', {
    email,
    password: PASSWORD,
  });
  return { email, username: user.username, uuid: user.uuid, ...tokens };
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('radio', { name, exact: true }).check();
}

/** The pass with a game that just landed. */
async function slipPicture(page: Page, server: RunningServer, player: Person): Promise<void> {
  if (!wanted('100-slip')) return;
  const hoop = await server.addMachine('Hoop 6', 'Dockside Arcade');
  const stream = page.waitForResponse('**/api/users/profile/events/');
  await page.goto(`${server.url}/profile`);
  await stream;
  // Put away a slip of the demo's games.
  const done = page.getByRole('button', { name: 'Done' });
  if (await done.isVisible()) await done.click();
  await server.play(hoop.key, {
    id: randomUUID(),
    player: player.uuid,
    score: 402,
    played_at: new Date().toISOString(),
  });
  await page.getByRole('heading', { name: 'Your game on Hoop 6' }).waitFor();
  await shoot(page, '100-slip');
}

/** Games, leaderboards and achievements, on a server of their own. */
export async function demoPictures(browser: Browser): Promise<void> {
  const server = await startServer({ DEMO: '1' });
  try {
    const maya = await signIn(server, DEMO);
    const page = await open(browser, server, maya);
    await slipPicture(page, server, maya);
    await page.goto(`${server.url}/games`);
    await page.getByRole('listitem').first().waitFor();
    // A picture of all forty games would be too long.
    await page.setViewportSize({ ...PHONE, height: 1500 });
    await shoot(page, '33-games-full');
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Show table' }).click();
    await shoot(page, '33b-games-table');

    await page.goto(`${server.url}/leaderboard`);
    await page.getByRole('listitem').first().waitFor();
    await shoot(page, '35-leaderboard');

    await page.evaluate(() => localStorage.setItem('seen_achievements', '[]'));
    await page.goto(`${server.url}/achievements`);
    await page.getByRole('listitem').first().waitFor();
    await shoot(page, '36-achievements-full', { full: true });
    await page.context().close();

    // Only the demo account has a password: copy it.
    await server.sql(
      'update players set password_hash = o.password_hash from players o where o.email = $1 and players.email = $2',
      [DEMO, FURTHER_DOWN],
    );
    const further = await open(browser, server, await signIn(server, FURTHER_DOWN));
    await further.goto(`${server.url}/leaderboard`);
    await choose(further, 'All', 'All time');
    await further.getByRole('region', { name: 'everyone, all time' }).waitFor();
    await shoot(further, '35b-leaderboard-outside-full', { full: true });
    await further.context().close();
  } finally {
    await server.close();
  }
}
