import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { type Browser, chromium } from '@playwright/test';
import { codeIn, linkIn } from '#testing/mail-sink.ts';
import { type RunningServer, startServer } from '#testing/server.ts';
import config from '../playwright.config.ts';
import { accountPictures } from './account-pictures.ts';
import {
  button,
  call,
  DESK,
  FOLDER,
  heading,
  keep,
  makePerson,
  open,
  PASSWORD,
  type Person,
  PHONE,
  shoot,
  wanted,
} from './pictures.ts';
import { consolePictures } from './pictures-console.ts';
import { courtPictures } from './pictures-court.ts';
import { demoPictures } from './pictures-demo.ts';
import { leaguePictures, oddLeaguePictures } from './pictures-league.ts';
import { seenPictures } from './pictures-seen.ts';
import { statePictures } from './pictures-states.ts';

// `npm run screenshots [name …]` takes the pictures in docs/screenshots from real servers.

const TEAM = ['Maya_Banks', 'Dee-Three', 'GlassJoe', 'Lil_Swish'];
const RIVALS = ['Rim_Roller', 'Hook_Shot', 'Ally_Oop', 'Fadeaway'];

async function signUpPictures(browser: Browser, server: RunningServer): Promise<void> {
  const email = 'maya@example.com';
  const page = await open(browser, server);
  await page.goto(`${server.url}/login`);
  await heading(page, 'Login');
  await shoot(page, '01-login-email');
  await page.setViewportSize(DESK);
  await shoot(page, '01-login-email-1280');
  await page.setViewportSize(PHONE);

  await page.getByRole('link', { name: 'Sign up' }).click();
  await heading(page, 'Create account');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('checkbox').check();
  await shoot(page, '03-create-account');
  await button(page, 'Continue').click();
  await heading(page, 'Verification');
  await shoot(page, '04-verification');
  const code = codeIn(await server.mail.next(email));
  await page.keyboard.type(code === '000000' ? '111111' : '000000');
  await page.getByRole('alert').first().waitFor();
  await shoot(page, '05-verification-error');
  await page.keyboard.type(code);
  await heading(page, 'Birthdate');
  await page.getByLabel('Month').selectOption({ label: 'September' });
  await page.getByLabel('Day').selectOption('14');
  await page.getByLabel('Year').selectOption('2004');
  await shoot(page, '06-birthdate');
  await button(page, 'Continue').click();
  await heading(page, 'Profile setup');
  await page.getByLabel('Username').fill('Maya_Bank');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('spinbutton', { name: 'Jersey number' }).fill('7');
  await page.getByRole('slider').fill('28');
  await shoot(page, '07-profile-setup');
  await shoot(page, '07-profile-setup-full', { full: true });
  await button(page, "Let's Play!").click();
  await page.waitForTimeout(700);
  if (wanted('22')) await keep('22-lets-play', await page.screenshot());
  await page.waitForURL('**/profile');
  await page.context().close();
}

async function returningPictures(
  browser: Browser,
  server: RunningServer,
  maya: Person,
): Promise<void> {
  const page = await open(browser, server);
  await page.goto(`${server.url}/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(maya.email);
  await button(page, 'Continue').click();
  await page.getByLabel('Password').fill(PASSWORD);
  await shoot(page, '02-login-password');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await heading(page, 'Create account');
  await page.getByRole('textbox', { name: 'Email' }).fill(maya.email);
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await page.getByRole('alert').first().waitFor();
  await shoot(page, '03b-create-account-error');
  await page.goto(`${server.url}/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(maya.email);
  await button(page, 'Continue').click();
  await page.getByText('Forgot your password?').click();
  await heading(page, 'Reset password');
  await shoot(page, '08-reset-request');
  await button(page, 'Reset password').click();
  await heading(page, 'Instructions sent!');
  await shoot(page, '09-instructions-sent');
  const link = linkIn(await server.mail.next(maya.email));
  await page.goto(link);
  await heading(page, 'New password');
  await page.getByLabel('New password').fill('one long password');
  await page.getByLabel('Confirm password').fill('another password');
  await button(page, 'Change password').click();
  await page.getByText('Passwords do not match').waitFor();
  await shoot(page, '10-new-password');
  await page.goto(`${server.url}/nowhere`);
  await heading(page, 'Unexpected Application Error!');
  await shoot(page, '19-not-found');
  await page.goto(`${server.url}/privacy`);
  await heading(page, 'Privacy Policy');
  await shoot(page, '20-privacy');
  await page.context().close();
}

async function profilePictures(
  browser: Browser,
  server: RunningServer,
  maya: Person,
  rookie: Person,
): Promise<void> {
  const page = await open(browser, server, rookie);
  await page.goto(`${server.url}/profile`);
  await heading(page, rookie.username);
  await page.waitForTimeout(1000);
  await shoot(page, '11-profile-no-team');
  await shoot(page, '11-profile-no-team-full', { full: true });
  await page.context().close();

  const own = await open(browser, server, maya);
  // Hold every response, so that the page shows its skeleton.
  await own.route('**/api/**', () => undefined);
  await own.evaluate(() =>
    localStorage.setItem(
      'user',
      JSON.stringify({
        ...JSON.parse(localStorage.getItem('user') ?? '{}'),
        profile_setup_complete: true,
      }),
    ),
  );
  await own.goto(`${server.url}/profile`);
  await own.waitForTimeout(600);
  await shoot(own, '14-skeleton-team', { full: true });
  await own.unroute('**/api/**');
  await own.goto(`${server.url}/profile`);
  await own.getByRole('table').waitFor();
  await own.waitForTimeout(1000);
  await shoot(own, '12-profile-league-on');
  await shoot(own, '12-profile-league-on-full', { full: true });
  await button(own, 'Menu').click();
  await shoot(own, '16-menu-open');
  await own.getByRole('menuitem', { name: 'Edit Profile' }).click();
  await own.getByRole('dialog').waitFor();
  await shoot(own, '15-edit-profile');
  await button(own, 'Cancel').click();
  await own.getByRole('switch').click();
  await own.waitForTimeout(500);
  await own.evaluate(() => scrollTo(0, 0));
  await shoot(own, '13-profile-league-off');
  await shoot(own, '13-profile-league-off-full', { full: true });
  await own.getByRole('switch').click();
  await own.waitForTimeout(500);
  await own.context().close();

  const desk = await open(browser, server, maya, DESK);
  await desk.goto(`${server.url}/profile`);
  await desk.getByRole('table').waitFor();
  await desk.waitForTimeout(1000);
  await shoot(desk, '12-profile-league-on-1280');
  await desk.context().close();
}

async function playLeague(server: RunningServer, people: Person[]): Promise<void> {
  await server.backboard('league', 'create', 'Dockside League', '--timezone', 'Europe/London');
  for (const team of ['Brick City Bankers', 'Rim Reapers'])
    await server.backboard('team', 'create', 'Dockside League', team);
  const bankers = people.slice(0, TEAM.length).map((one) => one.email);
  const reapers = people.slice(TEAM.length).map((one) => one.email);
  await server.backboard('team', 'add', 'Brick City Bankers', ...bankers);
  await server.backboard('team', 'add', 'Rim Reapers', ...reapers);
  await server.backboard('schedule', 'generate', 'Dockside League', '--weeks', '10');
  for (const one of people)
    await call(server, '/api/users/profile/', { league_mode_enabled: true }, one.access, 'PATCH');
  const machine = await server.addMachine('Hoop 2', 'Dockside Arcade');
  const scores = [
    [388, 452, 611, 341, 298, 226, 402, 371],
    [415, 361, 342, 384, 298, 305, 282],
    [352, 331, 318, 292, 197],
    [301, 266, 225],
  ];
  // Play one game after another: concurrent games on one machine would be held.
  for (const [at, one] of people.entries())
    for (const score of scores[at % scores.length] ?? [])
      await server.play(machine.key, {
        id: randomUUID(),
        player: one.uuid,
        score: at < TEAM.length ? score : score - 21,
        played_at: new Date().toISOString(),
      });
}

await mkdir(FOLDER, { recursive: true });
const server = await startServer();
const browser = await chromium.launch({ ...config.use?.launchOptions });
try {
  await signUpPictures(browser, server);
  const people: Person[] = [];
  const colours = ['#DB8537', '#36DB7A', '#9437DB', '#D9DB37'];
  for (const [at, username] of [...TEAM, ...RIVALS].entries())
    people.push(
      await makePerson(server, `${username.toLowerCase().replace(/\W/g, '.')}@example.com`, {
        username,
        avatar_color: colours[at % colours.length] ?? '#377AD3',
        jersey_number: String((at * 13 + 7) % 100),
      }),
    );
  const [maya] = people;
  if (!maya) throw new Error('there is nobody to picture');
  const rookie = await makePerson(server, 'rookie88@example.com', { username: 'Rookie-88' });
  await returningPictures(browser, server, maya);
  await playLeague(server, people);
  await profilePictures(browser, server, maya, rookie);
  await statePictures(browser, server, maya, rookie);
  // These pictures come last, because they end Maya's other sessions.
  await accountPictures(browser, server, maya);
  await demoPictures(browser);
  await leaguePictures(browser);
  await oddLeaguePictures(browser);
  await seenPictures(browser);
  await courtPictures(browser);
  await consolePictures(browser);
} finally {
  await browser.close();
  await server.close();
}
