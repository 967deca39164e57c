import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { buildApp } from '../app.ts';
import { ownMetrics } from './metrics.ts';

const t = withApp();

test('P40 /health/live and /health/ready answer without revealing a version', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const answer = await t.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'ok' });
  }
});

test('P40 /health/live needs no database, and /health/ready needs one', async () => {
  const alone = await testApp();
  await alone.pool.end();
  expect((await alone.call('GET', '/health/live')).status).toBe(200);
  const ready = await alone.call('GET', '/health/ready');
  expect(ready.status).toBe(503);
  expect(ready.headers['retry-after']).toBeDefined();
  await alone.app.close();
});

test('P40 a process is ready only after every migration', async () => {
  const older = await testApp();
  await sql`delete from migrations
    where name = (select max(name) from migrations)`.execute(older.db);
  const ready = await older.call('GET', '/health/ready');
  expect([ready.status, ready.body]).toEqual([
    503,
    { detail: 'The database is not migrated yet.' },
  ]);
  await older.close();
});

test('P40 a process that shuts down is live, but not ready', async () => {
  const app = await buildApp({
    ...t,
    anonymous: t.db,
    metrics: ownMetrics(),
    draining: () => true,
  });
  const answer = (url: string) => app.inject({ url, headers: { host: 'localhost:3000' } });
  const [live, ready] = [await answer('/health/live'), await answer('/health/ready')];
  expect([live.statusCode, ready.statusCode]).toEqual([200, 503]);
  expect(ready.json()).toEqual({ detail: 'Shutting down.' });
  await app.close();
});

test('P36 P37 a path without its slash is redirected, a wrong method gets 405, and any other path gets 404', async () => {
  expect((await t.call('GET', '/api/nowhere/')).status).toBe(404);
  const wrong = await t.call('POST', '/health/live', { body: {} });
  expect(wrong.status).toBe(405);
  expect(wrong.headers.allow).toContain('GET');
});

test('P40 many concurrent calls of /health/ready use one connection', async () => {
  const few = await testApp();
  let most = 0;
  const busy = setInterval(() => {
    most = Math.max(most, few.pool.totalCount - few.pool.idleCount + few.pool.waitingCount);
  }, 0);
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => few.call('GET', '/health/ready')),
  );
  clearInterval(busy);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBe(1);
  await few.close();
});
