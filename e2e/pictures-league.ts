import { randomUUID } from 'node:crypto';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { type RunningServer, startServer } from '#testing/server.ts';
import {
  call,
  DESK,
  heading,
  keep,
  makePerson,
  open,
  type Person,
  shoot,
  wanted,
} from './pictures.ts';

async function stack(pictures: Buffer[]): Promise<Buffer> {
  const gap = 32;
  const sizes = await Promise.all(pictures.map((one) => sharp(one).metadata()));
  const tops = sizes.map((_, at) =>
    sizes.slice(0, at).reduce((sum, { height }) => sum + height + gap, gap),
  );
  const height = (tops.at(-1) ?? 0) + (sizes.at(-1)?.height ?? 0) + gap;
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * gap;
  return sharp({ create: { width, height, channels: 3, background: '#ECEFF4' } })
    .composite(pictures.map((input, at) => ({ input, left: gap, top: tops[at] ?? 0 })))
    .png()
    .toBuffer();
}

async function beatStates(
  browser: Browser,
  server: RunningServer,
  people: Person[],
): Promise<void> {
  const name = '32c-number-to-beat-states-full';
  if (!wanted(name)) return;
  const states: Buffer[] = [];
  for (const person of people) {
    const page = await open(browser, server, person);
    await page.goto(`${server.url}/profile`);
    const beat = page.getByRole('group', { name: 'Your number to beat' });
    await beat.waitFor();
    await page.evaluate(() => document.fonts.ready);
    states.push(await beat.screenshot({ animations: 'disabled' }));
    await page.context().close();
  }
  await keep(name, await stack(states));
}

/**
 * Teams of one player each, with their scores. The team that has the bye and the first team swap
 * their scores, so that the player with six games always has the bye.
 */
const TEAMS: [team: string, username: string, scores: number[]][] = [
  ['Brick City Bankers', 'Bank_Shot', [388, 452, 611, 341, 298, 226]],
  ['Rim Reapers', 'Reaper_9', [415, 361, 342, 384, 298, 305, 282, 377]],
  ['Glass Cannons', 'Cannonball', [352, 331]],
  ['Net Profits', 'Profiteer', [501, 466, 425]],
  ['Air Ballers', 'Airmail', [512, 409, 333]],
];

/** Makes a league in its first week. Returns a function that finds a player by number of games. */
async function makeOddLeague(server: RunningServer) {
  const league = 'Harbour League';
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  const people: Person[] = [];
  for (const [team, username] of TEAMS) {
    const person = await makePerson(server, `${username.toLowerCase()}@example.com`, { username });
    await server.backboard('team', 'create', league, team);
    await server.backboard('team', 'add', team, person.email);
    const on = { league_mode_enabled: true };
    await call(server, '/api/users/profile/', on, person.access, 'PATCH');
    people.push(person);
  }
  await server.backboard('schedule', 'generate', league, '--weeks', '10');
  const path = '/api/leaderboards/user-league-season/';
  const { schedule } = await call(server, path, undefined, people[0]?.access, 'GET');
  const free = TEAMS.findIndex(([team]) => team === schedule[0].bye);
  const machine = await server.addMachine('Pier 4', 'Harbour Arcade');
  const played: { person: Person; scores: number[] }[] = [];
  for (const [at, person] of people.entries()) {
    const scores = TEAMS[at === free ? 0 : at === 0 ? free : at]?.[2] ?? [];
    for (const score of scores)
      await server.play(machine.key, {
        id: randomUUID(),
        player: person.uuid,
        score,
        played_at: new Date().toISOString(),
      });
    played.push({ person, scores });
  }
  return (games: number): Person => {
    const one = played.find(({ scores }) => scores.length === games);
    if (one === undefined) throw new Error(`nobody has played ${games} games`);
    return one.person;
  };
}

export async function leaguePictures(browser: Browser): Promise<void> {
  if (!['32c-number-to-beat', '34-league', '34b-league', '38-week', '38b-week'].some(wanted))
    return;
  const server = await startServer();
  try {
    await server.backboard('demo');
    const login = { email: 'demo@backboard.example', password: 'courtside-demo' };
    const { access, refresh, user } = await call(server, '/api/users/auth/login/', login);
    const maya: Person = { ...user, access, refresh };
    for (const [name, viewport] of [
      ['34-league-full', undefined],
      ['34-league-1280', DESK],
    ] as const) {
      const page = await open(browser, server, maya, viewport);
      await page.goto(`${server.url}/league`);
      await page.getByRole('table').waitFor();
      await shoot(page, name, { full: viewport === undefined });
      await page.context().close();
    }
    await weekPictures(browser, server, maya);
  } finally {
    await server.close();
  }
}

export async function oddLeaguePictures(browser: Browser): Promise<void> {
  if (!['32c-number-to-beat-states-full', '34b-league-bye'].some(wanted)) return;
  const server = await startServer();
  try {
    const whoPlayed = await makeOddLeague(server);
    const page = await open(browser, server, whoPlayed(6));
    await page.goto(`${server.url}/league`);
    await page.getByText('No opponent this week').waitFor();
    await shoot(page, '34b-league-bye');
    await page.context().close();
    await beatStates(browser, server, [2, 8, 6].map(whoPlayed));
  } finally {
    await server.close();
  }
}

async function weekPictures(browser: Browser, server: RunningServer, maya: Person): Promise<void> {
  const page = await open(browser, server, maya);
  await page.addInitScript(() =>
    Object.assign(navigator, { canShare: () => true, share: () => Promise.resolve() }),
  );
  await page.goto(`${server.url}/week`);
  await heading(page, 'Week in one picture');
  const picture = page.getByRole('main').getByRole('img');
  await picture.waitFor();
  await shoot(page, '38b-week-share');
  const src = (await picture.getAttribute('src')) ?? '';
  const card = Buffer.from(src.slice(src.indexOf(',') + 1), 'base64');
  if (wanted('38-week-share-card')) await keep('38-week-share-card', card);
  await page.context().close();
}
