import { randomInt } from 'node:crypto';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { isInappropriate } from '#contract/rules/profanity.ts';
import { codeIn } from '#testing/mail-sink.ts';
import { type RunningServer, startServer } from '#testing/server.ts';

let people = 0;
export const newEmail = (): string =>
  `player${process.pid}-${Date.now().toString(36)}-${++people}@example.com`;
/** `P` and 8 random characters, never profane. */
export function newName(): string {
  const name = `P${randomInt(36 ** 8)
    .toString(36)
    .padStart(8, '0')}`;
  return isInappropriate(name) ? newName() : name;
}

export const PASSWORD = 'bank shot from the left';

export type NewPlayer = {
  email: string;
  password: string;
  username: string;
  uuid: string;
  access: string;
  refresh: string;
};

/** axe is slow on a long page and a slow computer. */
const AXE_PATIENCE_MS = 90_000;

/** A random X-Forwarded-For: tests must not share rate limits. */
export const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

async function post(
  server: RunningServer,
  path: string,
  body: unknown,
  access?: string,
  method = 'POST',
) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': newAddress(),
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Signs up by API and mail. `setup: false` stops before the birth date. */
export async function signUp(
  server: RunningServer,
  { setup = true, email = newEmail() } = {},
): Promise<NewPlayer> {
  const username = newName();
  await post(server, '/api/users/auth/register/', { email });
  const code = codeIn(await server.mail.next(email));
  const { tokens, user } = await post(server, '/api/users/verify-email/', { email, code });
  if (setup) {
    const patch = (body: unknown) =>
      post(server, '/api/users/profile/', body, tokens.access, 'PATCH');
    await patch({ date_of_birth: '2000-01-31' });
    await patch({ username, password: PASSWORD, avatar_color: '#DB8537', jersey_number: '07' });
  }
  return { email, password: PASSWORD, username, uuid: user.uuid, ...tokens };
}

/** Stores a session, as if signed in on this phone before. */
export async function signInAs(
  page: Page,
  server: RunningServer,
  player: NewPlayer,
): Promise<void> {
  const answer = await fetch(`${server.url}/api/users/profile/`, {
    headers: { authorization: `Bearer ${player.access}` },
  });
  const user = JSON.stringify(await answer.json());
  await page.goto(`${server.url}/privacy`);
  await page.evaluate(
    ([access = '', refresh = '', stored = '']) => {
      localStorage.setItem('access_token', access);
      localStorage.setItem('refresh_token', refresh);
      localStorage.setItem('user', stored);
      // Mark earlier games as seen on this phone.
      localStorage.setItem('slip', new Date().toISOString());
    },
    [player.access, player.refresh, user],
  );
}

/** Delays files, by default scripts, until the returned function is called. */
export async function holdBack(page: Page, files = '**/assets/*.js'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Answers a page's calls as if the server's clock showed `now()`, in ms since 1970 (PROD-166). */
export async function setServerTime(page: Page, now: () => number): Promise<void> {
  await page.route(/\/api\/(?!.*events)/, async (route) => {
    const response = await route.fetch().catch(() => null);
    if (response === null) return route.abort();
    const headers = { ...response.headers(), date: new Date(now()).toUTCString() };
    // A page that is closed meanwhile disposes of the answer.
    return route.fulfill({ response, headers }).catch(() => undefined);
  });
}

/** Adds a virtual authenticator that verifies every user. */
export async function withPasskeys(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Opens a one-time link and makes a passkey. */
export async function setUpPasskey(page: Page, link: string): Promise<void> {
  await withPasskeys(page);
  await page.goto(link);
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
}

/** The number of the game with this id. */
export async function numberOf(server: RunningServer, id: string): Promise<string> {
  return JSON.parse(await server.backboard('game', 'list', '--id', id, '--json')).results[0].game;
}

/** Adds a member of staff. Returns the one-time link. */
export async function inviteStaff(
  server: RunningServer,
  name: string,
  ...more: string[]
): Promise<string> {
  return JSON.parse(await server.backboard('staff', 'add', name, ...more, '--json')).url;
}

/**
 * Expects no violation of WCAG 2.2 A and AA, or of axe's best practices. Pass `colours: false`
 * with forced colours, because axe cannot see those.
 */
export async function expectAccessible(page: Page, { colours = true } = {}): Promise<void> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: colours }, 'target-size': { enabled: true } },
  };
  const violations = async () => {
    // Load axe once per document, because loading takes longer than running.
    for (const frame of page.frames())
      if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
    return page.evaluate(async (asked) => {
      // A target under the sticky header would count as too small.
      const top = window.scrollY;
      window.scrollTo({ top: 0, behavior: 'instant' });
      const found = await (window as unknown as { axe: typeof axe }).axe.run(asked);
      window.scrollTo({ top, behavior: 'instant' });
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
      );
    }, options);
  };
  // Poll, because an element that fades in does not have its final colours yet.
  await expect.poll(violations, { timeout: AXE_PATIENCE_MS }).toEqual([]);
}

/** Visible elements that stick out sideways. A page that clips them has no scroll bar. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.body.querySelectorAll('*')].filter((element) => {
      const words = [...element.childNodes].some(
        (node) => node.nodeName === '#text' && node.nodeValue?.trim(),
      );
      if (!(words || element.matches('input, select, button, img'))) return false;
      if (element.closest('.sr, .skip, [aria-hidden="true"]') || !element.checkVisibility())
        return false;
      const { left, right } = element.getBoundingClientRect();
      return left < -0.5 || right > width + 0.5;
    });
    return out.map((element) => element.outerHTML.slice(0, 120));
  });
}

/** At 320 px, nothing sticks out sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, 'pixels beyond 320').toBeLessThanOrEqual(0);
  expect(await cutOff(page)).toEqual([]);
  if (before) await page.setViewportSize(before);
}

/** At twice the text size, nothing sticks out sideways. */
export async function expectRoomForLargeText(page: Page): Promise<void> {
  const enlarge = (size: string) =>
    page.evaluate((to) => {
      document.documentElement.style.fontSize = to;
    }, size);
  await enlarge('200%');
  expect(await cutOff(page)).toEqual([]);
  await enlarge('');
}

/** Texts and inputs in `main` that overlap. */
function crowded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A table shown as a list has its header row for screen readers only.
    const unseen = '.sr, .skip, svg, [aria-hidden="true"], .t:not(.t--stand) thead';
    const range = document.createRange();
    const shown = [...document.querySelectorAll('main *')].flatMap((element) => {
      if (element.closest(unseen) || !element.checkVisibility()) return [];
      const rects = element.matches('input, select, textarea')
        ? [element.getBoundingClientRect()]
        : [...element.childNodes].flatMap((node) => {
            if (node.nodeName !== '#text' || !node.nodeValue?.trim()) return [];
            range.selectNodeContents(node);
            return [...range.getClientRects()];
          });
      return rects.length === 0 ? [] : [{ element, rects }];
    });
    const wide = (a: DOMRect, b: DOMRect) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = (a: DOMRect, b: DOMRect) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // An invisible input covers its label.
    const isOf = (input: Element, words: Element) =>
      input.matches('input') && input.closest('label')?.contains(words);
    const text = (element: Element) => `“${element.textContent?.trim().slice(0, 30)}”`;
    return shown.flatMap((one, at) =>
      shown
        .slice(at + 1)
        .filter(
          (other) =>
            !one.element.contains(other.element) &&
            !other.element.contains(one.element) &&
            !isOf(one.element, other.element) &&
            !isOf(other.element, one.element) &&
            // Line boxes may overlap a little, because glyphs are smaller.
            one.rects.some((a) => other.rects.some((b) => wide(a, b) > 3 && high(a, b) > 8)),
        )
        .map((other) => `${text(one.element)} is over ${text(other.element)}`),
    );
  });
}

/** Waits for the fonts and for two frames, after which a new size is laid out. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

/** Expects room for every word on small phones and with large text (LOOK-68). */
export async function expectRoomOnPhones(page: Page): Promise<void> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const [width, size] of [
    [390, '200%'],
    [320, '200%'],
    [320, '100%'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((to) => {
      document.documentElement.style.fontSize = to;
    }, size);
    await settled(page);
    const over = await page.evaluate(
      () => (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth,
    );
    const wrong = [...(await cutOff(page)), ...(await crowded(page))];
    if (over > 0) wrong.unshift(`${over} pixels too wide`);
    found.push(...wrong.map((what) => `${width} px, ${size}: ${what}`));
  }
  expect(found, page.url()).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  if (before) await page.setViewportSize(before);
}

/** Words below `root` that fall apart into letters, and text that is wider than its element. */
function fallenApart(root: Locator): Promise<string[]> {
  return root.evaluate((top) => {
    const range = document.createRange();
    const found: string[] = [];
    const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const element = node.parentElement;
      if (!element?.checkVisibility() || element.closest('.sr, svg, [aria-hidden="true"]'))
        continue;
      const text = node.nodeValue ?? '';
      for (const { 0: word, index } of text.matchAll(/\S+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size;
        if (lines > 1 && (word.length < 6 || word.length / lines < 3))
          found.push(`“${word}” has ${lines} lines`);
      }
      range.selectNodeContents(node);
      const isBlock = !getComputedStyle(element).display.startsWith('inline');
      const over = range.getBoundingClientRect().right - element.getBoundingClientRect().right;
      if (isBlock && over > 1) found.push(`“${text}” is ${Math.round(over)} px wider than its box`);
    }
    return found;
  });
}

/** With large text and on small phones, names stay words and figures are whole (LOOK-68). */
export async function expectWholeWords(page: Page, root = page.getByRole('main')): Promise<void> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const [width, size] of [
    [390, '200%'],
    [320, '200%'],
    [320, '100%'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((to) => {
      document.documentElement.style.fontSize = to;
    }, size);
    found.push(...(await fallenApart(root)).map((what) => `${width} px, ${size}: ${what}`));
  }
  expect(found, page.url()).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  if (before) await page.setViewportSize(before);
}

type Expected = {
  /** Allows console errors that the test causes on purpose. */
  expectNoise(pattern: RegExp): void;
};

/**
 * One server per worker. An unexpected console error, page error or request to another host fails
 * the test.
 */
export const test = base.extend<Expected & { quiet: undefined }, { server: RunningServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
  extraHTTPHeaders: ({}, use) => use({ 'x-forwarded-for': newAddress() }),
  expectNoise: async ({ context, server }, use) => {
    const expected: RegExp[] = [/Failed to load resource: .* status of (400|401|403|429)/];
    const noise: string[] = [];
    const outside = (url: string) =>
      url.startsWith('http') && !['localhost', '127.0.0.1'].includes(new URL(url).hostname);
    context.on('console', (message) => {
      if (message.type() === 'error') noise.push(message.text());
    });
    context.on('weberror', (problem) => noise.push(String(problem.error())));
    context.on('request', (request) => {
      if (outside(request.url())) noise.push(`a request left ${server.url}: ${request.url()}`);
    });
    await use((pattern) => expected.push(pattern));
    expect(noise.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([]);
  },
  quiet: [async ({ expectNoise }, use) => use(void expectNoise), { auto: true }],
});

export { expect };
