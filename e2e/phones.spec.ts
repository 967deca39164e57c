import { writeFile } from 'node:fs/promises';
import { test } from '@playwright/test';
import { OPEN_PATHS, PLAYER_PATHS } from '#contract/rules/pages.ts';
import { codeIn } from '#testing/mail-sink.ts';
import { isInstalled, PHONE_BROWSERS } from '#testing/phone-browsers.ts';
import { type RunningServer, startServer } from '#testing/server.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo.ts';
import { expect, newEmail, newName, PASSWORD } from './fixtures.ts';
import { OPEN_HEADINGS, PLAYER_TEXTS } from './page-texts.ts';
import { Phone } from './phone.ts';
import { startFirefox } from './phone-firefox.ts';
import { startNetwork } from './phone-network.ts';
import { startWebKit } from './phone-webkit.ts';
import { NAVY, RED } from './profile-page.ts';

// A walk through the app in the iPhones' engine and in Firefox. The details are tested in Chromium.

const START = { WebKit: startWebKit, Firefox: startFirefox };
/** This browser runs without the APIs that older phones lack (phone-network.ts). */
const OLDER = 'Firefox';

const NO_NETWORK = /^console: .*(could not be read|was not changed)/;

const AGREE = 'I agree to the Terms and Privacy Policy (links open in a new tab)';

// Both walks are slow, so give each a worker.
test.describe.configure({ mode: 'parallel' });

let server: RunningServer;
test.beforeAll(async () => {
  if (!PHONE_BROWSERS.some(isInstalled)) return;
  server = await startServer();
  await server.backboard('demo');
});
test.afterAll(() => server?.close());

const uuidOf = (phone: Phone) =>
  phone.run((): string => JSON.parse(localStorage.getItem('user') ?? '{}').uuid);

async function fromMenu(phone: Phone, item: string): Promise<void> {
  await phone.tap('button', 'Menu');
  await phone.tap('menuitem', item);
}

async function signUp(phone: Phone): Promise<void> {
  const [email, name] = [newEmail(), newName()];
  await phone.goto('/signup');
  await phone.tap('checkbox', AGREE);
  await phone.fill('Email', email);
  await phone.tap('button', 'Continue');
  await phone.see('heading', 'Verification');
  await phone.type(codeIn(await server.mail.next(email)));
  await phone.see('heading', 'Birthdate');
  for (const [part, option] of Object.entries({ month: 'September', day: '14', year: '2004' }))
    await phone.choose(part, option);
  await phone.tap('button', 'Continue');
  await phone.see('heading', 'Profile setup');
  await phone.fill('Username', newName());
  await phone.fill('Password', PASSWORD);
  await phone.tap('button', "Let's Play!");
  await phone.see('button', 'Show the code full screen');
  await phone.expectCode(await uuidOf(phone), RED);

  await fromMenu(phone, 'Edit Profile');
  await phone.fill('Username', name);
  await phone.tap('button', 'Save');
  await phone.see('heading', name);
  await fromMenu(phone, 'Sign Out');
  await phone.see('heading', 'Login');
}

async function signIn(phone: Phone): Promise<void> {
  await phone.goto('/login');
  await phone.fill('Email', DEMO_EMAIL);
  await phone.tap('button', 'Continue');
  await phone.fill('Password', DEMO_PASSWORD);
  await phone.tap('button', 'Sign in');
  await phone.see('heading', 'Maya_Banks');
}

async function switchLeagueMode(phone: Phone): Promise<void> {
  const isOn = () => phone.run(() => document.querySelector('[role="switch"]')?.ariaChecked);
  await phone.goto('/profile');
  await phone.see('switch', 'League Mode');
  const uuid = await uuidOf(phone);
  const before = await isOn();
  for (const on of [before !== 'true', before === 'true']) {
    await phone.tap('switch', 'League Mode');
    await phone.expectCode(uuid, on ? NAVY : RED);
    const stored = () =>
      phone.run((): boolean => JSON.parse(localStorage.user).league_mode_enabled);
    await expect.poll(stored).toBe(on);
    await phone.goto('/profile');
    await phone.expectCode(uuid, on ? NAVY : RED);
  }
}

async function meetOthers(phone: Phone): Promise<void> {
  await phone.goto('/account');
  // PUSH-34: a browser that cannot show notifications has no panel.
  const canPush = await phone.run(
    () => isSecureContext && 'PushManager' in window && 'Notification' in window,
  );
  if (canPush) await phone.read(/^The choices hold for all your devices\. None of them is on\.$/);
  await phone.tap(
    'radio',
    'My team and the teams we playEverybody else sees “A player” in your place.',
  );
  await phone.read(/^How others see this week's game$/);
  await phone.tap('radio', 'Everybody with an account hereYour name and jersey on leaderboards.');
  await phone.readNot(/^How others see this week's game$/);
  await phone.read(/^Saved$/);
  if (!canPush) await phone.readNot(/^Notifications$/);

  await phone.goto('/games');
  await phone.read(/^Scores over time$/);
  const newest = () =>
    phone.run(
      () => document.querySelector('button[aria-label^="More on the game"]')?.ariaLabel ?? '',
    );
  await expect.poll(newest).not.toBe('');
  const report = await newest();
  await phone.tap('button', report);
  await phone.see('heading', 'Your game');
  await phone.tap('button', 'Report');
  await phone.see('heading', 'Report a game');
  await phone.tap('button', 'Send');
  await phone.read(/^You reported: not mine\. Staff will take a look\.$/);
  await phone.tap('button', report);
  await phone.tap('button', 'Your report');
  await phone.tap('button', 'Withdraw report');
  await phone.see('button', report);

  const { code } = JSON.parse(await server.backboard('team', 'code', 'Rim Reapers', '--json'));
  await phone.goto(`/join/${code}`);
  await phone.see('heading', 'Rim Reapers');
  await phone.read(/^You are on Brick City Bankers\. The venue moves players between teams\.$/);
}

for (const name of PHONE_BROWSERS)
  test(`a player's walk through the app in ${name}${name === OLDER ? ', as on an older phone' : ''}`, async () => {
    test.skip(!isInstalled(name), `${name} is not installed.`);
    const network = await startNetwork(server.url, { older: name === OLDER });
    const browser = await START[name]();
    try {
      const phone = await Phone.open(browser.tab, network);
      for (const path of OPEN_PATHS) {
        await phone.goto(path);
        await phone.see('heading', OPEN_HEADINGS[path]);
      }
      await signUp(phone);
      await signIn(phone);
      for (const path of PLAYER_PATHS) {
        await phone.goto(path);
        await phone.read(PLAYER_TEXTS[path]);
      }
      await switchLeagueMode(phone);
      await meetOthers(phone);

      const [uuid, ink] = [await uuidOf(phone), NAVY];
      await expect
        .poll(() => phone.run(() => navigator.serviceWorker.controller?.state))
        .toBe('activated');
      await network.cut();
      await phone.goto('/profile');
      await phone.read(/Offline since/);
      await phone.expectCode(uuid, ink);
      await phone.tap('button', 'Show the code full screen');
      await phone.expectCode(uuid, ink);
      await network.restore();
      await phone.goto('/profile');
      await phone.see('switch', 'League Mode');
      await phone.readNot(/Offline since/);

      const other = await Phone.open(await browser.newTab(), network);
      await other.goto('/profile');
      await other.see('heading', 'Maya_Banks');
      await fromMenu(phone, 'Sign Out');
      await phone.see('heading', 'Login');
      await other.see('heading', 'Login');

      const noise = [...(await phone.noise()), ...(await other.noise()), ...network.noise];
      expect(noise.filter((line) => !NO_NETWORK.test(line))).toEqual([]);
    } catch (error) {
      const picture = await browser.tab.screenshot().catch(() => null);
      if (picture) await writeFile(test.info().outputPath('failed.png'), picture);
      throw error;
    } finally {
      await browser.close();
      await network.cut();
    }
  });
