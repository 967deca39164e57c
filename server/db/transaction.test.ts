import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withApp } from '#testing/app/test-app.ts';
import { untimedPool } from '../backup/long-work.ts';
import { type Database, openDatabase } from './database.ts';
import { pipelined, type Queryable, transact } from './transaction.ts';

const t = withApp();
let patient: Pool;
let withoutPipeline: Database;
beforeAll(async () => {
  // Ignore errors: a test breaks a connection on purpose.
  patient = untimedPool(t.pool, () => undefined);
  withoutPipeline = openDatabase(patient);
  await sql`create table steps (n int primary key, at bigserial)`.execute(t.db);
});
afterAll(async () => {
  await patient.end();
});

const add = (on: Queryable, n: number) => sql`insert into steps (n) values (${n})`.execute(on);
const slowly = (on: Queryable) => sql`select pg_sleep(${0.2})`.execute(on);
const fail = (on: Queryable) => sql`select 1 / ${0}::int`.execute(on);

async function steps(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from steps order by at`.execute(t.db);
  return rows.map(({ n }) => n);
}

beforeEach(() => sql`truncate steps restart identity`.execute(t.db));

describe.each([
  ['pipelines', () => t.db],
  ['waits for each result', () => withoutPipeline],
])('on a pool that %s', (_, database) => {
  test('pipelined statements run in the order given, and each sees the results of earlier ones', async () => {
    const many = Array.from({ length: 50 }, (_, n) => n);
    const [, count] = await transact(database(), (trx) =>
      pipelined(trx, [
        // If a statement overtook the slow first one, the count would differ.
        (on) => pipelined(on, [slowly, ...many.map((n) => (direct: Queryable) => add(direct, n))]),
        (on) => sql<{ count: number }>`select count(*) from steps where n >= ${0}`.execute(on),
      ]),
    );
    expect(count.rows).toEqual([{ count: many.length }]);
    expect(await steps()).toEqual(many);
  });

  test('the first failure of pipelined statements is thrown, and no change remains', async () => {
    const before = await steps();
    const failing = transact(database(), (trx) =>
      pipelined(trx, [
        (on) => add(on, 100),
        fail,
        (on) => add(on, 101),
        (on) => add(on, 102),
        (on) => add(on, 103),
        (on) => sql`select nothing from ${sql.table('nowhere')} where ${1} = 1`.execute(on),
      ]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await steps()).toEqual(before);
    await Promise.all([add(t.db, 104), slowly(t.db)]);
    expect(await steps()).toEqual([...before, 104]);
  });

  test('a transaction fails after a failed statement, even if `work` catches the error', async () => {
    const before = await steps();
    const hushed = transact(database(), async (trx) => {
      await add(trx, 110);
      await fail(trx).catch(() => undefined);
    });
    await expect(hushed).rejects.toThrow('rolled back instead of committed');
    expect(await steps()).toEqual(before);
  });

  test('a nested transaction that fails rolls back only its own changes', async () => {
    const before = await steps();
    await transact(database(), async (outer) => {
      await add(outer, 120);
      const part = transact(outer, async (inner) => {
        await add(inner, 121);
        await expect(transact(inner, fail)).rejects.toThrow('division by zero');
        await fail(inner);
      });
      await expect(part).rejects.toThrow('division by zero');
      await transact(outer, (inner) => add(inner, 122));
    });
    expect(await steps()).toEqual([...before, 120, 122]);
  });

  test('a transaction that cannot begin throws, and changes nothing', async () => {
    const pool = database() === t.db ? t.pool : patient;
    const client = await pool.connect();
    const refuse = async () => Promise.reject(new Error('not now'));
    const refusing = {
      options: pool.options,
      connect: async () => ({
        query: (asked: string) => (asked === 'begin' ? refuse() : client.query(asked)),
        release: (gone?: boolean) => client.release(gone),
      }),
    } as unknown as Pool;
    const late = async (trx: Queryable) => {
      await sql`select ${1}::int`.execute(trx);
      await add(trx, 149);
    };
    await expect(transact(openDatabase(refusing), late)).rejects.toThrow('not now');
    await transact(database(), (trx) => add(trx, 150));
    expect(await steps()).toEqual([150]);
  });

  test('a statement after the end of its transaction is refused and changes nothing', async () => {
    const before = await steps();
    let late: Promise<unknown> = Promise.resolve();
    const failing = transact(database(), async (trx) => {
      late = slowly(t.db).then(() => add(trx, 140));
      late.catch(() => undefined);
      throw new Error('not this one');
    });
    await expect(failing).rejects.toThrow('not this one');
    await expect(late).rejects.toThrow('already rolled back');
    expect(await steps()).toEqual(before);
  });

  test('a pipelined step that sends a statement late is refused and changes nothing', async () => {
    const before = await steps();
    const late = transact(database(), (trx) =>
      pipelined(trx, [
        (on) => add(on, 160),
        async (on) => {
          await add(on, 161);
          await add(on, 162);
        },
      ]),
    );
    await expect(late).rejects.toThrow('before it awaits anything');
    expect(await steps()).toEqual(before);
  });

  test('a connection that breaks in a transaction leaves neither changes nor locks', async () => {
    const before = await steps();
    const cut = transact(database(), async (trx) => {
      await add(trx, 130);
      const { rows } = await sql<{
        pid: number;
      }>`select pg_backend_pid() as pid where ${1} = 1`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(t.db);
      await add(trx, 131);
    });
    await expect(cut).rejects.toThrow();
    expect(await steps()).toEqual(before);
    await add(t.db, 130);
  });
});
