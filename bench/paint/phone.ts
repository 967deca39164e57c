/**
 * Measures the pages of the built app with the demo league, with Lighthouse's mobile profile
 * (simulated slow 4G, a processor 4 times slower) in the system's Chromium.
 * node bench/paint/phone.ts --runs 1 (loads of each page, each in a fresh browser; default 5)
 * The first run installs Lighthouse into .cache/lighthouse.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from '#testing/browsers.ts';
import { buildWeb } from '../../scripts/build.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIGHTHOUSE = '13.5.0';
const DEMO = { email: 'demo@backboard.example', password: 'courtside-demo' };
const PORT = 3900;
const URL_HERE = `http://localhost:${PORT}`;
const DEBUG_PORT = 9333;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const TIMES = {
  'first-contentful-paint': 'First paint, ms',
  'largest-contentful-paint': 'Largest paint, ms',
  'total-blocking-time': 'Blocked, ms',
  'max-potential-fid': 'Longest task, ms',
  'cumulative-layout-shift': 'Layout shift',
} as const;

type Report = {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue: number }>;
  runtimeError?: { message: string };
};
type Lighthouse = (
  url: string,
  flags: { port: number; disableStorageReset: boolean; onlyCategories: readonly string[] },
) => Promise<{ lhr: Report } | undefined>;

async function loadLighthouse(): Promise<Lighthouse> {
  const folder = join(ROOT, '.cache/lighthouse');
  if (!existsSync(join(folder, 'node_modules/lighthouse'))) {
    console.log('Installing Lighthouse, once …');
    await mkdir(folder, { recursive: true });
    const what = ['install', '--prefix', folder, '--no-audit', '--no-fund'];
    execFileSync('npm', [...what, `lighthouse@${LIGHTHOUSE}`], { stdio: 'inherit' });
  }
  const path = createRequire(join(folder, 'package.json')).resolve('lighthouse');
  return (await import(pathToFileURL(path).href)).default;
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
const lighthouse = await loadLighthouse();
await buildWeb();
const dataDir = await mkdtemp(join(tmpdir(), 'backboard-phone-'));
const server = spawn(process.execPath, ['server/main.ts'], {
  cwd: ROOT,
  env: { PATH: process.env.PATH, PORT: String(PORT), DATA_DIR: dataDir },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(server, 'exit');
while (!(await fetch(`${URL_HERE}/health/ready`).catch(() => null))?.ok) {
  if (server.exitCode !== null || server.signalCode !== null)
    throw new Error('The server did not start.');
  await sleep(100);
}

async function call<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${URL_HERE}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Loads `path` in a fresh browser with `stored` in its local storage. */
async function load(path: string, stored: Record<string, string>): Promise<Report> {
  const profile = await mkdtemp(join(tmpdir(), 'backboard-phone-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: await findChromium(),
    args: [`--remote-debugging-port=${DEBUG_PORT}`, '--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = browser.pages()[0] ?? (await browser.newPage());
    // Use a page of the same origin without scripts or a service worker.
    await page.goto(`${URL_HERE}/health/live`);
    await page.evaluate((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    }, stored);
    const flags = { port: DEBUG_PORT, disableStorageReset: true, onlyCategories: CATEGORIES };
    const lhr = (await lighthouse(`${URL_HERE}${path}`, flags))?.lhr;
    if (lhr === undefined || lhr.runtimeError)
      throw new Error(`Lighthouse could not load ${path}: ${lhr?.runtimeError?.message}`);
    return lhr;
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}

function spread(numbers: number[], digits = 0): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, middle = 0, high = 0] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map(
    (at) => sorted[at],
  );
  const text = (value: number) => value.toFixed(digits);
  return `${text(middle)} (${text(low)} to ${text(high)})`;
}

try {
  const { access, refresh, user } = await call<Record<string, unknown>>(
    '/api/users/auth/login/',
    DEMO,
  );
  const signedIn = {
    access_token: String(access),
    refresh_token: String(refresh),
    user: JSON.stringify(user),
    // The slip of the last games was put away (HAND-01). A slip makes room above the pass.
    slip: new Date().toISOString(),
  };
  const head = ['Page', 'Performance', 'Accessibility', 'Best practices', ...Object.values(TIMES)];
  const lines = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`];
  for (const [path, stored] of [
    ['/login', {}],
    ['/profile', signedIn],
  ] as const) {
    const reports: Report[] = [];
    while (reports.length < runs) {
      reports.push(await load(path, stored));
      console.log(`${path}: load ${reports.length} of ${runs}`);
    }
    const cells = [
      ...CATEGORIES.map((name) =>
        spread(reports.map((report) => (report.categories[name]?.score ?? 0) * 100)),
      ),
      ...Object.keys(TIMES).map((name) =>
        spread(
          reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN),
          name.endsWith('shift') ? 3 : 0,
        ),
      ),
    ];
    lines.push(`| ${[path, ...cells].join(' | ')} |`);
  }
  console.log(`\n${lines.join('\n')}`);
} finally {
  server.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}
