import type { Browser, Page } from '@playwright/test';
import { type RunningServer, startServer } from '#testing/server.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo.ts';
import { button, DESK, heading, open, type Person, PHONE, shoot, wanted } from './pictures.ts';

// Pictures of “Who sees my name”, of reported games and of the join page, for phone and desktop.

const LEAGUE = 'Dockside League';
const TEAM = 'Brick City Bankers';
const OTHER_TEAM = 'Rim Reapers';
/** How many of the demo's players are on a team. */
const TEAM_SIZE = 5;

const NAMES = [
  '50-who-sees-my-name',
  '50b-only-my-team',
  '51-under-18',
  '52-turned-18',
  '53-leaderboard-a-player',
  '54-season',
  '55-games-report',
  '56-games-reported',
  '60-join',
  '61-join-signed-out',
  '62-join-waiting',
  '63-join-full',
  '63b-join-locked',
  '64-join-wrong-code',
  '65-join-other-team',
  '70-profile-1280',
  '71-league-1280',
  '72-games-1280',
  '73-leaderboard-1280',
];

async function both(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  await page.setViewportSize(DESK);
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `${name}-1280`);
  await page.setViewportSize(PHONE);
}

/** The birth date of somebody who becomes 18 in this many days. */
function bornFor18({ days }: { days: number }): string {
  const day = new Date(Date.now() + days * 24 * 3_600_000);
  day.setUTCFullYear(day.getUTCFullYear() - 18);
  return day.toISOString().slice(0, 10);
}

async function signIn(server: RunningServer): Promise<Person> {
  const answer = await fetch(`${server.url}/api/users/auth/login/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/131.0',
    },
    body: JSON.stringify({ email: DEMO_EMAIL, password: DEMO_PASSWORD }),
  });
  const { user, ...tokens } = await answer.json();
  return { email: DEMO_EMAIL, username: user.username, uuid: user.uuid, ...tokens };
}

async function widePictures(page: Page, server: RunningServer): Promise<void> {
  await page.setViewportSize(DESK);
  await page.goto(`${server.url}/profile`);
  await page.getByRole('table').waitFor();
  await shoot(page, '70-profile-1280');
  await page.goto(`${server.url}/league`);
  await page.getByRole('table').waitFor();
  await shoot(page, '71-league-1280');
  await page.goto(`${server.url}/games`);
  await page.getByRole('listitem').first().waitFor();
  await shoot(page, '72-games-1280');
  await page.goto(`${server.url}/leaderboard`);
  await page.getByRole('region', { name: 'all time' }).waitFor();
  await shoot(page, '73-leaderboard-1280');
  await page.setViewportSize(PHONE);
}

async function namePictures(page: Page, server: RunningServer): Promise<void> {
  const account = async () => {
    await page.goto(`${server.url}/account`);
    await page.getByRole('heading', { name: 'Where I am signed in' }).waitFor();
  };
  const choose = async (name: RegExp) => {
    await page.getByRole('radio', { name }).check();
    await page.getByText('Saved').waitFor();
  };
  await account();
  await choose(/^Everybody with an account/);
  await both(page, '50-who-sees-my-name');
  await choose(/^My team and the teams we play/);
  await both(page, '50b-only-my-team');

  const birthdate = (date: string) => server.backboard('player', 'birthdate', DEMO_EMAIL, date);
  await birthdate(bornFor18({ days: 90 }));
  await account();
  await both(page, '51-under-18');
  await birthdate(bornFor18({ days: -1 }));
  await page.goto(`${server.url}/profile`);
  const question = page.getByRole('heading', { name: 'You are 18 now' });
  await question.waitFor();
  await page.getByRole('table').waitFor();
  await question.evaluate((heading) => {
    scrollTo(0, heading.getBoundingClientRect().top - innerHeight / 3);
  });
  await both(page, '52-turned-18');
  await page.getByRole('button', { name: 'Leave it as it is' }).click();
  await question.waitFor({ state: 'detached' });

  // Take three of the best players off their teams, and hide their names from everybody.
  await server.sql(
    `update players set team_id = null, visibility = 'league' where id in (
       select player_id from (
         select player_id, row_number() over (order by score desc) as n from bests
         join players p on p.id = player_id
         where venue_id = 0 and week = '-infinity' and p.email <> $1
       ) ranked where n in (2, 4, 9))`,
    [DEMO_EMAIL],
  );
  await page.goto(`${server.url}/leaderboard`);
  // At the start of a week, the week's board is empty.
  for (const name of ['Venue', 'All time'])
    await page.getByRole('radio', { name, exact: true }).check();
  await page.getByText('A player').first().waitFor();
  await both(page, '53-leaderboard-a-player');
  await page.goto(`${server.url}/league`);
  await page.getByRole('region', { name: 'Best games of the season' }).evaluate((panel) => {
    scrollTo(0, panel.getBoundingClientRect().bottom - innerHeight);
  });
  await both(page, '54-season');
}

async function reportPictures(page: Page, server: RunningServer): Promise<void> {
  await page.goto(`${server.url}/games`);
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('button') });
  const report = (at: number) => rows.nth(at).getByRole('button').click();
  await report(1);
  await button(page, 'Send').waitFor();
  await both(page, '55-games-report');
  await button(page, 'Send').click();
  await rows
    .nth(1)
    .getByText(/^You reported/)
    .waitFor();
  for (const at of [0, 2]) {
    await report(at);
    if (at === 0) await page.getByRole('radio', { name: /^Something is wrong/ }).check();
    await button(page, 'Send').click();
    await rows
      .nth(at)
      .getByText(/^You reported/)
      .waitFor();
  }
  const listed = JSON.parse(await server.backboard('report', 'list', '--json'));
  const reported: { game: string; reason: string; played_at: string }[] = listed.results;
  const machine = reported.find(({ reason }) => reason === 'machine');
  const [oldest] = reported
    .filter(({ reason }) => reason === 'not_mine')
    .sort((a, b) => a.played_at.localeCompare(b.played_at));
  await server.backboard('report', 'settle', machine?.game ?? '', 'stands');
  await server.backboard('report', 'settle', oldest?.game ?? '', 'void');
  await page.getByText('Checked: it counts.').waitFor();
  await page.getByText('Taken out: not your game').waitFor();
  await page
    .getByRole('list')
    .first()
    .evaluate((list) => scrollTo(0, list.getBoundingClientRect().top + scrollY - 130));
  await both(page, '56-games-reported');
}

async function joinPictures(browser: Browser, page: Page, server: RunningServer): Promise<void> {
  const joining = (how: string) => server.backboard('league', 'joining', LEAGUE, how);
  await server.backboard('team', 'remove', TEAM, DEMO_EMAIL);
  await joining('open');
  const { code } = JSON.parse(await server.backboard('team', 'code', TEAM, '--json'));
  const goTo = async (at: Page, name = TEAM) => {
    await at.goto(`${server.url}/join/${code}`);
    await heading(at, name);
  };
  const visitor = await open(browser, server);
  await goTo(visitor);
  await both(visitor, '61-join-signed-out');
  await visitor.context().close();

  await goTo(page);
  await both(page, '60-join');
  await joining('ask');
  await page.reload();
  await button(page, `Ask to join ${TEAM}`).click();
  await page.getByText('You have asked to join').waitFor();
  await both(page, '62-join-waiting');
  await button(page, 'Cancel request').click();
  await button(page, `Ask to join ${TEAM}`).waitFor();
  await joining('closed');
  await page.reload();
  await page.getByText('Teams are closed').waitFor();
  await both(page, '63b-join-locked');
  await joining('open');

  const [stand] = await server.sql(
    `update players set team_id = (select id from teams where name = $1)
     where username = 'Olu_Nets' returning id`,
    [TEAM],
  );
  await page.reload();
  await page.getByText('This team is full').waitFor();
  await both(page, '63-join-full');
  await server.sql('update players set team_id = null where id = $1', [stand?.id]);

  await page.goto(`${server.url}/join/BRK7QX`);
  await page.getByText(/^No team has this code/).waitFor();
  await both(page, '64-join-wrong-code');
  await server.backboard('team', 'add', OTHER_TEAM, DEMO_EMAIL);
  await goTo(page);
  await page.getByText(`You are on ${OTHER_TEAM}`).waitFor();
  await both(page, '65-join-other-team');
}

export async function seenPictures(browser: Browser): Promise<void> {
  if (!NAMES.some(wanted)) return;
  const server = await startServer({ DEMO: '1', TEAM_MAX: String(TEAM_SIZE) });
  try {
    const page = await open(browser, server, await signIn(server));
    await widePictures(page, server);
    await namePictures(page, server);
    await reportPictures(page, server);
    await joinPictures(browser, page, server);
    await page.context().close();
  } finally {
    await server.close();
  }
}
