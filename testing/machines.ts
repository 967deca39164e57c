import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { MachineGame } from '#contract/wire/machines.ts';

const CLIENTS = path.join(import.meta.dirname, '../clients');
const INSTALL = 'Debian and Ubuntu: apt-get install';
const FLAGS = ['-std=c11', '-O2', '-Wall', '-Wextra'];
const LIBRARIES = ['-lcurl', '-lsqlite3', '-lpthread', '-lm'];
const HEADERS = '#include <curl/curl.h>\n#include <sqlite3.h>\n';
/** How a client's replies begin. Its other lines are events. */
const REPLIES = ['started', 'stored', 'player', 'unknown', 'offline', 'error'];
const NOWHERE = 'http://127.0.0.1:1';

export type Client = { name: string; command: string[] };

const succeeds = (command: string, args: string[], input = '') =>
  spawnSync(command, args, { input }).status === 0;

/**
 * Compiles the clients in other languages into `folder`. Prints a line for a client whose tools are
 * not installed, and leaves it out.
 * @throws when a client does not compile.
 */
export function findClients(folder: string): Client[] {
  const clients: Client[] = [];
  if (succeeds('python3', ['-c', 'import sqlite3, ssl']))
    clients.push({
      name: 'python',
      command: ['python3', path.join(CLIENTS, 'python/backboard.py')],
    });
  else console.log(`Left out: the client in Python. ${INSTALL} python3`);
  if (succeeds('gcc', ['-E', '-x', 'c', '-'], HEADERS)) {
    const program = path.join(folder, 'backboard');
    const source = path.join(CLIENTS, 'c/backboard.c');
    const { status, stderr } = spawnSync('gcc', [...FLAGS, '-o', program, source, ...LIBRARIES]);
    if (status !== 0) throw new Error(`clients/c/backboard.c does not compile:\n${stderr}`);
    clients.push({ name: 'c', command: [program] });
  } else
    console.log(
      `Left out: the client in C. ${INSTALL} gcc libc6-dev libcurl4-openssl-dev libsqlite3-dev`,
    );
  return clients;
}

export type Started = { text: string; game: Pick<MachineGame, 'id' | 'player' | 'played_at'> };

/** A machine that sends its games with one of the clients in the folder `clients`. */
export class Machine {
  readonly #client: Client;
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting: ((line: string) => void)[] = [];
  #process: ChildProcess | undefined;
  readonly events: string[] = [];

  /** `queue` is the path of a file. */
  constructor(client: Client, queue: string, firstPauseS: number) {
    this.#client = client;
    this.#env = {
      PATH: process.env.PATH,
      BACKBOARD_QUEUE: queue,
      BACKBOARD_FIRST_PAUSE: String(firstPauseS),
    };
  }

  /** Without a `url`, the client reaches no server. */
  start(url = NOWHERE, key = ''): void {
    const [command = '', ...args] = this.#client.command;
    const child = spawn(command, [...args, 'run'], {
      env: { ...this.#env, BACKBOARD_URL: url, BACKBOARD_KEY: key },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process = child;
    // The client may have been killed.
    child.stdin.on('error', () => undefined);
    createInterface(child.stdout).on('line', (line) => {
      if (REPLIES.includes(line.split(' ', 1)[0] ?? '')) this.#waiting.shift()?.(line);
      else this.events.push(line);
    });
    child.stdout.on('close', () => {
      if (this.#process === child) this.#process = undefined;
      for (const reply of this.#waiting.splice(0)) reply('');
    });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  /** Sends the client a line. Returns its reply, or '' if it ended first. */
  ask(line: string): Promise<string> {
    if (this.#process === undefined) return Promise.resolve('');
    const { stdin } = this.#process;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      stdin?.write(`${line}\n`);
    });
  }

  /** Starts a game; null if the client has ended. @throws when it refuses. */
  async begin(player: string): Promise<Started | null> {
    const reply = await this.ask(`start ${player}`);
    if (reply === '') return null;
    if (!reply.startsWith('started ')) throw new Error(reply);
    const text = reply.slice('started '.length);
    return { text, game: JSON.parse(text) };
  }

  /** Ends a game; false if the client ended first. @throws when it refuses. */
  async finish(started: string, numbers: object | string): Promise<boolean> {
    const text = typeof numbers === 'string' ? numbers : JSON.stringify(numbers);
    const reply = await this.ask(`finish ${started} ${text}`);
    if (reply !== '' && !reply.startsWith('stored ')) throw new Error(reply);
    return reply !== '';
  }

  async list(): Promise<{ waiting: MachineGame[]; setAside: MachineGame[] }> {
    const [command = '', ...args] = this.#client.command;
    const { stdout } = await promisify(execFile)(command, [...args, 'list'], {
      env: this.#env,
      maxBuffer: 2 ** 26,
    });
    const games = (word: string) =>
      stdout
        .split('\n')
        .filter((line) => line.startsWith(`${word} `))
        .map((line): MachineGame => JSON.parse(line.split(' ')[1] ?? ''));
    return { waiting: games('waiting'), setAside: games('set_aside') };
  }
}
