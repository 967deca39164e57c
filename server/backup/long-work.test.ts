import { expect, test } from 'vitest';
import { withApp } from '#testing/app/test-app.ts';
import { untimedPool } from './long-work.ts';

const t = withApp();

test('REL-07: a connection that breaks during long work does not end the process', async () => {
  const reported = Promise.withResolvers<Error>();
  const pool = untimedPool(t.pool, reported.resolve);
  const client = await pool.connect();
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  expect(await reported.promise).toBeInstanceOf(Error);
  client.release(true);
  await pool.end();
});
