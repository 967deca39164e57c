import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus as cores } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.ts';

/** Said to every child: this process, whose place children would inherit, may be bound to one core. */
export const ALL_CORES = `0-${cores().length - 1}`;
export const ROOT = join(import.meta.dirname, '..');
const READY_MS = 300_000;

// What this process has started ends with it, also when it is told to.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export type Running = {
  port: number;
  pid: number;
  child: ChildProcess;
  /** From its start until it was ready, in milliseconds. */
  readyMs: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/**
 * Starts a Node program that listens on the port of its variable PORT, on the given cores, and waits
 * until `ready` answers. What it prints goes where this process prints; `cpus` null: on all cores.
 */
export async function startNode(
  file: string,
  {
    env = {},
    cpus,
    ready,
    flags = [],
    log = 'inherit',
  }: {
    env?: Record<string, string>;
    cpus: string | null;
    ready: string;
    flags?: string[];
    /** A file that takes what it prints on stderr. */
    log?: number | 'inherit';
  },
): Promise<Running> {
  const port = Number(env.PORT ?? (await freePort()));
  const begun = performance.now();
  const args = ['-c', cpus ?? ALL_CORES, process.execPath, ...flags, join(ROOT, file)];
  const child = spawn('taskset', args, {
    cwd: ROOT,
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
    if (child.exitCode !== null || performance.now() - begun > READY_MS) {
      process.off('exit', kill);
      kill();
      throw new Error(`${file} does not start`);
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

/** The same for every process of a run, so that all accept the same tokens. */
const SECRET = randomBytes(36).toString('base64url');
export const OPERATOR_KEY = randomBytes(36).toString('base64url');

/** The server as in production, but for its mails, which go nowhere, and its log of requests. */
export function production(databaseUrl: string, more: Record<string, string> = {}) {
  return {
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://127.0.0.1',
    ALLOW_PLAIN: 'public',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: SECRET,
    BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
    SMTP_URL: 'smtps://127.0.0.1:1',
    // Each sign-in comes from an address of its own: the limits on tries are not what is measured.
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '0',
    // At its limit the server would refuse calls on purpose (P39); here the limit is what is sought.
    SHED: '0',
    LOG_LEVEL: 'warn',
    ...more,
  };
}

/** Every process below one, itself included. */
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
        return []; // it has just ended
      }
    });
  const below = (parent: number): number[] => [
    parent,
    ...parents.filter((one) => one.parent === parent).flatMap((one) => below(one.pid)),
  ];
  return below(pid);
}

/** The memory that a process and those below it hold, what they share counted once, in MB. */
export function memoryOf(pid: number): number {
  const kilobytes = family(pid).map((one) => {
    const rollup = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8');
    return Number(/^Pss: +(\d+)/m.exec(rollup)?.[1]);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}
