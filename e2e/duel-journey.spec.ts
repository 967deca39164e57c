import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { startPushService } from '#testing/push-service.ts';
import { type RunningServer, startServer } from '#testing/server.ts';
import { setAhead } from './clock.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  type NewPlayer,
  setServerTime,
  signInAs,
  test,
} from './fixtures.ts';
import { makeLeague } from './teams.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Long enough for a server to restart, even on a slow computer. */
const HOUR_LEAD_MS = 60_000;
/** Longer than the pause between two notices to one player (PUSH-11). */
const PAUSE_MS = 6 * MINUTE_MS;

/** A time zone in which it is noon, or up to an hour later (PUSH-10). */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** A phone with notifications on, whose page knows the server's time. */
async function phoneOf(
  browser: Browser,
  server: RunningServer,
  player: NewPlayer,
  device: { endpoint: string; p256dh: string; auth: string },
  now: () => number,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  });
  // The headless shell denies notifications, and a denied browser removes its session's device.
  await context.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'default' }),
  );
  const page = await context.newPage();
  await setServerTime(page, now);
  await signInAs(page, server, player);
  const { endpoint, p256dh, auth } = device;
  const body = { endpoint, p256dh, auth, locale: 'en-GB', zone: zoneAtNoon() };
  const answer = await fetch(`${server.url}/api/users/push/device/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${player.access}` },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
  return page;
}

test('PUSH-T12: two phones are notified about a duel whose result a late game changes', async ({
  browser,
}) => {
  test.slow();
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const service = await startPushService(now);
  const server = await startServer({
    NODE_OPTIONS: '--import ./testing/push-edge.child.ts',
    PUSH_PORT: String(service.port),
  });
  const { home: maya, away: joe } = await makeLeague(server);
  const [mayas, joes] = [maya.username.toUpperCase(), joe.username.toUpperCase()];
  const { key } = await server.addMachine('Hoop', 'Arcade');
  const [hers, his] = [await service.subscribe(), await service.subscribe()];
  const her = await phoneOf(browser, server, maya, hers, now);
  const him = await phoneOf(browser, server, joe, his, now);

  /** The texts of the notifications that this device got, in order. */
  const toldTo = ({ endpoint }: { endpoint: string }) =>
    service.received
      .filter((one) => one.endpoint === endpoint)
      .map(({ message }) => `${message.notification.title} | ${message.notification.body}`);
  const expectTold = (device: { endpoint: string }, words: (string | RegExp)[]) =>
    expect
      .poll(() => toldTo(device), { timeout: 60_000 })
      .toEqual(words.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
  const play = (player: NewPlayer, score: number, played_at = now()) =>
    server.play(key, {
      id: randomUUID(),
      player: player.uuid,
      score,
      played_at: new Date(played_at).toISOString(),
    });
  const show = async (path: string) => {
    for (const page of [her, him]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    }
  };
  const goOn = async (ms: number) => {
    for (const page of [her, him]) await page.goto('about:blank');
    ahead += ms;
    await setAhead(server, ahead);
  };

  await test.step('the duel is offered and accepted', async () => {
    await her.goto(`/duels?with=${joe.username}`);
    const sheet = her.getByRole('dialog', { name: 'Offer a duel' });
    await expect(sheet.getByRole('radio', { name: joes })).toBeChecked();
    await expectAccessible(her);
    await sheet.getByRole('button', { name: 'Offer', exact: true }).click();
    const offered = new RegExp(
      `^${maya.username} offers you a duel \\| The best game of 7 days wins\\. Accept until \\w+ \\d+:\\d\\d\\.$`,
    );
    await expectTold(his, [offered]);
    await him.goto('/profile');
    const card = him.getByRole('region', { name: `${mayas} offers you a duel` });
    await expect(card).toBeVisible();
    await expectAccessible(him);
    await card.getByRole('button', { name: 'Accept' }).click();
    await expectTold(hers, [
      new RegExp(
        `^${joe.username} takes your duel \\| It is on\\. The best game until .+ wins\\.$`,
      ),
    ]);
  });

  const [hersOf, hisOf] = [
    her.getByRole('region', { name: `Duel with ${joes}` }),
    him.getByRole('region', { name: `Duel with ${mayas}` }),
  ];
  const accepted = now();
  await test.step('the lead changes twice, live on both phones', async () => {
    await goOn(PAUSE_MS);
    await show('/profile');
    await play(joe, 388);
    await expect(hersOf).toContainText('No game of yours yet. 389 takes the lead.');
    await play(maya, 402);
    await expect(hersOf).toContainText('You lead by 14.');
    await expect(hisOf).toContainText('You are 14 behind.');
    await expect
      .poll(() => toldTo(his).at(-1))
      .toMatch(
        new RegExp(
          `^${maya.username} leads 402 – 388 \\| Your duel ends .+, (midnight|\\d\\d:\\d\\d)\\.$`,
        ),
      );
    await play(joe, 410);
    await expect(hersOf).toContainText('You are 8 behind.');
    await expect(hisOf).toContainText('You lead by 8.');
    for (const page of [her, him]) await expectAccessible(page);
    // Only the first change of the lead sends a notification.
    expect(toldTo(hers)).toHaveLength(1);
  });

  await test.step('the duel is decided when its days are over', async () => {
    await goOn(8 * DAY_MS + 15 * MINUTE_MS);
    await expect
      .poll(() => toldTo(hers).at(-1), { timeout: 60_000 })
      .toBe(`Duel lost 402 – 410 | ${joe.username}’s best game beat yours by 8.`);
    await expect
      .poll(() => toldTo(his).at(-1), { timeout: 60_000 })
      .toBe(`Duel won 410 – 402 | Your best game beat ${maya.username}’s by 8.`);
    await show('/profile');
    await her.getByRole('link', { name: /Duel lost by 8/ }).click();
    await expect(her.getByRole('region', { name: 'Lost by 8' })).toBeVisible();
    await expectAccessible(her);
  });

  await test.step('a late game changes the result', async () => {
    expect(await play(maya, 450, accepted + MINUTE_MS)).toMatchObject({ status: 'recorded' });
    // At each full hour, the server compares results with the results that it has sent.
    const hour = Math.ceil((now() + PAUSE_MS) / HOUR_MS) * HOUR_MS;
    await goOn(hour - HOUR_LEAD_MS - now());
    await expect
      .poll(() => toldTo(his).at(-1), { timeout: 150_000 })
      .toBe('The duel has turned | A late game or a correction changed it: 410 – 450.');
    await goOn(PAUSE_MS);
    await expect
      .poll(() => toldTo(hers).slice(-2).sort(), { timeout: 60_000 })
      .toEqual([
        expect.stringMatching(/^A late game came in: 450 \| /),
        'The duel has turned | A late game or a correction changed it: 450 – 410.',
      ]);
    await show('/duels');
    await expect(her.getByRole('region', { name: 'Won by 40' })).toBeVisible();
    await expect(him.getByRole('region', { name: 'Lost by 40' })).toBeVisible();
  });

  expect(service.wrong).toEqual([]);
  for (const page of [her, him]) await page.context().close();
  await server.close();
  await service.close();
});
