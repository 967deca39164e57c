import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type RunningServer, startServer } from '#testing/server.ts';
import { picture } from './as-drawn.ts';
import { setAhead } from './clock.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  expectWholeWords,
  type NewPlayer,
  setServerTime,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { play } from './profile-page.ts';
import { makeLeague, setLeagueMode, teamOf } from './teams.ts';

async function check(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

test('DUEL-01 to DUEL-12: a duel is offered, accepted, followed live, and decided', async ({
  page,
  browser,
  server,
}) => {
  const { home: maya, away: joe } = await makeLeague(server);
  const [mayas, joes] = [maya.username.toUpperCase(), joe.username.toUpperCase()];
  const { key } = await server.addMachine(`Hoop of ${mayas}`, `Venue of ${mayas}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, server, maya);
  const other = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  });
  const phone = await other.newPage();
  await signInAs(phone, server, joe);

  await page.goto('/duels');
  await expect(page.getByRole('heading', { name: 'No duel yet' })).toBeVisible();
  await check(page);
  await picture(page, '87b');
  await page.goto(`/duels?with=${joe.username}`);
  const sheet = page.getByRole('dialog', { name: 'Offer a duel' });
  await expect(sheet.getByRole('radio', { name: joes })).toBeChecked();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/league');
  await page.getByRole('button', { name: 'Offer a duel' }).click();
  // Nobody is chosen before the player chooses.
  await expect(sheet.getByRole('radio', { name: joes })).toBeFocused();
  await expect(sheet.getByRole('radio', { name: joes })).not.toBeChecked();
  // The buttons are below the list, not on it. Measure both at once, because the sheet is moving.
  const space = await sheet.evaluate((dialog) => {
    const list = dialog.querySelector('fieldset')?.getBoundingClientRect();
    const button = [...dialog.querySelectorAll('button')].at(-1)?.getBoundingClientRect();
    return (button?.top ?? 0) - (list?.bottom ?? 0);
  });
  expect(space).toBeGreaterThan(11);
  await sheet.getByRole('radio', { name: joes }).check();
  await expect(sheet).toContainText(`Only ${joes} and you see it.`);
  await check(page);
  await expectWholeWords(page, sheet);
  await picture(page, '84');
  await sheet.getByRole('button', { name: 'Offer', exact: true }).click();
  const offers = page.getByRole('region', { name: 'Offers' });
  await expect(
    offers.getByRole('button', { name: `Take it back, the offer to ${joes}` }),
  ).toBeVisible();
  await expectWholeWords(page);
  // DUEL-11: a player who has an open offer cannot be chosen again.
  await page.getByRole('button', { name: 'Offer a duel' }).click();
  await expect(sheet.getByRole('radio', { name: joes })).toBeDisabled();
  await expect(sheet).toContainText('You asked');
  await sheet.getByRole('button', { name: 'Cancel' }).click();

  await phone.goto('/profile');
  const offered = phone.getByRole('region', { name: `${mayas} offers you a duel` });
  await expect(offered).toBeVisible();
  await check(phone);
  await expectRoomForLargeText(phone);
  await picture(phone, '84b');
  const offerAgain = async () => {
    await page.getByRole('button', { name: 'Offer a duel' }).click();
    await sheet.getByRole('radio', { name: joes }).check();
    await sheet.getByRole('button', { name: 'Offer', exact: true }).click();
  };
  const takeBack = offers.getByRole('button', { name: `Take it back, the offer to ${joes}` });
  await takeBack.click();
  await expect(offered, 'taken back').toHaveCount(0);
  await offerAgain();
  // An offer that has ended says so when it is accepted.
  await expect(offered).toBeVisible();
  await server.sql(
    `update duels set state = 'taken_back' where state = 'offered' and offerer_id =
       (select id from players where username = $1)`,
    [maya.username],
  );
  await offered.getByRole('button', { name: 'Accept' }).click();
  await expect(offered.getByRole('alert')).toBeVisible();
  await Promise.all([page.reload(), phone.reload()]);
  await offerAgain();
  // DUEL-10: the block has ended the offer, and can be undone.
  await offered.getByRole('button', { name: `No duels from ${mayas}` }).click();
  await expect(takeBack).toHaveCount(0);
  const blocked = phone.getByRole('region', { name: `No duels from ${mayas}` });
  await blocked.getByRole('button', { name: 'Undo' }).click();
  await expect(blocked).toHaveCount(0);
  await expect(phone.getByRole('heading', { level: 1 })).toBeFocused();
  await offerAgain();
  await offered.getByRole('button', { name: 'Accept' }).click();
  const duel = phone.getByRole('region', { name: `Duel with ${mayas}` });
  await expect(duel).toContainText('No game yet.');
  const ball = await duel
    .locator('dl')
    .evaluate((plates) => getComputedStyle(plates, '::after').animationName);
  expect(ball, 'the ball drops as the duel begins').toMatch(/drop/);

  await page.goto('/profile');
  const mine = page.getByRole('region', { name: `Duel with ${joes}` });
  await expect(mine).toContainText('No game yet.');
  await play(server, key, joe, [388]);
  await expect(mine).toContainText('No game of yours yet. 389 takes the lead.');
  await picture(page, '85b');
  await play(server, key, maya, [402]);
  await expect(mine).toContainText('You lead by 14.');
  await expect(duel).toContainText('You are 14 behind.');
  await expect(mine.getByRole('definition')).toHaveText(['402', '388']);
  await mine.evaluate((panel) => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    panel.addEventListener('animationstart', (event) =>
      moved.push((event as AnimationEvent).animationName),
    );
  });
  await play(server, key, maya, [403]);
  await expect(mine.getByRole('definition').first()).toHaveText('403');
  const moved = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved);
  await expect
    .poll(async () => (await moved()).filter((name) => /flip-in/.test(name)), 'one digit flips')
    .toHaveLength(1);
  await phone.reload();
  await expect(duel).toContainText('You are 15 behind.');
  await check(phone);
  await expectRoomForLargeText(phone);
  await expectWholeWords(phone, duel);
  await expectWholeWords(phone, phone.getByRole('region', { name: 'Your number to beat' }));
  await picture(phone, '85');

  await server.sql(
    `update duels set state = 'decided', told = 'won', ends_at = now()
     where state = 'running' and offerer_id = (select id from players where username = $1)`,
    [maya.username],
  );
  await page.goto('/profile');
  // The strip follows a game that is taken out and restored.
  const strip = page.getByRole('link', { name: /Duel won by/ });
  await expect(strip).toContainText('Duel won by 15');
  const correct = async (state: 'void' | 'counted') => {
    const own = 'select id from players where username = $1';
    await server.sql(
      `update games set state = '${state}' where score = 403 and player_id = (${own})`,
      [maya.username],
    );
    await server.sql(`select pg_notify('backboard_live', 'duel ' || own.id) from (${own}) own`, [
      maya.username,
    ]);
  };
  await correct('void');
  await expect(strip).toContainText('Duel won by 14');
  await correct('counted');
  await expect(strip).toContainText('Duel won by 15');
  await strip.click();
  const won = page.getByRole('region', { name: 'Won by 15' });
  await expect(won).toContainText(`Your 403 on Hoop of ${mayas}`);
  await check(page);
  await expectRoomForLargeText(page);
  await expectWholeWords(page, won);
  await picture(page, '86');
  await won.getByRole('button', { name: 'Rematch' }).click();
  await expect(sheet.getByRole('radio', { name: joes })).toBeChecked();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await won.getByRole('button', { name: 'Done' }).click();
  await expect(won).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Decided' })).toBeFocused();
  await check(page);
  await picture(page, '87');
  // Account and this page, one read just after the other, agree on the switch.
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  const duels = page.getByRole('switch', { name: 'Duels' });
  await duels.press('Space');
  await expect(duels).not.toBeChecked();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Turn duels on' }).click();
  await expect(page.getByRole('heading', { name: 'Your duels are off' })).toHaveCount(0);
  await page.goForward();
  await expect(duels).toBeChecked();

  await phone.goto('/duels');
  await expect(phone.getByRole('region', { name: 'Lost by 15' })).toContainText(
    'Your 388 was your only game.',
  );
  await check(phone);
  await other.close();
});

/** Moves a server's clock to the next Friday at noon. Returns by how many ms. */
async function goToFriday(server: RunningServer): Promise<number> {
  const noon = new Date();
  noon.setUTCHours(12, 0, 0, 0);
  noon.setUTCDate(noon.getUTCDate() + 1 + ((11 - noon.getUTCDay()) % 7));
  const ahead = noon.getTime() - Date.now();
  await setAhead(server, ahead);
  return ahead;
}

test('NUDGE-05, NUDGE-06: a nudge leads a player to the number to beat', async ({ browser }) => {
  test.slow();
  const server = await startServer();
  const ahead = await goToFriday(server);
  const { league, home: maya, away: joe } = await makeLeague(server);
  const lil = await signUp(server);
  const team = teamOf(maya);
  await server.backboard('team', 'add', team, lil.email);
  await server.sql('update team_changes set how = null');
  await setLeagueMode(server, lil, true);
  await server.backboard('schedule', 'generate', league, '--weeks', '1');
  const { key } = await server.addMachine('Hoop', 'Arcade');
  for (const [player, score] of [
    [maya, 400],
    [lil, 300],
    [joe, 900],
  ] as const)
    await server.play(key, {
      id: randomUUID(),
      player: player.uuid,
      score,
      played_at: new Date(Date.now() + ahead).toISOString(),
    });
  const open = async (player: NewPlayer) => {
    const context = await browser.newContext({
      baseURL: server.url,
      locale: 'en-GB',
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await setServerTime(page, () => Date.now() + ahead);
    await signInAs(page, server, player);
    await page.evaluate(
      (at) => localStorage.setItem('slip', at),
      new Date(Date.now() + ahead).toISOString(),
    );
    await page.goto('/profile');
    return page;
  };
  const [mayas, lils] = [maya.username.toUpperCase(), lil.username.toUpperCase()];

  const page = await open(maya);
  const table = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  const nudge = table.getByRole('button', { name: `Nudge ${lils}` });
  await expect(nudge).toBeVisible();
  await expect(table.getByRole('button', { name: /^Nudge/ })).toHaveCount(1);
  await expect(table).toContainText('Players with nudges off get none.');
  await check(page);
  await expectRoomForLargeText(page);
  await picture(page, '88');
  // The rest of the row still opens the player.
  const name = table.getByRole('button', { name: lils, exact: true });
  await name.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(name).toBeFocused();
  await nudge.focus();
  await page.keyboard.press('Enter');
  const nudged = table.getByRole('button', { name: `Nudged ${lils} this week` });
  await expect(nudged).toBeDisabled();
  await expect(nudged).toBeFocused();
  await expect(table.getByRole('status')).toHaveText(`${lils} was nudged.`);
  await check(page);
  await picture(page, '88-sent');

  const phone = await open(lil);
  const strip = phone.getByRole('link', { name: `${mayas} nudges you` });
  await expect(strip).toContainText('7 league games left. Your team is 200 behind');
  await check(phone);
  await expectRoomForLargeText(phone);
  await picture(phone, '89');
  await strip.click();
  await expect(strip).toHaveCount(0);
  const beat = phone.getByRole('region', { name: 'Your number to beat' });
  await expect(beat).toBeFocused();
  await expect(beat).toBeInViewport();
  await phone.reload();
  await expect(beat).toBeVisible();
  await expect(strip).toHaveCount(0);

  await setLeagueMode(server, maya, false);
  await page.reload();
  await expect(table.getByRole('row', { name: lils })).toBeVisible();
  await expect(nudged).toHaveCount(0);
  for (const one of [page, phone]) await one.context().close();
  await server.close();
});
