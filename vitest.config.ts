import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,standin,web,cabinet,cli,trials,scripts}/**/*.test.{ts,tsx}'],
    // Most files wait for a process, a mail or a password hash: with one worker a core idles meanwhile.
    maxWorkers: 2,
    globalSetup: ['server/testing/test-database.ts'],
    // Patience for a slow machine: a database is copied and an app built for each file, and races of
    // 50 calls take a while. What must be quick is measured by bench/.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
