import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Rehearsal } from '#contract/wire/backups.ts';
import { allowSlowTests } from '#testing/app/server-process.ts';
import { readSettings } from '../config.ts';
import { hasWayBack, MIGRATIONS, RELEASED } from '../db/migrate.ts';
import { hasDevelopmentPages } from '../http/local.ts';
import { settingsOfCopy } from './new-version.ts';

allowSlowTests();

const ROOT = join(import.meta.dirname, '../..');
const BACKUP_OF_0_1 = join(ROOT, 'testing/app/backup-of-0.1.gz');
const BACKUP_OF_0_2 = join(ROOT, 'testing/app/backup-of-0.2.gz');

let folder: string;
/** The live mail server, which a rehearsal must not call. */
const mailServer = createServer((socket) => {
  mailCalls += 1;
  socket.destroy();
});
let mailCalls = 0;
let liveMail: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rehearsal-test-'));
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  liveMail = `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`;
});
afterAll(async () => {
  mailServer.close();
  await rm(folder, { recursive: true });
});

/** Runs `./backboard rehearse` with the environment of a live server, which it must not use. */
async function rehearse(file: string) {
  const command = [join(ROOT, 'cli/backboard.ts'), 'rehearse', file, '--folder', folder, '--json'];
  const child = spawn(process.execPath, command, {
    env: {
      ...process.env,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/live',
      SMTP_URL: liveMail,
      OIDC_ISSUER: 'broken',
      DATA_DIR: join(folder, 'live'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/^(backboard-|live)/));
  return { code, stdout, stderr };
}

/** The backup of 0.1 with lines changed. Line 0 is the header. */
async function changed(change: (lines: string[]) => string[]): Promise<string> {
  const lines = gunzipSync(await readFile(BACKUP_OF_0_1))
    .toString()
    .split('\n');
  const file = join(folder, 'changed.gz');
  await writeFile(file, gzipSync(change(lines).join('\n')));
  return file;
}

test('OPS-21: the upgrade from 0.1 runs every later migration, and the figures agree', async () => {
  const { code, stdout, stderr } = await rehearse(BACKUP_OF_0_1);
  expect([code, stderr]).toEqual([0, '']);
  const found: Rehearsal = JSON.parse(stdout);
  const names = Object.keys(MIGRATIONS);
  expect(found).toMatchObject({ from: '003-games', to: names.at(-1), way_back: 'backup' });
  expect(found.migrations.map(({ name }) => name)).toEqual(names.slice(3));
  expect(found.figures).toMatchObject({
    games: 868,
    changed: { statistics: 0, high_scores: 0, league_weeks: 0, achievements: 0 },
  });
  expect(found.places).toEqual({ leagues: 1, changed: [] });
  const rows = (name: string) => found.tables.find(({ table }) => table === name);
  expect(rows('games')).toEqual({ table: 'games', before: 869, after: 869 });
  expect(rows('staff')).toEqual({ table: 'staff', before: null, after: 0 });
  const locks = (name: string) => found.migrations.find((one) => one.name === name)?.blocked;
  expect(locks('006-venue-timezone')).toContainEqual({ table: 'venues', for: 'reads' });
  expect(locks('016-games-of-a-team')).toEqual([]);
  expect(locks('011-screens')).toContainEqual({ table: 'games', for: 'reads' });
  expect(found.disk.after).toBeGreaterThan(found.disk.before);
  expect(found.disk.needed).toBeGreaterThan(0);
  expect(found.start_ms).toBeGreaterThan(0);
  expect(mailCalls).toBe(0);
});

test('OPS-21, SEASON-03: the upgrade from 0.2 gives leagues seasons and keeps every team’s place', async () => {
  const { code, stdout, stderr } = await rehearse(BACKUP_OF_0_2);
  expect([code, stderr]).toEqual([0, '']);
  const found: Rehearsal = JSON.parse(stdout);
  // Versions before 0.2 refuse a newer schema, whatever it changed.
  expect([found.from, found.way_back]).toEqual(['027-counted-games', 'backup']);
  expect(found.places).toEqual({ leagues: 2, changed: [] });
  const rows = (name: string) => found.tables.find(({ table }) => table === name)?.after;
  expect([rows('seasons'), rows('season_entries')]).toEqual([2, 9]);
  expect(found.figures.changed).toMatchObject({ statistics: 0, league_weeks: 0 });
});

test('OPS-21: 0.2 runs on the upgraded database, and earlier versions do not', () => {
  const until = (last: string) => Object.keys(MIGRATIONS).filter((name) => name <= last);
  expect(hasWayBack(until('027-counted-games'))).toBe(false);
  expect(hasWayBack(until(RELEASED))).toBe(true);
});

test('OPS-21, P46: the copy can mail nobody, has no mailbox, and uses none of the caller’s settings', () => {
  const settings = settingsOfCopy(4321, join(folder, 'copy'));
  const config = readSettings(settings);
  expect(config.smtp_url).toBe('smtp://127.0.0.1:1');
  expect(hasDevelopmentPages(config)).toBe(false);
  expect(config).toMatchObject({ database_url: null, port: 4321, host: '127.0.0.1', oidc: null });
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/live');
  vi.stubEnv('SMTP_URL', liveMail);
  vi.stubEnv('OIDC_ISSUER', 'https://id.example.com');
  try {
    expect(settingsOfCopy(4321, join(folder, 'copy'))).toEqual(settings);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('OPS-21: if figures do not agree with the games, the exit code is 1, after the report', async () => {
  const file = await changed((lines) => {
    const { tables } = JSON.parse(lines[0] ?? '');
    const at = tables.findIndex(({ table }: { table: string }) => table === 'player_stats');
    const from =
      1 + tables.slice(0, at).reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
    // Change the last column, the sum of the scores.
    lines[from] = (lines[from] ?? '').replace(/\d+$/, (sum) => String(Number(sum) + 1));
    const trailer = JSON.parse(lines.at(-2) ?? '');
    const rows = lines.slice(from, from + tables[at].rows);
    trailer.sha256[at] = createHash('sha256')
      .update(`${rows.join('\n')}\n`)
      .digest('hex');
    return [...lines.slice(0, -2), JSON.stringify(trailer), ''];
  });
  const { code, stdout, stderr } = await rehearse(file);
  expect(JSON.parse(stdout).figures.changed).toMatchObject({ statistics: 1, achievements: 0 });
  expect([code, JSON.parse(stderr).error]).toEqual([1, expect.stringMatching(/do not agree/)]);
});

test('OPS-21: a rehearsal that is interrupted removes its copy', async () => {
  const main = join(ROOT, 'server/rehearsal/main.ts');
  const child = spawn(process.execPath, [main, BACKUP_OF_0_1, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.resume();
  const copies = async () =>
    (await readdir(folder)).filter((name) => name.startsWith('backboard-rehearsal-'));
  await expect.poll(copies, { timeout: 60_000 }).toHaveLength(1);
  // Close stdin, as if the command line had died.
  child.stdin.destroy();
  expect(await ended).toEqual([1, null]);
  expect(await copies()).toEqual([]);
});

test.each<[string, (lines: string[]) => string[], RegExp]>([
  ['cut short', (lines) => lines.slice(0, -5), /cut short/],
  ['no backup', () => ['hello'], /not a Backboard backup/],
  [
    'newer',
    ([first = '', ...rest]) => [first.replace('"003-games"', '"999-later"'), ...rest],
    /made by a newer version/,
  ],
])('OPS-21: a file that is %s is refused with exit code 1', async (_name, change, why) => {
  const { code, stdout, stderr } = await rehearse(await changed(change));
  expect([code, stdout]).toEqual([1, '']);
  expect(JSON.parse(stderr).error).toMatch(why);
  await rm(join(folder, 'changed.gz'));
});
