import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import { receiverOf } from '#testing/push-service.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play } from './profile-page.ts';

/**
 * Replaces what a test cannot have: the push service of a browser's maker, and a tap on the
 * browser's question. Everything else is the browser's own.
 */
async function stubSubscribe(context: BrowserContext): Promise<void> {
  const { endpoint, p256dh, auth } = await receiverOf('https://fcm.googleapis.com/fcm/send/e2e');
  await context.exposeFunction('allow', () => context.grantPermissions(['notifications']));
  await context.addInitScript(
    (keys) => {
      const made = () => localStorage.getItem('e2e-subscription');
      const subscription = () => ({
        endpoint: keys.endpoint,
        options: {
          applicationServerKey: Uint8Array.from(JSON.parse(made() ?? '[]')).buffer,
        },
        toJSON: () => ({ endpoint: keys.endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }),
        unsubscribe: async () => {
          localStorage.removeItem('e2e-subscription');
          return true;
        },
      });
      if (!('PushManager' in window)) return;
      Notification.requestPermission = async () => {
        await (window as unknown as { allow: () => Promise<void> }).allow();
        return Notification.permission;
      };
      PushManager.prototype.subscribe = async (options) => {
        const key = Array.from((options?.applicationServerKey ?? []) as Uint8Array);
        localStorage.setItem('e2e-subscription', JSON.stringify(key));
        return subscription() as unknown as PushSubscription;
      };
      PushManager.prototype.getSubscription = async () =>
        made() === null ? null : (subscription() as unknown as PushSubscription);
    },
    { endpoint, p256dh, auth },
  );
}

/** Returns a function that allows or blocks notifications in the browser's settings. */
async function settings(page: Page, origin: string) {
  const cdp = await page.context().newCDPSession(page);
  const { browserContextId = '' } = (await cdp.send('Target.getTargetInfo')).targetInfo;
  const permission = { name: 'notifications' };
  return (setting: 'granted' | 'denied') =>
    cdp.send('Browser.setPermission', { permission, setting, origin, browserContextId });
}

/** Delivers a message through the browser's own protocol. */
async function deliver(cdp: CDPSession, origin: string, data: string): Promise<void> {
  const registration = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registration,
    data,
  });
  await cdp.send('ServiceWorker.disable');
}

/** A service worker's global scope, whose types tests lack. */
type Scope = typeof globalThis & {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, of: { notification: Notification | undefined }) => Event;
  shown: (NotificationOptions & { title: string; dir?: string })[];
};

/**
 * Notes what the browser has shown. Polling Chromium's own list does not work: reading the list
 * removes a notification that is on its way to the desktop.
 */
const noteShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.shown = [];
    registration.showNotification = async (title, options) => {
      await show(title, options);
      scope.shown.push({ title, ...options });
    };
  });

const shown = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as Scope).shown);

const message = (notification: object) => JSON.stringify({ web_push: 8030, notification });

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('PUSH-30 PUSH-31 PUSH-42 P77 the app asks after a game, and “Turn on” makes it show and open notifications', async ({
    page,
    context,
    server,
    expectNoise,
  }) => {
    await stubSubscribe(context);
    const player = await signUp(server);
    const { key } = await server.addMachine(`Push ${player.username}`);
    await play(server, key, player, [300]);
    const cdp = await context.newCDPSession(page);
    await openProfile(page, server, player);
    await page.evaluate(() => navigator.serviceWorker.ready);
    const card = page.getByRole('region', { name: 'Hear when a game comes late?' });
    await expect(page.getByText(/^Last game/)).toBeVisible();
    await expect(card, 'never as the page opens').toHaveCount(0);
    await play(server, key, player, [388]);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(card).toContainText('388 counted for you.');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
    const [later, on] = await card
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width));
    expect(later).toBe(on);
    expect(await page.evaluate(() => Notification.permission)).toBe('default');
    await card.getByRole('button', { name: 'Turn on' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

    const [worker] = context.serviceWorkers();
    if (worker === undefined) throw new Error('there is no service worker');
    const leads = { navigate: `${server.url}/games`, lang: 'en', dir: 'ltr', tag: 'one' };
    const late = { title: 'A late game came in: 388', body: 'Played Wed at 19:34.' };
    const hostile = { icon: 'https://evil.test/x', image: 'https://evil.test/y', actions: [{}] };
    await noteShown(worker);
    const messages = [
      message({ ...leads, ...late, ...hostile }),
      'not a message',
      '{"notification": 5}',
      '[]',
    ];
    for (const [nth, data] of messages.entries()) {
      await deliver(cdp, server.url, data);
      await expect.poll(async () => (await shown(worker)).length).toBe(nth + 1);
    }
    const own = { lang: 'en', dir: 'ltr', icon: '/icon-192.png', badge: '/badge-96.png' };
    const unreadable = {
      ...own,
      title: 'Backboard',
      body: 'Something happened. Open the app.',
      tag: '',
      data: '/profile',
    };
    expect(await shown(worker)).toEqual([
      { ...own, ...late, tag: 'one', data: leads.navigate },
      unreadable,
      unreadable,
      unreadable,
    ]);

    /** Taps on a notification that leads to `link`. */
    const tap = async (link: string) => {
      await expect(async () => {
        const before = (await shown(worker)).length;
        await deliver(cdp, server.url, message({ ...late, navigate: link, tag: 'tapped' }));
        await expect.poll(async () => (await shown(worker)).length).toBe(before + 1);
        const tapped = await worker.evaluate(async () => {
          const scope = globalThis as unknown as Scope;
          const [notification] = await scope.registration.getNotifications({ tag: 'tapped' });
          if (notification === undefined) return false;
          scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
          return true;
        });
        expect(tapped, 'it is in the list').toBe(true);
      }).toPass();
      const left = () =>
        worker.evaluate(async () => {
          const { registration } = globalThis as unknown as Scope;
          return (await registration.getNotifications({ tag: 'tapped' })).length;
        });
      await expect.poll(left, 'a tap closes it').toBe(0);
    };
    // Focusing a window takes a real tap.
    expectNoise(/Not allowed to focus a window/);
    await page.goto('/league');
    await tap(`${server.url}/games`);
    await expect(page).toHaveURL(`${server.url}/games`);
    for (const link of ['https://evil.test/', 'javascript:alert(1)', 'mailto:a@b.c']) {
      await page.goto('/league');
      await tap(link);
      await expect(page, String(link)).toHaveURL(`${server.url}/profile`);
    }
  });

  // A separate test, because Chromium may draw no more frames once it has shown notifications.
  test('PUSH-01 PUSH-31 the panel turns notifications on, tests them and turns them off for good', async ({
    page,
    context,
    server,
    expectNoise,
  }) => {
    await stubSubscribe(context);
    const player = await signUp(server);
    await openProfile(page, server, player);
    await page.goto('/account');
    const panel = page.getByRole('region', { name: 'Notifications' });
    await expect(panel.getByText(/None of them is on\.$/)).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await panel.getByRole('button', { name: 'Turn on' }).press('Enter');
    await expect(panel).toContainText('On since today');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
    await panel.getByRole('switch', { name: 'My games' }).press('Space');
    await expect(panel.getByText('Saved')).toBeVisible();
    // Of two quick choices the first fails.
    expectNoise(/status of 500|notifications were not changed/);
    const duels = panel.getByRole('switch', { name: 'Duels' });
    const week = panel.getByRole('switch', { name: 'My week' });
    await page.route('**/api/users/push/', async (route) => {
      if (!route.request().postData()?.includes('duel')) return route.continue();
      await expect(week, 'chosen').not.toBeChecked();
      await route.fulfill({ status: 500 });
    });
    await duels.press('Space');
    await week.press('Space');
    await expect(week).not.toBeChecked();
    await expect(duels, 'what was not saved shows as it was').toBeChecked();
    await expect(panel.getByRole('alert'), 'the second choice does not hide it').toBeVisible();
    await expect(panel.getByText('Saved')).toHaveCount(0);
    // A click waits for frames, which Chromium may stop drawing after the test before this one.
    await panel.getByRole('button', { name: 'Send me a test' }).press('Enter');
    await expect(panel).toContainText('A test is on its way to your devices.');
    await server.sql(
      `insert into push_devices (player_id, endpoint_hash, sealed, host, locale, zone, client, key_id,
         since, seen_at)
       select player_id, sha256(endpoint_hash), sealed, host, locale, zone, 'Firefox', key_id, since,
         seen_at from push_devices where player_id = (select id from players where username = $1)`,
      [player.username],
    );
    await page.reload();
    await panel.getByRole('button', { name: 'Turn off on Firefox' }).press('Enter');
    await expect(panel.getByRole('heading', { name: 'Notifications' })).toBeFocused();
    const off = panel.getByRole('button', { name: 'Turn off', exact: true });
    await expect(off).toBeEnabled();
    await off.press('Enter');
    await expect(panel.getByText(/None of them is on\.$/)).toBeVisible();
    await page.reload();
    await expect(
      panel.getByText(/None of them is on\.$/),
      'what was turned off stays off',
    ).toBeVisible();
    await expect(panel.getByRole('switch', { name: 'My games' })).not.toBeChecked();
  });

  test('PUSH-31 notifications are on without another tap if the browser’s settings allow them', async ({
    page,
    context,
    server,
  }) => {
    await stubSubscribe(context);
    const set = await settings(page, server.url);
    await set('denied');
    const player = await signUp(server);
    await signInAs(page, server, player);
    // No other page has installed the service worker.
    await page.goto('/account');
    const panel = page.getByRole('region', { name: 'Notifications' });
    const blocked = 'Your browser blocks notifications from Backboard.';
    // While the panel is loading, its text is present but hidden.
    await expect(panel.getByText(blocked)).toBeVisible();
    await expect(panel).toContainText('Nothing else has to be done.');
    await set('granted');
    await expect(panel).toContainText('On since today');
    await expect(panel.getByText('Saved')).toBeVisible();

    // Blocking notifications again ends the subscription and removes the device.
    await set('denied');
    await page.evaluate(() => localStorage.removeItem('e2e-subscription'));
    await page.reload();
    await expect(panel.getByText(blocked)).toBeVisible();
    await expect(panel.getByText(/None of them is on\.$/)).toBeVisible();
    // Then allow them while another page is open.
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('push_blocked')))
      .not.toBeNull();
    await page.goto('/profile');
    await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
    await set('granted');
    await page.goto('/account');
    await expect(panel).toContainText('On since today');
  });

  test('PUSH-20 for a minor, notifications need a tap even if the browser allows them', async ({
    page,
    context,
    server,
  }) => {
    await stubSubscribe(context);
    const set = await settings(page, server.url);
    await set('denied');
    const player = await signUp(server);
    await server.sql(
      `update players set date_of_birth = now() - interval '15 years' where username = $1`,
      [player.username],
    );
    await signInAs(page, server, player);
    await page.goto('/account');
    const panel = page.getByRole('region', { name: 'Notifications' });
    await expect(
      panel.getByText(/allow notifications, and come back to turn them on\.$/),
    ).toBeVisible();
    await set('granted');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel).toContainText('On since today');
  });
});

test('PUSH-37 the profile loads the code for notifications, /login does not', async ({
  page,
  server,
}) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.text().catch(() => ''));
  });
  const isNaming = (text: string) => text.includes('PushManager');
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  const texts = await Promise.all(scripts.splice(0));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text === '' || isNaming(text))).toEqual([]);
  await openProfile(page, server, await signUp(server));
  // Poll here: with its event stream open, the profile never reaches an idle network.
  await expect.poll(async () => (await Promise.all(scripts)).some(isNaming)).toBe(true);
});

test('PUSH-20 PUSH-34 minors are not asked, and iPhone users are led to the home screen', async ({
  page,
  context,
  server,
}) => {
  await stubSubscribe(context);
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'standalone', { value: false }),
  );
  const player = await signUp(server);
  const { key } = await server.addMachine(`Push ${player.username}`);
  await openProfile(page, server, player);
  await play(server, key, player, [388]);
  await page.getByRole('button', { name: 'Done' }).click();
  const card = page.getByRole('region', { name: 'Hear when a game comes late?' });
  await card.getByRole('button', { name: 'Turn on' }).click();
  const steps = page.getByRole('dialog', { name: 'First, to the home screen' });
  await expect(steps.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  await expectRoomForLargeText(page);
  await page.keyboard.press('Escape');
  await expect(steps).toHaveCount(0);
  await card.getByRole('button', { name: 'Not now' }).click();
  await expect(card).toHaveCount(0);
  await test.step('PUSH-31 the app does not ask again after another game of the visit', async () => {
    await goTo(page, 'Games');
    await goTo(page, 'Pass');
    await play(server, key, player, [377]);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('link', { name: /^Last game 377/ })).toBeFocused();
    await expect(card).toHaveCount(0);
  });
  const asked = await server.sql(
    'select asked from player_push p join players on id = player_id where username = $1',
    [player.username],
  );
  expect(asked).toEqual([{ asked: 1 }]);

  await server.sql(
    `update players set date_of_birth = now() - interval '15 years' where username = $1`,
    [player.username],
  );
  await server.sql('delete from player_push');
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Notifications' });
  await expect(
    panel.getByText(/^You are under 18, so all of this starts off, and nobody can nudge you\./),
  ).toBeVisible();
  await expect(panel.getByRole('switch', { name: 'My games' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Put it on your home screen' }).click();
  const way = page.getByRole('dialog', { name: 'Put it on your home screen' });
  await expect(way).toContainText('Sign in there once more.');
  await expectAccessible(page);
  await expectRoomForLargeText(page);
  await page.keyboard.press('Escape');
  await expect(way).toHaveCount(0);
  await page.goto('/profile');
  await play(server, key, player, [400]);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^Last game 400/)).toBeVisible();
  await expect(card).toHaveCount(0);
});
