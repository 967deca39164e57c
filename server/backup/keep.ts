import type pg from 'pg';
import type { BackupHeader } from '#contract/wire/backups.ts';
import { columnsOf, lastId, setLastId } from './backup.ts';
import { TABLES } from './tables.ts';

/** Splits a declaration's list of names, such as 'at who bytes'. */
export const words = (list = ''): string[] => list.split(/\s+/).filter(Boolean);

/**
 * The last id ever used, live or in the backup, so that no id is used twice (P30e); null without
 * a sequence.
 */
export async function lastIdEver(
  client: pg.ClientBase,
  header: BackupHeader,
  table: string,
): Promise<number | null> {
  const now = await lastId(client, table);
  const then = header.tables.find((described) => described.table === table)?.last_id ?? 0;
  return now === null ? null : Math.max(now, then);
}

/**
 * Adds the live rows that the backup lacks, in tables declared `added`. Rows keep their ids, unless
 * the backup has another row with one of these ids, as after a new installation: then all get new
 * ids.
 */
export async function addLive(
  client: pg.ClientBase,
  scratch: string,
  header: BackupHeader,
): Promise<void> {
  for (const { table } of TABLES.filter(({ rows }) => rows === 'added')) {
    const last = await lastIdEver(client, header, table);
    if (last === null) {
      await client.query(
        `insert into ${scratch}.${table} select * from ${table} on conflict do nothing`,
      );
      continue;
    }
    await setLastId(client, table, last);
    const columns = (await columnsOf(client, table)).map(({ name }) => name);
    const values = columns.map((name) =>
      name === 'id'
        ? `case when exists (select from missing_${table} join ${scratch}.${table} using (id))
             then nextval(pg_get_serial_sequence('${table}', 'id')) else id end`
        : name,
    );
    await client.query(`
      create temp table missing_${table} on commit drop as
        select live.* from ${table} live left join ${scratch}.${table} old using (id)
        where to_jsonb(live) is distinct from to_jsonb(old);
      insert into ${scratch}.${table} (${columns.join(', ')}) overriding system value
        select ${values.join(', ')} from (select * from missing_${table} order by id) live`);
  }
}

/** Copies the live values that the features declare as kept into the backup in `scratch`. */
export async function keepLive(client: pg.ClientBase, scratch: string): Promise<void> {
  await findSame(client, scratch);
  for (const { table, rows, kept, same, refers, staysDeleted } of TABLES) {
    if (typeof rows === 'object') await keepRows(client, scratch, table, rows.of, refers);
    else if (same !== undefined && kept !== undefined) {
      const required = (await columnsOf(client, table)).filter(({ required }) => required);
      const set = words(kept).map((column) => {
        const live = liveValue(column, refers);
        return required.some(({ name }) => name === column)
          ? `${column} = coalesce(${live}, old.${column})`
          : `${column} = ${live}`;
      });
      await client.query(`
        update ${scratch}.${table} old set ${set.join(', ')} from ${table} live
        where live.id = old.id and old.id in (select id from same_${table})`);
    }
    if (staysDeleted)
      await client.query(`
        delete from ${scratch}.${table} where id <= ${(await lastId(client, table)) ?? 0}
          and id not in (select id from ${table})`);
  }
}

/** The SQL of a live row's value: null if it refers to a row that the backup lacks. */
const liveValue = (column: string, refers: Record<string, string> = {}) =>
  refers[column] === undefined
    ? `live.${column}`
    : `(select id from same_${refers[column]} where id = live.${column})`;

/** Fills the tables `same_…` with the ids of the live rows that the backup also has. */
async function findSame(client: pg.ClientBase, scratch: string): Promise<void> {
  for (const { table, same, unique } of TABLES) {
    if (same === undefined) continue;
    const equal = (a: string, b: string) =>
      ['id', ...words(same)].map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');
    const taken = unique
      ? `and not exists (
          select from ${scratch}.${table} other where other.${unique} = live.${unique}
            and not exists (select from ${table} one where ${equal('one', 'other')}))`
      : '';
    await client.query(`
      create temp table same_${table} on commit drop as
        select live.id from ${table} live join ${scratch}.${table} old on ${equal('live', 'old')}
        where true ${taken}`);
    // Two rows may have swapped their values, so first give every row a placeholder.
    if (unique)
      await client.query(`
        update ${scratch}.${table} set ${unique} = id || '@restoring'
        where id in (select id from same_${table})`);
  }
}

/**
 * Replaces rows of the backup by the live rows, if the backup also has the row that their column
 * `owner` refers to.
 */
async function keepRows(
  client: pg.ClientBase,
  scratch: string,
  table: string,
  owner: string,
  refers: Record<string, string> = {},
): Promise<void> {
  const columns = await columnsOf(client, table);
  const key = columns.flatMap(({ name, key }) => (key ? name : [])).join(', ');
  const known = columns
    .filter(({ name, required }) => required && refers[name] !== undefined)
    .map(({ name }) => `${name} in (select id from same_${refers[name]})`);
  const ofSame = `${owner} in (select id from same_${refers[owner]})`;
  const values = columns.map(({ name }) => liveValue(name, refers));
  await client.query(`
    delete from ${scratch}.${table} where ${ofSame}
      or (${key}) in (select ${key} from ${table} where ${ofSame});
    insert into ${scratch}.${table} (${columns.map(({ name }) => name).join(', ')})
      overriding system value
      select ${values.join(', ')} from ${table} live where ${known.join(' and ')}`);
}
