import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,standin,web,cabinet,cli,scripts}/**/*.test.{ts,tsx}'],
    // Most files wait for a process, a mail or a password hash: with one worker a core idles meanwhile.
    maxWorkers: 2,
    globalSetup: ['server/test/cluster.ts'],
    // A database is copied and an app built for each file; races of 50 calls take a while.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
