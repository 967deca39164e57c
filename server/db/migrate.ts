import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { createIndex, type Migration } from './migration.ts';
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
import * as venueOfALeague from './migrations/031-venue-of-a-league.ts';
import * as venueOfAGame from './migrations/032-venue-of-a-game.ts';
import * as gamesByVenue from './migrations/033-games-by-venue.ts';
import * as refreshSecret from './migrations/035-refresh-secret.ts';
import * as blanksInNames from './migrations/036-blanks-in-names.ts';
import * as landedGames from './migrations/040-landed-games.ts';
import * as howPlayersJoined from './migrations/041-how-players-joined.ts';
import * as waitingTeamMails from './migrations/042-waiting-team-mails.ts';
import * as seasons from './migrations/050-seasons.ts';
import * as offSeason from './migrations/051-off-season.ts';
import * as contests from './migrations/055-contests.ts';
import * as decisionsAndBackups from './migrations/056-decisions-and-backups.ts';
import * as confirmedJoins from './migrations/057-confirmed-joins.ts';
import * as alertHeld from './migrations/058-alert-held.ts';
import * as wallAsked from './migrations/059-wall-asked.ts';
import * as cups from './migrations/060-cups.ts';
import * as cupWindows from './migrations/061-cup-windows.ts';
import * as bestOfAWeek from './migrations/069-best-of-a-week.ts';
import * as push from './migrations/070-push.ts';
import * as friends from './migrations/071-friends.ts';
import * as toldWeeks from './migrations/072-told-weeks.ts';
import * as bestOfPastWeeks from './migrations/080-best-of-past-weeks.ts';
import * as duels from './migrations/081-duels.ts';
import * as nudges from './migrations/082-nudges.ts';
import * as pushLooks from './migrations/083-push-looks.ts';
import * as boardPlaces from './migrations/084-board-places.ts';
import * as lettersInNames from './migrations/085-letters-in-names.ts';
import * as duelTallies from './migrations/086-duel-tallies.ts';
import * as touchedBy from './migrations/087-touched-by.ts';
import * as machinePairings from './migrations/088-machine-pairings.ts';
import * as timeOfANotice from './migrations/089-time-of-a-notice.ts';
import * as leagueDecisions from './migrations/090-league-decisions.ts';
import * as pushOff from './migrations/091-push-off.ts';
import * as nudgesByMates from './migrations/092-nudges-by-mates.ts';
import * as cupPlayersStay from './migrations/093-cup-players-stay.ts';
import * as weekSums from './migrations/094-week-sums.ts';

/** All migrations, in order. Never rename a released one, or change what it leaves behind. */
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
  '031-venue-of-a-league': venueOfALeague,
  '032-venue-of-a-game': venueOfAGame,
  '033-games-by-venue': gamesByVenue,
  '035-refresh-secret': refreshSecret,
  '036-blanks-in-names': blanksInNames,
  '040-landed-games': landedGames,
  '041-how-players-joined': howPlayersJoined,
  '042-waiting-team-mails': waitingTeamMails,
  '050-seasons': seasons,
  '051-off-season': offSeason,
  '055-contests': contests,
  '056-decisions-and-backups': decisionsAndBackups,
  '057-confirmed-joins': confirmedJoins,
  '058-alert-held': alertHeld,
  '059-wall-asked': wallAsked,
  '060-cups': cups,
  '061-cup-windows': cupWindows,
  '069-best-of-a-week': bestOfAWeek,
  '070-push': push,
  '071-friends': friends,
  '072-told-weeks': toldWeeks,
  '080-best-of-past-weeks': bestOfPastWeeks,
  '081-duels': duels,
  '082-nudges': nudges,
  '083-push-looks': pushLooks,
  '084-board-places': boardPlaces,
  '085-letters-in-names': lettersInNames,
  '086-duel-tallies': duelTallies,
  '087-touched-by': touchedBy,
  '088-machine-pairings': machinePairings,
  '089-time-of-a-notice': timeOfANotice,
  '090-league-decisions': leagueDecisions,
  '091-push-off': pushOff,
  '092-nudges-by-mates': nudgesByMates,
  '093-cup-players-stay': cupPlayersStay,
  '094-week-sums': weekSums,
} satisfies Record<string, Migration>;

/**
 * The last migration of the last release. The next release may remove what the last release no
 * longer uses.
 */
export const RELEASED = '028-audit-by-staff';

/** Versions up to 0.2 read `kysely_migration`, and refuse names there that they do not know. */
const LAST_OF_0_2 = '028-audit-by-staff';

export type Migrations = Record<string, Migration>;

/** A newer version has migrated the database in a way that this version cannot run on. */
export class DatabaseTooNew extends Error {
  constructor(names: string[]) {
    super(
      `The database is newer than this version of Backboard (it has ${names.join(', ')}). ` +
        'Start the newer version, or restore a backup made by this one.',
    );
  }
}

/** A migration could not get a lock. The indexes and batches that it has finished stay. */
export class MigrationBlocked extends Error {
  constructor(name: string, seconds: number, oldest: OldestTransaction | undefined) {
    super(
      oldest === undefined
        ? `The migration ${name} could not lock a table for ${seconds} s, because another connection uses it, such as a dump or a long query. Nothing was lost. Wait until that has ended, and start Backboard again.`
        : `The migration ${name} could not lock a table for ${seconds} s, because another connection uses it. The oldest transaction is that of ${oldest.who} (process ${oldest.pid}), open for ${oldest.seconds} s. Nothing was lost. Wait until it has ended, or end it with: select pg_terminate_backend(${oldest.pid}). Then start Backboard again.`,
    );
  }
}

type OldestTransaction = { pid: number; who: string; seconds: number };
type Applied = { name: string; kind: Migration['kind']; unused_since: string | null };

async function applied(db: Database): Promise<Applied[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and tablename in ('migrations', 'kysely_migration')`.execute(db);
  const tables = rows.map(({ name }) => name);
  if (tables.includes('migrations'))
    return (
      await sql<Applied>`select name, kind, unused_since from migrations order by name`.execute(db)
    ).rows;
  if (!tables.includes('kysely_migration')) return [];
  const done = await sql<Applied>`
    select name, 'contract' as kind, null as unused_since from kysely_migration order by name`.execute(
    db,
  );
  return done.rows;
}

/**
 * Whether a version that knows only the migrations `known` runs on a schema with this migration.
 */
const isCompatible = (known: readonly string[], { name, kind, unused_since }: Applied) =>
  known.includes(name) ||
  kind === 'expand' ||
  (unused_since !== null && known.includes(unused_since));

/**
 * Whether a version that knows only `known` runs on the schema of this version. Versions before
 * 0.2 do not.
 */
export const hasWayBack = (known: readonly string[]): boolean =>
  known.some((name) => name >= LAST_OF_0_2) &&
  Object.entries(MIGRATIONS as Migrations).every(([name, { kind, unusedSince }]) =>
    isCompatible(known, { name, kind, unused_since: unusedSince ?? null }),
  );

/**
 * The database's migrations that this version does not know: those of a newer version, which runs
 * beside this one during a rolling upgrade.
 */
export async function newerMigrations(db: Database): Promise<string[]> {
  const names = (await applied(db)).map(({ name }) => name);
  return names.filter((name) => !(name in MIGRATIONS));
}

/** The key of the advisory lock of a migration. Versions up to 0.2 take the same one. */
const LOCK = sql.lit(3853314791062309107n);
const LOCK_POLL_MS = 100;

/**
 * A statement that waits for a lock on `games` makes every later one wait too, so this timeout is
 * shorter than that of requests (P38).
 */
const LOCK_TIMEOUT_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;
const PAUSE_MS = 2_000;
const PAUSE_MAX_MS = 15_000;

export type Patience = { lockTimeoutMs: number; patienceMs: number; pauseMs: number };
const PATIENCE: Patience = {
  lockTimeoutMs: LOCK_TIMEOUT_MS,
  patienceMs: PATIENCE_MS,
  pauseMs: PAUSE_MS,
};

/**
 * Runs the pending migrations; returns their names. Processes can start together, and a kill leaves
 * no migration half done (REL-06, REL-16). Requests never wait long for a migration (REL-22).
 * @throws DatabaseTooNew, before any change, if this version cannot run on the database.
 * @throws MigrationBlocked if a lock cannot be taken.
 * @throws the database's error if a migration fails.
 */
export async function migrate(
  db: Database,
  migrations: Migrations = MIGRATIONS,
  patience: Patience = PATIENCE,
): Promise<string[]> {
  const known = Object.keys(migrations).toSorted();
  return db.connection().execute(async (own) => {
    await refuseTooNew(own, known);
    await lock(own);
    try {
      await refuseTooNew(own, known);
      await prepare(own, migrations);
      const done = (await applied(own)).map(({ name }) => name);
      const pending = known.filter((name) => !done.includes(name));
      for (const name of pending) await run(own, name, migrations[name] as Migration, patience);
      return pending;
    } finally {
      // This fails if the connection is broken, but then the lock is released anyway.
      await sql`select pg_advisory_unlock(${LOCK})`.execute(own).catch(() => undefined);
    }
  });
}

async function refuseTooNew(db: Database, known: readonly string[]): Promise<void> {
  const unknown = (await applied(db)).filter((one) => !isCompatible(known, one));
  if (unknown.length > 0) throw new DatabaseTooNew(unknown.map(({ name }) => name));
}

/** Polls, because a waiting statement would block an index that is built concurrently. */
async function lock(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(${LOCK}) as locked`.execute(db);
    if (rows[0]?.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Creates the table of migrations, and copies those that version 0.1 or 0.2 has run. */
async function prepare(db: Database, migrations: Migrations): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null
    )`.execute(db);
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration
      where to_regclass(current_schema() || '.migrations') is null`.execute(trx);
    await sql`
      create table if not exists migrations (
        name text primary key,
        kind text not null check (kind in ('expand', 'contract')),
        unused_since text,
        ran_at timestamptz not null default now()
      )`.execute(trx);
    for (const { name } of rows) await note(trx, name, migrations[name] as Migration);
  });
}

async function note(
  trx: Kysely<unknown> | Database,
  name: string,
  { kind, unusedSince }: Migration,
): Promise<void> {
  await sql`insert into migrations (name, kind, unused_since)
    values (${name}, ${kind}, ${unusedSince ?? null})`.execute(trx);
  if (kind === 'expand' && name > LAST_OF_0_2) return;
  await sql`insert into kysely_migration (name, timestamp) values (${name}, now()::text)
    on conflict do nothing`.execute(trx);
}

/** Runs a migration: its indexes first, then its batches, then `up`. */
async function run(
  db: Database,
  name: string,
  migration: Migration,
  patience: Patience,
): Promise<void> {
  const attempt = <T>(work: (trx: Kysely<unknown>) => Promise<T>): Promise<T> =>
    patiently(db, name, patience, () =>
      db.transaction().execute(async (trx) => {
        await sql`select set_config('lock_timeout', ${`${patience.lockTimeoutMs}ms`}, true)`.execute(
          trx,
        );
        return work(trx as unknown as Kysely<unknown>);
      }),
    );
  for (const [index, on] of Object.entries(migration.indexes ?? {}))
    await patiently(db, name, patience, () => buildIndex(db, index, on));
  const { batch } = migration;
  if (batch !== undefined) while ((await attempt(batch)) > 0);
  await attempt(async (trx) => {
    await migration.up?.(trx);
    await note(trx, name, migration);
  });
}

/**
 * Builds an index while rows are written. Replaces the invalid index that an interrupted build
 * left.
 */
async function buildIndex(db: Database, name: string, on: string): Promise<void> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.valid) return;
  if (rows.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
  await createIndex(name, on, 'concurrently').execute(db);
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const isBlocked = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK);

/** Repeats `work` with pauses while it cannot get a lock. */
async function patiently<T>(
  db: Database,
  name: string,
  { patienceMs, pauseMs }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  for (let pause = pauseMs; ; pause = Math.min(1.5 * pause, PAUSE_MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBlocked(error)) throw error;
      const ms = performance.now() - began;
      if (ms + pause > patienceMs)
        throw new MigrationBlocked(name, Math.round(ms / 1000), await oldestTransaction(db));
      await sleep(pause * (0.5 + Math.random() / 2));
    }
  }
}

/** The oldest other transaction; undefined if there is none, or if this role may not see it. */
async function oldestTransaction(db: Database): Promise<OldestTransaction | undefined> {
  const { rows } = await sql<OldestTransaction>`
    select pid, coalesce(nullif(application_name, ''), usename) as who,
      floor(extract(epoch from clock_timestamp() - xact_start))::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db);
  return rows[0];
}

/** Whether every migration has run (P40). */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = (await applied(db)).map(({ name }) => name);
  return Object.keys(MIGRATIONS).every((name) => done.includes(name));
}
