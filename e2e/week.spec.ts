import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import type { ClosedWeek, LastWeekAnswer } from '#contract/wire/leagues.ts';
import type { RunningServer } from '#testing/server.ts';
import { test } from './demo.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  setServerTime,
  signInAs,
  signUp,
} from './fixtures.ts';
import { openProfile } from './profile-page.ts';
import { makeLeague, readAs } from './teams.ts';

const PATH = '/api/leaderboards/user-league-last-week/';
const SIZE = { width: 1080, height: 1350 };

const lastWeekOf = (server: RunningServer, player: NewPlayer): Promise<LastWeekAnswer> =>
  readAs(server, player, PATH);

async function closedWeekOf(server: RunningServer, player: NewPlayer): Promise<ClosedWeek> {
  const { last } = await lastWeekOf(server, player);
  if (last === null) throw new Error('no week has closed');
  return last;
}

const picture = (page: Page) => page.getByRole('main').getByRole('img');

async function bytesOf(page: Page): Promise<Buffer> {
  const src = (await picture(page).getAttribute('src')) ?? '';
  expect(src).toMatch(/^data:image\/png;base64,/);
  return Buffer.from(src.slice(src.indexOf(',') + 1), 'base64');
}

/** The types of a PNG's chunks. Embedded text would add a type. */
function partsOf(png: Buffer): string[] {
  const parts = new Set<string>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    parts.add(png.toString('latin1', at + 4, at + 8));
  return [...parts];
}

async function watchWords(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const words: string[] = [];
    Object.assign(window, { words });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      words.push(text);
      return fillText.call(this, text, ...rest);
    };
  });
  return () => page.evaluate(() => (window as unknown as { words: string[] }).words);
}

function resultOf(week: ClosedWeek): { headline: string; strip: string; alt: string } {
  const { team, opponent, best, team_total_score: own, opponent_total_score: theirs } = week;
  const by = Math.abs(own - theirs);
  expect(by, 'the demo’s fourth week is no draw').toBeGreaterThan(0);
  const won = own > theirs;
  return {
    headline: `${won ? 'WON' : 'LOST'} BY ${by}`,
    strip: `${won ? 'You beat' : 'You lost to'} ${opponent} by ${by}. Share it.`,
    alt: `Week ${week.week}: ${team} ${won ? 'won' : 'lost'} by ${by}, ${own} to ${theirs} against ${opponent}. Best game: ${best?.username?.toUpperCase()}, ${best?.score}.`,
  };
}

test('a strip on the profile leads to the week’s picture, and disappears once opened', async ({
  page,
  server,
  maya,
}) => {
  const week = await closedWeekOf(server, maya);
  const result = resultOf(week);
  const words = await watchWords(page);
  await openProfile(page, server, maya);
  const strip = page.getByRole('link', { name: 'Week in one picture' });
  await expect(strip).toContainText(result.strip);
  const order = await page
    .getByRole('main')
    .evaluate((main) => [...main.children].map((one) => one.textContent ?? ''));
  const at = order.findIndex((text) => text.includes('Week in one picture'));
  expect(order.findIndex((text) => text.includes(maya.email))).toBeLessThan(at);
  expect(order.findIndex((text) => text.includes('Player Stats'))).toBe(at + 1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  const before = (await words()).length;
  await strip.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Week in one picture' })).toBeFocused();
  await expect(page.getByText('Names only: no email, no code, no photo.')).toBeVisible();
  await expect(picture(page)).toHaveAccessibleName(result.alt);
  const png = await bytesOf(page);
  const { width, height, data } = PNG.sync.read(png);
  expect({ width, height }).toEqual(SIZE);
  const pixel = (x: number, y: number) =>
    `#${data.toString('hex', 4 * (y * width + x), 4 * (y * width + x) + 3).toUpperCase()}`;
  expect(pixel(10, 10)).toBe('#ECEFF4');
  expect(pixel(84, 600)).toBe('#12285C');
  expect(pixel(500, 690)).toBe('#12285C');
  expect(pixel(500, 800)).toBe('#C9143A');
  expect(pixel(874, 940)).toBe('#C9143A');
  expect(pixel(874, 905)).toBe('#ECEFF4');
  const written = (await words()).slice(before);
  expect(written).toEqual(
    expect.arrayContaining([
      `WEEK ${week.week}`,
      expect.stringMatching(/^\d+( [A-Z]{3} )?–( )?\d+ [A-Z]{3}$/),
      result.headline,
      ...week.players.map(({ username }) => username?.toUpperCase()),
      week.team.toUpperCase(),
      String(week.team_total_score),
      week.opponent.toUpperCase(),
      String(week.opponent_total_score),
      'BEST GAME',
      week.best?.username?.toUpperCase(),
      String(week.best?.score),
    ]),
  );
  expect(written.filter((word) => /@|[0-9a-f]{8}-[0-9a-f]{4}/i.test(word))).toEqual([]);
  expect(partsOf(png).sort()).toEqual(expect.arrayContaining(['IDAT', 'IEND', 'IHDR']));
  expect(partsOf(png).filter((part) => /tEXt|iTXt|zTXt|eXIf/.test(part))).toEqual([]);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save picture' }).press('Enter');
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(`backboard-week-${week.week}.png`);
  expect(await readFile(await saved.path())).toEqual(png);

  await page.getByRole('link', { name: 'Back to pass' }).click();
  await expect(page.getByRole('region', { name: 'Player Stats' })).toBeVisible();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(strip).toHaveCount(0);
});

test('a late game changes the week’s picture', async ({ page, server, maya }) => {
  const machine = await server.addMachine('Late court');
  const before = await closedWeekOf(server, maya);
  const { timezone } = JSON.parse(
    await server.backboard('league', 'show', 'Dockside League', '--json'),
  );
  const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  let hour = Date.parse(before.from) - 24 * 3_600_000;
  while (dayIn.format(hour) < before.from) hour += 3_600_000;
  const score = (before.best?.score ?? 0) + 1;
  const played_at = new Date(hour).toISOString();
  const game = { id: randomUUID(), player: maya.uuid, score, played_at };
  expect(await server.play(machine.key, game)).toMatchObject({ status: 'recorded' });

  const after = await closedWeekOf(server, maya);
  expect(after.best).toEqual({ username: maya.username, score });
  await signInAs(page, server, maya);
  await page.goto('/week');
  await expect(picture(page)).toHaveAccessibleName(resultOf(after).alt);
});

test('a phone with a share sheet shares only the picture', async ({ page, server, maya }) => {
  const week = await closedWeekOf(server, maya);
  // A share sheet that records what it gets and answers as told.
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared, answer: null });
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.length === 1,
      share: async ({ files: [file] = [], ...rest }: ShareData) => {
        const { name, type } = file ?? {};
        const bytes = [...new Uint8Array((await file?.arrayBuffer()) ?? [])];
        shared.push({ name, type, bytes, rest });
        const { answer } = window as unknown as { answer: string | null };
        if (answer !== null) throw new DOMException('no', answer);
      },
    });
  });
  await signInAs(page, server, maya);
  await page.goto('/week');
  await expect(picture(page)).toBeVisible();
  const share = page.getByRole('button', { name: 'Share' });
  const alert = page.getByRole('alert');
  await expectAccessible(page);
  const told = (answer: string | null) =>
    page.evaluate((one) => Object.assign(window, { answer: one }), answer);
  const shared = () =>
    page.evaluate(
      () =>
        (window as unknown as { shared: { name: string; type: string; bytes: number[] }[] }).shared,
    );

  await told('NotAllowedError');
  await share.press('Enter');
  await expect(alert).toHaveText('The picture could not be shared. Save it, then share it.');
  await told('AbortError');
  await share.press('Enter');
  await expect(alert).toHaveCount(0);
  await told(null);
  await share.press('Enter');
  await expect.poll(async () => (await shared()).length).toBe(3);
  await expect(alert).toHaveCount(0);
  const { bytes, ...file } = (await shared())[2] ?? { bytes: [] };
  expect(file).toEqual({ name: `backboard-week-${week.week}.png`, type: 'image/png', rest: {} });
  expect(Buffer.from(bytes)).toEqual(await bytesOf(page));
  await expect(page.getByRole('link', { name: 'Save picture' })).toBeVisible();
});

test('the strip appears neither on the next Monday nor while the player is reading', async ({
  page,
  server,
  maya,
  expectNoise,
}) => {
  expectNoise(/could not be read|ERR_FAILED/);
  const { week_closes_at } = await lastWeekOf(server, maya);
  const strip = page.getByRole('link', { name: 'Week in one picture' });
  await signInAs(page, server, maya);

  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(`**${PATH}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/profile');
  await page.getByRole('table').scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  const answered = page.waitForResponse(`**${PATH}`);
  answer();
  await (await answered).finished();
  await page.getByRole('switch', { name: 'League Mode' }).focus();
  await expect(strip).toHaveCount(0);
  await page.unroute(`**${PATH}`);
  await page.evaluate(() => window.scrollTo(0, 0));

  // If only a retry reads the week, the strip appears on the next load.
  await page.route(`**${PATH}`, (route) => route.abort());
  await page.route('**/api/users/profile/', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(PATH));
  await page.reload();
  await failed;
  await expect(page.getByText(/^Offline/)).toBeVisible();
  await page.unroute(`**${PATH}`);
  await page.unroute('**/api/users/profile/');
  const again = page.waitForResponse(`**${PATH}`);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await (await again).finished();
  await expect(page.getByText(/^Offline/)).toBeHidden();
  await expect(strip).toHaveCount(0);
  await page.reload();
  await expect(strip).toBeVisible();

  // The stream of events would tell this computer's time.
  await page.route('**/events/', (route) => route.abort());
  await setServerTime(page, () => Date.parse(week_closes_at) + 1000);
  const next = page.waitForResponse(`**${PATH}`);
  await page.reload();
  await (await next).finished();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(strip).toHaveCount(0);
});

test('without a closed week there is no strip and no picture', async ({ page, server }) => {
  const { home } = await makeLeague(server);
  const loner = await signUp(server);
  for (const player of [loner, home]) {
    const answered = page.waitForResponse(player === home ? `**${PATH}` : '**/api/users/profile/');
    await openProfile(page, server, player);
    await (await answered).finished();
    await expect(page.getByRole('link', { name: 'Week in one picture' })).toHaveCount(0);
    await page.goto('/week');
    await expect(page.getByRole('heading', { name: 'No picture yet' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Show my code' })).toBeVisible();
  }
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
});
