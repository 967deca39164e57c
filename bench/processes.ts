import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus as cores } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#testing/ports.ts';

/** All cores, for taskset: a child would otherwise inherit the affinity of this process. */
export const ALL_CORES = `0-${cores().length - 1}`;
export const ROOT = join(import.meta.dirname, '..');
/** Enough for the migrations of a million games on a slow computer. */
const READY_MS = 1_200_000;

// Exit, so that the exit handlers stop the children.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export type Running = {
  port: number;
  pid: number;
  child: ChildProcess;
  readyMs: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

type Start = {
  env?: Record<string, string>;
  /** The cores, for taskset; null means all. */
  cpus: string | null;
  /** A path that responds with 2xx when the program is ready. */
  ready: string;
  /** A file descriptor for the output. */
  log?: number | 'inherit';
  /** The folder of the version. */
  root?: string;
};

/**
 * Starts a Node program that listens on PORT, and waits until it is ready. `flags` are Node's own.
 * @throws Error if the program ends or is not ready in time
 */
export const startNode = (
  file: string,
  { flags = [], root = ROOT, ...start }: Start & { flags?: string[] },
): Promise<Running> =>
  startServer([process.execPath, ...flags, join(root, file)], { root, ...start });

/**
 * Starts a program that listens on PORT, and waits until it is ready.
 * @throws Error if the program ends or is not ready in time
 */
export async function startServer(
  command: string[],
  { env = {}, cpus, ready, log = 'inherit', root = ROOT }: Start,
): Promise<Running> {
  const port = Number(env.PORT ?? (await freePort()));
  const begun = performance.now();
  const child = spawn('taskset', ['-c', cpus ?? ALL_CORES, ...command], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', log === 'inherit' ? 'ignore' : log, log],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${ready}`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) break;
    if (
      child.exitCode !== null ||
      child.signalCode !== null ||
      performance.now() - begun > READY_MS
    ) {
      process.off('exit', kill);
      kill();
      throw new Error(`${command.join(' ')} does not start`);
    }
    await sleep(10);
  }
  return {
    port,
    pid: child.pid ?? 0,
    child,
    readyMs: performance.now() - begun,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
      process.off('exit', kill);
    },
  };
}

/** Unpacks a commit into an empty folder, and installs its packages. */
export function unpack(commit: string, to: string): void {
  const tar = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', to], { input: tar });
  execFileSync(process.execPath, ['scripts/install.mjs'], {
    cwd: to,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** One secret, so that all server processes accept the same tokens. */
const SECRET = randomBytes(36).toString('base64url');
export const OPERATOR_KEY = randomBytes(36).toString('base64url');

/** The environment of a production server without mail and request log. */
export function production(databaseUrl: string, more: Record<string, string> = {}) {
  return {
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://127.0.0.1',
    ALLOW_PLAIN: 'public',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: SECRET,
    BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
    SMTP_URL: 'smtps://127.0.0.1:1',
    // Trust X-Forwarded-For: each sign-in has a different address there, so no rate limit applies.
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '0',
    // Do not shed calls (P39): measure how many the server can take.
    SHED: '0',
    LOG_LEVEL: 'warn',
    ...more,
  };
}

function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [
          { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) },
        ];
      } catch {
        return []; // The process has ended.
      }
    });
  const below = (parent: number): number[] => [
    parent,
    ...parents.filter((one) => one.parent === parent).flatMap((one) => below(one.pid)),
  ];
  return below(pid);
}

/** The kernel counts in hundredths of a second. */
const TICKS_PER_S = 100;

/** CPU time of a process and its descendants so far, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const ticks = family(pid).flatMap((one) => {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
      // utime and stime, then those of ended children.
      return stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16).map(Number);
    } catch {
      return [];
    }
  });
  return (ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_S) * 1000;
}

function cpuMsOfAll(): number {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(' ').map(Number);
  return ((user + nice + system + irq + softirq) / TICKS_PER_S) * 1000;
}

/**
 * Starts to measure. The returned function says how many cores other programs have used since
 * then, on average.
 */
export function otherLoad(): () => number {
  const others = () => cpuMsOfAll() - cpuMsOf(process.pid);
  const [before, begun] = [others(), performance.now()];
  return () => Math.max(0, (others() - before) / (performance.now() - begun));
}

/** Memory of a process and its descendants in MiB. Shared memory counts once. */
export function memoryOf(pid: number): number {
  const kilobytes = family(pid).map((one) => {
    const rollup = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8');
    return Number(/^Pss: +(\d+)/m.exec(rollup)?.[1]);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}
