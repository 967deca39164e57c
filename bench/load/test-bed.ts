import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../postgres.ts';
import { production, ROOT, type Running, startNode } from '../processes.ts';
import { type Load, load, type Result, request } from './load.ts';
import { mondayOf, progressLine, refreshOf, type Size, seed } from './seed.ts';

/** The server runs on one core, the load generator on the other. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';
export const CONNECTIONS = 50;
/** Use access tokens no longer than this; they expire after ten minutes. */
const TOKENS_FOR_MS = 4 * 60_000;
const CACHE = join(ROOT, '.cache', 'bench');

/**
 * Returns the folder of a fresh copy of a seeded database. Seeds the original first if it is missing
 * or was made in another week or for another schema: half of the reads are about the present week.
 */
export async function copyOfSeed(size: Size, name: string): Promise<string> {
  const original = join(CACHE, `seed-${Object.values(size).join('-')}`);
  const stamp = join(original, 'made-for');
  const wanted = `${new Date(mondayOf(Date.now())).toISOString()} ${readFileSync(join(ROOT, 'server/db/migrate.ts'), 'utf8').match(/'\d{3}-[\w-]+'/g)}`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    await seed(original, size, progressLine());
    writeFileSync(stamp, wanted);
  }
  const copy = join(CACHE, name);
  rmSync(copy, { recursive: true, force: true });
  // Keep the owner: PostgreSQL refuses a folder of another user.
  execFileSync('cp', ['-a', '--reflink=auto', original, copy]);
  return copy;
}

/** A seeded database, a server on one core, and the players' tokens. */
export type TestBed = {
  size: Size;
  folder: string;
  database: Postgres;
  app: Running;
  /** An access token, valid for some minutes; each call returns another player's. */
  token(): string;
  /** Call this before each measurement. */
  refreshTokens(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts database and server. `flags` are Node's, such as `--cpu-prof`. */
export async function openTestBed(
  size: Size,
  {
    name = 'run',
    flags = [],
    cpus = SERVER_CORE,
    env = {},
  }: { name?: string; flags?: string[]; cpus?: string | null; env?: Record<string, string> } = {},
): Promise<TestBed> {
  const folder = await copyOfSeed(size, name);
  const database = await startPostgres(folder);
  const app = await startNode('server/main.ts', {
    env: production(database.url, { DATA_DIR: folder, ...env }),
    cpus,
    ready: '/health/ready',
    flags,
  });
  const tokens: string[] = [];
  let refreshed = Number.NEGATIVE_INFINITY;
  let at = 0;
  return {
    size,
    folder,
    database,
    app,
    token: () => {
      // This order of players makes a small cache of recent callers useless.
      at = (at + 7_919) % tokens.length;
      return tokens[at] as string;
    },
    refreshTokens: async () => {
      if (performance.now() - refreshed < TOKENS_FOR_MS) return;
      const waiting = Array.from({ length: size.players }, (_, n) => n + 1);
      const next = () => {
        const player = waiting.pop();
        if (player === undefined) return null;
        return {
          text: refresh(refreshOf(player), false),
          answered: (status: number, body: string) => {
            if (status === 200) tokens[player - 1] = JSON.parse(body).access;
            // The first calls may time out while the database connections open.
            else if (status === 503) waiting.push(player);
            else throw new Error(`no token: ${status} ${body}`);
          },
        };
      };
      await load({ port: app.port, connections: CONNECTIONS, seconds: 600, next });
      refreshed = performance.now();
    },
    stop: async () => {
      await app.stop();
      await database.stop();
    },
  };
}

/** The text of a request that refreshes a token. */
export const refresh = (token: string, rotate: boolean) =>
  request('POST', '/api/users/auth/token/refresh/', {}, JSON.stringify({ refresh: token, rotate }));

/** Loads `path` with a different player for each request. */
export function read(
  bed: TestBed,
  path: string,
  {
    connections = CONNECTIONS,
    ...timing
  }: Pick<Load, 'seconds' | 'restMs'> & { connections?: number },
): Promise<Result> {
  return load({
    port: bed.app.port,
    connections,
    ...timing,
    next: () => ({ text: request('GET', path, { authorization: `Bearer ${bed.token()}` }) }),
  });
}

/** @throws Error if a response was not 2xx, because the figure would mean nothing. */
export function perSecond({ perSecond, wrong, example }: Result): number {
  if (wrong > 0) throw new Error(`${wrong} failed responses, such as ${example}`);
  return perSecond;
}
