import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PLANNER, type Postgres } from '../postgres.ts';
import { ALL_CORES } from '../processes.ts';

export type Script = { text: string; variables: Record<string, number> };

/** Returns this folder's script `<name>.sql`. */
export function scriptOf(name: 'profile' | 'games', variables: Record<string, number>): Script {
  return { text: readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8'), variables };
}

/**
 * The transactions per second of a pgbench script with prepared statements: the upper limit for our
 * server. The script gets the variable `clients`.
 */
export async function pgbench(
  database: Postgres,
  { text, variables }: Script,
  { clients, seconds, on = 'backboard' }: { clients: number; seconds: number; on?: string },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'backboard-pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, text);
  try {
    const { stdout } = await promisify(execFile)(
      'taskset',
      [
        ['-c', ALL_CORES, 'pgbench'],
        ['-n', '-M', 'prepared', '-f', file],
        Object.entries({ ...variables, clients }).flatMap(([name, value]) => [
          '-D',
          `${name}=${value}`,
        ]),
        ['-c', `${clients}`, '-j', '1', '-T', `${seconds}`],
        ['-h', database.host, '-p', `${database.port}`, '-U', 'backboard', on],
      ].flat(),
      { env: { PATH: process.env.PATH, PGCONNECT_TIMEOUT: '10', PGOPTIONS: PLANNER } },
    );
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 127)
      throw new Error('pgbench is missing. Install it: apt-get install postgresql-contrib');
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The number of clients with the most transactions per second. */
export async function bestClients(
  database: Postgres,
  script: Script,
  on = 'backboard',
): Promise<number> {
  let best = { clients: 0, perSecond: 0 };
  for (const clients of [4, 8, 16, 32, 50]) {
    const perSecond = await pgbench(database, script, { clients, seconds: 2, on });
    if (perSecond > best.perSecond) best = { clients, perSecond };
  }
  return best.clients;
}
