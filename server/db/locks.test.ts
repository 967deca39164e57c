import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { lockPatiently } from './locks.ts';

const t = withApp();

const timeout = async (db: TestApp['db']) =>
  (await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db)).rows[0]?.lock_timeout;

test('a longer lock timeout applies to one transaction only', async () => {
  const usual = await timeout(t.db);
  await t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [1]);
    expect(await timeout(trx)).toBe('4500ms');
  });
  expect(await timeout(t.db)).toBe(usual);
  expect(usual).not.toBe('4500ms');
});

test('only one transaction at a time holds a lock; each kind and id has its own lock', async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let taken: () => void = () => undefined;
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve;
  });
  const first = t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [7]);
    taken();
    await held;
    order.push('first');
  });
  await isTaken;
  const second = t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [7]);
    order.push('second');
  });
  await t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [8]);
    await lockPatiently(trx, 'corrections');
    order.push('others');
  });
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(['others', 'first', 'second']);
});
