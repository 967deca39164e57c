import type { Page } from '@playwright/test';
import { CONSOLE_PAGES } from '#contract/rules/console-pages.ts';
import { CONSOLE_TOPICS, LIVE_EVENTS } from '#contract/rules/live.ts';
import { PLAYER_PATHS } from '#contract/rules/pages.ts';
import type { RunningServer } from '#testing/server.ts';
import { test } from './demo.ts';
import { expect, inviteStaff, newEmail, setUpPasskey, signInAs } from './fixtures.ts';
import { PLAYER_TEXTS } from './page-texts.ts';
import { play } from './profile-page.ts';

/** What a browser's translation does to a page: each text becomes an element with another text. */
function translate(): void {
  const unread = 'svg, script, style, noscript, textarea, font, [translate="no"]';
  const replace = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(unread)) continue;
      const font = document.createElement('font');
      font.textContent = `«${text.data}»`;
      text.replaceWith(font);
    }
  };
  replace(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Text && node.parentElement) replace(node.parentElement);
        else if (node instanceof Element && node.tagName !== 'FONT') replace(node);
  }).observe(document.body, { childList: true, subtree: true });
}

/**
 * The page's words without the translator's signs. Leaves out slips: a slip never changes once it
 * is shown, and lacks the lines whose data came too late (HAND-03, HAND-04).
 */
const words = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          !element.closest('svg, script, [data-paper], [role="status"]:not(main *)') &&
          element.checkVisibility(),
      )
      .flatMap((element) => [...element.childNodes])
      .flatMap((node) => (node instanceof Text ? [node.data] : []))
      .join('')
      .replace(/[«»\s]/g, ''),
  );

/** Notifies the pages of every event, as if everything had changed. */
async function notifyAll(server: RunningServer): Promise<void> {
  for (const event of LIVE_EVENTS)
    await server.sql(
      `select pg_notify('backboard_live', $1 || ' ' || string_agg(id::text, ','))
       from (select id from ${event === 'league' ? 'leagues' : 'players'} limit 300) as one`,
      [event],
    );
  await server.sql(`select pg_notify('backboard_live', $1)`, [
    `console ${CONSOLE_TOPICS.join(',')}`,
  ]);
}

/** Expects the open page to show the same words as the same page loaded now. */
async function expectWordsOfNow(page: Page): Promise<void> {
  // Leave out words that differ between two loads: times, the number of the server's connections,
  // and the code that the page for friends makes at each load (FRIEND-02).
  const timeless = (text: string) =>
    text.replace(/\d+(s|min|m|h|d)(?![a-z])|justnow|ago|\d+of\d+connections|Code:[A-Z0-9]{8}/g, '');
  const other = await page.context().newPage();
  await other.setViewportSize(page.viewportSize() ?? { width: 390, height: 844 });
  await other.goto(page.url());
  await expect(async () => {
    expect(timeless(await words(page)), page.url()).toBe(timeless(await words(other)));
    await expect(page.locator('[aria-busy="true"], .sk')).toHaveCount(0);
  }).toPass({ timeout: 20_000 });
  await other.close();
}

test('PROD-160: on a translated page, every figure of the app still changes', async ({
  page,
  server,
  maya,
  hoop,
}) => {
  await signInAs(page, server, maya);
  // The first answer may lack a provider that is slow to start.
  await expect(async () => {
    const config = await (await page.request.get('/api/config/')).json();
    expect(config.google).not.toBeNull();
  }).toPass();
  for (const path of PLAYER_PATHS) {
    await page.goto(path);
    await expect(page.getByText(PLAYER_TEXTS[path]).first()).toBeVisible();
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    await page.evaluate(translate);
    await page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
    await play(server, hoop.key, maya, [400 + PLAYER_PATHS.indexOf(path)]);
    await notifyAll(server);
    // The achievements page, while open, does not show what is won.
    if (path !== '/achievements') await expectWordsOfNow(page);
    if (path === '/profile') await expect(page.locator('[data-paper]')).toContainText('«400»');
    await expect(page.locator('body[data-same] main')).toHaveCount(1);
  }
});

test('PROD-160: on a translated page, the time until the next code still counts down', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  const resend = page.getByRole('button', { name: /Resend code/ });
  await expect(resend).toBeVisible();
  await page.evaluate(translate);
  const shown = page.getByRole('button', { name: /Resend code/ });
  const before = await shown.textContent();
  await expect(shown).not.toHaveText(before ?? '');
});

test('PROD-160: on a translated page, every figure of the console still changes', async ({
  page,
  server,
  maya,
  hoop,
}) => {
  // This test opens more than twenty pages, each twice.
  test.slow();
  await setUpPasskey(page, await inviteStaff(server, 'Trans Later', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  const paired = await page.request.post('/api/screen/pair/', { data: {} });
  const { code } = await paired.json();
  await server.backboard('screen', 'add', code, '--venue', 'Dockside Arcade');
  const [row] = await server.sql(
    `select (select id from screens limit 1) as screen,
            (select uuid from players where email = $1) as player,
            (select id from teams limit 1) as team,
            (select id from leagues limit 1) as league`,
    [maya.email],
  );
  const players = await server.sql(`select uuid from players where username is not null limit 40`);
  const uuids = players.map(({ uuid }) => String(uuid));
  const ids: [pattern: RegExp, id: string][] = [
    [/machines\/:id/, hoop.id],
    [/screens\/:id/, String(row?.screen)],
    [/teams\/:id/, String(row?.team)],
    [/leagues\/:id/, String(row?.league)],
    [/players\/:id/, String(row?.player)],
  ];
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const address of Object.keys(CONSOLE_PAGES)) {
    const found = ids.find(([pattern]) => pattern.test(address));
    // The demo has no contest and no cup.
    if (/^\/console\/contests\/(cups\/)?:id/.test(address)) continue;
    if (address.includes(':')) expect(found, address).toBeDefined();
    await page.goto(address.replace(':id', found?.[1] ?? ''));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.sk')).toHaveCount(0);
    await page.evaluate(translate);
    await page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
    // Take another player each time: one alone would have too many games in an hour.
    const uuid = uuids.pop() ?? '';
    await play(server, hoop.key, { ...maya, uuid }, [300]);
    await notifyAll(server);
    await expectWordsOfNow(page);
    await expect(page.locator('body[data-same] main')).toHaveCount(1);
  }
});
