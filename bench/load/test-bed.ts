import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedVersion, type Postgres, startPostgres } from '../postgres.ts';
import { production, ROOT, type Running, startNode } from '../processes.ts';
import { type Load, load, type Result, request } from './load.ts';
import { mondayOf, progressLine, refreshOf, type Size, seed } from './seed.ts';

export const SERVER_CORE = '0';
export const LOAD_CORE = '1';
export const CONNECTIONS = 50;
/** Access tokens younger than this are not refreshed. They expire after ten minutes. */
const TOKENS_FOR_MS = 4 * 60_000;
const CACHE = join(ROOT, '.cache', 'bench');

/**
 * Returns a fresh copy of a seeded database. Seeds again if the schema or the seeding code has
 * changed, and in a new week, because half of the reads are about the current week.
 */
export async function copyOfSeed(size: Size, name: string): Promise<string> {
  const original = join(CACHE, `seed-${Object.values(size).join('-')}`);
  const stamp = join(original, 'made-for');
  const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const wanted = [
    new Date(mondayOf(Date.now())).toISOString(),
    textOf('server/db/migrate.ts').match(/'\d{3}-[\w-]+'/g),
    createHash('sha256').update(textOf('bench/load/seed.ts')).digest('hex'),
  ].join(' ');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    await seed(original, size, progressLine());
    writeFileSync(stamp, wanted);
  }
  const copy = join(CACHE, name);
  rmSync(copy, { recursive: true, force: true });
  // `-a` keeps the owner: PostgreSQL refuses another user's folder.
  execFileSync('cp', ['-a', '--reflink=auto', original, copy]);
  return copy;
}

export type TestBed = {
  size: Size;
  folder: string;
  database: Postgres;
  /** PostgreSQL's version and origin. */
  postgres: string;
  app: Running;
  /** Returns a valid access token. Each call returns the token of a different player. */
  token(): string;
  /** Call this before each measurement. */
  refreshTokens(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The database into which pgbench writes games: a copy of the seed, because pgbench only
 * approximates the figures, and those of the server's database must stay right.
 */
export const LIMITS = 'limits';

/** The most players with tokens; each token costs a call. */
const TOKENS_MAX = 10_000;

/**
 * Starts the database and the server. `flags` are Node's options (`--cpu-prof`). `limits` adds the
 * database LIMITS.
 */
export async function openTestBed(
  size: Size,
  {
    name = 'run',
    flags = [],
    cpus = SERVER_CORE,
    env = {},
    limits = false,
    settings = {},
  }: {
    name?: string;
    flags?: string[];
    cpus?: string | null;
    env?: Record<string, string>;
    limits?: boolean;
    settings?: Record<string, string>;
  } = {},
): Promise<TestBed> {
  const folder = await copyOfSeed(size, name);
  const database = await startPostgres(folder, {
    settings: { track_activity_query_size: 16_384, ...settings },
  });
  if (limits)
    await database.queryOn(
      'postgres',
      `create database ${LIMITS} template backboard strategy file_copy`,
      'checkpoint',
    );
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
    postgres: await embeddedVersion(),
    app,
    token: () => {
      // Stride through the tokens, so that a small cache of recent callers would not help.
      at = (at + 7_919) % tokens.length;
      return tokens[at] as string;
    },
    refreshTokens: async () => {
      if (performance.now() - refreshed < TOKENS_FOR_MS) return;
      const waiting = Array.from({ length: Math.min(size.players, TOKENS_MAX) }, (_, n) => n + 1);
      const next = () => {
        const player = waiting.pop();
        if (player === undefined) return null;
        return {
          text: refresh(refreshOf(player), false),
          answered: (status: number, body: string) => {
            if (status === 200) tokens[player - 1] = JSON.parse(body).access;
            // The first calls may time out while the pool connects.
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

/** A request that refreshes a token. */
export const refresh = (token: string, rotate: boolean, path = '/api/users/auth/token/refresh/') =>
  request('POST', path, {}, JSON.stringify({ refresh: token, rotate }));

/** One path for all players, or a path for each. */
export type Path = string | ((playerId: number) => string);

const playerOf = (token: string): number =>
  Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub);

/** Measures reads of `path`, each with the token of a different player. */
export function read(
  bed: TestBed,
  path: Path,
  {
    connections = CONNECTIONS,
    ...timing
  }: Pick<Load, 'seconds' | 'restMs' | 'warmUpSeconds'> & { connections?: number },
): Promise<Result> {
  return load({
    port: bed.app.port,
    connections,
    ...timing,
    next: () => {
      const token = bed.token();
      const own = typeof path === 'string' ? path : path(playerOf(token));
      return { text: request('GET', own, { authorization: `Bearer ${token}` }) };
    },
  });
}

/**
 * Responses per second.
 * @throws Error if a response was not 2xx
 */
export function perSecond({ perSecond, wrong, example }: Result): number {
  if (wrong > 0) throw new Error(`${wrong} failed responses, such as ${example}`);
  return perSecond;
}
