import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { isCode } from '#contract/rules/short-code.ts';
import { dropDatabase, execute, onDatabase } from '#testing/app/test-database.ts';
import { type Database, openDatabase, openPool } from './database.ts';
import {
  DatabaseTooNew,
  isMigrated,
  MIGRATIONS,
  MigrationBlocked,
  migrate,
  newerMigrations,
  type Patience,
} from './migrate.ts';
import type { Migration } from './migration.ts';

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

const table = (name: string, kind: Migration['kind'] = 'expand') => ({
  kind,
  up: async (db: Kysely<unknown>) => {
    await sql`create table ${sql.id(name)} (id integer)`.execute(db);
  },
});

async function tables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`
    select tablename from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return rows
    .map((row) => row.tablename)
    .filter((name) => name !== 'migrations' && !name.startsWith('kysely'));
}

test('REL-06 four processes start simultaneously: each migration runs once', async () => {
  const all = await Promise.all([open(), open(), open(), open()].map((db) => migrate(db)));
  const ran = all.flat().sort();
  expect(ran).toEqual([...new Set(ran)]);
  expect(ran.length).toBeGreaterThanOrEqual(3);
  expect(await isMigrated(open())).toBe(true);
  expect(await migrate(open())).toEqual([]);
});

test('REL-16 a failed migration leaves nothing behind, and earlier migrations stay', async () => {
  const db = open();
  const broken = {
    kind: 'expand' as const,
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
    kind: 'expand' as const,
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

test('REL-22 a database that a newer version has contracted is refused, and nothing changes', async () => {
  const db = open();
  await migrate(db, { '001-first': table('first'), '002-later': table('later', 'contract') });
  const older = { '001-first': table('first') };
  await expect(migrate(db, older)).rejects.toThrow(DatabaseTooNew);
  await expect(migrate(db, older)).rejects.toThrow(/002-later.*Start the newer version/);
  expect(await tables(db)).toEqual(['first', 'later']);
});

test('REL-22 a version starts on the schema of the next version, but not on that of the version after the next', async () => {
  const db = open();
  const first = { '001-first': table('first') };
  const second = { ...first, '002-stops-using-first': table('second') };
  const third = {
    ...second,
    '003-drop': {
      kind: 'contract' as const,
      unusedSince: '002-stops-using-first',
      up: async (db: Kysely<unknown>) => {
        await sql`drop table first`.execute(db);
      },
    },
  };
  await migrate(db, first);
  await migrate(db, second);
  expect(await migrate(db, first)).toEqual([]);
  expect(await newerMigrations(db)).toEqual(['001-first', '002-stops-using-first']);
  await migrate(db, third);
  expect(await migrate(db, second)).toEqual([]);
  await expect(migrate(db, first)).rejects.toThrow(/\(it has 003-drop\)/);
});

test('REL-22 version 0.2 starts on the schema of the next version until a migration contracts the schema', async () => {
  const db = open();
  await sql`create table kysely_migration
    (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  await sql`insert into kysely_migration values ('001-first', now()::text)`.execute(db);
  const readByOld = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by 1`.execute(db)).rows;
  const next = { '001-first': table('first'), '030-second': table('second') };
  expect(await migrate(db, next)).toEqual(['030-second']);
  expect(await tables(db)).toEqual(['second']);
  expect(await readByOld()).toEqual([{ name: '001-first' }]);
  await migrate(db, { ...next, '031-third': table('third', 'contract') });
  expect(await readByOld()).toEqual([{ name: '001-first' }, { name: '031-third' }]);
});

const quick: Patience = { lockTimeoutMs: 50, patienceMs: 10_000, pauseMs: 20 };

/** Holds a read lock on `games`, as a dump does, until the returned function is called. */
async function readGames(db: Database): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const reading = db.transaction().execute(async (trx) => {
    await sql`select from games`.execute(trx);
    resolve();
    await ended;
  });
  await locked;
  return () => {
    end();
    return reading;
  };
}

const games = {
  kind: 'expand' as const,
  up: async (db: Kysely<unknown>) => {
    await sql`create table games (id integer)`.execute(db);
  },
};
const column = {
  kind: 'expand' as const,
  up: async (db: Kysely<unknown>) => {
    await sql`alter table games add column beat integer`.execute(db);
  },
};

test('REL-22 games are recorded while a migration waits for a long reader', async () => {
  const [db, reader, writer] = [open(), open(), open()];
  await migrate(db, { '001-games': games });
  const end = await readGames(reader);
  let tries = 0;
  const counted = {
    kind: 'expand' as const,
    up: (trx: Kysely<unknown>) => {
      tries += 1;
      return column.up(trx);
    },
  };
  const migrated = migrate(db, { '001-games': games, '002-column': counted }, quick);
  // Without a lock timeout, an insert behind the waiting `alter table` would wait for the reader.
  while (tries < 4) await sql`insert into games (id) values (1)`.execute(writer);
  await end();
  expect(await migrated).toEqual(['002-column']);
});

test('REL-22 a migration that waits too long names the transaction that blocks it and changes nothing', async () => {
  const [db, reader] = [open(), open()];
  await migrate(db, { '001-games': games });
  const end = await readGames(reader);
  const list = { '001-games': games, '002-column': column };
  const failed = migrate(db, list, { ...quick, patienceMs: 200 });
  await expect(failed).rejects.toThrow(MigrationBlocked);
  await expect(failed).rejects.toThrow(
    /^The migration 002-column could not .* that of backboard \(process \d+\), open for \d+ s\. Nothing was lost\..*select pg_terminate_backend\(\d+\)/,
  );
  await end();
  expect(await migrate(db, list, quick)).toEqual(['002-column']);
});

test('REL-22 an index is built while games are recorded, and rebuilt after an interrupted build', async () => {
  const [db, reader, writer] = [open(), open(), open()];
  await migrate(db, { '001-games': games });
  await sql`insert into games values (1), (1)`.execute(db);
  await expect(
    sql`create unique index concurrently games_by_id on games (id)`.execute(db),
  ).rejects.toThrow();
  const list = {
    '001-games': games,
    '002-index': { kind: 'expand' as const, indexes: { games_by_id: 'on games (id)' } },
  };
  const end = await readGames(reader);
  const migrated = migrate(db, list, quick);
  for (let game = 0; game < 10; game += 1)
    await sql`insert into games (id) values (${game})`.execute(writer);
  await end();
  expect(await migrated).toEqual(['002-index']);
  const { rows } = await sql`select indisvalid as valid, indisunique as single from pg_index
    where indexrelid = 'games_by_id'::regclass`.execute(db);
  expect(rows).toEqual([{ valid: true, single: false }]);
});

test('REL-22 rows are changed in batches, each in a transaction of its own', async () => {
  const db = open();
  await migrate(db, { '001-games': games });
  await sql`insert into games select n from generate_series(1, 25) n`.execute(db);
  const transactions = new Set<unknown>();
  const batched = {
    kind: 'expand' as const,
    batch: async (trx: Kysely<unknown>) => {
      const done = await sql`update games set id = -id
        where ctid = any (array(select ctid from games where id > 0 limit 10))
        returning pg_current_xact_id()::text as xact`.execute(trx);
      for (const row of done.rows) transactions.add((row as { xact: string }).xact);
      return done.rows.length;
    },
  };
  expect(await migrate(db, { '001-games': games, '002-batched': batched })).toEqual([
    '002-batched',
  ]);
  expect(transactions.size).toBe(3);
  expect((await sql`select from games where id > 0`.execute(db)).rows).toEqual([]);
});

test('ACC-60: accounts of an earlier version get a visibility that fits their age', async () => {
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

test('REL-22: staff rows that version 0.2 writes during an upgrade keep their meaning', async () => {
  const db = open();
  await migrate(db);
  await sql`
    with one as (insert into venues (name) values ('Pier') returning id)
    insert into staff (name, role, handle, created_at)
    select name, 'owner', sha256(name::bytea), now() from one, (values ('Ann'), ('Bo')) v (name)`.execute(
    db,
  );
  await sql`update staff set role = 'manager' where name = 'Bo'`.execute(db);
  await sql`insert into staff_venues (staff_id, venue_id)
    select s.id, v.id from staff s, venues v where s.name = 'Bo'`.execute(db);
  const { rows } = await sql`select name, everything from staff order by name`.execute(db);
  expect(rows).toEqual([
    { name: 'Ann', everything: true },
    { name: 'Bo', everything: false },
  ]);
});

test('MACH-14 REL-22: games of earlier versions have the venue where they were played', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '030')),
  );
  await sql`insert into venues (name) values ('Dock'), ('Pier')`.execute(db);
  await sql`insert into players (email, created_at) values ('p@example.com', now())`.execute(db);
  await sql`insert into machines (name, venue_id, created_at) values ('Hoop', 2, now())`.execute(
    db,
  );
  await sql`insert into machine_moves (machine_id, at, venue_id)
    values (1, '2026-01-02', null), (1, '2026-01-03', 1)`.execute(db);
  const play = (receivedAt: string) =>
    sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside)
    values (1, gen_random_uuid(), 1, 50, ${receivedAt}, ${receivedAt}, ${receivedAt}, 'counted',
      sha256(''), 'no_team')`.execute(db);
  for (const at of ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']) await play(at);
  await migrate(db);
  // A game that version 0.2 records during an upgrade.
  await play('2026-01-05');
  await sql`update machines set venue_id = 1`.execute(db);
  await play('2026-01-06');
  const games = await sql<{ venue_id: number | null }>`
    select venue_id from games order by received_at`.execute(db);
  expect(games.rows.map(({ venue_id }) => venue_id)).toEqual([null, 1, 2, 2, 2, 1]);
  // From this table, version 0.2 learns where the machine stood before this version moved it.
  const moves = await sql`select venue_id from machine_moves where at > '2026-01-03'`.execute(db);
  expect(moves.rows).toEqual([{ venue_id: 2 }]);
});

test('GAME-13 REL-22: decisions and backups in the audit of version 0.2 are stored in their tables', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '030')),
  );
  const [id, other] = [randomUUID(), randomUUID()];
  await sql`insert into players (email, created_at) values ('p@example.com', now())`.execute(db);
  await sql`insert into machines (name, created_at) values ('One', now()), ('Two', now())`.execute(
    db,
  );
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside)
    select m, ${id}::uuid, 1, 50, now(), current_date, now(), 'counted', sha256(''), 'no_team'
    from generate_series(1, 2) m`.execute(db);
  const line = (area: string, what: string, before: object, after: object) =>
    sql`
    insert into audit (at, who, area, what, before, after, player_id)
    values (now(), 'Ines', ${area}, ${what}, ${JSON.stringify(before)}::jsonb,
      ${JSON.stringify(after)}::jsonb, 1)`.execute(db);
  const game = { machine: 'Two', machine_id: 2, game: id };
  // Lines from before 0.2.0 have the machine's name, not its id.
  await line(
    'games',
    'Released',
    { state: 'held' },
    { state: 'counted', machine: 'Two', game: id },
  );
  await line('games', 'Settled', { state: 'counted' }, { ...game, state: 'void', report: 'void' });
  await line('games', 'Of nowhere', { state: 'held' }, { ...game, state: 'void', game: other });
  await line('system', 'Backup made', {}, { bytes: 7 });
  await migrate(db);
  // A line that version 0.2 writes during an upgrade.
  await line('games', 'Restored', { state: 'void' }, { ...game, state: 'counted' });
  await line('system', 'Backup made', {}, { bytes: 8 });
  // A line that this version writes.
  await line('games', 'Voided', { state: 'counted' }, { state: 'void', game: 2 });
  const decisions = await sql`
    select machine_id, who, decision from game_decisions order by id`.execute(db);
  expect(decisions.rows).toEqual(
    ['release', 'void', 'restore'].map((decision) => ({ machine_id: 2, who: 'Ines', decision })),
  );
  const backups = await sql`select who, bytes from backups order by at`.execute(db);
  expect(backups.rows).toEqual([
    { who: 'Ines', bytes: 7 },
    { who: 'Ines', bytes: 8 },
  ]);
});

test('STAFF-39: a league of an earlier version gets the venue where most of its teams played', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '030')),
  );
  await sql`insert into venues (name) values ('Dock'), ('Station'), ('Far')`.execute(db);
  await sql`insert into machines (name, venue_id, created_at)
    values ('Dock 1', 1, now()), ('Station 1', 2, now()), ('Far 1', 3, now())`.execute(db);
  // The machine that is now at Far stood at Dock until yesterday.
  await sql`insert into machine_moves (machine_id, at, venue_id)
    values (3, now() - interval '1 day', 1)`.execute(db);
  await sql`insert into leagues (name, timezone, starts_on, created_at)
    select name, 'UTC', '2026-01-05', now() from unnest(array['Both', 'Young', 'Dock']) name`.execute(
    db,
  );
  await sql`insert into teams (league_id, name, created_at)
    select l.id, n::text, now() from leagues l, generate_series(1, 3) n order by 1, 2`.execute(db);
  await sql`insert into players (email, team_id, date_of_birth, created_at)
    select 'p' || id || '@example.com', id, '1990-01-01', now() from teams`.execute(db);
  /** Adds a game of the league's team number `team`, 0 to 2, on the machine, `days` ago. */
  const play = (league: number, team: number, machine: number, state = 'counted', days = 0) =>
    sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      team_id, week, held_reason)
    select ${machine}, gen_random_uuid(), p.id, 300, at, at::date, at, ${state}, sha256('a'),
      ${(league - 1) * 3 + team + 1}::bigint, date_trunc('week', at)::date, ${state === 'held' ? 'over_max_score' : null}
    from players p, (select now() - ${days}::int * interval '1 day' as at) w
    where p.team_id = ${(league - 1) * 3 + team + 1}`.execute(db);
  for (const team of [0, 1, 2]) await play(1, team, 2);
  for (const team of [0, 1]) await play(1, team, 1);
  await play(2, 0, 1);
  await play(2, 1, 1, 'held');
  await play(3, 0, 1);
  await play(3, 1, 3, 'counted', 2);
  await sql`insert into staff (name, role, handle, created_at)
    select name, role, sha256(name::bytea), now() from (values ('Owner', 'owner'),
      ('All', 'manager'), ('Dock', 'manager'), ('Station', 'manager'), ('Far', 'floor'),
      ('City', 'manager')) person (name, role)`.execute(db);
  await sql`insert into staff_venues values (3, 1), (4, 2), (5, 3)`.execute(db);
  await sql`insert into staff_leagues values (6, 2)`.execute(db);
  await migrate(db);
  const leagues = await sql`select l.name, v.name as venue from leagues l
    left join venues v on v.id = l.venue_id order by l.id`.execute(db);
  expect(leagues.rows).toEqual([
    { name: 'Both', venue: 'Station' },
    { name: 'Young', venue: null },
    { name: 'Dock', venue: 'Dock' },
  ]);
  const staff = await sql`select name, everything,
      array(select league_id::int from staff_leagues where staff_id = staff.id) as leagues
    from staff order by id`.execute(db);
  expect(staff.rows).toEqual([
    { name: 'Owner', everything: true, leagues: [] },
    { name: 'All', everything: true, leagues: [] },
    // More than half of the teams of Both played at Dock too.
    { name: 'Dock', everything: false, leagues: [1] },
    { name: 'Station', everything: false, leagues: [] },
    { name: 'Far', everything: false, leagues: [] },
    { name: 'City', everything: false, leagues: [2] },
  ]);
});

test('OPS-30: each run of blanks in names of an earlier version becomes one space, unless two names would be equal', async () => {
  const db = open();
  await migrate(
    db,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '036')),
  );
  await sql`insert into leagues (name, timezone, starts_on, created_at) values
    (e'City\u00a0 League', 'UTC', '2026-01-05', now()), ('Other', 'UTC', '2026-01-05', now())`.execute(
    db,
  );
  await sql`insert into teams (league_id, name, created_at) values (1, e'Buzzer\u2003Beaters', now()),
    (1, 'Twin  A', now()), (1, 'twin A', now()), (2, 'Twin  A', now()), (1, e'Cafe\u0301', now())`.execute(
    db,
  );
  await migrate(db);
  const { rows } = await sql`select name from (select name, 0 as kind, id from leagues
    union all select name, 1, id from teams) n order by kind, id`.execute(db);
  expect(rows.map((row) => (row as { name: string }).name)).toEqual([
    'City League',
    'Other',
    'Buzzer Beaters',
    'Twin  A',
    'twin A',
    'Twin A',
    'Café',
  ]);
});
