import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untimedPool } from '../backup/long-work.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import type { Database } from './database.ts';
import { inOneTransaction } from './transaction.ts';

let t: TestApp;
let patient: Pool;
beforeAll(async () => {
  t = await testApp();
  // One test breaks a connection; what it means is seen by who used it.
  patient = untimedPool(t.pool, () => undefined);
  await sql`create table steps (n int primary key, at bigserial)`.execute(t.db);
});
afterAll(async () => {
  await patient.end();
  await t.close();
});

const add = (db: Database, n: number) => sql`insert into steps (n) values (${n})`.execute(db);
const slowly = (db: Database) => sql`select pg_sleep(${0.2})`.execute(db);

async function steps(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from steps order by at`.execute(t.db);
  return rows.map(({ n }) => n);
}

beforeEach(() => sql`truncate steps restart identity`.execute(t.db));

describe.each([
  ['pipelines', () => t.pool],
  ['waits for each answer', () => patient],
])('on a pool that %s', (_, pool) => {
  test('what is asked for at once runs in that order, and each sees what came before', async () => {
    const many = Array.from({ length: 50 }, (_, n) => n);
    const seen = await inOneTransaction(pool(), async (db) => {
      const asked = many.map(async (n) => {
        // The first is slow: what overtakes it would be found out.
        if (n === 0) return Promise.all([slowly(db), add(db, n)]);
        return add(db, n);
      });
      const count = sql<{ count: number }>`select count(*) from steps where n >= ${0}`.execute(db);
      await Promise.all(asked);
      return (await count).rows;
    });
    expect(seen).toEqual([{ count: many.length }]);
    expect(await steps()).toEqual(many);
  });

  test('of what is asked for at once, the first failure is told and nothing stays', async () => {
    const before = await steps();
    const failing = inOneTransaction(pool(), (db) =>
      Promise.all([
        add(db, 100),
        sql`select 1 / ${0}::int`.execute(db),
        add(db, 101),
        add(db, 102),
        add(db, 103),
        sql`select nothing from ${sql.table('nowhere')} where ${1} = 1`.execute(db),
      ]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await steps()).toEqual(before);
    // The connection is whole again, whoever gets it.
    await Promise.all([add(t.db, 104), slowly(t.db)]);
    expect(await steps()).toEqual([...before, 104]);
  });

  test('a failure that nobody tells of does not pass for success', async () => {
    const before = await steps();
    const hushed = inOneTransaction(pool(), async (db) => {
      await add(db, 110);
      await sql`select 1 / ${0}::int`.execute(db).catch(() => undefined);
    });
    await expect(hushed).rejects.toThrow('rolled back at its end');
    expect(await steps()).toEqual(before);
  });

  test('a part that fails takes only itself back', async () => {
    const before = await steps();
    await inOneTransaction(pool(), async (db) => {
      await add(db, 120);
      const part = db.transaction().execute(async (trx) => {
        await add(trx, 121);
        await sql`select 1 / ${0}::int`.execute(trx);
      });
      await expect(part).rejects.toThrow('division by zero');
      await add(db, 122);
    });
    expect(await steps()).toEqual([...before, 120, 122]);
  });

  test('a transaction that cannot begin is told, and its connection goes on', async () => {
    const client = await pool().connect();
    const refuse = async () => Promise.reject(new Error('not now'));
    const refusing = {
      options: pool().options,
      connect: async () => ({
        query: (asked: string) => (asked === 'begin' ? refuse() : client.query(asked)),
        release: (gone?: boolean) => client.release(gone),
      }),
    } as unknown as Pool;
    const look = (db: Database) => sql`select ${1}::int`.execute(db);
    await expect(inOneTransaction(refusing, look)).rejects.toThrow('not now');
    await inOneTransaction(pool(), (db) => add(db, 150));
    expect(await steps()).toEqual([150]);
  });

  test('what is asked after the end is refused, and leaves nothing', async () => {
    const before = await steps();
    let late: Promise<unknown> = Promise.resolve();
    const failing = inOneTransaction(pool(), async (db) => {
      late = slowly(t.db).then(() => add(db, 140));
      late.catch(() => undefined);
      throw new Error('not this one');
    });
    await expect(failing).rejects.toThrow('not this one');
    await expect(late).rejects.toThrow('the transaction is over');
    expect(await steps()).toEqual(before);
  });

  test('a process that ends in the middle leaves nothing, nor a lock', async () => {
    const before = await steps();
    const cut = inOneTransaction(pool(), async (db) => {
      await add(db, 130);
      const { rows } = await sql<{
        pid: number;
      }>`select pg_backend_pid() as pid where ${1} = 1`.execute(db);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(t.db);
      await add(db, 131);
    });
    await expect(cut).rejects.toThrow();
    expect(await steps()).toEqual(before);
    await add(t.db, 130);
  });
});
