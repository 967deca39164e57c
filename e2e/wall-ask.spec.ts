import type { Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play } from './profile-page.ts';

/** A player whose game counted at a venue with a screen, on the pass. */
async function askedAbout(page: Page, server: RunningServer) {
  const player = await signUp(server);
  const venue = `Arcade ${player.username}`;
  const league = `League ${player.username}`;
  const machine = await server.addMachine(`Hoop ${player.username}`, venue);
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, `Team ${player.username}`);
  await server.backboard('team', 'add', `Team ${player.username}`, player.email);
  await server.sql(
    `insert into screens (venue_id, name, slides, created_at, last_seen_at)
      select id, $1, '[]', now(), now() from venues where name = $2`,
    [`Screen ${player.username}`, venue],
  );
  await play(server, machine.key, player, [402]);
  await openProfile(page, server, player);
  const question = page.getByRole('region', { name: 'Show your name on the screen here?' });
  return { player, venue, question };
}

test('HAND-50 HAND-51 a player at a venue with a screen is asked once about the name', async ({
  page,
  server,
}) => {
  const { venue, question } = await askedAbout(page, server);
  await expect(question).toContainText(
    `${venue} has a screen with tonight’s scores. Yours is up there without a name.`,
  );
  await expect(question).toContainText('402');
  // One question at a time.
  await expect(page.getByText(/^You are on /)).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  const sizes = await question
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width));
  expect(sizes[0]).toBe(sizes[1]);
  await question.getByRole('button', { name: 'Yes, show it' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.reload();
  await expect(page.getByText(/^You are on /)).toBeVisible();
  await expect(question).toHaveCount(0);
  await page.goto('/account');
  await expect(page.getByRole('radio', { name: /^Also the screens in venues/ })).toBeChecked();
});

test('HAND-50 HAND-51 a no is for ever, and a visit counts once', async ({ page, server }) => {
  const { player, question } = await askedAbout(page, server);
  const asked = () =>
    server.sql('select wall_asked from players where username = $1', [player.username]);
  await expect(question).toBeVisible();
  await goTo(page, 'Games');
  await expect(page.getByRole('heading', { level: 1, name: 'Games' })).toBeVisible();
  await goTo(page, 'Pass');
  await expect(question).toBeVisible();
  await expect.poll(asked).toEqual([{ wall_asked: 1 }]);

  await question.getByRole('button', { name: 'No' }).click();
  await expect(question).toHaveCount(0);
  await expect.poll(asked).toEqual([{ wall_asked: 4 }]);
  await goTo(page, 'Games');
  await goTo(page, 'Pass');
  await expect(page.getByRole('link', { name: /^Last game/ })).toBeVisible();
  await expect(question).toHaveCount(0);
});
