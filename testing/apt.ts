import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const APT_LOCK_SECONDS = 300;

/** Whether tests may install packages: in CI (`CI=true`), as root, on Debian or Ubuntu. */
export const mayInstall = () =>
  process.env.CI === 'true' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs Debian packages, with apt-get's output. @throws Error if apt-get fails. */
export async function install(packages: string[]): Promise<void> {
  const wait = ['-q', '-o', `DPkg::Lock::Timeout=${APT_LOCK_SECONDS}`];
  await apt(['update', ...wait]);
  await apt(['install', '-y', '--no-install-recommends', ...wait, ...packages]);
}

async function apt(args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const [code] = await once(spawn('apt-get', args, { env, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`apt-get ${args[0]} failed (see above)`);
}
