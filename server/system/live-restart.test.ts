import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import { appOn, type TestApp } from '#testing/app/test-app.ts';
import { openEvents } from '#testing/event-stream.ts';
import { openDatabase, openPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { notify } from '../db/notifications.ts';
import { type EmbeddedDatabase, openEmbedded } from '../postgres/embedded.ts';

let folder: string;
let database: EmbeddedDatabase;
let t: TestApp;
const start = async () => {
  database = await openEmbedded({ dataDir: folder, log: () => undefined });
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backboard-live-'));
  await start();
  const pool = openPool(database.connection, 1, () => undefined);
  await migrate(openDatabase(pool));
  await pool.end();
  t = await appOn(database.connection);
});
afterAll(async () => {
  await t.close();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

test('REL-07: streams survive a restart of the database, and clients refetch what they missed', async () => {
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  const player = await makePlayer(t);
  const { access } = await makeSession(t, player);
  const stream = await openEvents(url, access);

  await database.stop();
  // After a 401, the player would be signed out.
  await expect(openEvents(url, access)).rejects.toThrow('answered 503');
  await start();
  expect([await stream.next(), await stream.next()]).toEqual(['game', 'profile']);
  await t.db.transaction().execute((trx) => notify(trx, { league: [1], profile: [player.id] }));
  expect(await stream.next()).toBe('profile');

  // A new stream begins with `game` too: its page's figures may be old.
  const another = await openEvents(url, access);
  expect(await another.next()).toBe('game');
  stream.close();
  another.close();
});
