// Runs before `npm start`, `npm test` and `npm run dev`: installs the packages when they are not the
// ones of package-lock.json. Plain JavaScript without packages, since it runs on whatever Node is there.
//
// npm installs into a folder aside, which then takes the place of node_modules. So node_modules is
// whole at any time, and a Backboard that is running from it meanwhile keeps finding its files.
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const NODE_NEEDED = 24;
const PROGRESS_EVERY_MS = 2_000;
/** The holder of the lock touches it with every progress line; one that does not is dead or asleep. */
const LOCK_STALE_MS = 60_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const cache = join(root, '.cache');
const lockFile = join(cache, 'install.lock');
const aside = join(cache, `install-${process.pid}`);

class Failure extends Error {}

/** npm, once it was started. */
let child;

try {
  if (!isInstalled(root)) await installAlone();
  checkNode();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}

/**
 * The entries of package-lock.json, as pairs of path and entry, that have to be installed here. An
 * optional one has to if it names this platform; about the others of those npm decides alone (what
 * only another platform's package needs, or what asks for a C library).
 */
function wantedPackages() {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return Object.entries(packages).filter(([path, { optional, os, cpu, libc }]) => {
    if (path === '' || !optional) return path !== '';
    return libc === undefined && named(os, process.platform) && named(cpu, process.arch);
  });
}

/** Whether a list of platforms, which may also be a single word, has this one. */
function named(list, platform) {
  return [list ?? []].flat().includes(platform);
}

/**
 * Whether node_modules in `folder` holds what package-lock.json wants. npm's own record of what it
 * installed is the last thing that it writes, so an interrupted install has none, or the old one.
 */
function isInstalled(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  let installed;
  try {
    installed = readJson(record).packages;
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

/** Installs, or waits for the other process that does. */
async function installAlone() {
  mkdirSync(cache, { recursive: true });
  let told = false;
  while (!takeLock()) {
    if (!told) console.log('Another command is installing the packages; waiting for it …');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // `npm` tells only us to stop, and a killed npm leaves nothing but its folder aside.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      cleanUp();
      process.exit(1);
    });
  }
  try {
    if (!isInstalled(root)) await install();
  } finally {
    cleanUp();
  }
}

/**
 * Should two processes ever hold the lock, after one was taken for dead, both install into folders
 * of their own and the later one wins: the lock only saves work.
 */
function takeLock() {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Failure(`Cannot write in ${cache} (${error.code}).`);
  } finally {
    rmSync(mine, { force: true });
  }
  const holder = readIfThere(lockFile);
  if (holder === undefined) return false; // given free meanwhile
  const touched = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (isRunning(Number(holder)) && Date.now() - touched < LOCK_STALE_MS) return false;
  rmSync(lockFile, { force: true });
  return takeLock();
}

function cleanUp() {
  child?.kill();
  if (readIfThere(lockFile) === String(process.pid)) rmSync(lockFile, { force: true });
  // A killed npm may still be writing its last file.
  rmSync(aside, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function install() {
  const ofPackageJson = readJson(join(root, 'package.json'));
  const ofLockFile = readJson(join(root, 'package-lock.json')).packages[''];
  for (const list of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    if (isDeepStrictEqual(ofPackageJson[list] ?? {}, ofLockFile[list] ?? {})) continue;
    throw new Failure(
      `package.json and package-lock.json differ in their ${list}. Run: npm install --ignore-scripts`,
    );
  }
  for (const name of readdirSync(cache)) {
    const owner = /^install-(\d+)$/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(cache, name), { recursive: true });
  }
  mkdirSync(aside, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(root, name), join(aside, name));
  }
  await npmInstall(aside);
  if (!isInstalled(aside)) {
    throw new Failure(
      'npm left out packages that this platform needs, most likely because a download failed. Please run the command again.',
    );
  }
  putInPlace();
  console.log('The packages are installed.');
}

function putInPlace() {
  const old = join(aside, 'old');
  try {
    if (existsSync(modules)) renameSync(modules, old);
    renameSync(join(aside, 'node_modules'), modules);
  } catch (error) {
    throw new Failure(
      `The new packages cannot take the place of ${modules} (${error.code}). Stop what is using that folder; if it is a mounted volume, run: npm ci --ignore-scripts`,
    );
  }
}

async function npmInstall(folder) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const wanted = wantedPackages();
  let announced = false;
  const progress = setInterval(() => {
    const now = new Date();
    if (existsSync(lockFile)) utimesSync(lockFile, now, now);
    if (!announced) console.log('Installing the packages, once …');
    announced = true;
    const there = wanted.filter(([path]) => existsSync(join(folder, path, 'package.json')));
    const line = `  ${there.length} of ${wanted.length} packages, ${seconds()} s`;
    process.stdout.write(process.stdout.isTTY ? `\r${line}` : `${line}\n`);
  }, PROGRESS_EVERY_MS);

  // `npm ci` refuses a lock file without an entry for some other platform's optional package, and
  // registries lack one now and then; so `npm install`, and isInstalled() is as strict afterwards.
  // No install scripts: nothing we use needs one. The build needs the development packages also
  // where NODE_ENV says production.
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--loglevel=error'];
  args.push('--include=dev', '--include=optional', '--prefer-offline');
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const npm = process.env.npm_execpath;
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] };
  child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve(-1);
    });
    child.on('close', resolve);
  });
  clearInterval(progress);
  if (announced && process.stdout.isTTY) console.log();
  if (code !== 0) throw new Failure(explain(output));
}

function explain(output) {
  const first = output.trim().split('\n').slice(0, 12).join('\n');
  const reason = /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/.test(
    output,
  )
    ? 'the npm registry cannot be reached. Check the network (and the proxy, if there is one).'
    : /ENOSPC/.test(output)
      ? `there is no space left on the disk that holds ${root}.`
      : /EACCES|EPERM|EROFS/.test(output)
        ? `this user cannot write in ${root} or in npm's own cache.`
        : 'npm failed.';
  return `${first}\n\nThe packages cannot be installed: ${reason}`;
}

/** The commands go on with `node`, which is the installed one where there is one for the platform. */
function checkNode() {
  const pinned = join(modules, '.bin', 'node');
  const advice = `Install Node ${NODE_NEEDED} or newer (https://nodejs.org) and run the command again.`;
  if (!existsSync(pinned)) {
    if (Number(process.versions.node.split('.')[0]) >= NODE_NEEDED) return;
    throw new Failure(
      `Backboard needs Node ${NODE_NEEDED}; this is ${process.version}, and npm has none for ${process.platform} on ${process.arch}. ${advice}`,
    );
  }
  if (child === undefined) return; // it ran before
  const { status } = spawnSync(pinned, ['--version'], { shell: process.platform === 'win32' });
  if (status !== 0) {
    throw new Failure(
      `The Node that npm installed does not run on this system (it needs glibc, and Alpine has none). ${advice}`,
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

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
