import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Slow files that start before the others, so that none ends late. Each has its duration in
 * `npm test` on two cores.
 */
const SLOWEST = [
  'server/system/fuzz.test.ts', // 200 s: requests to each route
  'cabinet/conformance/conformance.test.ts', // 43 s: waits for machines that must stay silent
  'server/system/lifecycle.test.ts', // 80 s: 20 starts of the server, under load
  'server/live/live.test.ts', // 52 s: a stream must outlive every timeout of a request
  // These six mostly wait, so they run among the others:
  // server/machines/arcade.test.ts, 50 s
  // server/main.test.ts, 43 s
  // cabinet/conformance/vectors.test.ts, 49 s
  // cabinet/conformance/clients.test.ts, 33 s
  // server/system/outages.test.ts, 45 s
  // trials/exactly-once/exactly-once.test.ts, 28 s
];

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
      '{brand,contract,server,standin,web,console,cabinet,cli,court,screen,trials,scripts}/**/*.test.{ts,tsx}',
    ],
    // Many files wait for a process, a mail or a timeout. On two cores, three workers
    // took 317 s where four took 258, and six 541 s where four took 409.
    maxWorkers: 4,
    // The files of a worker share its modules, which halves the time. So a test must put back what
    // it changes outside its own objects, and cannot mock a module that other tests import.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['testing/app/test-database.ts'],
    // A slow computer must not fail a test; the benchmarks measure speed.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
