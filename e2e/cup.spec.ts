import { randomUUID } from 'node:crypto';
import { type RunningServer, startServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  type NewPlayer,
  setUpPasskey,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';

const VENUE = 'Dockside Arcade';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('CUP-01 to 34: a cup of eight with a walkover, from the form to its winner', async ({
  page,
  browser,
}) => {
  test.slow();
  const { key } = await server.addMachine('Hoop 1', VENUE);
  const players: NewPlayer[] = [];
  for (let at = 0; at < 8; at += 1) players.push(await signUp(server));
  const player = (seed: number) => players[seed - 1] as NewPlayer;
  const play = (seed: number, score: number) =>
    server.play(key, {
      id: randomUUID(),
      player: player(seed).uuid,
      score,
      played_at: new Date().toISOString(),
    });
  const begin = (round: number) =>
    server.sql(`update cup_pairings set starts_at = now(),
      ends_at = now() + interval '1 hour' where round = ${round}`);
  /** Ends a round; the machine says that nothing waits. */
  const end = async (round: number) => {
    await server.sql(`update cup_pairings set ends_at = now() where round = ${round}`);
    const told = await fetch(`${server.url}/api/machine/status/`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ queued: 0, playing: false }),
    });
    expect(told.status).toBe(200);
  };
  const opened = async () => (await browser.newContext()).newPage();

  // The form, with its preview.
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Ines Duarte', '--role', 'owner'));
  await page.getByRole('link', { name: 'Contests' }).click();
  await page.getByRole('link', { name: 'New cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New cup' })).toBeFocused();
  await page.getByLabel('Sides', { exact: true }).selectOption('sides');
  await page
    .getByLabel('One side a line, the best seed first')
    .fill(players.map(({ username }) => username).join('\n'));
  await page.getByRole('button', { name: 'Look first' }).click();
  await expect(page.getByRole('heading', { name: '8 sides, 3 rounds' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make this cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Finals night' })).toBeVisible();
  await begin(0);

  // On the wall, 2 s after a game.
  const wall = await opened();
  await wall.setViewportSize({ width: 1920, height: 1080 });
  await wall.goto(`${server.url}/screen`);
  const boxes = wall.locator('.is-on .boxes');
  await expect(boxes).toHaveAttribute('aria-label', /Code \w( \w){5}/);
  const shown = (await boxes.getAttribute('aria-label')) ?? '';
  const code = shown.replace('Code ', '').replaceAll(' ', '');
  await server.backboard('screen', 'add', code, '--venue', VENUE);
  const [screen] = await server.sql('select id from screens');
  await server.backboard('screen', 'slides', `id:${screen?.id}`, 'cup');
  await expect(wall.locator('.is-on .tree3')).toBeVisible();
  await play(1, 401);
  await expect(wall.locator('.is-on .tree3')).toContainText('401', { timeout: 2_000 });

  // Seed 8 is behind, and cannot come.
  const phone = await opened();
  await phone.setViewportSize({ width: 390, height: 844 });
  await signInAs(phone, server, player(8));
  await phone.goto(`${server.url}/profile`);
  await expect(phone.getByText('This game counts for the cup.')).toBeVisible();
  await phone.getByRole('link', { name: 'Finals night' }).click();
  await expect(phone.getByRole('heading', { level: 1, name: 'Finals night' })).toBeVisible();
  await expect(phone.getByRole('heading', { level: 2, name: 'QF 1' })).toBeVisible();
  await expect(phone.getByText('Any game makes the sum grow.')).toBeVisible();
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await phone.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(phone);
  await phone.getByRole('button', { name: 'I cannot come' }).click();
  await phone.getByRole('button', { name: 'Leave the cup' }).click();
  await expect(phone.getByText('This ended your cup.')).toBeVisible();
  await expect(phone.getByText('Walkover')).toBeVisible();

  // The quarter-finals: 1 by walkover, 5, 2 and 3.
  for (const [seed, score] of [
    [4, 300],
    [5, 301],
    [2, 500],
    [7, 100],
    [3, 200],
  ] as const)
    await play(seed, score);
  await end(0);
  const tree = page.locator('.tree');
  const line = (words: string) =>
    expect(tree.getByText(words, { exact: true })).toBeVisible({ timeout: 30_000 });
  await line('QF 1: Walkover');
  await line('QF 2: Decided');
  await line('QF 4: No show');
  await expectAccessible(page);

  // The semi-finals and the final.
  await begin(1);
  await play(1, 250);
  await play(5, 240);
  await play(2, 300);
  await play(3, 299);
  await end(1);
  await line('SF 2: Decided');
  await begin(2);
  await play(1, 333);
  await play(2, 334);
  await play(5, 20);
  await end(2);
  await expect(page.getByText(`${player(2).username} won the cup.`)).toBeVisible({
    timeout: 30_000,
  });
  await expect(wall.locator('.is-on .winner')).toContainText('334');
  await phone.reload();
  await expect(phone.getByText('Won the cup')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});
