import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const chromium = process.env.CHROMIUM_PATH ?? PLACES.find(existsSync);
/** The headless shell refuses notifications. */
const notifying = process.env.CHROMIUM_FULL_PATH ?? PLACES.slice(1).find(existsSync);
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // Chromium's background requests fail in a closed network.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const launched = (path: string | undefined) => ({
  ...(path === undefined ? {} : { executablePath: path }),
  args: ARGS,
});
const NOTIFICATIONS = 'push.spec.ts';

/**
 * Playwright runs projects in order, so the slowest files start first. Each has its duration in
 * `npm test` on two cores.
 */
const SLOWEST = [
  'screen.spec.ts', // 110 s
  'phones.spec.ts', // 80 s
  'console-season.spec.ts', // 50 s
  'join.spec.ts', // 35 s
  'live.spec.ts', // 30 s
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/prepare-data.ts',
  projects: [
    { name: 'slowest', testMatch: SLOWEST },
    { name: 'others', testMatch: '*.spec.ts', testIgnore: [...SLOWEST, NOTIFICATIONS] },
    {
      name: 'notifications',
      testMatch: NOTIFICATIONS,
      use: { launchOptions: launched(notifying) },
    },
  ],
  outputDir: 'test-results',
  // Computers may be slow; the benchmarks measure speed.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Retries would hide flaky tests.
  retries: 0,
  // On two cores, three workers took 704 s, four 866.
  workers: 3,
  reporter: [['list']],
  use: {
    actionTimeout: 20_000,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Traces cost a third of Playwright's CPU time; `--trace on` records them.
    trace: 'off',
    screenshot: 'only-on-failure',
    // A service worker hides requests from tests that intercept them. A test that needs the worker
    // allows it.
    serviceWorkers: 'block',
    launchOptions: launched(chromium),
  },
});
