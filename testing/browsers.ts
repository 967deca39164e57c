import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from './apt.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const HEADLESS_SHELL = 'chromium-headless-shell';
const FIXED_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The tests' browser: `chromium-headless-shell`, which saves a fifth of the time, or else Chromium.
 * Installs a missing headless shell in CI.
 * @throws Error as `findChromium` does
 */
export async function findTestBrowser(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return findChromium();
  if (!onPath([HEADLESS_SHELL]) && mayInstall()) {
    console.log('Installing Chromium for the browser tests …');
    await install([HEADLESS_SHELL]).catch(({ message }: Error) => console.error(message));
  }
  return onPath([HEADLESS_SHELL]) ?? findChromium();
}

/**
 * The path of the system's Chromium. Installs it if `mayInstall()`.
 * @throws Error that says what to install or to set
 */
export async function findChromium(): Promise<string> {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH is ${chosen}, which is not a program. Correct or unset it.`);
  }
  const found = installed();
  if (found) return found;
  if (!mayInstall()) {
    throw new Error(
      'The browser tests need Chromium. Install it (Debian: sudo apt-get install chromium-headless-shell; Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium), or set CHROMIUM_PATH to a Chromium or Chrome that you have.',
    );
  }
  console.log('Installing Chromium for the browser tests …');
  await install(['chromium']).catch(({ message }: Error) => {
    throw new Error(
      `Chromium could not be installed: ${message}. Install it yourself, or set CHROMIUM_PATH to a Chromium or Chrome that you have.`,
    );
  });
  const fresh = installed();
  if (fresh) return fresh;
  throw new Error('Chromium is installed but not on the PATH. Set CHROMIUM_PATH to it.');
}

const installed = () => onPath(NAMES) ?? FIXED_PLACES.find(isProgram);

function onPath(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
