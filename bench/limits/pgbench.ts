import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Postgres } from '../postgres.ts';
import { ALL_CORES } from '../processes.ts';

/**
 * Runs a script of this folder in pgbench, with prepared statements. Returns the transactions per
 * second, which are the limit of PostgreSQL without our server.
 */
export async function pgbench(
  database: Postgres,
  script: 'profile' | 'game',
  { clients, seconds, players }: { clients: number; seconds: number; players: number },
): Promise<number> {
  const file = join(import.meta.dirname, `${script}.sql`);
  const { stdout } = await promisify(execFile)(
    'taskset',
    [
      ['-c', ALL_CORES, 'pgbench'],
      ['-n', '-M', 'prepared', '-f', file, '-D', `players=${players}`],
      ['-c', `${clients}`, '-j', '1', '-T', `${seconds}`],
      ['-h', database.host, '-U', 'backboard', 'backboard'],
    ].flat(),
    { env: { PATH: process.env.PATH, PGCONNECT_TIMEOUT: '10' } },
  ).catch((error: Error) => {
    if (!/failed to execute/.test(error.message)) throw error;
    throw new Error('pgbench is missing. Install it: apt-get install postgresql-contrib');
  });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/**
 * Tries several numbers of clients for 2 s each. Returns the number with the most transactions per
 * second, which is not always the largest number.
 */
export async function bestClients(
  database: Postgres,
  script: 'profile' | 'game',
  players: number,
): Promise<number> {
  let best = { clients: 0, perSecond: 0 };
  for (const clients of [8, 16, 32, 50]) {
    const perSecond = await pgbench(database, script, { clients, seconds: 2, players });
    if (perSecond > best.perSecond) best = { clients, perSecond };
  }
  return best.clients;
}
