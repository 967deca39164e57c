/**
 * Simulates a phone (a processor 4 times slower, slow 4G). Measures how soon it shows the profile
 * from a service worker that has just started, and how soon a new visitor can use /login. Prints
 * the medians.
 * node bench/paint/first-paint.ts --rounds 5
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { findChromium } from '#testing/browsers.ts';
import { buildWeb } from '../../scripts/build.ts';
import { startNode } from '../processes.ts';
import { median } from '../report.ts';

const PHONE = { width: 390, height: 844 };
const CPU_SLOWDOWN = 4;
const LOOK_EVERY_MS = 100;
/** As in Chromium's developer tools, in bytes per second and milliseconds. */
const SLOW_4G = {
  offline: false,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
  latency: 150 * 3.75,
};
/** The demo account (docs/operating.md). */
const DEMO = { email: 'demo@backboard.example', password: 'courtside-demo' };

/** Runs in the page. Records when the first frame with the QR code was over. */
const WATCH_CODE = `
  new MutationObserver((_, watch) => {
    if (!document.querySelector('[aria-label="Player QR code"]')) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.codeShown = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;
/**
 * Runs in the page. Records the largest paint, the long tasks, and when the field and the button
 * begin to work.
 */
const WATCH_LOGIN = `
  const isUsable = (control) => control && !control.disabled && !control.closest('[inert]');
  window.longTasks = [];
  new PerformanceObserver((list) => { window.largest = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { window.longTasks.push(...list.getEntries()); })
    .observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, watch) => {
    const { forms: [form] } = document;
    if (isUsable(form?.querySelector('input'))) window.typable ??= performance.now();
    if (!isUsable(form?.querySelector('button'))) return;
    watch.disconnect();
    window.usable = performance.now();
  }).observe(document, { attributes: true, childList: true, subtree: true });
`;
const READ_LOGIN = `(() => {
  const { loadEventEnd } = performance.getEntriesByType('navigation')[0];
  const late = window.longTasks.filter(({ startTime }) => startTime > loadEventEnd);
  const firstContent = performance.getEntriesByName('first-contentful-paint')[0].startTime;
  return {
    firstContent,
    largest: window.largest,
    typable: Math.max(firstContent, window.typable),
    usable: window.usable,
    longest: Math.max(0, ...window.longTasks.map(({ duration }) => duration)),
    longestAfterLoad: Math.max(0, ...late.map(({ duration }) => duration)),
  };
})()`;
/** The pause after the page accepts input. When it ends, everything has loaded. */
const SETTLED_MS = 3_000;
/** The QR code is painted, and the browser has reported both paint times. */
const SHOWN = `window.codeShown && performance.getEntriesByType('paint').length === 2`;
const READ = `(() => {
  const [visit] = performance.getEntriesByType('navigation');
  const paint = (name) => performance.getEntriesByName(name)[0].startTime;
  return {
    served: visit.workerStart > 0 && visit.transferSize === 0,
    firstPaint: paint('first-paint'),
    firstContent: paint('first-contentful-paint'),
    codeShown: window.codeShown,
  };
})()`;

type Login = Record<
  'firstContent' | 'largest' | 'typable' | 'usable' | 'longest' | 'longestAfterLoad',
  number
>;
type Visit = { served: boolean; firstPaint: number; firstContent: number; codeShown: number };

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });

async function visitOnce(context: BrowserContext, url: string): Promise<void> {
  const answer = await fetch(`${url}/api/users/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(DEMO),
  });
  const { access, refresh, user } = (await answer.json()) as Record<string, unknown>;
  const stored = { access_token: access, refresh_token: refresh, user: JSON.stringify(user) };
  const page = await context.newPage();
  await page.goto(`${url}/privacy`);
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  await page.goto(`${url}/profile`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.getByRole('table').waitFor();
  await page.close();
}

/** Opens an empty page with the speed of a slow phone. `watch` runs in each document. */
async function slowPage(context: BrowserContext, watch: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript({ content: watch });
  const phone = await context.newCDPSession(page);
  await phone.send('ServiceWorker.enable');
  await phone.send('ServiceWorker.stopAllWorkers');
  await phone.send('Network.enable');
  await phone.send('Network.emulateNetworkConditions', SLOW_4G);
  await phone.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return page;
}

async function arrive(browser: Browser, url: string): Promise<Login> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 3 });
  const page = await slowPage(context, WATCH_LOGIN);
  await page.goto(`${url}/login`);
  while (!(await page.evaluate('window.usable'))) await sleep(LOOK_EVERY_MS);
  await sleep(SETTLED_MS);
  const seen = (await page.evaluate(READ_LOGIN)) as Login;
  await context.close();
  return seen;
}

/** Opens the profile on a slow phone with a stopped service worker. Times are in milliseconds. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await slowPage(context, WATCH_CODE);
  await page.goto(`${url}/profile`);
  // `waitForFunction` needs `eval`, which P32 forbids.
  while (!(await page.evaluate(SHOWN))) await sleep(LOOK_EVERY_MS);
  const seen = (await page.evaluate(READ)) as Visit;
  await page.close();
  return seen;
}

await buildWeb();
const dataDir = await mkdtemp(join(tmpdir(), 'first-paint-'));
const server = await startNode('server/main.ts', {
  env: { DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  cpus: null,
  ready: '/health/ready',
});
const url = `http://localhost:${server.port}`;
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 3 });
  await visitOnce(context, url);
  const visits: Visit[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const seen = await visit(context, url);
    if (!seen.served) throw new Error('The page was not served by the service worker.');
    visits.push(seen);
  }
  const arrivals: Login[] = [];
  while (arrivals.length < visits.length) arrivals.push(await arrive(browser, url));
  for (const [name, times] of [
    ['First paint', visits.map(({ firstPaint }) => firstPaint)],
    ['First contentful paint', visits.map(({ firstContent }) => firstContent)],
    ['Code shown', visits.map(({ codeShown }) => codeShown)],
    ['/login: first contentful paint', arrivals.map(({ firstContent }) => firstContent)],
    ['/login: largest paint', arrivals.map(({ largest }) => largest)],
    ['/login: can be typed into', arrivals.map(({ typable }) => typable)],
    ['/login: Continue answers', arrivals.map(({ usable }) => usable)],
    ['/login: longest task', arrivals.map(({ longest }) => longest)],
    ['/login: longest task after load', arrivals.map(({ longestAfterLoad }) => longestAfterLoad)],
  ] as const)
    console.log(
      `${name}: ${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})`,
    );
} finally {
  await browser.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
