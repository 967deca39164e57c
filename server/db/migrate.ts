import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as accounts from './migrations/001-accounts.ts';
import * as leagues from './migrations/002-leagues.ts';
import * as games from './migrations/003-games.ts';
import * as changeEmail from './migrations/004-change-email.ts';

/** In order; a name never changes once it has been released. */
export const MIGRATIONS = {
  '001-accounts': accounts,
  '002-leagues': leagues,
  '003-games': games,
  '004-change-email': changeEmail,
};

/** The database was migrated by a newer Backboard than this one. */
export class DatabaseTooNew extends Error {
  constructor(names: string[]) {
    super(
      `The database is newer than this version of Backboard (it has ${names.join(', ')}). ` +
        'Start the newer version, or restore a backup made by this one.',
    );
  }
}

async function applied(db: Database): Promise<string[]> {
  const table = await sql`select 1 from pg_tables
    where schemaname = current_schema() and tablename = 'kysely_migration'`.execute(db);
  if (table.rows.length === 0) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    db,
  );
  return done.rows.map((row) => row.name);
}

/**
 * Brings the schema up to this version. Each migration runs in a transaction of its own under an
 * advisory lock, so several processes may start at once and a killed one leaves nothing half done
 * (REL-06, REL-16). Returns the names it ran.
 * @throws DatabaseTooNew before anything is changed; the database's own error when one fails.
 */
export async function migrate(
  db: Database,
  migrations: Record<string, { up(db: Kysely<unknown>): Promise<void> }> = MIGRATIONS,
): Promise<string[]> {
  const unknown = (await applied(db)).filter((name) => !(name in migrations));
  if (unknown.length > 0) throw new DatabaseTooNew(unknown);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const ran: string[] = [];
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error) throw error;
    if (results.length === 0) return ran;
    ran.push(...results.map((result) => result.migrationName));
  }
}

/** Whether every migration of this version has run: part of /health/ready (P40). */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await applied(db);
  return Object.keys(MIGRATIONS).every((name) => done.includes(name));
}
