import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { codeIn } from '#testing/mail-sink.ts';
import type { RunningServer } from '#testing/server.ts';

export const FOLDER = join(import.meta.dirname, '../docs/screenshots');
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };
/** A palette of this size keeps the files small. */
const COLOURS = 128;
export const PASSWORD = 'bank shot from the left';

const only = process.argv.slice(2);
export const wanted = (name: string) =>
  only.length === 0 || only.some((part) => name.includes(part));

export async function keep(name: string, picture: Buffer): Promise<void> {
  const small = await sharp(picture)
    .png({ palette: true, colours: COLOURS, effort: 10 })
    .toBuffer();
  await writeFile(join(FOLDER, `${name}.png`), small);
  console.log(`${name}.png  ${(small.length / 1024).toFixed(0)} KB`);
}

export async function shoot(page: Page, name: string, { full = false } = {}): Promise<void> {
  if (!wanted(name)) return;
  await page.evaluate(() => document.fonts.ready);
  // Wait for all animations that end.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (one) =>
          one.playState !== 'running' ||
          one.effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
  // Only pictures of phones keep all device pixels.
  const scale = page.viewportSize()?.width === PHONE.width ? 'device' : 'css';
  await keep(name, await page.screenshot({ fullPage: full, animations: 'disabled', scale }));
}

export type Person = {
  email: string;
  username: string;
  uuid: string;
  access: string;
  refresh: string;
};

export async function call(
  server: RunningServer,
  path: string,
  body: unknown,
  access = '',
  method = 'POST',
) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.9.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
      ...(access === '' ? {} : { authorization: `Bearer ${access}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function makePerson(
  server: RunningServer,
  email: string,
  profile?: { username: string; avatar_color?: string; jersey_number?: string },
): Promise<Person> {
  await call(server, '/api/users/auth/register/', { email });
  const code = codeIn(await server.mail.next(email));
  const { tokens, user } = await call(server, '/api/users/verify-email/', { email, code });
  if (profile) {
    await call(
      server,
      '/api/users/profile/',
      { date_of_birth: '2004-09-14' },
      tokens.access,
      'PATCH',
    );
    const setup = { ...profile, password: PASSWORD };
    await call(server, '/api/users/profile/', setup, tokens.access, 'PATCH');
  }
  return { email, username: profile?.username ?? '', uuid: user.uuid, ...tokens };
}

export async function open(
  browser: Browser,
  server: RunningServer,
  person?: Person,
  viewport = PHONE,
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: viewport === PHONE ? 2 : 1,
    locale: 'en-GB',
    extraHTTPHeaders: { 'x-forwarded-for': `10.8.0.${Math.floor(Math.random() * 250)}` },
  });
  const page = await context.newPage();
  if (person) {
    const user = await call(server, '/api/users/profile/', undefined, person.access, 'GET');
    await page.goto(`${server.url}/terms`);
    await page.evaluate(
      ([access = '', refresh = '', stored = '']) => {
        localStorage.setItem('access_token', access);
        localStorage.setItem('refresh_token', refresh);
        localStorage.setItem('user', stored);
      },
      [person.access, person.refresh, JSON.stringify(user)],
    );
  }
  return page;
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
