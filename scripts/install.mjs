// Installs the packages of package-lock.json unless they are there, before `npm start`, `npm test`
// and `npm run dev`. Plain JavaScript without packages, for any Node from version 20 on.
// npm installs into a temporary folder, which then replaces node_modules, so that a running
// Backboard always finds its files (decision 002).
// With --prune, removes the development packages instead (P50).
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const NODE_NEEDED = 24;
/** Errors of a rename while another install moves the same folder. */
const RACE = ['ENOENT', 'ENOTEMPTY', 'EEXIST'];
const RACES_MAX = 20;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const cache = join(root, '.cache');
const aside = join(cache, `install-${process.pid}`);

class Failure extends Error {}

try {
  if (/[#?]/.test(root))
    throw new Failure(
      `The folder ${root} has a # or ? in its name, which the build cannot read. Rename it, and start again.`,
    );
  if (process.argv.includes('--prune')) {
    // Without --no-save, npm 9 rewrites package-lock.json, and the next `git pull` fails.
    await npm(root, 'prune', ['--omit=dev', '--no-save']);
    linkNode(root);
  } else {
    const fresh = !isInstalled(root);
    if (fresh) await install();
    checkNode(fresh);
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}

/**
 * Whether npm's record of the packages matches package-lock.json. After an interrupted install it
 * does not.
 */
function isInstalled(folder) {
  let installed;
  try {
    installed = readJson(join(folder, 'node_modules', '.package-lock.json')).packages;
  } catch {
    return false;
  }
  return wantedPackages().every(
    ([path, { version, integrity }]) =>
      installed[path]?.version === version &&
      installed[path]?.integrity === integrity &&
      existsSync(join(folder, path, 'package.json')),
  );
}

/**
 * The entries of package-lock.json that this platform needs: required packages, and optional ones
 * that name this platform. npm decides about other optional ones.
 */
function wantedPackages() {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return Object.entries(packages).filter(([path, { optional, os, cpu, libc }]) => {
    if (path === '' || !optional) return path !== '';
    return libc === undefined && named(os, process.platform) && named(cpu, process.arch);
  });
}

function named(list, platform) {
  return [list ?? []].flat().includes(platform);
}

/** Several installs can run, each in its own folder. The first to finish wins. */
async function install() {
  const ofPackageJson = readJson(join(root, 'package.json'));
  const ofLockFile = readJson(join(root, 'package-lock.json')).packages[''];
  for (const list of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    if (isDeepStrictEqual(ofPackageJson[list] ?? {}, ofLockFile[list] ?? {})) continue;
    throw new Failure(
      `package.json and package-lock.json differ in their ${list}. Run: npm install --ignore-scripts`,
    );
  }
  console.log('Installing the packages …');
  removeLeftovers();
  try {
    mkdirSync(aside, { recursive: true });
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(root, name), join(aside, name));
    await npmInstall(aside);
    linkNode(aside);
    if (!isInstalled(aside)) {
      throw new Failure(
        'npm left out packages that this platform needs, most likely because a download failed. Please run the command again.',
      );
    }
    if (!isInstalled(root)) putInPlace();
  } finally {
    rmSync(aside, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function removeLeftovers() {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const owner = /^install-(\d+)$/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(cache, name), { recursive: true });
  }
}

function npmInstall(folder) {
  // `npm ci` fails if the lock file lacks another platform's optional package, so use `npm
  // install`, checked by isInstalled(). The build needs development packages even with
  // NODE_ENV=production.
  return npm(folder, 'install', ['--include=dev', '--include=optional']);
}

/**
 * Runs npm without install scripts: no package needs them.
 * @throws Failure if npm fails or is interrupted; npm prints why
 */
async function npm(folder, command, more) {
  const args = [command, '--prefix', folder, '--ignore-scripts', '--loglevel=error', ...more];
  // Even `npm prune` asks the registry for other platforms' packages. Without a network it would
  // wait a minute for each.
  args.push('--prefer-offline', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const npm = process.env.npm_execpath;
  const options = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] };
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill());
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.code));
    child.on('close', resolve);
  });
  if (code === 0) return;
  throw new Failure(
    'npm did not finish; what it printed above says why. Run the command again when that is solved.',
  );
}

/** Restores the link to Node, which Debian's npm 9 removes when it prunes other platforms' Node. */
function linkNode(folder) {
  const link = join(folder, 'node_modules/.bin/node');
  const program = `node-${process.platform}-${process.arch}/bin/node`;
  if (process.platform === 'win32' || existsSync(link)) return;
  if (!existsSync(join(folder, 'node_modules', program))) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(`../${program}`, link);
}

/**
 * @throws Failure if node_modules is in use
 */
function putInPlace(attempt = 0) {
  try {
    if (existsSync(modules)) renameSync(modules, join(aside, `old-${attempt}`));
    renameSync(join(aside, 'node_modules'), modules);
  } catch (error) {
    if (RACE.includes(error.code) && attempt < RACES_MAX) return putInPlace(attempt + 1);
    throw new Failure(
      `The new packages cannot replace ${modules} (${error.code}). Stop what is using that folder; if it is a mounted volume, run: npm install --ignore-scripts`,
    );
  }
}

/**
 * @throws Failure if Node is too old for the next commands, or does not run
 */
function checkNode(fresh) {
  const pinned = join(modules, '.bin', 'node');
  const advice = `Install Node ${NODE_NEEDED} or newer (https://nodejs.org) and run the command again.`;
  if (!existsSync(pinned)) {
    if (Number(process.versions.node.split('.')[0]) >= NODE_NEEDED) return;
    throw new Failure(
      `Backboard needs Node ${NODE_NEEDED}; this is ${process.version}, and npm has none for ${process.platform} on ${process.arch}. ${advice}`,
    );
  }
  if (!fresh) return;
  const { status } = spawnSync(pinned, ['--version'], { shell: process.platform === 'win32' });
  if (status !== 0) {
    throw new Failure(
      `The Node that npm installed does not run on this system (it needs glibc, which Alpine lacks). ${advice}`,
    );
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
