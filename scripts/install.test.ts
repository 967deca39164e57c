import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = new URL('./install.mjs', import.meta.url);

/** A fake npm: installs what the lock file lists, or fails as the file `mode` says. */
const NPM = `
  const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const { join } = require('node:path');
  const prefix = process.argv[process.argv.indexOf('--prefix') + 1];
  appendFileSync(join(__dirname, 'calls'), process.argv.slice(2).join(' ') + '\\n');
  const mode = existsSync(join(__dirname, 'mode')) ? readFileSync(join(__dirname, 'mode'), 'utf8') : '';
  if (mode === 'offline') {
    console.error('npm error code EAI_AGAIN\\nnpm error getaddrinfo EAI_AGAIN registry.example');
    process.exit(1);
  }
  const { packages } = JSON.parse(readFileSync(join(prefix, 'package-lock.json'), 'utf8'));
  const record = {};
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || [entry.os ?? []].flat().includes('aix')) continue;
    if (mode === 'leave out' && entry.optional) continue;
    mkdirSync(join(prefix, path), { recursive: true });
    writeFileSync(join(prefix, path, 'package.json'), JSON.stringify(entry));
    if (entry.program) {
      mkdirSync(join(prefix, path, 'bin'));
      writeFileSync(join(prefix, path, 'bin/node'), entry.program, { mode: 0o755 });
    }
    record[path] = entry;
  }
  const finish = () =>
    writeFileSync(join(prefix, 'node_modules/.package-lock.json'), JSON.stringify({ packages: record }));
  if (mode !== 'slow') finish();
  else {
    const timer = setInterval(() => {
      if (!existsSync(join(__dirname, 'go on'))) return;
      clearInterval(timer);
      finish();
    }, 5);
  }
`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'backboard-install-'));
  await mkdir(join(root, 'scripts'));
  await cp(SCRIPT, join(root, 'scripts/install.mjs'));
  await writeFile(join(root, '.npmrc'), '');
  await writeFile(join(root, 'npm.js'), NPM);
  await describeProject('1.0.0');
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function describeProject(version: string): Promise<void> {
  const lists = { dependencies: { ball: version } };
  const here = { optional: true, os: process.platform, cpu: [process.arch] };
  const packages = {
    '': lists,
    'node_modules/ball': { version, integrity: `sha512-ball-${version}` },
    'node_modules/for-here': { version: '2.0.0', integrity: 'sha512-here', ...here },
    'node_modules/for-aix': {
      version: '2.0.0',
      integrity: 'sha512-aix',
      optional: true,
      os: 'aix',
    },
    'node_modules/only-with-aix': { version: '3.0.0', optional: true },
  };
  await writeFile(join(root, 'package.json'), JSON.stringify(lists));
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

const mode = (word: 'offline' | 'leave out' | 'slow') => writeFile(join(root, 'mode'), word);
const npmCalls = async () =>
  (await readFile(join(root, 'calls'), 'utf8').catch(() => '')).split('\n').length - 1;
const installedBall = async () =>
  JSON.parse(await readFile(join(root, 'node_modules/ball/package.json'), 'utf8')).version;

type Run = { output: string; ended: Promise<number | null>; pid: number };

function start(nodeArgs: string[] = []): Run {
  const env = { ...process.env, npm_execpath: join(root, 'npm.js') };
  const child = spawn(process.execPath, [...nodeArgs, join(root, 'scripts/install.mjs')], { env });
  const run: Run = {
    output: '',
    pid: child.pid ?? -1,
    ended: new Promise((resolve) => {
      child.on('close', resolve);
    }),
  };
  const collect = (chunk: Buffer) => {
    run.output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return run;
}

async function install(): Promise<{ code: number | null; output: string }> {
  const run = start();
  return { code: await run.ended, output: run.output };
}

async function until(reached: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await reached())) {
    if (performance.now() > deadline) throw new Error('timed out');
    await sleep(5);
  }
}

test('installs on a fresh clone, leaves nothing behind, and prints nothing the next time', async () => {
  expect(await install()).toEqual({ code: 0, output: 'Installing the packages …\n' });
  expect(await installedBall()).toBe('1.0.0');
  expect(await readdir(join(root, '.cache'))).toEqual([]);
  expect(await install()).toEqual({ code: 0, output: '' });
  expect(await npmCalls()).toBe(1);
  expect(await readFile(join(root, 'calls'), 'utf8')).toContain('--ignore-scripts');
});

test('installs again when the lock file has changed', async () => {
  await install();
  await describeProject('1.1.0');
  await install();
  expect(await installedBall()).toBe('1.1.0');
});

test('accepts an install made by hand', async () => {
  const byHand = spawn(process.execPath, [join(root, 'npm.js'), 'ci', '--prefix', root]);
  await new Promise((resolve) => byHand.on('close', resolve));
  expect(await install()).toEqual({ code: 0, output: '' });
});

test.each([
  ['has not ended', 'node_modules/.package-lock.json'],
  ['was half removed', 'node_modules/ball/package.json'],
  ['came from another platform', 'node_modules/for-here'],
])('installs again over an install that %s', async (_, missing) => {
  await install();
  await rm(join(root, missing), { recursive: true });
  await install();
  expect(await npmCalls()).toBe(2);
  expect(await install()).toEqual({ code: 0, output: '' });
});

test('two commands may install at the same time, and the first to finish wins', async () => {
  await mode('slow');
  const both = [start(), start()];
  await until(async () => (await npmCalls()) === 2);
  await writeFile(join(root, 'go on'), '');
  expect(await Promise.all(both.map((run) => run.ended))).toEqual([0, 0]);
  expect(await installedBall()).toBe('1.0.0');
  expect(await readdir(join(root, '.cache'))).toEqual([]);
  expect(await install()).toEqual({ code: 0, output: '' });
});

test('the old packages stay complete until the new ones replace them', async () => {
  await install();
  await describeProject('1.1.0');
  await mode('slow');
  const run = start();
  await until(async () => (await npmCalls()) === 2);
  expect(await installedBall()).toBe('1.0.0');
  await writeFile(join(root, 'go on'), '');
  expect(await run.ended).toBe(0);
  expect(await installedBall()).toBe('1.1.0');
});

test('a killed install does not hinder the next install', async () => {
  await mode('slow');
  const killed = start();
  await until(async () => (await npmCalls()) === 1);
  process.kill(killed.pid, 'SIGKILL');
  // Let the orphaned npm finish: it keeps the output open.
  await writeFile(join(root, 'go on'), '');
  await killed.ended;
  expect(await readdir(join(root, '.cache'))).toEqual([`install-${killed.pid}`]);
  expect(await install()).toEqual({ code: 0, output: 'Installing the packages …\n' });
  expect(await readdir(join(root, '.cache'))).toEqual([]);
});

test('Ctrl-C removes the unfinished install', async () => {
  await mode('slow');
  const run = start();
  await until(async () => (await npmCalls()) === 1);
  process.kill(run.pid, 'SIGINT');
  expect(await run.ended).toBe(1);
  expect(await readdir(join(root, '.cache'))).toEqual([]);
});

test('a failure of npm shows its message and keeps the installed packages', async () => {
  await install();
  await describeProject('1.1.0');
  await mode('offline');
  const { code, output } = await install();
  expect(code).toBe(1);
  expect(output).toContain('getaddrinfo EAI_AGAIN');
  expect(output).toContain('npm did not finish; what it printed above says why.');
  expect(output).not.toMatch(/^\s+at /m);
  expect(await installedBall()).toBe('1.0.0');
});

test('refuses an install that npm left incomplete', async () => {
  await mode('leave out');
  const { code, output } = await install();
  expect(code).toBe(1);
  expect(output).toContain('npm left out packages that this platform needs');
  expect(await readdir(root)).not.toContain('node_modules');
});

test.skipIf(process.platform === 'win32')(
  'links the Node of this platform, because npm 9 does not link it',
  async () => {
    const name = `node-${process.platform}-${process.arch}`;
    const file = join(root, 'package-lock.json');
    const lock = JSON.parse(await readFile(file, 'utf8'));
    const program = '#!/bin/sh\necho v24.0.0\n';
    lock.packages[`node_modules/${name}`] = {
      version: '24.0.0',
      integrity: 'sha512-node',
      program,
    };
    await writeFile(file, JSON.stringify(lock));
    expect((await install()).code).toBe(0);
    expect(await readFile(join(root, 'node_modules/.bin/node'), 'utf8')).toBe(program);
  },
);

test('refuses a lock file that does not match package.json', async () => {
  await writeFile(join(root, 'package.json'), JSON.stringify({ dependencies: { ball: '9.9.9' } }));
  const { code, output } = await install();
  expect(code).toBe(1);
  expect(output).toContain('package.json and package-lock.json differ in their dependencies.');
  expect(await npmCalls()).toBe(0);
});

test('asks for a newer Node if npm has no Node for the platform', async () => {
  const old = join(root, 'old.cjs');
  const versions = "{ ...process.versions, node: '20.20.2' }";
  await writeFile(old, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  const run = start(['--require', old]);
  expect(await run.ended).toBe(1);
  expect(run.output).toContain('Backboard needs Node 24');
  await mkdir(join(root, 'node_modules/.bin'));
  await symlink(process.execPath, join(root, 'node_modules/.bin/node'));
  expect(await start(['--require', old]).ended).toBe(0);
});

test('OPS-32: a folder with a # in its name is refused in one line', async () => {
  const odd = join(root, '#1');
  await mkdir(join(odd, 'scripts'), { recursive: true });
  await cp(SCRIPT, join(odd, 'scripts/install.mjs'));
  const child = spawn(process.execPath, [join(odd, 'scripts/install.mjs')]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, output.trim()]).toEqual([
    1,
    `The folder ${odd} has a # or ? in its name, which the build cannot read. Rename it, and start again.`,
  ]);
});
