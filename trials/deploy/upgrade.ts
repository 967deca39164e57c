/**
 * Upgrades a running installation from an earlier commit to the latest, as "Upgrades" in
 * docs/operating.md says. Meanwhile machines report through the earlier version's client, and
 * players read, all through Debian's Caddy.
 *
 * apt-get install caddy && node trials/deploy/upgrade.ts [--from COMMIT]
 *
 * Exit code 0 if every call was answered 200, or 503 with Retry-After, and all other checks pass.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { demoResult, rebuildResult } from '#contract/wire/system.ts';
import { freePort } from '#testing/ports.ts';
import { startPostgres } from '../../bench/postgres.ts';
import { ROOT } from '../../bench/processes.ts';
import { readTables, recount, type Tables, timeOf } from '../recount.ts';

const { values } = parseArgs({
  options: {
    /** The default is version 0.1. */
    from: { type: 'string', default: '702ba5eb38f890af16a21c03b15f67f689743494' },
  },
});
const MACHINES = 4;
const READERS = 4;
/** Simulated machines play this many times faster than real ones. */
const SPEED = 300;
/** How many hours ago the machines' first game was. */
const HOURS_AGO = 600;
const BEFORE_MS = 20_000;
const AFTER_MS = 20_000;
const PAUSE_MS = 100;
/** How often a reader refreshes its access token, which is valid for ten minutes. */
const REFRESH_MS = 60_000;
const READY_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'backboard-upgrade-'));
// PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o755);
const installed = join(folder, 'installed');
let failed = 0;

function check(what: string, seen: unknown, wanted: unknown): void {
  if (seen !== wanted) failed += 1;
  console.log(`${seen === wanted ? 'ok   ' : 'WRONG'} ${what}: ${seen}`);
}
const note = (text: string) => console.log(`      ${text}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

// --- The earlier version ------------------------------------------------------------------------

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const branch = git('-C', ROOT, 'branch', '--show-current');
/** Clones the earlier commit, so that `git pull` gets the current one. */
function cloneEarlier(path: string): void {
  git('clone', '-q', '--branch', branch, ROOT, path);
  git('-C', path, 'reset', '-q', '--hard', values.from);
}
const shell = (lines: string, env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)('bash', ['-ec', lines], {
    cwd: installed,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    maxBuffer: 2 ** 26,
  });
cloneEarlier(installed);
note(`from ${git('-C', installed, 'log', '-1', '--format=%h of %cI')}`);
note(`to ${git('-C', ROOT, 'log', '-1', '--format=%h of %cI')}`);
await shell('node scripts/install.mjs && npm run build && node scripts/install.mjs --prune');
// Keep the earlier version for the machines: they are other computers, which are not upgraded.
const machine = join(folder, 'machine');
execFileSync('cp', ['-a', installed, machine]);

// --- Processes ----------------------------------------------------------------------------------

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
/** Starts a program that the trial kills at its end. Its output goes to the file `log`. */
function run(
  log: string,
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): { child: ChildProcess; ended: Promise<number | null> } {
  const output = openSync(join(folder, log), 'a');
  const child = spawn(command, args, { ...options, stdio: ['ignore', output, output] });
  children.add(child);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  return { child, ended };
}
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const [port, sitePort] = [await freePort(), await freePort()];
const site = `https://localhost:${sitePort}`;
const direct = `http://127.0.0.1:${port}`;

async function untilReady(): Promise<void> {
  const begun = performance.now();
  while (!(await fetch(`${direct}/health/ready`).catch(() => null))?.ok) {
    if (performance.now() - begun > READY_MS) throw new Error(read('app.log'));
    await sleep(20);
  }
}

// The first start creates the cluster, on which PostgreSQL then runs.
const data = join(folder, 'data');
mkdirSync(data);
const node = join(installed, 'node_modules/.bin/node');
const creating = run('app.log', node, ['server/main.ts'], {
  cwd: installed,
  env: {
    ...{ PATH: process.env.PATH, DATA_DIR: data, DEMO: '0', PORT: String(port) },
    // Set a Google client, so that no stand-in starts.
    ...{ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'x', GOOGLE_ISSUER: 'http://127.0.0.1:1' },
  },
});
await untilReady();
creating.child.kill('SIGTERM');
await creating.ended;
const database = await startPostgres(data);

const secret = () => randomBytes(36).toString('base64');
const operatorKey = secret();
const envFile = join(folder, 'backboard.env');
const settings = {
  PUBLIC_URL: site,
  DATABASE_URL: database.url,
  SECRET_KEY: secret(),
  BACKBOARD_OPERATOR_KEY: operatorKey,
  SMTP_URL: 'smtps://user:password@127.0.0.1:1',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};
writeFileSync(
  envFile,
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
);
const launch = (cwd: string) =>
  run('app.log', join(cwd, 'node_modules/.bin/node'), ['server/main.ts'], {
    cwd,
    env: {
      PATH: process.env.PATH,
      ...settings,
      NODE_ENV: 'production',
      DATA_DIR: data,
      PORT: String(port),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      // Do not shed calls: the computer is busy with other work (P39).
      SHED: '0',
    },
  });
const caddyEnv = {
  PATH: process.env.PATH,
  SITE: `localhost:${sitePort}`,
  UPSTREAM: `127.0.0.1:${port}`,
  HOME: join(folder, 'caddy'),
  XDG_DATA_HOME: join(folder, 'caddy'),
  XDG_CONFIG_HOME: join(folder, 'caddy'),
};
const caddyArgs = () => ['--config', join(installed, 'deploy/Caddyfile'), '--adapter', 'caddyfile'];
let app = launch(installed);
run('caddy.log', 'caddy', ['run', ...caddyArgs()], { cwd: folder, env: caddyEnv });
await untilReady();

// --- Calls --------------------------------------------------------------------------------------

type Sent = {
  path: string;
  begun: number;
  ended: number;
  status: number;
  retryAfter: boolean;
  /** Why there was no answer: the socket's error. */
  error: string;
  reused: boolean;
};
const sent: Sent[] = [];
const resent: Sent[] = [];

/**
 * Sends a request through Caddy and records it. `status` 0 means no answer. If a reused connection
 * closes before the answer, sends the request again, once, as browsers do (RFC 9112, 9.3.1).
 */
async function call(
  path: string,
  given: { token?: string; body?: string } = {},
): Promise<{ status: number; body: string }> {
  let { body, ...one } = await send(path, given);
  if (one.status === 0 && one.reused && ['ECONNRESET', 'EPIPE'].includes(one.error)) {
    resent.push(one);
    ({ body, ...one } = await send(path, given));
  }
  sent.push(one);
  return { status: one.status, body };
}

function send(path: string, { token = '', body = '' }): Promise<Sent & { body: string }> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, retryAfter: boolean, text: string, error = '') => {
      const ended = performance.now();
      const reused = request.reusedSocket;
      resolve({ path, begun, ended, status, retryAfter, error, reused, body: text });
    };
    const fail = (error: NodeJS.ErrnoException) => end(0, false, '', error.code ?? error.message);
    const request = httpsRequest(
      `${site}${path}`,
      {
        method: body === '' ? 'GET' : 'POST',
        rejectUnauthorized: false,
        timeout: 40_000,
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(body === '' ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () =>
          end(answer.statusCode ?? 0, answer.headers['retry-after'] !== undefined, text),
        );
        answer.on('error', ({ message }) => end(0, false, '', `in the answer: ${message}`));
      },
    );
    request.on('error', fail);
    request.on('timeout', () => request.destroy(new Error('no answer within 40 s')));
    request.end(body);
  });
}
while ((await call('/health/ready')).status !== 200) await sleep(100);
sent.length = 0;

/** Runs a long command of the operator and returns its result. */
async function operator(path: string): Promise<unknown> {
  const answer = await fetch(`${direct}/api/operator/${path}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const lines = (await answer.text()).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '{}').result;
}
const { email, password } = demoResult.parse(await operator('demo'));

let reading = true;
const READ = [
  '/login',
  '/api/config/',
  '/api/users/profile/',
  '/api/users/profile/games/',
  '/api/leaderboards/?scope=all&period=week',
  '/api/leaderboards/user-league-stats/',
];
async function readPages(): Promise<void> {
  const signIn = await call('/api/users/auth/login/', {
    body: JSON.stringify({ email, password }),
  });
  let tokens = JSON.parse(signIn.body);
  let since = performance.now();
  for (let turn = 0; reading; turn += 1) {
    await call(READ[turn % READ.length] ?? '', { token: tokens.access });
    if (performance.now() - since > REFRESH_MS) {
      const body = JSON.stringify({ refresh: tokens.refresh });
      const answer = await call('/api/users/auth/token/refresh/', { body });
      if (answer.status === 200) {
        tokens = { ...tokens, ...JSON.parse(answer.body) };
        since = performance.now();
      }
    }
    await sleep(PAUSE_MS);
  }
}

/** The server's readiness over time, asked without Caddy. */
const readiness: { at: number; ready: boolean }[] = [];
async function watchReadiness(): Promise<void> {
  while (reading) {
    const answer = await fetch(`${direct}/health/ready`).catch(() => null);
    readiness.push({ at: performance.now(), ready: answer?.ok === true });
    await sleep(20);
  }
}

const arcade = run(
  'arcade.log',
  join(machine, 'node_modules/.bin/node'),
  [
    ...['cabinet/arcade/arcade.ts', '--url', site, '--machines', String(MACHINES)],
    ...['--speed', String(SPEED), '--hours-ago', String(HOURS_AGO), '--seed', '1', '--json'],
    ...['--log', join(folder, 'games.log')],
  ],
  {
    cwd: machine,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'machine-data'),
      BACKBOARD_OPERATOR_KEY: operatorKey,
      // Trust the authority that signs the certificate of the trial's Caddy.
      NODE_EXTRA_CA_CERTS: join(folder, 'caddy/caddy/pki/authorities/local/root.crt'),
    },
  },
);
const readers = [watchReadiness(), ...Array.from({ length: READERS }, readPages)];
await sleep(BEFORE_MS);

// --- The upgrade --------------------------------------------------------------------------------

const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const block = /^## Upgrades\n.*?```sh\n(.*?)```/ms.exec(operating)?.[1];
if (block === undefined) throw new Error('docs/operating.md has no lines for an upgrade.');
const [lines = '', after = ''] = block
  .replaceAll('/opt/backboard', installed)
  .replaceAll('/etc/backboard.env', envFile)
  .replaceAll('/var/backups', folder)
  .split('systemctl restart backboard\n');
const upgradeBegun = performance.now();
await shell(lines, { BACKBOARD_URL: direct });
note(`backup, git pull, install, build: ${seconds(performance.now() - upgradeBegun)}`);
// The changelog says that the Caddyfile has changed, so reload Caddy before the restart.
const reloaded = performance.now();
await shell(`caddy reload ${caddyArgs().join(' ')}`, caddyEnv);
const before = readTables(join(folder, 'before-upgrade.gz'));
const stopped = performance.now();
app.child.kill('SIGTERM');
check('exit code of the earlier version', await app.ended, 0);
app = launch(installed);
await untilReady();
const started = performance.now();
note(`stop and start: ${seconds(started - stopped)}, 5 s of it the drain`);
check('lines after the restart', after.trim(), '');
await sleep(AFTER_MS);
// Wait for one more refresh, which would fail for a player who was signed out.
await sleep(REFRESH_MS);
reading = false;
await Promise.all(readers);
arcade.child.kill('SIGTERM');
check('exit code of the machines', await arcade.ended, 0);

// --- Results ------------------------------------------------------------------------------------

const good = ({ status, retryAfter }: Sent) => status === 200 || (status === 503 && retryAfter);
const counts = [...Map.groupBy(sent, ({ status }) => status)]
  .map(([status, all]) => `${all.length} times ${status || 'no answer'}`)
  .join(', ');
note(`calls of players: ${counts}`);
const describe = ({ path, status, begun, ended, error, reused, retryAfter }: Sent) =>
  [
    `${path} at ${seconds(begun - stopped)} after the stop (${seconds(begun - reloaded)} after the`,
    `reload of Caddy), for ${seconds(ended - begun)}: ${status || error},`,
    `${reused ? 'a reused' : 'a new'} connection${status === 503 && !retryAfter ? ', no Retry-After' : ''}`,
  ].join(' ');
for (const one of resent) note(`sent again: ${describe(one)}`);
for (const one of sent.filter((each) => !good(each))) note(`WRONG: ${describe(one)}`);
note(`calls that were sent again on a new connection: ${resent.length}`);
check('calls answered otherwise', sent.filter((one) => !good(one)).length, 0);
const refreshes = sent.filter(({ path, begun }) => path.includes('refresh') && begun > started);
check('players who refreshed after the upgrade', refreshes.length >= READERS, true);
const slowest = Math.max(...sent.map(({ begun, ended }) => ended - begun));
note(`the slowest call: ${seconds(slowest)}`);
const gap = readiness.filter(({ ready }) => !ready).map(({ at }) => at);
note(`not ready, asked without Caddy: ${seconds(Math.max(...gap) - Math.min(...gap))}`);

const summary = JSON.parse(/^\{.*^\}/ms.exec(read('arcade.log'))?.[0] ?? '{}');
check('games that wait on the machines', summary.waiting, 0);
check('games that the server rejected', summary.rejected, 0);
const backup = join(folder, 'after.gz');
const commands = { BACKBOARD_URL: direct, BACKBOARD_OPERATOR_KEY: operatorKey };
await shell(`./backboard backup ${backup}`, commands);
const now = readTables(backup);
type Logged = { id: string; player: string; score: number; played_at: string };
const games: Logged[] = read('games.log')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const players = new Map((now.get('players') ?? []).map(({ id, uuid }) => [uuid, id]));
const stored = Map.groupBy(now.get('games') ?? [], ({ id }) => id);
const rowsOf = (game: Logged) => stored.get(game.id) ?? [];
check(`of ${games.length} games lost`, games.filter((game) => rowsOf(game).length === 0).length, 0);
check('stored twice', games.filter((game) => rowsOf(game).length > 1).length, 0);
const differs = (game: Logged) =>
  rowsOf(game).some(
    (row) =>
      row.player_id !== players.get(game.player) ||
      Number(row.score) !== game.score ||
      timeOf(row.played_at ?? null) !== Date.parse(game.played_at),
  );
check('different from how they were played', games.filter(differs).length, 0);
const figures = recount(now);
check(
  `${figures.players} players and ${figures.weeks} league weeks, wrong figures`,
  figures.wrong.join('; ') || 'none',
  'none',
);
const { changed } = rebuildResult.parse(
  JSON.parse((await shell('./backboard rebuild --json', commands)).stdout),
);
check(
  'rows that a rebuild changes',
  Object.values(changed).reduce((sum, n) => sum + n, 0),
  0,
);
const ids = (tables: Tables, table: string) => (tables.get(table) ?? []).map(({ id }) => id);
for (const table of ['players', 'leagues', 'teams', 'machines', 'games']) {
  const there = new Set(ids(now, table));
  const missing = ids(before, table).filter((id) => !there.has(id)).length;
  check(`rows of ${table}, ${ids(before, table).length} before, missing after`, missing, 0);
}
note(`rows before: ${[...before].map(([table, rows]) => `${table} ${rows.length}`).join(', ')}`);
note(`rows after: ${[...now].map(([table, rows]) => `${table} ${rows.length}`).join(', ')}`);

// Going back needs the backup: the earlier version refuses the new database.
app.child.kill('SIGTERM');
await app.ended;
app = launch(machine);
check('exit code of the earlier version on the new database', await app.ended, 1);
check('its reason', /newer than this version/.test(read('app.log')), true);
await database.stop();
if (failed === 0) rmSync(folder, { recursive: true, force: true });
else note(`data and logs: ${folder}`);
process.exit(failed === 0 ? 0 : 1);
