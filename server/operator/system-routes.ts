import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { systemAnswer } from '#contract/staff.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { VERSION } from '../http/version.ts';
import { lastBackup } from '../staff/audit.ts';
import { operatorSchema, refusals } from './schema.ts';

const WAITING_MAX = 20;

type Figures = {
  version: string;
  bytes: number;
  connections: number;
  connections_max: number;
  schema: string;
};

/** The disk with the data; null if unreadable. */
async function diskOf(folder: string): Promise<{ free_bytes: number; bytes: number } | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { free_bytes: found.bavail * found.bsize, bytes: found.blocks * found.bsize };
}

/** The console's page System: whether the installation works (STAFF-01). */
export function systemRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'mail' | 'fromReplica'>,
): void {
  const { config, db, clock, mail, fromReplica } = deps;
  const up_since = new Date(clock.now().getTime() - process.uptime() * 1000).toISOString();

  /** The replica's lag in seconds; null while the primary serves the reads. */
  const behind = () =>
    fromReplica(async (on) => {
      const { rows } = await sql<{ behind_s: number | null }>`
        select case when pg_is_in_recovery()
          then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
          end as behind_s`.execute(on);
      return rows[0]?.behind_s ?? null;
    });

  app.get(
    '/api/operator/system/',
    {
      schema: {
        ...operatorSchema('Show the version, the database, the mails and the last backup', {
          role: 'owner',
        }),
        response: { 200: systemAnswer, ...refusals },
      },
    },
    async () => {
      const { rows } = await sql<Figures>`
        select current_setting('server_version') as version,
          pg_database_size(current_database()) as bytes,
          (select count(*) from pg_stat_activity where datname = current_database()) as connections,
          current_setting('max_connections')::int as connections_max,
          (select max(name) from kysely_migration) as schema`.execute(db);
      const [database] = rows;
      if (database === undefined) throw new Error('the database did not describe itself');
      const waits = await mail.listWaiting(WAITING_MAX);
      const backup = await lastBackup(db);
      const bytes = backup?.after.bytes;
      return {
        version: VERSION,
        up_since,
        node: process.version,
        processes: config.web_processes,
        database,
        disk: await diskOf(config.data_dir),
        mail: {
          kept: config.smtp_url === null,
          waiting: (await mail.figures()).waiting,
          waits: waits.map(({ since, tries }) => ({ since: since.toISOString(), tries })),
        },
        replica: config.database_replica_url === null ? null : { behind_s: await behind() },
        backup: backup
          ? {
              at: backup.at.toISOString(),
              bytes: typeof bytes === 'number' ? bytes : null,
              who: backup.who,
            }
          : null,
      };
    },
  );
}
