import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import {
  type CommitLoop,
  killCommitLoops,
  makeFolder,
  removeFolder,
  serverOf,
  startCommitLoop,
  untilExited,
} from '#testing/app/database-processes.ts';
import { openEmbedded } from './embedded.ts';

/** A short test of REL-01 to REL-03; trials/ has thousands of kills. */
const KILLS = 10;
const ROWS_BETWEEN_KILLS = 20;

const folders: string[] = [];
afterAll(async () => {
  killCommitLoops();
  await Promise.all(folders.map(removeFolder));
});

async function letItWork(loop: CommitLoop): Promise<number> {
  const server = await loop.opened();
  await loop.moreRows(ROWS_BETWEEN_KILLS);
  await sleep(randomInt(20));
  return server;
}

async function storedRows(dataDir: string): Promise<number[]> {
  const database = await openEmbedded({ dataDir, log: () => {} });
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT id::int FROM rows ORDER BY id');
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
    await database.stop();
  }
}

/** Each kill can leave one more row that was not acknowledged. */
async function expectNothingLost(dataDir: string, acknowledged: number[]): Promise<void> {
  const stored = await storedRows(dataDir);
  const there = new Set(stored);
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * ROWS_BETWEEN_KILLS);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBe(stored.length);
  expect(stored.length - acknowledged.length).toBeLessThanOrEqual(KILLS + 1);
}

test('REL-01: no acknowledged row is lost when the app is killed', async () => {
  const dataDir = await makeFolder();
  folders.push(dataDir);
  const acknowledged: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const loop = startCommitLoop(dataDir);
    const server = await letItWork(loop);
    process.kill(loop.pid, 'SIGKILL');
    expect(await loop.ended).toBe('SIGKILL');
    acknowledged.push(...loop.rows);
    if (kill % 2 === 0) await untilExited(server);
  }
  await expectNothingLost(dataDir, acknowledged);
});

test('REL-02: no acknowledged row is lost when the server is killed, and the app continues', async () => {
  const dataDir = await makeFolder();
  folders.push(dataDir);
  const loop = startCommitLoop(dataDir);
  for (let kill = 0; kill < KILLS; kill++) {
    await letItWork(loop);
    process.kill(serverOf(dataDir), 'SIGKILL');
    await loop.logged('the database server is back', kill + 1);
  }
  await loop.moreRows(1);
  process.kill(loop.pid, 'SIGINT');
  expect(await loop.ended).toBe(0);
  await expectNothingLost(dataDir, loop.rows);
});

test('REL-02: no acknowledged row is lost when app and server are killed together', async () => {
  const dataDir = await makeFolder();
  folders.push(dataDir);
  const acknowledged: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const loop = startCommitLoop(dataDir);
    const server = await letItWork(loop);
    const victims = [loop.pid, server];
    if (kill % 2 === 0) victims.reverse();
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    await loop.ended;
    acknowledged.push(...loop.rows);
  }
  await expectNothingLost(dataDir, acknowledged);
});
