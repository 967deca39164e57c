import { statfs } from 'node:fs/promises';
import { collationWarning, readCollation } from '../db/collation.ts';
import { readFigures, readLag } from '../db/figures.ts';
import { VERSION } from '../http/version.ts';
import { searchAll } from '../staff-pages/search-all.ts';
import { type Noun, read } from './command.ts';

const WAITING_MAX = 20;

/** The disk with the data; null if unreadable. */
async function diskOf(folder: string): Promise<{ free_bytes: number; bytes: number } | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { free_bytes: found.bavail * found.bsize, bytes: found.blocks * found.bsize };
}

/** Commands about the whole installation: the search, and the console's page System (STAFF-01). */
export const system: Noun = {
  area: 'system',
  topics: [],
  commands: [
    read('POST /api/operator/search/', {
      summary: 'Find players, teams, machines, leagues and screens; machines alone for floor staff',
      role: 'floor',
      work: async ({ db, actor, body }) => ({ results: await searchAll(db, body.text, actor) }),
    }),
    read('GET /api/operator/system/', {
      summary: 'Show the version, the database, the mails and the last backup',
      role: 'owner',
      work: async ({ config, db, clock, mail, fromReplica }) => {
        const waits = await mail.listWaiting(WAITING_MAX);
        const backup = await db
          .selectFrom('backups')
          .selectAll()
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst();
        return {
          version: VERSION,
          up_since: new Date(clock.now().getTime() - process.uptime() * 1000).toISOString(),
          node: process.version,
          processes: config.web_processes,
          database: await readFigures(db),
          warnings: [collationWarning(await readCollation(db))].filter((one) => one !== null),
          disk: await diskOf(config.data_dir),
          mail: {
            kept: config.smtp_url === null,
            waiting: (await mail.figures()).waiting,
            waits: waits.map(({ since, tries }) => ({ since: since.toISOString(), tries })),
          },
          replica:
            config.database_replica_url === null ? null : { behind_s: await fromReplica(readLag) },
          backup: backup ? { ...backup, at: backup.at.toISOString() } : null,
        };
      },
    }),
  ],
};
