import { spawnSync } from 'node:child_process';
import { install, mayInstall } from './apt.ts';

const PACKAGES = ['python3', 'gcc', 'libc6-dev', 'libcurl4-openssl-dev', 'libsqlite3-dev'];

/**
 * Installs the tools for clients in other languages, if allowed. The tests skip clients without
 * tools, and say so.
 */
export async function installClientTools(): Promise<void> {
  if (!mayInstall() || spawnSync('dpkg', ['-s', ...PACKAGES]).status === 0) return;
  console.log(`Installing ${PACKAGES.join(' ')} …`);
  await install(PACKAGES).catch(({ message }: Error) => console.error(message));
}
