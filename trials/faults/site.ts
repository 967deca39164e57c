import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { machineKeyAnswer } from '#contract/wire/machines.ts';
import { playersAnswer } from '#contract/wire/players.ts';
import { rebuildResult } from '#contract/wire/system.ts';
import { freePort } from '#testing/ports.ts';
import { startPostgres } from '../../bench/postgres.ts';
import { OPERATOR_KEY, ROOT, type Running, startNode } from '../../bench/processes.ts';
import { readTables, recount } from '../recount.ts';
import { compare, Load } from './load.ts';

const MACHINES = 4;
const PASSWORD = 'courtside-demo';
const EMAIL = 'demo@backboard.example';

export type FaultReport = {
  fault: string;
  times: number;
  /** For each fault, milliseconds until the server served again. */
  again?: number[];
  seen: string[];
  wrong: string[];
};
export type Report = (report: FaultReport) => void;
/** Stops a site's load and app, and reports whether all games are stored. */
export type Finish = (site: Site, what: string) => Promise<void>;

/** The real server on a data folder, with machines that play. */
export class Site {
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #log: number;
  #app: Running | undefined;
  #port = 0;
  #access = '';
  #load: Load | undefined;
  failedStarts = 0;

  constructor(folder: string, env: Record<string, string> = {}) {
    this.folder = folder;
    this.#log = openSync(`${folder}.log`, 'a');
    this.#env = {
      DATA_DIR: folder,
      BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
      // Do not shed calls: the computer is busy with other work (P39).
      SHED: '0',
      // Use a compile cache, as deploy/backboard.service does.
      NODE_COMPILE_CACHE: `${folder}.compiled`,
      // Set a Google client, so that no stand-in starts.
      GOOGLE_CLIENT_ID: 'backboard',
      GOOGLE_CLIENT_SECRET: 'stand-in',
      GOOGLE_ISSUER: 'http://127.0.0.1:1',
      ...env,
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }
  get app(): Running {
    if (this.#app === undefined) throw new Error('The app is not running.');
    return this.#app;
  }
  get load(): Load {
    if (this.#load === undefined) throw new Error('Call play() first.');
    return this.#load;
  }

  /** Starts the app. Restarts it if it exits before it is ready. Returns how many ms this took. */
  async start(): Promise<number> {
    this.#port ||= await freePort();
    const begun = performance.now();
    for (;;) {
      try {
        this.#app = await startNode('server/main.ts', {
          env: { ...this.#env, PORT: String(this.#port) },
          cpus: null,
          ready: '/health/ready',
          log: this.#log,
        });
        return performance.now() - begun;
      } catch (error) {
        this.failedStarts += 1;
        if (performance.now() - begun > 120_000) throw error;
      }
    }
  }

  async play(): Promise<void> {
    const added = Array.from({ length: MACHINES }, (_, at) =>
      this.operator('POST', 'machines/', { name: `Fault ${at} ${randomInt(1e9)}` }),
    );
    const keys = (await Promise.all(added)).map((answer) => machineKeyAnswer.parse(answer).key);
    const { results } = playersAnswer.parse(await this.operator('GET', 'players/'));
    this.#load = new Load(() => this.url, keys, results);
    await this.load.servedAfter(performance.now());
  }

  /**
   * Sends a request with the operator key. Returns the parsed body.
   * @throws Error if refused
   */
  async operator(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.url}/api/operator/${path}`, {
      method,
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  post(path: string, body: unknown, ip = anAddress()): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify(body),
    });
  }

  /** Signs in the demo player, whose token `profile` then uses. Returns the HTTP status. */
  async signIn(): Promise<number> {
    const body = { email: EMAIL, password: PASSWORD };
    const answer = await this.post('/api/users/auth/login/', body);
    const { access } = (await answer.json()) as { access?: string };
    if (access !== undefined) this.#access = access;
    return answer.status;
  }

  /**
   * Reads the profile. Returns the HTTP status, by which the web app decides whether to sign out.
   */
  async profile(): Promise<number> {
    const headers = { authorization: `Bearer ${this.#access}` };
    const answer = await fetch(`${this.url}/api/users/profile/`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  }

  async health(path: 'live' | 'ready'): Promise<number> {
    const answer = await fetch(`${this.url}/health/${path}`);
    await answer.arrayBuffer();
    return answer.status;
  }

  async backboard(...args: string[]): Promise<unknown> {
    const env = {
      PATH: process.env.PATH,
      BACKBOARD_URL: this.url,
      BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
    };
    const { stdout } = await promisify(execFile)(join(ROOT, 'backboard'), [...args, '--json'], {
      env,
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(stdout);
  }

  /** Stops load and app, and checks games, figures and the embedded database's files. */
  async verdict(): Promise<{ acknowledged: number; lost: number; twice: number; wrong: string[] }> {
    await this.load.stop();
    const file = `${this.folder}-${randomInt(1e9)}.gz`;
    await this.backboard('backup', file);
    const tables = readTables(file);
    const { lost, twice, other } = compare(tables, this.load.journal);
    const wrong = [...this.load.wrong, ...recount(tables).wrong];
    if (other > 0) wrong.push(`${other} games differ from how they were played`);
    const { changed } = rebuildResult.parse(await this.backboard('rebuild'));
    const rows = Object.values(changed).reduce((sum, count) => sum + count, 0);
    if (rows > 0) wrong.push(`a rebuild changed ${rows} rows`);
    await this.app.stop();
    if (this.#env.DATABASE_URL === undefined) wrong.push(...(await damagedIndexes(this.folder)));
    return { acknowledged: this.load.journal.size, lost, twice, wrong };
  }

  get postmaster(): number {
    const path = join(this.folder, 'postgres/cluster/postmaster.pid');
    return Number.parseInt(readFileSync(path, 'utf8'), 10);
  }
}

const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** A PostgreSQL's processes with their command lines, the postmaster included. */
export function processesOf(postmaster: number): { pid: number; title: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      if (Number(name) !== postmaster && Number(parent) !== postmaster) return [];
      return [{ pid: Number(name), title: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
    } catch {
      return [];
    }
  });
}

/** Runs amcheck on a stopped cluster and reads the checksum failures. */
async function damagedIndexes(folder: string): Promise<string[]> {
  const server = await startPostgres(folder);
  try {
    await server.query(
      'create extension if not exists amcheck',
      `select bt_index_check(indexrelid, true) from pg_index
         join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
        where amname = 'btree' and relkind = 'i' and relpersistence <> 't' and indisready and indisvalid`,
      'drop extension amcheck',
    );
    const [row] = await server.query<{ failures: number }>(
      'select sum(coalesce(checksum_failures, 0))::int as failures from pg_stat_database',
    );
    return row?.failures ? [`${row.failures} pages with a wrong checksum`] : [];
  } catch (error) {
    return [`amcheck: ${(error as Error).message}`];
  } finally {
    await server.stop();
  }
}

export async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await sleep(5);
  }
}
