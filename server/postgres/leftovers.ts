import { execFileSync } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedDatabaseError, readIfThere } from './errors.ts';

/** When to send stronger signals after the first one, within REL-03's 15 s. */
const IMMEDIATE_STOP_AFTER_MS = 8_000;
const KILL_AFTER_MS = 12_000;
const GIVE_UP_AFTER_MS = 14_000;
/** File and process times have different resolutions. */
const CLOCK_SLACK_MS = 2_000;

type ServerProcess = { pid: number; postmaster: boolean };

/**
 * Stops a PostgreSQL that a killed app left in the data directory `cluster`, and removes a stale
 * pid file (REL-03, P43). Signals only PostgreSQL processes of `cluster`. The caller must hold the
 * app's lock.
 * @throws EmbeddedDatabaseError if a server does not stop, or if the pid file names another live
 * PostgreSQL, which may have written it
 */
export async function clearLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  await stopServers(cluster, log);
  const path = join(cluster, 'postmaster.pid');
  const text = await readIfThere(path);
  if (text === undefined) return;
  const first = text.split('\n', 1)[0]?.trim() ?? '';
  // The line can be empty, garbage, or the negative number of a single-user session.
  const pid = /^[1-9]\d*$/.test(first) ? Number(first) : undefined;
  if (pid === undefined) {
    log(`removing ${path}, which names no process`);
  } else if (
    (await isRunning(pid)) &&
    (await mayBePostgres(pid)) &&
    !(await startedAfter(pid, path))
  ) {
    throw new EmbeddedDatabaseError(
      `${path} names process ${pid}, which is running but is not this database's server. If no PostgreSQL uses ${cluster}, remove that file and start again.`,
    );
  }
  await rm(path, { force: true });
}

async function stopServers(cluster: string, log: (line: string) => void): Promise<void> {
  const started = performance.now();
  const sent = new Set<string>();
  for (;;) {
    const processes = await serverProcesses(cluster);
    if (processes.length === 0) return;
    const waited = performance.now() - started;
    if (waited > GIVE_UP_AFTER_MS) {
      throw new EmbeddedDatabaseError(
        `A database server of an earlier run works in ${cluster} and does not stop (process ${processes.map(({ pid }) => pid).join(', ')}). Stop it, then start again.`,
      );
    }
    for (const { pid, postmaster } of processes) {
      const signal =
        waited > KILL_AFTER_MS
          ? 'SIGKILL'
          : waited > IMMEDIATE_STOP_AFTER_MS
            ? 'SIGQUIT'
            : 'SIGINT';
      // On SIGINT, a child process might only cancel a query.
      if ((signal === 'SIGINT' && !postmaster) || sent.has(`${pid} ${signal}`)) continue;
      sent.add(`${pid} ${signal}`);
      log(`a database server (process ${pid}) outlived its app: sending ${signal}`);
      send(pid, signal);
    }
    await sleep(20);
  }
}

/** This cluster's PostgreSQL processes; none on Windows, where they cannot be found. */
async function serverProcesses(cluster: string): Promise<ServerProcess[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => /^\s*\d+ \S*postgres /.test(line) && line.includes(` -D ${cluster} `))
      .map((line) => ({ pid: Number.parseInt(line, 10), postmaster: true }));
  }
  const directory = await realpath(cluster);
  const found = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { command, state, parent } = await procStat(Number(name));
      if (command !== 'postgres' || state === 'Z') continue;
      // PostgreSQL's processes all work in the data directory.
      if ((await readlink(`/proc/${name}/cwd`)) === directory) found.set(Number(name), parent);
    } catch {}
  }
  return await Promise.all(
    [...found].map(async ([pid, parent]) => {
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, postmaster: !found.has(parent) && !title.startsWith('postgres:') };
    }),
  );
}

/** A process on Linux. `start`: hundredths of a second after boot. */
async function procStat(
  pid: number,
): Promise<{ command: string; state: string; parent: number; start: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name may contain parentheses and spaces.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    command: text.slice(text.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    start: Number(fields[19]),
  };
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  // A zombie, which a container may never reap, does not run.
  return await procStat(pid).then(
    ({ state }) => state !== 'Z',
    () => true,
  );
}

/** Whether a process may be PostgreSQL, by its program; true if unknown. */
async function mayBePostgres(pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await procStat(pid)).command === 'postgres';
    if (process.platform === 'win32') return true;
    const program = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return basename(program.trim()) === 'postgres';
  } catch {
    return true;
  }
}

/**
 * Whether the process started after the file was written: then the file names an earlier process.
 * false if unknown.
 */
async function startedAfter(pid: number, path: string): Promise<boolean> {
  try {
    let began: number;
    if (process.platform === 'linux') {
      const boot = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'));
      began = Number(boot?.[1]) * 1000 + (await procStat(pid)).start * 10;
    } else {
      const ps = ['-o', 'lstart=', '-p', String(pid)];
      began = Date.parse(execFileSync('ps', ps, { encoding: 'utf8' }));
    }
    return began > (await stat(path)).mtimeMs + CLOCK_SLACK_MS;
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
