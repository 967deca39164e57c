import { spawnSync } from 'node:child_process';
import { install, mayInstall } from './apt.ts';

const PACKAGE = 'pgbouncer';

export const hasPgBouncer = (): boolean =>
  spawnSync(PACKAGE, ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Installs PgBouncer, if allowed; otherwise its tests are skipped.
 * @returns a line if it is missing
 */
export async function installPgBouncer(): Promise<string[]> {
  if (!hasPgBouncer() && mayInstall()) {
    console.log(`Installing ${PACKAGE} …`);
    await install([PACKAGE]).catch(({ message }: Error) => console.error(message));
  }
  return hasPgBouncer()
    ? []
    : [
        `left out: the server behind PgBouncer, which is not installed (Debian and Ubuntu: sudo apt-get install ${PACKAGE})`,
      ];
}
