import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { dropDatabase, execute, onDatabase } from '#testing/app/test-database.ts';
import { type Database, openDatabase, openPool } from './database.ts';
import { MIGRATIONS, type Migrations, migrate, RELEASED } from './migrate.ts';
import type { Migration } from './migration.ts';

let name: string;
let db: Database;

beforeEach(async () => {
  name = `t_${randomBytes(6).toString('hex')}`;
  await execute(inject('connection'), `create database ${name}`);
  db = openDatabase(openPool(onDatabase(inject('connection'), name), 2, () => undefined));
});
afterEach(async () => {
  await db.destroy();
  await dropDatabase(inject('connection'), name);
});

type Column = {
  table: string;
  column: string;
  type: string;
  required: boolean;
  filled: boolean;
  /** Only the database may set this column. */
  numbered: boolean;
};
/** A constraint or a unique index. `checked`: existing rows were checked too. */
type Guard = {
  table: string;
  name: string;
  says: string;
  columns: string[];
  unique: boolean;
  checked: boolean;
};
type Catalog = { columns: Column[]; guards: Guard[] };

async function readCatalog(): Promise<Catalog> {
  const columns = await sql<Column>`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type,
      attnotnull as required, atthasdef or attidentity <> '' as filled,
      attidentity = 'a' as numbered
    from pg_attribute join pg_class c on c.oid = attrelid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0
      and not attisdropped and relname not in ('migrations', 'kysely_migration')`.execute(db);
  const guards = await sql<Guard>`
    select relname as table, conname as name,
      replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') as says,
      array(select attname::text from pg_attribute
        where attrelid = conrelid and attnum = any (conkey)) as columns,
      contype in ('p', 'u') as unique, convalidated and contype in ('c', 'f') as checked
    from pg_constraint k join pg_class c on c.oid = conrelid
    where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select c.relname, i.relname, pg_get_indexdef(i.oid),
      array(select attname::text from pg_attribute
        where attrelid = indrelid and attnum = any (indkey::int2[])), true, false
    from pg_index x join pg_class i on i.oid = indexrelid join pg_class c on c.oid = indrelid
    where indisunique and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db);
  return { columns: columns.rows, guards: guards.rows };
}

/** Whether a check such as `role in ('floor', 'owner')` has only gained allowed words. */
function isWider(before: string, after: string): boolean {
  const words = (says: string): string[] => says.match(/'[^']*'/g) ?? [];
  const shape = (says: string) => says.replace(/ARRAY\[[^\]]*\]/g, '');
  const now = words(after);
  return shape(before) === shape(after) && words(before).every((word) => now.includes(word));
}

/** Tables whose rows take minutes to read. */
const BIG = ['games', 'shots'];

/**
 * Changes that break the previous version's reads, writes or `on conflict`, or that block its
 * games.
 */
function breaches(before: Catalog, after: Catalog): string[] {
  const found: string[] = [];
  const hadTable = (table: string) => before.columns.some((one) => one.table === table);
  const old = (table: string, column: string) =>
    before.columns.find((one) => one.table === table && one.column === column);
  for (const was of before.columns) {
    const now = after.columns.find(
      ({ table, column }) => table === was.table && column === was.column,
    );
    const what = `${was.table}.${was.column}`;
    if (now === undefined) found.push(`${what} is gone`);
    else if (now.type !== was.type) found.push(`${what} has another type`);
    else if (now.required && !was.required) found.push(`${what} is not null`);
    else if (was.filled && !now.filled) found.push(`${what} has no default`);
  }
  for (const { table, column, required, filled } of after.columns)
    if (hadTable(table) && old(table, column) === undefined && required && !filled)
      found.push(`${table}.${column} is not null and has no default`);
  for (const now of after.guards) {
    const was = before.guards.find(({ table, name }) => table === now.table && name === now.name);
    if (was?.says === now.says) continue;
    if (BIG.includes(now.table) && hadTable(now.table) && now.checked)
      found.push(`${now.name} reads all ${now.table} under a lock: add it \`not valid\``);
    if (was !== undefined && isWider(was.says, now.says)) continue;
    const columns = now.columns.map((column) => old(now.table, column));
    if (now.unique && columns.some((column) => column?.numbered)) continue;
    if (hadTable(now.table) && columns.some((column) => column !== undefined))
      found.push(`${now.name} restricts ${now.table}`);
  }
  for (const was of before.guards)
    if (
      was.unique &&
      !after.guards.some(({ table, name }) => table === was.table && name === was.name)
    )
      found.push(`${was.name} is gone`);
  return found;
}

/** The faults of an unreleased migration. `known`: the released migrations. */
function faults(migration: Migration, broken: string[], known: readonly string[]): string[] {
  const { kind, unusedSince } = migration;
  if (kind === 'expand')
    return unusedSince === undefined ? broken : [...broken, '`expand` has no unusedSince'];
  if (unusedSince === undefined) return ['`contract` needs unusedSince'];
  if (!known.includes(unusedSince))
    return [`${unusedSince} is in no release: remove it in a later version`];
  return [];
}

/** Runs the migrations of `list`; returns the faults of those that are not in `released`. */
async function check(list: Migrations, released: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const run: Migrations = {};
  for (const name of Object.keys(list).toSorted()) {
    const migration = list[name] as Migration;
    run[name] = migration;
    if (released.includes(name)) continue;
    await migrate(db, Object.fromEntries(Object.entries(run).slice(0, -1)));
    const before = await readCatalog();
    await migrate(db, run);
    const broken = breaches(before, await readCatalog());
    found.push(...faults(migration, broken, released).map((fault) => `${name}: ${fault}`));
  }
  return found;
}

test('REL-22 the last release runs on the schema of this version', async () => {
  const released = Object.keys(MIGRATIONS).filter((name) => name <= RELEASED);
  expect(await check(MIGRATIONS, released)).toEqual([]);
});

const step = (statement: string, more: Partial<Migration> = {}): Migration => ({
  kind: 'expand',
  up: async (db: Kysely<unknown>) => {
    await sql.raw(statement).execute(db);
  },
  ...more,
});
const FIRST = step(
  "create table shots (id integer unique, number bigint generated always as identity, at date, kind text check (kind in ('hit', 'miss')))",
);

test.each<[string, Migration, string[]]>([
  ['drops a table', step('drop table shots'), ['shots.at is gone', 'shots_id_key is gone']],
  ['renames a column', step('alter table shots rename at to day'), ['shots.at is gone']],
  [
    'makes a column not null',
    step('alter table shots alter at set not null'),
    ['shots.at is not null'],
  ],
  [
    'changes a type',
    step('alter table shots alter at type timestamptz'),
    ['shots.at has another type'],
  ],
  [
    'adds a column that the version before does not fill',
    step('alter table shots add hoop integer not null'),
    ['shots.hoop is not null and has no default'],
  ],
  [
    'restricts what the version before writes',
    step("alter table shots add constraint late check (at > '2026-01-01')"),
    ['late restricts shots'],
  ],
  [
    'accepts fewer words in a check',
    step(
      "alter table shots drop constraint shots_kind_check, add constraint shots_kind_check check (kind in ('hit', 'swish'))",
    ),
    ['shots_kind_check restricts shots'],
  ],
  [
    'checks all rows under a lock',
    step('alter table shots add hoop integer check (hoop > 0)'),
    ['shots_hoop_check reads all shots under a lock: add it `not valid`'],
  ],
  [
    'adds a unique index',
    step('create unique index one_a_day on shots (at)'),
    ['one_a_day restricts shots'],
  ],
  [
    'drops a unique key',
    step('alter table shots drop constraint shots_id_key'),
    ['shots_id_key is gone'],
  ],
  [
    'has unusedSince without contracting',
    step('create table other (id integer)', { unusedSince: '001-first' }),
    ['`expand` has no unusedSince'],
  ],
  [
    'contracts without unusedSince',
    step('drop table shots', { kind: 'contract' }),
    ['`contract` needs unusedSince'],
  ],
  [
    'contracts in the version that stops using it',
    step('drop table shots', { kind: 'contract', unusedSince: '002-next' }),
    ['002-next is in no release: remove it in a later version'],
  ],
])('REL-22 the check reports a migration that %s', async (_, migration, wanted) => {
  const found = await check({ '001-first': FIRST, '002-next': migration }, ['001-first']);
  for (const fault of wanted) expect(found).toContain(`002-next: ${fault}`);
});

test.each<[string, Migration]>([
  ['add a table', step('create table hoops (id integer primary key, at date not null)')],
  ['add a column', step('alter table shots add hoop integer')],
  [
    'add a check that is validated later',
    step('alter table shots add hoop integer, add constraint on_hoop check (hoop > 0) not valid'),
  ],
  ['add a column with a default', step('alter table shots add hoop integer not null default 1')],
  [
    'allow one more word in a check',
    step(
      "alter table shots drop constraint shots_kind_check, add constraint shots_kind_check check (kind in ('hit', 'miss', 'swish')) not valid",
    ),
  ],
  [
    'add a unique index on numbers that the database gives',
    { kind: 'expand', indexes: { shots_number: 'unique on shots (number)' } },
  ],
  ['add an index', { kind: 'expand', indexes: { shots_by_day: 'on shots (at)' } }],
  [
    'remove what the last release left unused',
    step('drop table shots', { kind: 'contract', unusedSince: '001-first' }),
  ],
])('REL-22 a migration may %s', async (_, migration) => {
  const found = await check({ '001-first': FIRST, '002-next': migration }, ['001-first']);
  expect(found).toEqual([]);
});
