import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import * as accounts from './migrations/001-accounts.ts';
import * as leagues from './migrations/002-leagues.ts';
import * as games from './migrations/003-games.ts';
import * as changeEmail from './migrations/004-change-email.ts';
import * as identityAuthority from './migrations/005-identity-authority.ts';
import * as venueTimezone from './migrations/006-venue-timezone.ts';
import * as visibility from './migrations/007-visibility.ts';
import * as joining from './migrations/008-joining.ts';
import * as staff from './migrations/009-staff.ts';
import * as machineStatus from './migrations/010-machine-status.ts';
import * as screens from './migrations/011-screens.ts';
import * as refreshKeys from './migrations/012-refresh-keys.ts';
import * as boardCounts from './migrations/013-board-counts.ts';
import * as gamesOfATeam from './migrations/016-games-of-a-team.ts';
import * as staffReads from './migrations/017-staff-reads.ts';
import * as claimedAddresses from './migrations/018-claimed-addresses.ts';
import * as sessionRowsInPlace from './migrations/021-session-rows-in-place.ts';
import * as endOfANotice from './migrations/022-end-of-a-notice.ts';
import * as joinCodes from './migrations/025-join-codes.ts';
import * as repairWhy from './migrations/026-repair-why.ts';
import * as countedGames from './migrations/027-counted-games.ts';
import * as auditByStaff from './migrations/028-audit-by-staff.ts';
import * as staffEverything from './migrations/030-staff-everything.ts';

/** In order. Never rename a released one. */
export const MIGRATIONS = {
  '001-accounts': accounts,
  '002-leagues': leagues,
  '003-games': games,
  '004-change-email': changeEmail,
  '005-identity-authority': identityAuthority,
  '006-venue-timezone': venueTimezone,
  '007-visibility': visibility,
  '008-joining': joining,
  '009-staff': staff,
  '010-machine-status': machineStatus,
  '011-screens': screens,
  '012-refresh-keys': refreshKeys,
  '013-board-counts': boardCounts,
  '016-games-of-a-team': gamesOfATeam,
  '017-staff-reads': staffReads,
  '018-claimed-addresses': claimedAddresses,
  '021-session-rows-in-place': sessionRowsInPlace,
  '022-end-of-a-notice': endOfANotice,
  '025-join-codes': joinCodes,
  '026-repair-why': repairWhy,
  '027-counted-games': countedGames,
  '028-audit-by-staff': auditByStaff,
  '030-staff-everything': staffEverything,
};

/** A newer version has migrated the database. */
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
 * Runs the pending migrations; returns their names. Each is a transaction under an advisory lock:
 * processes can start together, and a kill leaves none half done (REL-06, REL-16).
 * @throws DatabaseTooNew before any change; the database's error if one fails.
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

/** Whether every migration has run (P40). */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await applied(db);
  return Object.keys(MIGRATIONS).every((name) => done.includes(name));
}
