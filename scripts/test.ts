import { spawn } from 'node:child_process';
import { findChromium } from './chromium.ts';

/** What `npm test` does, in the order in which a mistake is cheapest to find. */
const STEPS: { name: string; command: string[] }[] = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'unit and API tests', command: ['vitest', 'run'] },
  { name: 'build and budget', command: ['node', 'scripts/build.ts'] },
  { name: 'browser tests', command: ['playwright', 'test'] },
];

function run([command = '', ...args]: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    child.on('error', fail);
    child.on('exit', (code) => done(code ?? 1));
  });
}

const chromium = await findChromium().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

let failed = 0;
for (const { name, command } of STEPS) {
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const began = performance.now();
  const code = await run(command, { ...process.env, CHROMIUM_PATH: chromium });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`── ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (code !== 0) failed += 1;
}
console.log(`\nsteps: ${STEPS.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
