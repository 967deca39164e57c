import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../postgres.ts';
import { production, ROOT, type Running, startNode } from '../processes.ts';
import { type Load, load, type Result, request } from './load.ts';
import { mondayOf, progressLine, refreshOf, type Size, seed } from './seed.ts';

/** The server has this core to itself, as far as the bench is concerned; the load has the other. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';
export const CONNECTIONS = 50;
/** Access tokens live for ten minutes. */
const TOKENS_FOR_MS = 4 * 60_000;
const CACHE = join(ROOT, '.cache', 'bench');

/**
 * A fresh copy of a seeded database; the original is made when there is none, or when it is of
 * another week or schema: half of what is read is about the present week.
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
  // With its owner: PostgreSQL starts on a folder of its own alone.
  execFileSync('cp', ['-a', '--reflink=auto', original, copy]);
  return copy;
}

/** A seeded database and a server on one core, and the players' tokens. */
export type World = {
  size: Size;
  folder: string;
  database: Postgres;
  app: Running;
  /** An access token that is good for the next minutes; another player's at each call. */
  token(): string;
  /** To be called before each measurement. */
  renewTokens(): Promise<void>;
  stop(): Promise<void>;
};

/** Brings all of it up. `flags` are Node's, such as `--cpu-prof`. */
export async function openWorld(
  size: Size,
  {
    name = 'run',
    flags = [],
    cpus = SERVER_CORE,
    env = {},
  }: { name?: string; flags?: string[]; cpus?: string | null; env?: Record<string, string> } = {},
): Promise<World> {
  const folder = await copyOfSeed(size, name);
  const database = await startPostgres(folder);
  const app = await startNode('server/main.ts', {
    env: production(database.url, { DATA_DIR: folder, ...env }),
    cpus,
    ready: '/health/ready',
    flags,
  });
  const tokens: string[] = [];
  let renewed = Number.NEGATIVE_INFINITY;
  let at = 0;
  return {
    size,
    folder,
    database,
    app,
    token: () => {
      // In an order in which a small memory of recent callers would help nobody.
      at = (at + 7_919) % tokens.length;
      return tokens[at] as string;
    },
    renewTokens: async () => {
      if (performance.now() - renewed < TOKENS_FOR_MS) return;
      const waiting = Array.from({ length: size.players }, (_, n) => n + 1);
      const next = () => {
        const player = waiting.pop();
        if (player === undefined) return null;
        return {
          text: refresh(refreshOf(player), false),
          answered: (status: number, body: string) => {
            if (status === 200) tokens[player - 1] = JSON.parse(body).access;
            // The first calls may find that the database takes its time to let them in.
            else if (status === 503) waiting.push(player);
            else throw new Error(`no token: ${status} ${body}`);
          },
        };
      };
      await load({ port: app.port, connections: CONNECTIONS, seconds: 600, next });
      renewed = performance.now();
    },
    stop: async () => {
      await app.stop();
      await database.stop();
    },
  };
}

/** The request for a new access token. */
export const refresh = (token: string, rotate: boolean) =>
  request('POST', '/api/users/auth/token/refresh/', {}, JSON.stringify({ refresh: token, rotate }));

/** A read by one player after the other. */
export function read(
  world: World,
  path: string,
  {
    connections = CONNECTIONS,
    ...timing
  }: Pick<Load, 'seconds' | 'restMs'> & { connections?: number },
): Promise<Result> {
  return load({
    port: world.app.port,
    connections,
    ...timing,
    next: () => ({ text: request('GET', path, { authorization: `Bearer ${world.token()}` }) }),
  });
}

/** @throws when not every answer was a good one: such a figure would mean nothing. */
export function perSecond({ perSecond, wrong, example }: Result): number {
  if (wrong > 0) throw new Error(`${wrong} wrong answers, such as ${example}`);
  return perSecond;
}
