import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, in the order in which they start, so that none of them starts late. Beside
 * each file are its seconds (one worker on two cores, with other load) and why it is slow.
 */
const SLOWEST = [
  'server/system/lifecycle.test.ts', // 60 s: 20 starts of the server, under load
  'server/live/live.test.ts', // 50 s: a stream must outlive every timeout of a request
  'server/system/fuzz.test.ts', // 45 s: 300 requests to each route
  'server/system/outages.test.ts', // 40 s: timeouts of a database that hangs, a full disk
  'server/system/commands.test.ts', // 27 s: runs of ./backboard, each a process
  'server/backup/backup.test.ts', // 25 s: backups and restores under load
  'server/main.test.ts', // 25 s: starts and shutdowns of the server
  'server/machines/arcade.test.ts', // 25 s: runs of the arcade against the server
  'cabinet/conformance/conformance.test.ts', // 22 s: waits for machines that must stay silent
  'trials/exactly-once/exactly-once.test.ts', // 22 s: kills of the app and of machines
];

/** Starts the slowest files first, then the others in vitest's order. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = SLOWEST.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: [
      '{contract,server,standin,web,console,cabinet,cli,court,screen,trials,scripts}/**/*.test.{ts,tsx}',
    ],
    // Many files wait for a process, a mail or a password hash, so one worker would leave cores
    // idle.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['server/testing/test-database.ts'],
    // The timeouts are long for slow computers: each file copies a database and builds an app, and
    // races of 50 requests take a while. bench measures speed.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
