import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { patientPool } from './streams.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('REL-07 a connection that breaks in the midst of a long command ends no process', async () => {
  const heard = Promise.withResolvers<Error>();
  const pool = patientPool(t.pool, heard.resolve);
  const client = await pool.connect();
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  expect(await heard.promise).toBeInstanceOf(Error);
  client.release(true);
  await pool.end();
});
