import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { machineKeyAnswer, playersAnswer, rebuildResult } from '#contract/operator.ts';
import { startPostgres } from '../../bench/postgres.ts';
import { OPERATOR_KEY, ROOT, type Running, startNode } from '../../bench/processes.ts';
import { freePort } from '../../scripts/free-port.ts';
import { readTables, recount } from '../recount.ts';
import { compare, Load } from './load.ts';

const MACHINES = 4;
const PASSWORD = 'courtside-demo';
const EMAIL = 'demo@backboard.example';

/** What came of one kind of fault. */
export type Outcome = {
  fault: string;
  times: number;
  /** Milliseconds until it served again, one for each time. */
  again?: number[];
  seen: string[];
  wrong: string[];
};
export type Tell = (outcome: Outcome) => void;
export type Settle = (site: Site, what: string) => Promise<void>;

/** The true server on a data folder, with machines that play against it. */
export class Site {
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #log: number;
  #app: Running | undefined;
  #port = 0;
  #access = '';
  #load: Load | undefined;
  /** Starts that ended before they were ready and were made again, as a supervisor would. */
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
      // A computer that is busy with other work is no reason to refuse calls here (P39).
      SHED: '0',
      // As the unit of deploy/ has it: a start compiles nothing that an earlier one has compiled.
      NODE_COMPILE_CACHE: `${folder}.compiled`,
      // Set, so that no stand-in is started with each start.
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
    if (this.#app === undefined) throw new Error('the app does not run');
    return this.#app;
  }
  get load(): Load {
    if (this.#load === undefined) throw new Error('nobody plays');
    return this.#load;
  }

  /** Starts the app until it is ready, again when it gives up; gives the milliseconds. */
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

  /** Lets machines play, with the players of the demo. */
  async play(): Promise<void> {
    const added = Array.from({ length: MACHINES }, (_, at) =>
      this.operator('POST', 'machines/', { name: `Fault ${at} ${randomInt(1e9)}` }),
    );
    const keys = (await Promise.all(added)).map((answer) => machineKeyAnswer.parse(answer).key);
    const { results } = playersAnswer.parse(await this.operator('GET', 'players/'));
    this.#load = new Load(() => this.url, keys, results);
    await this.load.servedAfter(performance.now());
  }

  /** A call with the operator's key. @throws when it is refused. */
  async operator(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.url}/api/operator/${path}`, {
      method,
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** A call of anybody, from an address of its own. */
  post(path: string, body: unknown, ip = anAddress()): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify(body),
    });
  }

  /** Signs a player in, whose token `profile` uses from then on; gives the status. */
  async signIn(): Promise<number> {
    const body = { email: EMAIL, password: PASSWORD };
    const answer = await this.post('/api/users/auth/login/', body);
    const { access } = (await answer.json()) as { access?: string };
    if (access !== undefined) this.#access = access;
    return answer.status;
  }

  /** The status of a player's read, by which the app in a phone decides whether to sign out. */
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

  /** `./backboard …args --json`, parsed. */
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

  /**
   * Ends the load and the app and tells what is wrong with what they leave: games, figures, and the
   * files of the embedded database.
   */
  async verdict(): Promise<{ acknowledged: number; lost: number; twice: number; wrong: string[] }> {
    await this.load.stop();
    const file = `${this.folder}-${randomInt(1e9)}.gz`;
    await this.backboard('backup', file);
    const tables = readTables(file);
    const { lost, twice, other } = compare(tables, this.load.journal);
    const wrong = [...this.load.wrong, ...recount(tables).wrong];
    if (other > 0) wrong.push(`${other} games are not as they were played`);
    const { changed } = rebuildResult.parse(await this.backboard('rebuild'));
    const rows = Object.values(changed).reduce((sum, count) => sum + count, 0);
    if (rows > 0) wrong.push(`a rebuild changed ${rows} rows`);
    await this.app.stop();
    if (this.#env.DATABASE_URL === undefined) wrong.push(...(await damagedIndexes(this.folder)));
    return { acknowledged: this.load.journal.size, lost, twice, wrong };
  }

  /** The process that starts all others of the embedded database. */
  get postmaster(): number {
    const path = join(this.folder, 'postgres/cluster/postmaster.pid');
    return Number.parseInt(readFileSync(path, 'utf8'), 10);
  }
}

const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** A process id and its command line; those of a server are its postmaster and its children. */
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

/** What amcheck and the checksums of the pages find in a cluster that nobody uses. */
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

/** Waits until a process has ended that is no child of this one. */
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
