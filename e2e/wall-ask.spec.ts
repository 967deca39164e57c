import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play } from './profile-page.ts';

test('HAND-50 HAND-51 a player at a venue with a screen is asked once about the name', async ({
  page,
  server,
}) => {
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
