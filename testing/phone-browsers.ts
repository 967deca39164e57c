import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from './apt.ts';

const PACKAGES = {
  WebKit: ['webkit2gtk-driver', 'xvfb'],
  Firefox: ['firefox-esr'],
} as const;

export type PhoneBrowserName = keyof typeof PACKAGES;
export const PHONE_BROWSERS = Object.keys(PACKAGES) as PhoneBrowserName[];

/** WebKitGTK's driver, browser and a virtual display, or null if one is missing. */
export function webKitPrograms() {
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  // Debian installs the browser outside the PATH.
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0];
  return driver && display && browser ? { driver, display, browser } : null;
}

/** The path of Firefox, or null if it is not installed. */
export const firefoxProgram = () => onPath('firefox-esr') ?? onPath('firefox') ?? null;

export const isInstalled = (name: PhoneBrowserName): boolean =>
  (name === 'WebKit' ? webKitPrograms() : firefoxProgram()) !== null;

/**
 * Installs missing browsers, if allowed; otherwise their tests are skipped.
 * @returns a line for each missing browser
 */
export async function installPhoneBrowsers(): Promise<string[]> {
  const missing = () => PHONE_BROWSERS.filter((name) => !isInstalled(name));
  if (missing().length > 0 && mayInstall()) {
    const packages = missing().flatMap((name) => PACKAGES[name]);
    console.log(`Installing ${packages.join(' ')} …`);
    await install(packages).catch(({ message }: Error) => console.error(message));
  }
  return missing().map(
    (name) =>
      `left out: the walk through the app in ${name}, which is not installed (Debian and Ubuntu: sudo apt-get install ${PACKAGES[name].join(' ')})`,
  );
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
