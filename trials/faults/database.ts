import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../bench/postgres.ts';
import { ROOT, startNode } from '../../bench/processes.ts';
import { repeatRequest } from './load.ts';
import { type Finish, processesOf, type Report, Site } from './site.ts';

/** A library that moves PostgreSQL's clock while it runs, from Debian's package `faketime`. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** The server must serve again within this time (REL-07). */
const BACK_WITHIN_MS = 5_000;

const mebibytesOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/**
 * A message for each status other than 200, 429 and 503: any other is an error or signs a player
 * out. The reads share one session, so 429 is expected (P39a).
 */
const unexpected = (statuses: Iterable<number>) =>
  [...new Set(statuses)]
    .filter((status) => ![200, 429, 503].includes(status))
    .map((status) => `a profile read was answered ${status || 'nothing'}`);

/**
 * Stops, restarts and freezes a PostgreSQL of its own, `times` times each, then moves
 * PostgreSQL’s clock. A stop lasts `seconds`, a freeze three times as long.
 */
export async function databaseFaults(
  root: string,
  { times, seconds }: { times: number; seconds: number },
  report: Report,
  finish: Finish,
): Promise<void> {
  const folder = join(root, 'database');
  // One run with the embedded database creates the cluster and the players.
  const first = new Site(folder);
  await first.start();
  await first.app.stop();
  const clock = join(root, 'clock');
  const setClock = (offset: string) => writeFileSync(clock, `${offset}\n`, { mode: 0o644 });
  setClock('+0');
  const faked = existsSync(FAKETIME);
  const host = join(root, 'socket');
  const open = () =>
    startPostgres(folder, {
      host,
      env: faked
        ? {
            LD_PRELOAD: FAKETIME,
            FAKETIME_TIMESTAMP_FILE: clock,
            FAKETIME_NO_CACHE: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          }
        : {},
    });
  let database = await open();
  const site = new Site(folder, { DATABASE_URL: database.url });
  await site.start();
  await site.signIn();
  await site.play();
  const opened = () => processesOf(database.pid).length;
  const before = opened();

  for (const away of [seconds, 0]) {
    const [again, wrong]: [number[], string[]] = [[], []];
    for (let time = 0; time < times; time += 1) {
      const phone = repeatRequest(() => site.profile(), 20);
      await database.stop();
      const end = performance.now() + away * 1000;
      while (performance.now() < end) {
        if ((await site.health('live')) !== 200) wrong.push('live was red');
        if ((await site.health('ready')) !== 503) wrong.push('ready was green');
        await sleep(100);
      }
      database = await open();
      again.push(await site.load.servedAfter(performance.now()));
      wrong.push(...unexpected((await phone.stop()).map(({ status }) => status)));
      await sleep(1_000);
    }
    report({
      fault: away > 0 ? `PostgreSQL stopped for ${away} s` : 'PostgreSQL restarted',
      times,
      again,
      seen: [
        'profile reads: only 200, 429 and 503',
        `${opened()} processes of PostgreSQL after, ${before} before`,
      ],
      wrong: [...wrong, ...(Math.max(...again) > BACK_WITHIN_MS ? ['not within 5 s'] : [])],
    });
  }

  const [again, wrong]: [number[], string[]] = [[], []];
  const memory: number[] = [];
  let slowest = 0;
  for (let time = 0; time < times; time += 1) {
    const frozen = processesOf(database.pid).map(({ pid }) => pid);
    const phones = Array.from({ length: 20 }, () => repeatRequest(() => site.profile(), 20));
    await sleep(500);
    memory.push(mebibytesOf(site.app.pid));
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    await sleep(3 * seconds * 1000);
    memory.push(mebibytesOf(site.app.pid));
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    again.push(await site.load.servedAfter(performance.now()));
    const sent = (await Promise.all(phones.map((phone) => phone.stop()))).flat();
    slowest = Math.max(slowest, ...sent.map(({ begun, ended }) => ended - begun));
    wrong.push(...unexpected(sent.map(({ status }) => status)));
  }
  report({
    fault: `PostgreSQL frozen for ${3 * seconds} s (SIGSTOP)`,
    times,
    again,
    seen: [
      `each call ended within ${(slowest / 1000).toFixed(1)} s`,
      `memory of the app ${memory.map((one) => Math.round(one)).join(', ')} MiB, before and during each`,
    ],
    wrong: [...wrong, ...(slowest > 15_000 ? ['a call took more than 15 s'] : [])],
  });

  if (faked) await clockJumps(site, setClock, report);
  else report({ fault: 'Clock jumps', times: 0, seen: ['faketime is not installed'], wrong: [] });
  await finish(site, 'the outages');
  await database.stop();
}

/** REL-15: moves the database's clock an hour forward and back, then an hour back and forward. */
async function clockJumps(
  site: Site,
  setClock: (offset: string) => void,
  report: Report,
): Promise<void> {
  const [again, wrong]: [number[], string[]] = [[], []];
  const waits: number[] = [];
  const followed: number[] = [];
  const jumps = ['+3600', '+0', '-3600', '+0'];
  for (const [at, offset] of jumps.entries()) {
    // Use up a rate limit before the jump. Afterwards, the server must answer 200 or 429.
    const ip = `10.99.${at}.1`;
    const body = { email: `clock${at}@example.com` };
    const check = () => site.post('/api/users/auth/check-email/', body, ip);
    for (let n = 0; n < 40; n += 1) await (await check()).arrayBuffer();
    setClock(offset);
    const moment = performance.now();
    // The app reads the database's time once a minute.
    while (Math.abs(site.load.clockError - Number(offset) * 1000) > 60_000) {
      if (performance.now() - moment > 90_000)
        throw new Error('The app has not followed the clock within 90 s.');
      await site.load.servedAfter(performance.now());
    }
    followed.push(performance.now() - moment);
    again.push(await site.load.servedAfter(performance.now()));
    const limited = await check();
    await limited.arrayBuffer();
    const wait = Number(limited.headers.get('retry-after') ?? 1);
    waits.push(wait);
    if (![200, 429].includes(limited.status) || wait < 1)
      wrong.push(`a limit answered ${limited.status}, wait ${wait}`);
    // The old token may have expired. A new one must work.
    const status = await site.signIn();
    if (status !== 200) wrong.push(`a sign-in was answered ${status} at ${offset}`);
    const profile = await site.profile();
    if (profile !== 200) wrong.push(`a new token was answered ${profile} at ${offset}`);
  }
  report({
    fault: "The database's clock jumps by an hour, forth and back",
    times: jumps.length,
    again,
    seen: [
      `the app followed after ${followed.map((ms) => Math.round(ms / 1000)).join(', ')} s`,
      `a limit that was used up said to wait ${waits.join(', ')} s`,
    ],
    wrong,
  });
}

const SCHEMA = `
  select string_agg(line, E'\\n' order by line) as lines from (
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' ||
           coalesce(column_default, '') as line
      from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public') all_of_it`;

/** REL-16: kills the app at a random moment of its first start. */
export async function migrationKills(root: string, times: number, report: Report): Promise<void> {
  const folder = join(root, 'migration');
  const first = new Site(folder, { DEMO: '0' });
  await first.start();
  await first.app.stop();
  const database = await startPostgres(folder);
  const schemaOf = async (name: string) =>
    (await database.queryOn<{ lines: string }>(name, SCHEMA))[0]?.lines;
  const env = (name: string) => ({
    DATABASE_URL: database.url.replace('/backboard?', `/${name}?`),
    DATA_DIR: folder,
    GOOGLE_CLIENT_ID: 'backboard',
    GOOGLE_CLIENT_SECRET: 'stand-in',
    LOG_LEVEL: 'fatal',
  });
  const start = (name: string) =>
    startNode('server/main.ts', { env: env(name), cpus: null, ready: '/health/ready' });
  const applied = (name: string) =>
    database
      .queryOn<{ count: number }>(name, 'select count(*)::int as count from migrations')
      .then(([row]) => row?.count ?? 0)
      .catch(() => 0);
  const [wanted, all] = [await schemaOf('backboard'), await applied('backboard')];
  const wrong: string[] = [];
  const reached = { nothing: 0, 'part of it': 0, 'all of it': 0 };
  for (let time = 0; time < times; time += 1) {
    const name = `m${time}`;
    await database.query(`create database ${name} owner backboard`);
    const child = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
      env: { PATH: process.env.PATH, PORT: '0', ...env(name) },
      stdio: 'ignore',
    });
    for (;;) {
      const [row] = await database.query<{ there: boolean }>(
        `select exists (select from pg_stat_activity where datname = '${name}') as there`,
      );
      if (row?.there) break;
      await sleep(1);
    }
    await sleep(randomInt(250));
    const ended = new Promise((done) => child.on('exit', done));
    child.kill('SIGKILL');
    await ended;
    const count = await applied(name);
    reached[count === 0 ? 'nothing' : count === all ? 'all of it' : 'part of it'] += 1;
    const app = await start(name);
    if ((await schemaOf(name)) !== wanted) wrong.push(`after kill ${time} the schema differs`);
    await app.stop();
    await database.query(`drop database ${name} with (force)`);
  }
  await database.stop();
  report({
    fault: 'SIGKILL of the app while it migrates',
    times,
    seen: [
      `when killed there was ${Object.entries(reached)
        .map(([what, count]) => `${what}: ${count}`)
        .join(', ')}`,
      'the next start was ready each time, with the same schema',
    ],
    wrong,
  });
}
