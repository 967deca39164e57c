import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedVersion, emptyFolder, type Postgres, startPostgres } from '../postgres.ts';
import { production, ROOT, startNode, unpack } from '../processes.ts';
import { figure, median } from '../report.ts';
import { longestGap, proveExactlyOnce, reportGames } from './games.ts';
import type { Size } from './seed.ts';
import type { Part, Say } from './turns.ts';

/** Version 0.1. */
const EARLIER = '702ba5eb38f890af16a21c03b15f67f689743494';
const SIZE: Size = { games: 1_000_000, players: 5_000, teams: 500 };
const REPORTERS = 20;
const BEFORE_MS = 5_000;
const AFTER_MS = 2_000;
/** A migration that took less is not listed. */
const LISTED_MS = 500;

const CACHE = join(ROOT, '.cache', 'bench');

/** Installs version 0.1, which makes and fills a database. */
async function prepare(root: string, seed: string, say: Say): Promise<void> {
  unpack(EARLIER, emptyFolder(root));
  const size = Object.entries(SIZE).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const script = ['bench/load/seed.ts', ...size, '--to', seed];
  execFileSync(process.execPath, script, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  say('version 0.1 has filled its database');
  // Its first start links the libraries of this version's PostgreSQL.
  const env = { DATA_DIR: emptyFolder(join(CACHE, 'empty')), DEMO: '0', DRAIN_SECONDS: '0' };
  await (await startNode('server/main.ts', { env, cpus: null, ready: '/health/ready' })).stop();
}

/** When each migration was committed, in ms since 1970, and how long it took. */
async function readMigrations(database: Postgres) {
  const rows = await database.query<{ name: string; at: number }>(`
    select name, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as at
    from migrations order by at, name`);
  const times = rows.map((row, at) => ({ ...row, ms: row.at - (rows[at - 1]?.at ?? row.at) }));
  // The first ones are those that version 0.1 has run.
  return times.filter(({ at }) => at !== times[0]?.at);
}

/**
 * Runs all migrations since version 0.1 on its database, while a process of that version goes on to
 * record games (REL-22). Afterwards the new server records them.
 */
async function upgrade(root: string, folder: string, say: Say) {
  const database = await startPostgres(folder, { settings: { track_commit_timestamp: 'on' } });
  const start = (version: string) =>
    startNode('server/main.ts', {
      env: production(database.url, { DATA_DIR: folder }),
      cpus: null,
      ready: '/health/ready',
      root: version,
    });
  const old = await start(root);
  let { port } = old;
  const begun = new Date();
  const games = reportGames(() => `http://127.0.0.1:${port}`, SIZE, REPORTERS, true);
  await sleep(BEFORE_MS);
  const current = await start(ROOT);
  const repeated = games.repeated();
  port = current.port;
  await sleep(AFTER_MS);
  await games.stop();
  await old.stop();
  const migrations = await readMigrations(database);
  const gap = longestGap(games.calls.map(({ ended }) => ended));
  const { name } = migrations.find(({ at }) => at > gap.until - gap.ms / 2) ?? { name: 'none' };
  const wait = games.calls.reduce((most, call) => Math.max(most, call.ended - call.begun), 0);
  say(
    `${migrations.length} migrations in ${figure(current.readyMs / 1000)} s: ` +
      migrations
        .filter(({ ms }) => ms >= LISTED_MS)
        .map((one) => `${one.name} ${figure(one.ms / 1000)} s`)
        .join(', '),
  );
  say(
    `without a game ${figure(gap.ms)} ms, during ${name}; a game waited ${figure(wait)} ms at most; ` +
      `${games.calls.length} games, ${repeated} reports sent again`,
  );
  say(await proveExactlyOnce(database, begun, games.acknowledged, { beside: '0.1' }));
  await current.stop();
  await database.stop();
  return { gap: gap.ms / 1000, wait: wait / 1000, ready: current.readyMs / 1000 };
}

export const migration: Part = async (settings, say) => {
  const [root, seed] = [join(CACHE, '0.1'), join(CACHE, 'seed-0.1')];
  const folder = join(CACHE, 'migration');
  await prepare(root, seed, say);
  const rounds: Awaited<ReturnType<typeof upgrade>>[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    rmSync(folder, { recursive: true, force: true });
    // `-a` keeps the owner: PostgreSQL refuses another user's folder.
    execFileSync('cp', ['-a', '--reflink=auto', seed, folder]);
    rounds.push(await upgrade(root, folder, (line) => say(`round ${round}: ${line}`)));
  }
  return [
    {
      work: 'Upgrade of a million games from 0.1: without a recorded game',
      figures: `5,000 players; a process of 0.1 records games until all migrations have run; a game waited ${figure(median(rounds.map(({ wait }) => wait)))} s at most; start to ready ${rounds.map(({ ready }) => figure(ready)).join(', ')} s; no acknowledged game lost, none twice`,
      values: rounds.map(({ gap }) => gap),
      unit: 's',
      goal: { most: 2 },
      postgres: await embeddedVersion(),
    },
  ];
};
