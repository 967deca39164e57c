/**
 * Runs the files of deploy/cluster: three database hosts, two app hosts and a front, each a network
 * namespace of this computer. Breaks one thing after another under load, and checks that no
 * acknowledged game is lost or counted twice, that every figure equals a recount, and that nobody
 * has to promote anything.
 *
 * apt-get install iproute2 patroni etcd-server haproxy pgbackrest postgresql openssl
 * node trials/cluster/cluster.ts [--short] [--only NAME,NAME] [--from 0.1] [--folder FOLDER]
 *
 * NAME is a part of a fault's name, `moment` or `rates`.
 *
 * As root, on Debian or Ubuntu, with a package registry: it installs the earlier version's packages.
 * It takes 35 minutes; `--short` takes four, without rates and half of the faults. Exit code 0 if
 * all checks pass.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { proveExactlyOnce } from '../../bench/load/games.ts';
import { fill, type Size } from '../../bench/load/seed.ts';
import { emptyFolder } from '../../bench/postgres.ts';
import { unpack } from '../../bench/processes.ts';
import {
  APPS,
  addressOf,
  closeHosts,
  DATABASES,
  type HostName,
  openHosts,
  quietly,
  setLink,
  setReach,
  signalAll,
} from './hosts.ts';
import { Load } from './load.ts';
import { goBack } from './moment.ts';
import { compareRates } from './rates.ts';
import { PASSWORD, readVersions, Site, WEB } from './site.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    folder: { type: 'string' },
    /** The version to upgrade from. */
    from: { type: 'string', default: '0.2' },
  },
});
const SIZE: Size = values.short
  ? { games: 20_000, players: 400, teams: 40 }
  : { games: 200_000, players: 4_000, teams: 400 };
/** Time for a failover, and for the load to go on after it. */
const AFTER_MS = values.short ? 10_000 : 45_000;
const FROZEN_MS = 40_000;
/** How long a transaction that has read `games` stays open while a column is added. */
const READER_S = values.short ? 10 : 60;

/** How long both versions run together, each of the two times. */
const TOGETHER_MS = values.short ? 5_000 : 5 * 60_000;

type Fault = {
  run(site: Site): Promise<unknown>;
  /** Brings everything back. Afterwards all three databases run. */
  mend?(site: Site): Promise<unknown>;
  after?: number;
  /** `--short` leaves it out, unless `--only` names it. */
  long?: true;
};

/** The host that the last fault hit, for `mend`. */
let hit: HostName = 'db1';
const leaderOf = async (site: Site) => {
  hit = await site.leader();
  return hit;
};
const startDatabase = (site: Site) => {
  site.startEtcd(hit);
  site.startPatroni(hit);
};
const others = (name: HostName) => DATABASES.filter((other) => other !== name);

/** Takes a reach between the primary and each other database away for a while. */
const cut =
  (set: (leader: HostName, other: HostName, reach: boolean) => void) => async (site: Site) => {
    const leader = await leaderOf(site);
    for (const other of others(leader)) set(leader, other, false);
    await sleep(FROZEN_MS);
    for (const other of others(leader)) set(leader, other, true);
  };

/** The last commit of each earlier version. 0.1 does not start on a later version's schema. */
const EARLIER = {
  '0.1': { commit: '702ba5eb38f890af16a21c03b15f67f689743494', startsAgain: false },
  '0.2': { commit: 'c51cf2dfd55a0e45af21ab0db962c5eb44925b5f', startsAgain: true },
};
const from = values.from as keyof typeof EARLIER;
if (!(from in EARLIER)) throw new Error(`--from takes ${Object.keys(EARLIER).join(' or ')}.`);
let earlier = '';

/** The first fault, because the apps start with the earlier version. */
const UPGRADE = `rolling upgrade from ${from}${EARLIER[from].startsAgain ? ', of which a process starts again' : ''}`;

const FAULTS: Record<string, Fault> = {
  [UPGRADE]: {
    run: async (site) => {
      await site.restartApp('app1');
      await sleep(TOGETHER_MS);
      if (EARLIER[from].startsAgain) await site.restartApp('app2', earlier);
      await sleep(TOGETHER_MS);
      await site.restartApp('app2');
    },
    after: 5_000,
  },
  'nothing at all': { run: async () => undefined, after: 5_000 },
  'PostgreSQL of the primary is killed': {
    run: async (site) => process.kill(site.postgresOf(await leaderOf(site))[0], 'SIGKILL'),
  },
  'planned switchover': {
    run: async (site) => {
      const { sync } = await site.standbys();
      await site.switchOver(await leaderOf(site), sync ?? 'db2');
    },
  },
  'host of the primary without power': {
    run: async (site) => {
      setLink(await leaderOf(site), 'down');
      signalAll(hit, 'SIGKILL');
    },
    mend: async (site) => {
      setLink(hit, 'up');
      startDatabase(site);
    },
    after: FROZEN_MS + 5_000,
  },
  'host of the primary frozen, and woken': {
    long: true,
    run: async (site) => {
      signalAll(await leaderOf(site), 'SIGSTOP');
      await sleep(FROZEN_MS);
      signalAll(hit, 'SIGCONT');
    },
  },
  'PostgreSQL of the primary frozen, and woken': {
    long: true,
    run: async (site) => {
      // Stop the postmaster first, so that it starts no other process.
      process.kill(site.postgresOf(await leaderOf(site))[0], 'SIGSTOP');
      const pids = site.postgresOf(hit);
      for (const pid of pids) quietly(() => process.kill(pid, 'SIGSTOP'));
      await sleep(FROZEN_MS);
      // Patroni may have killed some of them.
      for (const pid of pids) quietly(() => process.kill(pid, 'SIGCONT'));
    },
  },
  'host of the primary cut off': {
    long: true,
    run: async (site) => {
      setLink(await leaderOf(site), 'down');
      await sleep(FROZEN_MS);
      setLink(hit, 'up');
    },
  },
  'primary cut off from the other databases': {
    long: true,
    run: cut((leader, other, reach) => setReach(leader, other, reach)),
  },
  'primary reaches the other databases, but gets nothing from them': {
    long: true,
    run: cut((leader, other, reach) => setReach(other, leader, reach)),
  },
  'one member of etcd killed': {
    run: async (site) => site.killEtcd(await leaderOf(site)),
    mend: async (site) => site.startEtcd(hit),
  },
  'both standbys away': {
    long: true,
    run: async (site) => {
      const leader = await leaderOf(site);
      for (const other of others(leader)) signalAll(other, 'SIGSTOP');
      await sleep(AFTER_MS);
      for (const other of others(leader)) signalAll(other, 'SIGCONT');
    },
  },
  'app host killed': {
    run: async () => signalAll('app1', 'SIGKILL'),
    mend: async (site) => {
      site.startProxy('app1');
      site.startApp('app1');
      await site.untilReady('app1');
    },
  },
  'HAProxy of an app host killed': {
    run: async (site) => site.killProxy('app1'),
    mend: async (site) => site.startProxy('app1'),
  },
  'HAProxy of the front killed, and started again after a second': {
    long: true,
    run: async (site) => {
      site.killProxy('front');
      await sleep(1_000);
      site.startProxy('front');
    },
    after: 5_000,
  },
  'rolling restart': {
    run: async (site) => {
      for (const name of APPS) await site.restartApp(name);
    },
    after: 5_000,
  },
  'a column of games is added behind a long reader': {
    run: addColumn,
    after: 5_000,
  },
};

/** Adds a column as server/db/migrate.ts does: waits 1 s for the lock, then pauses 1 to 2 s. */
async function addColumn(site: Site): Promise<void> {
  const [reader, migration] = [await site.connect(), await site.connect()];
  await reader.query('begin; select 1 from games limit 1');
  const reading = reader.query(`select pg_sleep(${READER_S})`).then(() => reader.query('commit'));
  await migration.query(`set lock_timeout = '1s'`);
  for (;;) {
    const added = await migration
      .query('alter table games add column if not exists trial integer')
      .then(() => true)
      .catch(() => false);
    if (added) break;
    await sleep(1_000 + 1_000 * Math.random());
  }
  await migration.query('alter table games drop column trial');
  await reading;
  await Promise.all([reader.end(), migration.end()]);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backboard-cluster-'));
  // PostgreSQL and Patroni run as the user postgres.
  chmodSync(folder, 0o755);
  return folder;
}

function requirePlace(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('This trial makes network namespaces: run it as root on Linux.');
}

let failed = 0;
const wanted = values.only?.split(',');

async function run(folder: string): Promise<void> {
  const versions = readVersions();
  console.log(
    Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', '),
  );
  openHosts();
  const site = new Site(folder, versions);
  earlier = join(folder, 'earlier');
  unpack(EARLIER[from].commit, emptyFolder(earlier));
  await site.start(earlier);
  const client = await site.connect();
  await fill(client, SIZE, () => undefined);
  await client.end();
  const load = new Load(WEB, SIZE);
  await sleep(2_000);
  for (const [name, fault] of Object.entries(FAULTS)) {
    // Always run the upgrade, because the other faults need this version.
    const isWanted = wanted?.some((part) => name.includes(part)) ?? !(values.short && fault.long);
    if (!isWanted && name !== UPGRADE) continue;
    const seen = await load.during(() => fault.run(site), { after: fault.after ?? AFTER_MS });
    await fault.mend?.(site);
    await site.untilWhole();
    const wrong = Object.entries(seen.wrong).map(([what, times]) => `${times} × ${what}`);
    if (wrong.length > 0) failed += 1;
    console.log(
      [
        `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${seen.withoutGames} s without a game, ${seen.withoutReads} s without a profile`,
        `${seen.games} games, ${seen.repeated} sent again, ${seen.unanswered} calls unanswered, ${seen.streams} streams`,
        `load ${loadavg()[0]?.toFixed(1)}`,
        ...wrong,
      ].join('; '),
    );
  }
  if (wanted?.includes('moment') ?? true) console.log(`ok    ${await goBack(site)}`);
  await load.stop();
  if (wanted?.includes('rates') ?? !values.short)
    for (const line of await compareRates(site, load)) console.log(`ok    ${line}`);
  process.env.PGPASSWORD = PASSWORD;
  process.env.PGSSLMODE = 'no-verify';
  const database = { host: addressOf(await site.leader()), port: 5432 };
  console.log(
    `ok    ${await proveExactlyOnce(database, load.since, load.acknowledged, { beside: from })}`,
  );
}

requirePlace();
// Close the hosts even if a signal ends the trial.
process.on('exit', closeHosts);
const folder = values.folder ?? newFolder();
try {
  await run(folder);
} catch (error) {
  failed += 1;
  console.error(`WRONG ${(error as Error).message}`);
} finally {
  closeHosts();
  if (failed === 0 && values.folder === undefined) rmSync(folder, { recursive: true });
  else console.log(`The logs are in ${folder}`);
}
process.exit(failed === 0 ? 0 : 1);
