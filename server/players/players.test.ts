import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const WRITES =
  /(insertInto|updateTable|deleteFrom)\('players'\)|\b(insert into|update|delete from) players\b/;

test('the search finds every way to write the table', () => {
  expect("db.updateTable('players')").toMatch(WRITES);
  expect('sql`with moved as (update players p set').toMatch(WRITES);
  expect("db.selectFrom('players')").not.toMatch(WRITES);
});

test('only this folder writes the table `players`', async () => {
  const sources = glob('server/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', 'server/testing/**', 'server/db/migrations/**'],
  });
  const writers = new Set<string>();
  for await (const path of sources)
    if (WRITES.test(await readFile(join(ROOT, path), 'utf8'))) writers.add(path);
  expect([...writers].sort()).toEqual(['server/players/erase.ts', 'server/players/players.ts']);
});
