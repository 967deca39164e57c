import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { findChromium, findTestBrowser } from '#testing/browsers.ts';
import { installClientTools } from '#testing/client-tools.ts';
import { COMPILED } from '#testing/compiled.ts';
import { installPgBouncer } from '#testing/pgbouncer.ts';
import { installPhoneBrowsers } from '#testing/phone-browsers.ts';

const STEPS: { name: string; command: string[] }[] = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'unit and API tests', command: ['vitest', 'run'] },
  { name: 'build and budget', command: ['node', 'scripts/build.ts'] },
  { name: 'browser tests', command: ['playwright', 'test'] },
];

const FAILURE = /^\s*(?:FAIL |✘|\d+\) )|error TS|Error: /;
const FAILURES_MOST = 40;
const LAST_LINES_MS = 500;
/** In this in-memory file system, tests with databases take a seventh less time. */
const MEMORY = '/dev/shm';
/** The memory that must be free. The tests use up to 1 GB. */
const MEMORY_LEAST_BYTES = 4 * 2 ** 30;

/** For temporary files: in memory if there is room. */
async function temporaryFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) < MEMORY_LEAST_BYTES ? tmpdir() : MEMORY;
}

function run(
  [command = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; failures: string[] }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'pipe'], env });
    const failures = new Set<string>();
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.pipe(to, { end: false });
      createInterface(from).on('line', (line) => {
        const plain = stripVTControlCharacters(line).trimEnd();
        if (FAILURE.test(plain) && failures.size < FAILURES_MOST) failures.add(plain);
      });
    }
    child.on('error', fail);
    // Wait a moment for the last output, but not for the pipe's end: an orphan may keep it open.
    child.on('exit', (code) =>
      setTimeout(() => done({ code: code ?? 1, failures: [...failures] }), LAST_LINES_MS),
    );
  });
}

const explain = (error: Error) => {
  console.error(error.message);
  process.exit(1);
};
const chromium = await findTestBrowser().catch(explain);
// Tests of notifications need a full Chromium: the headless shell cannot show any.
const full = await findChromium().catch(explain);
await installClientTools();
const leftOut = [...(await installPhoneBrowsers()), ...(await installPgBouncer())];

const TMPDIR = await temporaryFolder();
const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
const failed: string[] = [];
for (const { name, command } of STEPS) {
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const began = performance.now();
  const { code, failures } = await run(command, {
    ...process.env,
    ...color,
    CHROMIUM_PATH: chromium,
    CHROMIUM_FULL_PATH: full,
    // The tests start more than a hundred processes of Node.
    NODE_COMPILE_CACHE: COMPILED,
    TMPDIR,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`── ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (code !== 0) failed.push([`${name} failed`, ...failures].join('\n  '));
}
console.log(
  [
    '',
    ...failed,
    ...leftOut,
    `steps: ${STEPS.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n'),
);
process.exit(failed.length === 0 ? 0 : 1);
