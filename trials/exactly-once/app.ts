import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { playersAnswer } from '#contract/wire/players.ts';
import { COMPILED } from '#testing/compiled.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** Long, because twenty machines keep the computer busy. */
const READY_MS = 180_000;

/** A trial's child processes, with logs in its folder and one operator key. */
export class Children {
  readonly folder: string;
  readonly operatorKey = randomBytes(32).toString('base64url');
  readonly #running = new Set<ChildProcess>();

  constructor(folder: string) {
    this.folder = folder;
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        this.killAll();
        process.exit(1);
      });
  }

  /** Starts a program of this repository. Its stderr goes to the file `log`. */
  start(file: string, args: string[], env: NodeJS.ProcessEnv, log: string): ChildProcess {
    const output = fs.openSync(path.join(this.folder, log), 'a');
    const child = spawn(process.execPath, [path.join(ROOT, file), ...args], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        BACKBOARD_OPERATOR_KEY: this.operatorKey,
        NODE_COMPILE_CACHE: COMPILED,
        ...env,
      },
      stdio: ['ignore', 'pipe', output],
    });
    fs.closeSync(output);
    this.#running.add(child);
    child.on('exit', () => this.#running.delete(child));
    return child;
  }

  read(file: string): string {
    try {
      return fs.readFileSync(path.join(this.folder, file), 'utf8');
    } catch {
      return '';
    }
  }

  killAll(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }
}

/** The exit code, or null after a signal. */
export const exit = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.on('exit', (code) => resolve(code));
  });

/** The real server with its embedded database. */
export class App {
  readonly url: string;
  readonly #children: Children;
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  slowestMs = 0;
  failedStarts = 0;

  constructor(children: Children, port: number) {
    this.#children = children;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      DATA_DIR: path.join(children.folder, 'data'),
      PORT: String(port),
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
    };
  }

  /**
   * Starts the server and waits until it is ready. Restarts it if it exits first, as a supervisor
   * would.
   */
  async start(): Promise<void> {
    const begun = performance.now();
    let child: ChildProcess | undefined;
    for (;;) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
        if (child !== undefined) this.failedStarts += 1;
        child = this.#children.start('server/main.ts', [], this.#env, 'server.log');
        child.stdout?.resume();
        this.#process = child;
      }
      const ready = await fetch(`${this.url}/health/ready`).catch(() => null);
      await ready?.arrayBuffer();
      if (ready?.ok) break;
      if (performance.now() - begun > READY_MS)
        throw new Error(`The server does not start:\n${this.#children.read('server.log')}`);
      await sleep(20);
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#process === undefined) return;
    const ended = exit(this.#process);
    this.#process.kill(signal);
    await ended;
  }

  /** The players' UUIDs. Adds the demo league if there are no players. */
  async players(): Promise<string[]> {
    const ask = async () => {
      const answer = await fetch(`${this.url}/api/operator/players/`, {
        headers: { authorization: `Bearer ${this.#children.operatorKey}` },
      });
      return playersAnswer.parse(await answer.json()).results.map(({ uuid }) => uuid);
    };
    const players = await ask();
    if (players.length > 0) return players;
    await this.backboard('demo', '--yes');
    return ask();
  }

  async backboard(...args: string[]): Promise<unknown> {
    const env = {
      PATH: process.env.PATH,
      BACKBOARD_URL: this.url,
      BACKBOARD_OPERATOR_KEY: this.#children.operatorKey,
    };
    const { stdout } = await promisify(execFile)(
      path.join(ROOT, 'backboard'),
      [...args, '--json'],
      { env, maxBuffer: 2 ** 26 },
    );
    return JSON.parse(stdout);
  }
}
