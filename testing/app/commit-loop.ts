/**
 * A program for tests that kill it. `node commit-loop.ts DATA_DIR` opens the embedded database and
 * inserts rows. Prints `open <pid of PostgreSQL>`, then `row <id>` for each acknowledged commit.
 * SIGINT stops it cleanly. stderr is the database's log.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbedded } from '../../server/postgres/embedded.ts';
import { EmbeddedDatabaseError } from '../../server/postgres/errors.ts';

const [dataDir = ''] = process.argv.slice(2);
// Write unbuffered, so that a kill loses no line.
const say = (line: string) => writeSync(1, `${line}\n`);

try {
  const database = await openEmbedded({ dataDir, log: (line) => writeSync(2, `${line}\n`) });
  const pool = new pg.Pool({ ...database.connection, max: 4 });
  pool.on('error', () => {});
  await pool.query('CREATE TABLE IF NOT EXISTS rows (id bigint GENERATED ALWAYS AS IDENTITY)');
  const [pid] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
  let ending = false;
  process.once('SIGINT', () => {
    ending = true;
  });
  say(`open ${pid}`);
  while (!ending) {
    try {
      const { rows } = await pool.query('INSERT INTO rows DEFAULT VALUES RETURNING id');
      say(`row ${rows[0].id}`);
    } catch {
      // PostgreSQL may be down; the row may be stored or not.
      await sleep(10);
    }
  }
  await pool.end();
  await database.stop();
  say('stopped');
} catch (error) {
  if (!(error instanceof EmbeddedDatabaseError)) throw error;
  writeSync(2, `${error.message}\n`);
  process.exitCode = 1;
}
