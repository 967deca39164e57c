import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { isCode } from '#contract/rules/short-code.ts';
import { dropDatabase, execute, onDatabase } from '#testing/app/test-database.ts';
import { type Database, openDatabase, openPool } from './database.ts';
import { DatabaseTooNew, isMigrated, MIGRATIONS, migrate } from './migrate.ts';

let name: string;
let opened: Database[];

beforeEach(async () => {
  name = `t_${randomBytes(6).toString('hex')}`;
  opened = [];
  await execute(inject('connection'), `create database ${name}`);
});
afterEach(async () => {
  for (const db of opened) await db.destroy();
  await dropDatabase(inject('connection'), name);
});

function open(): Database {
  const db = openDatabase(openPool(onDatabase(inject('connection'), name), 2, () => undefined));
  opened.push(db);
  return db;
}

const table = (name: string) => ({
  up: async (db: Kysely<unknown>) => {
    await sql`create table ${sql.id(name)} (id integer)`.execute(db);
  },
});

async function tables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`
    select tablename from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return rows.map((row) => row.tablename).filter((name) => !name.startsWith('kysely'));
}

test('REL-06 four processes start simultaneously: each migration runs once', async () => {
  const all = await Promise.all([open(), open(), open(), open()].map((db) => migrate(db)));
  const ran = all.flat().sort();
  expect(ran).toEqual([...new Set(ran)]);
  expect(ran.length).toBeGreaterThanOrEqual(3);
  expect(await isMigrated(open())).toBe(true);
  expect(await migrate(open())).toEqual([]);
});

test('REL-16 a failed migration leaves nothing behind; earlier ones stay', async () => {
  const db = open();
  const broken = {
    up: async (db: Kysely<unknown>) => {
      await sql`create table half (id integer)`.execute(db);
      throw new Error('the power went');
    },
  };
  const list = { '001-first': table('first'), '002-broken': broken, '003-third': table('third') };
  await expect(migrate(db, list)).rejects.toThrow('the power went');
  expect(await tables(db)).toEqual(['first']);
  const fixed = { ...list, '002-broken': table('whole') };
  expect(await migrate(db, fixed)).toEqual(['002-broken', '003-third']);
  expect(await tables(db)).toEqual(['first', 'third', 'whole']);
});

test('REL-16 a migration whose connection is killed is completed by the next start', async () => {
  const killed = {
    up: async (db: Kysely<unknown>) => {
      await sql`create table half (id integer)`.execute(db);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    },
  };
  await expect(migrate(open(), { '001-first': killed })).rejects.toThrow();
  const db = open();
  expect(await tables(db)).toEqual([]);
  expect(await migrate(db, { '001-first': table('first') })).toEqual(['001-first']);
});

test('a database newer than the code is refused, and nothing changes', async () => {
  const db = open();
  await migrate(db, { '001-first': table('first'), '002-later': table('later') });
  const older = { '001-first': table('first') };
  await expect(migrate(db, older)).rejects.toThrow(DatabaseTooNew);
  await expect(migrate(db, older)).rejects.toThrow(/002-later.*Start the newer version/);
  expect(await tables(db)).toEqual(['first', 'later']);
});

test('ACC-60: accounts of an earlier version are visible by their age', async () => {
  const db = open();
  const earlier = Object.entries(MIGRATIONS).filter(([name]) => name < '007');
  await migrate(db, Object.fromEntries(earlier));
  await sql`
    insert into players (email, date_of_birth, created_at)
    select age || '-' || days || '@example.com', (today - make_interval(years => age, days => -days))::date, now()
    from (select (now() at time zone interval '14 hours')::date as today) t,
      (values (13, 0), (18, 1), (18, 0), (40, 0)) v (age, days)
    union all select 'none@example.com', null, now()`.execute(db);
  await migrate(db);
  const rows = await db
    .selectFrom('players')
    .select(['visibility', 'visibility_question'])
    .orderBy('id')
    .execute();
  expect(rows.map((row) => [row.visibility, row.visibility_question])).toEqual([
    ['league', true],
    ['league', true],
    ['players', false],
    ['players', false],
    ['players', false],
  ]);
});

test.each([
  ['with sessions, accepts unsealed tokens for a month', true],
  ['without sessions, accepts none', false],
])('P17: the migration that adds the keys of refresh tokens, %s', async (_, used) => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '012')),
  );
  if (used)
    await sql`
      with one as (
        insert into players (email, created_at) values ('one@example.com', now()) returning id
      )
      insert into sessions (player_id, created_at, last_used_at, expires_at, client, refresh_hash)
      select id, now(), now(), now() + interval '30 days', '', sha256('') from one`.execute(db);
  await migrate(db);
  const { rows } = await sql<{ days: number | null }>`
    select extract(day from unsealed_until - now())::int as days from refresh_keys`.execute(db);
  expect(rows).toEqual([{ days: used ? 30 : null }]);
});

test('boards of an earlier version lose their past weeks, and get venue weeks and counts', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '013')),
  );
  await sql`
    with venue as (insert into venues (name, timezone) values ('Isle', 'Pacific/Kiritimati'), ('Dock', 'UTC')),
    player as (
      insert into players (email, created_at) select n || '@example.com', now()
      from generate_series(1, 3) n
    )
    insert into machines (name, created_at) values ('Hoop', now())`.execute(db);
  await sql`update machines set venue_id = (select id from venues where name = 'Isle')`.execute(db);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside)
    select m.id, gen_random_uuid(), p.id, 50, now(), current_date, now(), 'counted', sha256(''),
      'no_team' from machines m, players p`.execute(db);
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select venue, week, p.id, 50 from players p, unnest(array[0, 1, 2]) venue,
      unnest(array['-infinity'::date, '2020-01-06', date_trunc('week', now())::date]) week`.execute(
    db,
  );
  await migrate(db);
  const { rows } = await sql`
    select venue_id, week = '-infinity' as all_time, score, players,
      week in ('-infinity', date_trunc('week', now() at time zone
        case venue_id when 1 then 'Pacific/Kiritimati' else 'UTC' end)::date) as current
    from best_counts order by 1, 2`.execute(db);
  const of = { score: 50, players: 3, current: true };
  expect(rows).toEqual([
    { venue_id: 0, all_time: false, ...of },
    { venue_id: 0, all_time: true, ...of },
    { venue_id: 1, all_time: false, ...of },
    { venue_id: 1, all_time: true, ...of },
    { venue_id: 2, all_time: false, ...of },
    { venue_id: 2, all_time: true, ...of },
  ]);
  await sql`delete from players where email = '1@example.com'`.execute(db);
  const left = await sql`select distinct players from best_counts`.execute(db);
  expect(left.rows).toEqual([{ players: 2 }]);
});

test('LEAGUE-13: a league of an earlier version is closed, and its teams get codes', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '008')),
  );
  await sql`insert into leagues (name, timezone, starts_on, created_at)
    values ('City', 'UTC', '2026-01-05', now())`.execute(db);
  await sql`insert into teams (league_id, name, created_at)
    values (1, 'Home', now()), (1, 'Away', now())`.execute(db);
  await migrate(db);
  const teams = await db
    .selectFrom('teams')
    .innerJoin('leagues', 'leagues.id', 'teams.league_id')
    .select(['teams.name', 'leagues.joining', 'teams.join_code'])
    .orderBy('teams.name')
    .execute();
  expect(teams).toEqual([
    { name: 'Away', joining: 'closed', join_code: expect.toSatisfy(isCode) },
    { name: 'Home', joining: 'closed', join_code: expect.toSatisfy(isCode) },
  ]);
  expect(teams[0]?.join_code).not.toBe(teams[1]?.join_code);
});
