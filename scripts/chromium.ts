import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FIXED_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Another installation may be under way. */
const APT_LOCK_SECONDS = 300;
const PROGRESS_EVERY_MS = 5_000;

/**
 * Finds the system's Chromium, and installs it first where that can be done without asking: on
 * Debian and its relatives, as root.
 *
 * @returns the path of the program
 * @throws Error with a sentence that says what to install or to set
 */
export async function findChromium(): Promise<string> {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH is set to ${chosen}, and there is no program there.`);
  }
  const found = installed();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      'The browser tests need Chromium. Install it (Debian and Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium), or set CHROMIUM_PATH to a Chromium or Chrome that you have.',
    );
  }
  await installByApt();
  const fresh = installed();
  if (fresh) return fresh;
  throw new Error('Chromium was installed, but it is not on the PATH. Set CHROMIUM_PATH to it.');
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...FIXED_PLACES].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installByApt(): Promise<void> {
  console.log('Installing Chromium for the browser tests (only this once) …');
  const wait = ['-o', `DPkg::Lock::Timeout=${APT_LOCK_SECONDS}`];
  await apt(['update', ...wait]);
  await apt(['install', '-y', '--no-install-recommends', ...wait, 'chromium']);
}

/** Runs apt-get and prints from time to time what it is at; all of the end if it fails. */
async function apt(args: string[]): Promise<void> {
  let output = '';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const child = spawn('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const collect = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const progress = setInterval(() => {
    console.log(`  ${output.trimEnd().split('\n').at(-1)?.slice(0, 100)}`);
  }, PROGRESS_EVERY_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => clearInterval(progress));
  if (code === 0) return;
  const end = output.trimEnd().split('\n').slice(-10).join('\n');
  throw new Error(
    `Chromium could not be installed: apt-get ${args[0]} failed.\n${end}\nInstall it yourself, or set CHROMIUM_PATH to a Chromium or Chrome that you have.`,
  );
}
