/**
 * Injects faults into the real server while machines play. Reports how soon it served again, and
 * whether every acknowledged game is stored once:
 *
 * node trials/faults/faults.ts
 * node trials/faults/faults.ts --only kills --app 100 --postmaster 20 --backend 20 --both 20
 * node trials/faults/faults.ts --only disk,mail,google
 *
 * Without options, causes a few faults of each kind. `--minutes` ends the kills early. "Served
 * again" means that a game sent after the fault was stored. Needs Linux; the full disk also needs
 * root, for a mount.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { databaseFaults, migrationKills } from './database.ts';
import { repeatRequest } from './load.ts';
import { googleFaults, mailFaults } from './services.ts';
import { type FaultReport, gone, processesOf, Site } from './site.ts';

const SCENARIOS = [
  'kills',
  'terminate',
  'database',
  'disk',
  'mail',
  'google',
  'migration',
] as const;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: SCENARIOS.join(',') },
    app: { type: 'string', default: '10' },
    postmaster: { type: 'string', default: '5' },
    backend: { type: 'string', default: '5' },
    both: { type: 'string', default: '5' },
    terminate: { type: 'string', default: '5' },
    database: { type: 'string', default: '2' },
    migration: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '600' },
  },
});
const times = (name: 'app' | 'postmaster' | 'backend' | 'both' | 'terminate') =>
  Number(values[name]);
const until = performance.now() + Number(values.minutes) * 60_000;
const root = mkdtempSync(join(tmpdir(), 'backboard-faults-'));
// The embedded database's user must be able to enter the folder.
chmodSync(root, 0o755);
let failed = 0;

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const quantile = (all: number[], share: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;

function report({ fault, times, again = [], seen, wrong }: FaultReport): void {
  const served =
    again.length === 0
      ? []
      : [
          `served again after ${seconds(quantile(again, 0.5))} s (median), ${seconds(quantile(again, 0.99))} s (p99), ${seconds(Math.max(...again))} s (longest)`,
        ];
  const line = [fault, times, [...served, ...seen].join('; '), wrong.join('; ') || 'holds'];
  console.log(`| ${line.join(' | ')} |`);
  failed += wrong.length;
}

function progress(text: () => string) {
  const timer = setInterval(() => console.error(`${new Date().toISOString()} ${text()}`), 10_000);
  return () => clearInterval(timer);
}

async function finish(site: Site, what: string): Promise<void> {
  const { refusals } = site.load;
  const { acknowledged, lost, twice, wrong } = await site.verdict();
  const others = [...refusals].map(([status, count]) => `${status || 'no response'}: ${count}`);
  report({
    fault: `Games of ${what}`,
    times: acknowledged,
    seen: [
      `${lost} of ${acknowledged} acknowledged games lost, ${twice} stored twice`,
      `other responses: ${others.join(', ') || 'none'}`,
      `starts repeated: ${site.failedStarts}`,
    ],
    wrong: [...wrong, ...(lost + twice > 0 ? ['games lost or stored twice'] : [])],
  });
}

/** Kills processes at random; the four kinds come in random order. */
async function kills(): Promise<void> {
  const site = new Site(join(root, 'kills'));
  // Start and stop the app once, because only a regular stop fills the compile cache.
  await site.start();
  await site.app.stop();
  await site.start();
  await site.play();
  const plan = (['app', 'postmaster', 'backend', 'both'] as const).map((kind) => ({
    kind,
    left: times(kind),
    again: [] as number[],
    ready: [] as number[],
  }));
  const stopProgress = progress(() =>
    [
      ...plan.map(({ kind, again }) => `${kind} ${again.length}`),
      `games ${site.load.journal.size}`,
    ].join(', '),
  );
  for (;;) {
    const open = plan.filter(({ left }) => left > 0);
    const all = open.reduce((sum, { left }) => sum + left, 0);
    if (all === 0 || performance.now() > until) break;
    let pick = randomInt(all);
    const one = open.find(({ left }) => {
      pick -= left;
      return pick < 0;
    });
    if (one === undefined) break;
    one.left -= 1;
    await sleep(randomInt(600));
    const { postmaster } = site;
    const moment = performance.now();
    if (one.kind === 'backend') {
      const backends = processesOf(postmaster).filter(({ title }) =>
        /postgres: backboard /.test(title),
      );
      const victim = backends[randomInt(Math.max(1, backends.length))];
      if (victim) process.kill(victim.pid, 'SIGKILL');
    } else if (one.kind !== 'app') process.kill(postmaster, 'SIGKILL');
    if (one.kind === 'app' || one.kind === 'both') {
      await site.app.stop('SIGKILL');
      // Half of the time, wait until the database has ended. In the other half, the app must start
      // although the database may still be ending.
      if (randomInt(2) === 0) await gone(postmaster);
      one.ready.push(await site.start());
    }
    one.again.push(await site.load.servedAfter(moment));
  }
  stopProgress();
  const names = {
    app: 'SIGKILL of the app',
    postmaster: 'SIGKILL of the postmaster',
    backend: 'SIGKILL of a backend',
    both: 'SIGKILL of app and postmaster at once',
  };
  for (const { kind, again, ready } of plan)
    if (again.length > 0)
      report({
        fault: names[kind],
        times: again.length,
        again,
        seen: ready.length
          ? [`ready ${seconds(Math.max(...ready))} s after its start at most`]
          : [],
        wrong: Math.max(...again) > 15_000 ? ['not within 15 s'] : [],
      });
  await finish(site, 'the kills');
}

/** REL-05: after SIGTERM, pending requests get 200, /health/ready fails, the exit code is 0. */
async function terminate(): Promise<void> {
  const site = new Site(join(root, 'terminate'), { DRAIN_SECONDS: '1' });
  await site.start();
  await site.play();
  const reds: number[] = [];
  const ends: number[] = [];
  const wrong: string[] = [];
  let pending = 0;
  for (let time = 0; time < times('terminate'); time += 1) {
    await sleep(500 + randomInt(600));
    const asking = repeatRequest(() => site.health('ready'), 2);
    await sleep(50);
    const sent = site.load.pending();
    const moment = performance.now();
    const { child } = site.app;
    await site.app.stop('SIGTERM');
    ends.push(performance.now() - moment);
    if (child.exitCode !== 0) wrong.push(`it ended with ${child.exitCode ?? child.signalCode}`);
    const statuses = await sent;
    pending += statuses.length;
    if (statuses.some((status) => status !== 200))
      wrong.push(`requests sent before the signal were answered ${statuses}`);
    const after = (await asking.stop()).filter(({ begun }) => begun > moment);
    const red = after.find(({ status }) => status === 503);
    reds.push(red ? red.ended - moment : Number.POSITIVE_INFINITY);
    await site.start();
    await site.load.servedAfter(performance.now());
  }
  report({
    fault: 'SIGTERM under load',
    times: ends.length,
    seen: [
      `${pending} pending requests, all answered 200`,
      `ready red after ${Math.round(Math.max(...reds))} ms at most`,
      `ended after ${seconds(Math.max(...ends))} s at most (with a drain of 1 s), exit code 0`,
    ],
    wrong: [
      ...wrong,
      ...(Math.max(...reds) > 100 ? ['red too late'] : []),
      ...(Math.max(...ends) > 30_000 ? ['ended too late'] : []),
    ],
  });
  await finish(site, 'the signals');
}

/** REL-10: fills a small disk to the last block, then frees it. */
async function disk(): Promise<void> {
  const folder = join(root, 'disk');
  mkdirSync(folder);
  const mount = ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', folder];
  if (spawnSync('mount', mount).status !== 0) {
    console.log('| Full disk | 0 | no disk can be mounted here |  |');
    return;
  }
  const site = new Site(folder);
  try {
    await site.start();
    await site.play();
    await site.signIn();
    const reading = repeatRequest(() => site.profile(), 50);
    const filler = join(folder, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']);
    const before = site.load.refusals.get(503) ?? 0;
    while ((site.load.refusals.get(503) ?? 0) < before + 20) await sleep(50);
    const signIn = await site.signIn();
    const live = await site.health('live');
    await sleep(5_000);
    rmSync(filler);
    const moment = performance.now();
    const again = await site.load.servedAfter(moment);
    const reads = await reading.stop();
    const restarted = site.failedStarts;
    report({
      fault: 'Full disk',
      times: 1,
      again: [again],
      seen: [
        `writes 503, live ${live}, a sign-in ${signIn}`,
        `${reads.length} reads meanwhile: ${[...new Set(reads.map(({ status }) => status))].join(', ')}`,
      ],
      wrong: [
        ...(live === 200 ? [] : ['live is red']),
        ...(reads.some(({ status }) => ![200, 503].includes(status)) ? ['strange reads'] : []),
        ...(restarted > 0 ? ['the process ended'] : []),
      ],
    });
    await finish(site, 'the full disk');
  } finally {
    await site.app.stop('SIGKILL');
    await sleep(1_000);
    spawnSync('umount', ['-l', folder]);
  }
}

const all: Record<(typeof SCENARIOS)[number], () => Promise<void>> = {
  kills,
  terminate,
  disk,
  database: () =>
    databaseFaults(
      root,
      { times: Number(values.database), seconds: Number(values.seconds) },
      report,
      finish,
    ),
  migration: () => migrationKills(root, Number(values.migration), report),
  mail: () => mailFaults(root, Number(values.seconds), report, finish),
  google: () => googleFaults(root, report, finish),
};

console.log('| Fault | Times | Seen | Verdict |\n| --- | --- | --- | --- |');
try {
  for (const name of SCENARIOS) if (values.only.split(',').includes(name)) await all[name]();
} catch (error) {
  console.error(error);
  failed += 1;
}
if (failed === 0) rmSync(root, { recursive: true, force: true });
else console.error(`Data and logs are in ${root}; load ${readFileSync('/proc/loadavg', 'utf8')}`);
process.exit(failed === 0 ? 0 : 1);
