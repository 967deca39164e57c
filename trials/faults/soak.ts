/**
 * A mixed load, under which the process must not grow (REL-17): players sign in, read, change and
 * sign out; machines play; pages keep event streams open.
 *
 * node trials/faults/soak.ts --minutes 30
 *
 * Prints twenty rows, evenly spread.
 */
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { repeatRequest } from './load.ts';
import { processesOf, Site } from './site.ts';

const ROWS = 20;
/** Rows of the warm-up, in which caches and pools fill. */
const WARM_ROWS = 4;
/** The allowed growth of memory: some of it is not collected yet. */
const MEMORY_SLACK_MIB = 64;
/** The allowed growth of open files, and of database connections: some are open for a moment. */
const HANDLES_SLACK = 20;
const PASSWORD = 'courtside-demo';
const EMAIL = 'demo@backboard.example';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    players: { type: 'string', default: '4' },
    pause: { type: 'string', default: '500' },
  },
});
const root = mkdtempSync(join(tmpdir(), 'backboard-soak-'));
chmodSync(root, 0o755);
const site = new Site(join(root, 'data'));
await site.start();
await site.play();
const { pid } = site.app;

const statuses = new Map<number, number>();
let took: number[] = [];
async function timed(work: () => Promise<Response>): Promise<Response> {
  const begun = performance.now();
  const answer = await work();
  took.push(performance.now() - begun);
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  return answer;
}
const get = (path: string, access: string) =>
  timed(() => fetch(`${site.url}${path}`, { headers: { authorization: `Bearer ${access}` } }));

/**
 * A player's visit from sign-in to sign-out, with an open event stream. Returns the sign-in's
 * status.
 */
async function visit(): Promise<number> {
  const signIn = await timed(() =>
    site.post('/api/users/auth/login/', { email: EMAIL, password: PASSWORD }),
  );
  const { access, refresh } = (await signIn.json()) as { access?: string; refresh?: string };
  if (access === undefined || refresh === undefined) return signIn.status;
  const leaving = new AbortController();
  const stream = fetch(`${site.url}/api/users/profile/events/`, {
    headers: { authorization: `Bearer ${access}` },
    signal: leaving.signal,
  })
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined);
  for (const path of ['profile/', 'profile/games/', 'sessions/'])
    await (await get(`/api/users/${path}`, access)).arrayBuffer();
  for (const path of ['', 'user-league-stats/', 'user-league-season/'])
    await (await get(`/api/leaderboards/${path}`, access)).arrayBuffer();
  const change = await timed(() =>
    fetch(`${site.url}/api/users/profile/`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jersey_number: String(randomInt(100)) }),
    }),
  );
  await change.arrayBuffer();
  const refreshed = await timed(() => site.post('/api/users/auth/token/refresh/', { refresh }));
  await refreshed.arrayBuffer();
  await (await timed(() => fetch(`${site.url}/login`))).arrayBuffer();
  const unknown = { email: `soak${randomInt(1e9)}@example.com` };
  await (await timed(() => site.post('/api/users/auth/check-email/', unknown))).arrayBuffer();
  await (await timed(() => site.post('/api/users/auth/logout/', { refresh }))).arrayBuffer();
  leaving.abort();
  await stream;
  return signIn.status;
}

const players = Array.from({ length: Number(values.players) }, () =>
  repeatRequest(visit, Number(values.pause)),
);

const held = () => ({
  mebibytes: Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  ),
  files: readdirSync(`/proc/${pid}/fd`).length,
  backends: processesOf(site.postmaster).filter(({ title }) => /postgres: backboard /.test(title))
    .length,
});
const quantile = (share: number) =>
  Math.round(took.toSorted((a, b) => a - b)[Math.floor(took.length * share)] ?? 0);

console.log(
  '| Minute | Memory (MiB) | Open files | Connections to PostgreSQL | Calls | p50 (ms) | p99 (ms) |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
const begun = performance.now();
const rows: ReturnType<typeof held>[] = [];
for (let row = 1; row <= ROWS; row += 1) {
  await sleep(begun + (row / ROWS) * Number(values.minutes) * 60_000 - performance.now());
  const now = held();
  rows.push(now);
  const minute = ((performance.now() - begun) / 60_000).toFixed(1);
  const figures = [
    minute,
    now.mebibytes,
    now.files,
    now.backends,
    took.length,
    quantile(0.5),
    quantile(0.99),
  ];
  console.log(`| ${figures.join(' | ')} |`);
  took = [];
}
await Promise.all(players.map((player) => player.stop()));
const { acknowledged, lost, twice, wrong } = await site.verdict();

// Compare the medians of both halves, so that a single peak does not count.
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const steady = rows.slice(WARM_ROWS);
const half = Math.floor(steady.length / 2);
const grown = (name: 'mebibytes' | 'files' | 'backends') =>
  median(steady.slice(half).map((row) => row[name])) -
  median(steady.slice(0, half).map((row) => row[name]));
const growth = {
  mebibytes: grown('mebibytes'),
  files: grown('files'),
  backends: grown('backends'),
};
console.log(
  `\ngrown between the halves: ${growth.mebibytes} MiB, ${growth.files} files, ${growth.backends} connections`,
);
console.log(
  `responses: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
);
console.log(`games: ${acknowledged} acknowledged, ${lost} lost, ${twice} stored twice`);
if (growth.mebibytes > MEMORY_SLACK_MIB) wrong.push('memory grows');
if (growth.files > HANDLES_SLACK || growth.backends > HANDLES_SLACK) wrong.push('handles grow');
if (lost + twice > 0) wrong.push('games lost or stored twice');
if ([...statuses.keys()].some((status) => status >= 500)) wrong.push('responses of 500 and more');
for (const one of wrong) console.log(`WRONG: ${one}`);
if (wrong.length === 0) rmSync(root, { recursive: true, force: true });
process.exit(wrong.length === 0 ? 0 : 1);
