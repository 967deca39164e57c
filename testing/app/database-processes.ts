import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Account, commandAs } from '../../server/postgres/cluster.ts';

const COMMIT_LOOP = fileURLToPath(new URL('./commit-loop.ts', import.meta.url));
const PATIENCE_MS = 20_000;

export const isRoot = process.getuid?.() === 0;
/** An unprivileged user that every Linux has, for tests that run as root. */
export const ORDINARY_USER = { uid: 1, gid: 1 };

export type CommitLoop = {
  pid: number;
  rows: number[];
  /** The database's log, and what stopped the program. */
  errors(): string;
  opened(): Promise<number>;
  moreRows(count: number): Promise<void>;
  logged(text: string, times: number): Promise<void>;
  ended: Promise<number | NodeJS.Signals>;
};

const running = new Set<ChildProcess>();

/** Starts `commit-loop.ts` in its own process group, as a shell would. */
export function startCommitLoop(dataDir: string, account?: Account): CommitLoop {
  const args = ['--disable-warning=ExperimentalWarning', COMMIT_LOOP, dataDir];
  const { command, args: all, options } = commandAs(account, process.execPath, args, [COMMIT_LOOP]);
  const child = spawn(command, all, { ...options, detached: true, stdio: 'pipe' });
  running.add(child);
  const rows: number[] = [];
  let serverPid: number | undefined;
  let errors = '';
  let over = false;
  let rest = '';
  let notify = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [word, number] = line.split(' ');
      if (word === 'open') serverPid = Number(number);
      if (word === 'row') rows.push(Number(number));
    }
    notify();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
    notify();
  });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      over = true;
      resolve(code ?? signal ?? -1);
      notify();
    });
  });
  async function until(reached: () => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while (!reached()) {
      if (over || deadline.aborted) throw new Error(`the commit loop got stuck: ${errors}`);
      await new Promise<void>((resolve) => {
        notify = resolve;
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
  return {
    pid: child.pid ?? -1,
    rows,
    errors: () => errors,
    opened: async () => {
      await until(() => serverPid !== undefined);
      return serverPid ?? -1;
    },
    moreRows: async (count) => {
      const enough = rows.length + count;
      await until(() => rows.length >= enough);
    },
    logged: (text, times) => until(() => errors.split(text).length > times),
    ended,
  };
}

export function killCommitLoops(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Makes a folder that every user may enter. */
export async function makeFolder(owner?: Account): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backboard-embedded-'));
  await chmod(folder, 0o755);
  if (owner) await chown(folder, owner.uid, owner.gid);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits for the end of any process, child or not. */
export async function untilExited(pid: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isRunning(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs`);
    await sleep(10);
  }
}

/** The process id of a data folder's PostgreSQL. */
export function serverOf(dataDir: string): number {
  const path = join(dataDir, 'postgres/cluster/postmaster.pid');
  return Number.parseInt(readFileSync(path, 'utf8'), 10);
}
