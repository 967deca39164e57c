/**
 * What monthly partitions of the games would bring and cost, at ten million rows or more:
 *
 *     node bench/partitions.ts --rows 10000000
 *
 * The same rows are stored twice, one way after the other, each in a cluster of its own: in one
 * table, as it is; and by month. A unique key of a partitioned table must hold the column by which
 * it is parted, so there the ids stand in a table of their own, which keeps a game unique for ever.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { emptyFolder, FILLING, type Postgres, startPostgres } from './postgres.ts';
import { ALL_CORES, startNode } from './processes.ts';
import { figure } from './report.ts';
import { progressLine } from './seed.ts';

const MONTHS = 12;
const PLAYERS = 200_000;
const MACHINES = 2_000;
const SECONDS = 15;
const CLIENTS = 16;
const BATCH = 100;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    to: { type: 'string', default: '.cache/bench/partitions' },
  },
});
const rows = Number(values.rows);

/** The same columns and indexes as the games have, but for what refers to other tables. */
const COLUMNS = `machine_id integer not null, id uuid not null, seq bigint not null,
  player_id bigint not null, score integer not null, played_at timestamptz not null,
  day date not null, received_at timestamptz not null, duration_s real, shots_made integer,
  shots_attempted integer, state text not null, held_reason text, digest bytea not null,
  team_id integer, week date, outside text`;
const NAMES = [...COLUMNS.matchAll(/(?:^|,\s*)(\w+)/g)].map(([, name]) => name).join(', ');
const INDEXES = [
  'create index on g (player_id, played_at desc, id desc)',
  "create index on g (player_id, week, played_at, id) where week is not null and state = 'counted'",
  "create index on g (received_at) where state = 'held'",
  'create index on g using brin (received_at)',
];

type Way = {
  name: string;
  tables: string[];
  keys: string[];
  /** Around the statement that gives rows `r` with all columns: stores them, each id once. */
  insert: (select: string) => string;
  /** The oldest two, of which the first is begun only. */
  dropMonths: string[];
};

const monthOf = (back: number) => `date_trunc('month', now()) - interval '${back} months'`;

const ONE: Way = {
  name: 'one table',
  tables: [`create table g (${COLUMNS})`],
  keys: ['alter table g add primary key (machine_id, id)'],
  insert: (select) => `insert into g ${select}`,
  dropMonths: [`delete from g where played_at < ${monthOf(MONTHS - 2)}`, 'vacuum g'],
};

const MONTHLY: Way = {
  name: 'by month',
  tables: [
    `create table g (${COLUMNS}) partition by range (played_at)`,
    `do $$ declare month timestamptz; begin
       for back in -1..${MONTHS} loop
         month := date_trunc('month', now()) - back * interval '1 month';
         execute format('create table %I partition of g for values from (%L) to (%L)',
           'g_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
       end loop; end $$`,
    'create table ids (machine_id integer not null, id uuid not null)',
  ],
  keys: ['alter table ids add primary key (machine_id, id)'],
  insert: (select) => `with r (${NAMES}) as materialized (${select}),
    i as (insert into ids select machine_id, id from r) insert into g select * from r`,
  dropMonths: [
    `do $$ begin for back in ${MONTHS - 1}..${MONTHS} loop
       execute format('drop table %I',
         'g_' || to_char(date_trunc('month', now()) - back * interval '1 month', 'YYYY_MM'));
     end loop; end $$`,
  ],
};

/** Rows `from` to `to` of all, in the order of time, over a year. */
const generated = (from: number, to: number) => `
  select 1 + n % ${MACHINES}, gen_random_uuid(), n, 1 + (n * 7919) % ${PLAYERS}, 100 + n % 400,
    t, t::date, t + interval '45 seconds', 45, 20, 40, 'counted', null::text,
    sha256(int8send(n)), 1 + ((n * 7919) % ${PLAYERS})::integer % 20000,
    date_trunc('week', t)::date, null::text
  from generate_series(${from}::bigint, ${to}) n,
    lateral (select now() - interval '1 year' + n * (interval '1 year' / ${rows}) as t) times`;

/** One new row, or a hundred, as pgbench sends them. */
const fresh = (count: number) => `
  select 1 + (random() * ${MACHINES - 1})::integer, gen_random_uuid(), n,
    1 + (random() * ${PLAYERS - 1})::bigint, 300, now(), now()::date, now(), 45::real, 20, 40,
    'counted', null::text, sha256('game'), 7, date_trunc('week', now())::date, null::text
  from generate_series(1::bigint, ${count}) n`;

function pgbench(database: Postgres, folder: string, script: string): number {
  const file = join(folder, 'script.sql');
  const statement = script.replaceAll(/\s+/g, ' ');
  writeFileSync(file, `\\set player random(1, ${PLAYERS})\n${statement};\n`);
  const output = execFileSync('taskset', [
    ...['-c', ALL_CORES, 'pgbench', '-n', '-M', 'prepared', '-f', file],
    ...['-c', `${CLIENTS}`, '-j', '1', '-T', `${SECONDS}`],
    ...['-h', database.host, '-U', 'postgres', 'backboard'],
  ]);
  return Number(/tps = ([\d.]+)/.exec(output.toString())?.[1]);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function measure(way: Way): Promise<Record<string, string>> {
  const folder = emptyFolder(resolve(values.to));
  const app = await startNode('server/main.ts', {
    env: { DATA_DIR: folder, DEMO: '0', DRAIN_SECONDS: '0' },
    cpus: null,
    ready: '/health/ready',
  });
  await app.stop();
  const say = progressLine();
  let database = await startPostgres(folder, { settings: FILLING });
  await database.query(...way.tables);
  const step = Math.ceil(rows / 50);
  const filled = await seconds(async () => {
    for (let from = 1; from <= rows; from += step) {
      await database.query(way.insert(generated(from, Math.min(rows, from + step - 1))));
      say(`${way.name}: rows`, from + step, rows);
    }
  });
  const indexed = await seconds(async () => {
    for (const [at, statement] of [...way.keys, ...INDEXES].entries()) {
      say(`${way.name}: indexes`, at, INDEXES.length + way.keys.length);
      await database.query(statement);
    }
  });
  await database.query('vacuum (analyze, freeze)', 'checkpoint');
  await database.stop();

  database = await startPostgres(folder);
  const size = async (part: string) => {
    const [row] = await database.query<{ bytes: string }>(
      `select sum(${part}(c.oid)) as bytes from pg_class c
       where c.relkind = 'r' and (c.relname = 'g' or c.relname like 'g\\_%' or c.relname = 'ids')`,
    );
    return Number(row?.bytes) / 1024 ** 3;
  };
  const [heap, indexes] = [await size('pg_relation_size'), await size('pg_indexes_size')];
  say(`${way.name}: inserts`, 0, 1);
  const single = pgbench(database, folder, way.insert(fresh(1)));
  const batch = BATCH * pgbench(database, folder, way.insert(fresh(BATCH)));
  const page = pgbench(
    database,
    folder,
    'select * from g where player_id = :player order by played_at desc, id desc limit 21',
  );
  say(`${way.name}: vacuum`, 0, 1);
  await database.query(`update g set state = 'void' where seq % 1000 = 0`);
  const vacuumed = await seconds(() => database.query('vacuum g'));
  const before = (await size('pg_total_relation_size')) * 1024;
  const dropped = await seconds(() => database.query(...way.dropMonths));
  const after = (await size('pg_total_relation_size')) * 1024;
  await database.stop();
  emptyFolder(folder);
  return {
    'Filled, with indexes, s': `${figure(filled)} + ${figure(indexed)}`,
    'Rows, GB': figure(heap),
    'Indexes, GB': figure(indexes),
    'Inserts of one row, /s': figure(single),
    [`Rows by inserts of ${BATCH}, /s`]: figure(batch),
    "A player's newest page, /s": figure(page),
    'Vacuum after a change of one row in a thousand, s': figure(vacuumed),
    'Oldest two months gone, s': figure(dropped),
    'Given back by that, MB': figure(before - after),
  };
}

const monthly = await measure(MONTHLY);
const one = await measure(ONE);
console.log(`\n| ${figure(rows)} games | ${ONE.name} | ${MONTHLY.name} |\n| --- | --- | --- |`);
for (const [name, value] of Object.entries(one))
  console.log(`| ${name} | ${value} | ${monthly[name]} |`);
