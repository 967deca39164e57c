import { sql } from 'kysely';
import { databaseClock } from '../clock.ts';
import type { Config, Settings } from '../config.ts';
import { collationWarning, readCollation } from '../db/collation.ts';
import type { Connection } from '../db/database.ts';
import { DatabaseTooNew, MigrationBlocked, migrate } from '../db/migrate.ts';
import { fillDemo, lockDemoAccount } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { isDatabaseAway } from '../errors.ts';
import { poolSizes, withOwnConnection } from './pools.ts';
import { keptSecret } from './secrets.ts';
import { StartProblem } from './shutdown.ts';
import { progress } from './welcome.ts';

/** Connections outside the pools: for jobs, notifications and long commands. */
const OTHER_CONNECTIONS = 5;
/** For commands such as `backup`, and for a second server that is starting. */
const SPARE_CONNECTIONS = 2;

async function checkConnections(db: Deps['db'], given: Settings): Promise<void> {
  const { rows } = await sql<{ allowed: number }>`
    select sum(case when name = 'max_connections' then setting::integer else -setting::integer end)::integer
      as allowed
    from pg_settings
    where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`.execute(
    db,
  );
  const allowed = rows[0]?.allowed ?? 0;
  const { players, anonymous } = poolSizes(given);
  const each = players + anonymous + OTHER_CONNECTIONS;
  const needed = given.web_processes * each + SPARE_CONNECTIONS;
  if (needed > allowed)
    throw new StartProblem(
      `WEB_PROCESSES=${given.web_processes} needs up to ${needed} connections, but PostgreSQL allows ${allowed}. Set WEB_PROCESSES to at most ${Math.max(1, Math.floor((allowed - SPARE_CONNECTIONS) / each))}, or raise max_connections in postgresql.conf and restart PostgreSQL.`,
    );
}

/**
 * Refuses a database whose encoding is not UTF-8, because it would reject or cut names (OPS-14).
 * @throws StartProblem
 */
async function checkEncoding(db: Deps['db']): Promise<void> {
  const { rows } = await sql<{ encoding: string; name: string }>`
    select current_setting('server_encoding') as encoding, current_database() as name`.execute(db);
  const [found] = rows;
  if (found !== undefined && found.encoding !== 'UTF8')
    throw new StartProblem(
      `The database ${found.name} has the encoding ${found.encoding}, but names of all languages need UTF8. Make an empty one, as the user postgres: dropdb ${found.name} && createdb -O backboard -E UTF8 -T template0 ${found.name}`,
    );
}

/**
 * Refuses a database with Turkish lower case, in which `IRIS` and `iris` would be two players
 * (OPS-31). Warns once about an outdated sort order.
 * @throws StartProblem
 */
async function checkCollation(db: Deps['db'], log: Deps['log']): Promise<void> {
  const collation = await readCollation(db);
  const { database } = collation;
  if (!collation.folds)
    throw new StartProblem(
      `The database ${database} takes I and i for two letters, as Turkish does: the same name could be taken twice. Make an empty one, as the user postgres: dropdb ${database} && createdb -O backboard -E UTF8 --locale=C.UTF-8 -T template0 ${database}`,
    );
  const warning = collationWarning(collation);
  if (warning !== null) log.warn(warning);
}

/**
 * Refuses a database that acknowledges commits before they are on disk, or on the disk of its
 * synchronous standby (REL-04).
 */
async function checkDurability(db: Deps['db']): Promise<void> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'
      or name = 'synchronous_commit' and setting = 'local' and exists (
        select from pg_settings where name = 'synchronous_standby_names' and setting <> '')
    order by name`.execute(db);
  if (rows.some(({ setting }) => setting === 'local'))
    throw new StartProblem(
      'The database runs with synchronous_commit = local and would lose games when its standby takes over. Set it to on.',
    );
  const off = rows.map(({ name }) => `${name} = off`).join(' and ');
  if (off !== '')
    throw new StartProblem(
      `The database runs with ${off} and would lose games when the power fails. Turn ${rows.length > 1 ? 'them' : 'it'} on.`,
    );
}

async function migrateWith(
  connection: Connection,
  given: Settings,
  log: Deps['log'],
): Promise<void> {
  try {
    await withOwnConnection(connection, async (_pool, db) => {
      await checkEncoding(db);
      await checkCollation(db, log);
      await checkDurability(db);
      await checkConnections(db, given);
      await migrate(db);
    });
  } catch (error) {
    if (error instanceof DatabaseTooNew || error instanceof MigrationBlocked)
      throw new StartProblem(error.message);
    if (isDatabaseAway(error) && 'connectionString' in connection)
      throw new StartProblem(
        `The database of DATABASE_URL cannot be reached (${(error as Error).message}). Is it running, and is the address right?`,
      );
    throw error;
  }
}

/** Fills an unused embedded database with the demo league (OPS-09). */
async function fillUnused(config: Config, connection: Connection): Promise<void> {
  await withOwnConnection(connection, async (pool, db) => {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select from players) or exists (select from machines)
          or exists (select from leagues) as used`.execute(db);
    if (rows[0]?.used) return;
    const clock = await databaseClock(pool);
    const report = progress();
    try {
      await fillDemo({ db, clock, config }, { onProgress: report });
    } finally {
      clock.stop();
      report.end();
    }
  });
}

export type Prepared = { connection: Connection; config: Config };

/**
 * Checks and migrates the database, and completes the settings with stored secrets.
 * @throws StartProblem
 */
export async function prepare(
  connection: Connection,
  google: Config['google'],
  given: Settings,
  log: Deps['log'],
): Promise<Prepared> {
  const { data_dir } = given;
  await migrateWith(connection, given, log);
  const config: Config = {
    ...given,
    google,
    secret_keys:
      given.secret_keys === null
        ? [await keptSecret(data_dir, 'secret.key')]
        : (given.secret_keys as [string, ...string[]]),
    operator_key: given.operator_key ?? (await keptSecret(data_dir, 'operator.key')),
  };
  if (config.production)
    await withOwnConnection(connection, async (_pool, db) => {
      if (await lockDemoAccount(db)) log.warn('the demo account had its public password: replaced');
    });
  if (config.database_url === null && config.demo) await fillUnused(config, connection);
  return { connection, config };
}
