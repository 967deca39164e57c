/**
 * Tries the files of `deploy/` as docs/operating.md sets them up. systemd verifies the unit. The
 * unit's command then runs with the unit's environment, behind Debian's Caddy with our Caddyfile,
 * while the server is killed and restarted.
 *
 * apt-get install caddy systemd && node scripts/build.ts && node trials/deploy/deploy.ts
 *
 * `--image NAME` runs the command in a container of that image, with a read-only root and no
 * capabilities. The environment variable PODMAN is the command for containers (default: podman).
 * PODMAN_RUN has more options for `podman run`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import https from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoResult } from '#contract/wire/system.ts';
import { freePort } from '#testing/ports.ts';
import { startPostgres } from '../../bench/postgres.ts';
import { ROOT } from '../../bench/processes.ts';
import { repeatRequest } from '../faults/load.ts';
import { Site } from '../faults/site.ts';

const INSTALLED = '/opt/backboard';
const folder = mkdtempSync(join(tmpdir(), 'backboard-deploy-'));
chmodSync(folder, 0o755);
let failed = 0;

function check(what: string, seen: unknown, wanted: RegExp | string | number): void {
  const right = wanted instanceof RegExp ? wanted.test(String(seen)) : seen === wanted;
  if (!right) failed += 1;
  console.log(`${right ? 'ok   ' : 'WRONG'} ${what}: ${seen}`);
}

const unit = readFileSync(join(ROOT, 'deploy/backboard.service'), 'utf8');
const setting = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

// Use this checkout's path, because systemd-analyze requires that the program exists.
const here = join(folder, 'backboard.service');
writeFileSync(here, unit.replaceAll(INSTALLED, ROOT));
const analyze = (...args: string[]) => {
  try {
    return execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return String((error as { stderr?: string }).stderr);
  }
};
const complaints = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.includes('backboard.service'))
    .join(' ');
check(
  'systemd-analyze verify complains of',
  complaints(analyze('verify', here)) || 'nothing',
  'nothing',
);
const exposure = /exposure level.*: ([\d.]+)/.exec(analyze('security', '--offline=true', here));
check('systemd-analyze security says', exposure?.[1], /^[0-2]\.\d$/);
check(
  'versions',
  `${execFileSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).split('\n')[0]}, Caddy ${execFileSync('caddy', ['version'], { encoding: 'utf8' }).trim()}`,
  /./,
);

// Run the app once to create the cluster. Then start a PostgreSQL on it: DATABASE_URL names its
// socket, as in the example.
const first = new Site(join(folder, 'data'), { DEMO: '0' });
await first.start();
await first.app.stop();
const database = await startPostgres(join(folder, 'data'));

const [port, sitePort] = [await freePort(), await freePort()];
const site = `https://localhost:${sitePort}`;
const secret = () => randomBytes(36).toString('base64');
const key = secret();
const example = readFileSync(join(ROOT, 'deploy/backboard.env.example'), 'utf8');
const fromExample = Object.fromEntries(
  [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^"(.*)"$/, '$1'),
  ]),
);
for (const name of ['data', 'compiled', 'caddy'])
  mkdirSync(join(folder, name), { recursive: true });
const environment = {
  ...Object.fromEntries(setting('Environment').map((line) => line.split(/=(.*)/s).slice(0, 2))),
  ...fromExample,
  // The settings that every installation must choose, with this trial's paths.
  PUBLIC_URL: site,
  DATABASE_URL: database.url,
  SECRET_KEY: secret(),
  BACKBOARD_OPERATOR_KEY: key,
  DATA_DIR: join(folder, 'data'),
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  PORT: String(port),
};
const [command = '', ...args] = (setting('ExecStart')[0] ?? '').replace(INSTALLED, ROOT).split(' ');
const log = openSync(join(folder, 'app.log'), 'a');
const [flag, image] = process.argv.slice(2);
if (flag !== undefined && (flag !== '--image' || image === undefined))
  throw new Error('Usage: deploy.ts [--image NAME]');

type App = { kill(signal: 'SIGKILL' | 'SIGTERM'): void; ended: Promise<number | null> };
const endOf = (child: ChildProcess) =>
  new Promise<number | null>((done) => child.once('exit', (code) => done(code)));

let containers = 0;
async function launch(): Promise<App> {
  if (image === undefined) {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', log, log],
    });
    return { kill: (signal) => child.kill(signal), ended: endOf(child) };
  }
  containers += 1;
  const [podman = 'podman', ...options] = (process.env.PODMAN ?? 'podman').split(' ');
  const name = `backboard-trial-${process.pid}-${containers}`;
  const given = { ...environment, DATA_DIR: '/data', NODE_COMPILE_CACHE: '/tmp/compiled' };
  const child = spawn(
    podman,
    [
      ...options,
      ...'run --rm --network host --read-only --tmpfs /tmp --cap-drop all'.split(' '),
      ...'--security-opt no-new-privileges --no-healthcheck'.split(' '),
      ...['--name', name, '--volume', `${join(folder, 'container')}:/data`],
      ...['--volume', `${database.host}:${database.host}`],
      ...(process.env.PODMAN_RUN ?? '').split(' ').filter(Boolean),
      ...Object.entries(given).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      image,
    ],
    { stdio: ['ignore', log, log] },
  );
  const ended = endOf(child);
  const kill = (signal: string) => {
    try {
      execFileSync(podman, [...options, 'kill', '--signal', signal, name], { stdio: 'pipe' });
    } catch {}
  };
  return { kill, ended };
}
if (image !== undefined) {
  // `data` has the first cluster, so the container gets another folder.
  mkdirSync(join(folder, 'container'));
  chownSync(join(folder, 'container'), 10_001, 10_001);
  chmodSync(database.host, 0o755);
}
let app = await launch();
const caddyLog = openSync(join(folder, 'caddy.log'), 'a');
const caddy = spawn(
  'caddy',
  ['run', '--config', join(ROOT, 'deploy/Caddyfile'), '--adapter', 'caddyfile'],
  {
    env: {
      PATH: process.env.PATH,
      SITE: `localhost:${sitePort}`,
      UPSTREAM: `127.0.0.1:${port}`,
      XDG_DATA_HOME: join(folder, 'caddy'),
      XDG_CONFIG_HOME: join(folder, 'caddy'),
      HOME: join(folder, 'caddy'),
    },
    stdio: ['ignore', caddyLog, caddyLog],
  },
);
process.on('exit', () => {
  app.kill('SIGKILL');
  caddy.kill('SIGKILL');
});

type Answer = { status: number; headers: Record<string, unknown>; body: string };
/**
 * Sends a request through Caddy, whose certificate is self-signed. A stream ends when its text
 * matches `until`. `host` is the address to call.
 */
function call(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    until,
    host,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: unknown;
    until?: RegExp;
    host?: string;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      rejectUnauthorized: false,
      ...(host === undefined ? {} : { hostname: host, servername: 'localhost' }),
      timeout: 40_000,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        host: new URL(site).host,
        ...headers,
      },
    };
    const request = https.request(`${site}${path}`, options, (answer) => {
      let text = '';
      const end = () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
      answer.on('data', (chunk) => {
        text += chunk;
        if (until?.test(text)) {
          end();
          request.destroy();
        }
      });
      answer.on('end', end);
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no response')));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
async function ready(): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    if (answer?.ok) return Math.round(performance.now() - begun);
    if (performance.now() - begun > 90_000)
      throw new Error(readFileSync(join(folder, 'app.log'), 'utf8'));
    await sleep(20);
  }
}

console.log(`      ready after ${await ready()} ms`);
while ((await call('/health/ready').catch(() => null))?.status !== 200) await sleep(100);
const page = await call('/login');
check('a page through Caddy', page.status, 200);
check('Strict-Transport-Security', page.headers['strict-transport-security'], /^max-age=63072000/);
check('Content-Security-Policy', page.headers['content-security-policy'], /^default-src 'none'/);
check('Server', page.headers.server, /^undefined$/);
check('/metrics through Caddy', (await call('/metrics')).status, 404);
check('/metrics on the machine', (await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200);
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (outside === undefined) throw new Error('This computer has no address but the loopback one.');
for (const path of [
  '/api/operator/machines/',
  '/api/console/me/',
  '/console/',
  '/console',
  '/api/%6fperator/x/',
]) {
  const closed = await call(path, { host: outside, headers: { authorization: `Bearer ${key}` } });
  check(`${path} from another network`, closed.status, 404);
}
check('a page from another network', (await call('/login', { host: outside })).status, 200);
const demo = await call('/api/operator/demo/', {
  method: 'POST',
  body: {},
  headers: { authorization: `Bearer ${key}` },
});
const { email, password } = demoResult.parse(
  JSON.parse(demo.body.trim().split('\n').at(-1) ?? '{}').result,
);
const signIn = await call('/api/users/auth/login/', { method: 'POST', body: { email, password } });
const { access } = JSON.parse(signIn.body);
const headers = { authorization: `Bearer ${access}` };
check('a sign-in through Caddy', signIn.status, 200);
const stream = call('/api/users/profile/events/', { headers, until: /event: profile/ });
await sleep(500);
await call('/api/users/profile/', { method: 'PATCH', headers, body: { jersey_number: '42' } });
check(
  'an event through Caddy, while the stream is open',
  (await stream).body.match(/event: \w+/)?.[0],
  'event: profile',
);
const tries = [];
for (let n = 0; n < 40; n += 1)
  tries.push(
    (
      await call('/api/users/auth/check-email/', {
        method: 'POST',
        headers: { 'x-forwarded-for': `9.9.9.${n}` },
        body: { email: `person${n}@example.com` },
      })
    ).status,
  );
check(
  '40 tries with made-up X-Forwarded-For',
  `${tries.filter((status) => status === 200).length} of them 200, the last ${tries.at(-1)}`,
  '30 of them 200, the last 429',
);
await call('/reset-password?email=ann@example.com&token=s3cr3t-in-a-link');
// While the server is down, Caddy answers with an error and logs it.
app.kill('SIGKILL');
const down = await Promise.all(
  [
    '/reset-password?email=ann@example.com&token=s3cr3t-while-down',
    '/auth/google/callback?code=s3cr3t-of-google',
  ].map((path) => call(path, { host: outside })),
);
check('pages while the server is down', down.map(({ status }) => status).join(), '503,503');
check(
  'Retry-After meanwhile',
  down.map(({ headers: { 'retry-after': after } }) => after).join(),
  '5,5',
);
await app.ended;
app = await launch();
await ready();

const asking = repeatRequest(async () => (await call('/api/config/')).status, 20);
for (let time = 0; time < 3; time += 1) {
  app.kill('SIGKILL');
  await app.ended;
  // Start the server again after RestartSec, as systemd does.
  await sleep(1_000 * Number(setting('RestartSec')[0]));
  app = await launch();
  console.log(`      killed and started: ready after ${await ready()} ms`);
}
const ending = performance.now();
app.kill('SIGTERM');
check('exit code after SIGTERM', await app.ended, 0);
console.log(`      ended after ${Math.round(performance.now() - ending)} ms, with a drain of 5 s`);
app = await launch();
console.log(`      started again: ready after ${await ready()} ms`);
await sleep(2_000);
const statuses = Map.groupBy(await asking.stop(), ({ status }) => status);
const counted = [...statuses]
  .map(([status, all]) => `${status || 'none'}: ${all.length}`)
  .join(', ');
const slowest = Math.max(
  ...[...statuses.values()].flat().map(({ begun, ended: at }) => at - begun),
);
console.log(`      responses meanwhile: ${counted}, the slowest after ${Math.round(slowest)} ms`);
const caddyLines = readFileSync(join(folder, 'caddy.log'), 'utf8');
const appLog = readFileSync(join(folder, 'app.log'), 'utf8');
const logged = appLog + caddyLines;
// Caddy 2.6 logs a call answered by `handle_errors` only as an access, later versions also as an
// error.
check(
  'calls that failed in the log of Caddy',
  caddyLines.match(/"status":503/g)?.length ?? 0,
  /^[1-9]/,
);
check('a secret in a log', /s3cr3t/.test(logged), /false/);
check('a whole address of a caller in a log', logged.includes(`"${outside}"`), /false/);
const countLines = (text: string, wanted: RegExp) =>
  text.split('\n').filter((line) => wanted.test(line)).length;
check(
  'lines about successful health checks',
  countLines(caddyLines, /health_checker/) + countLines(appLog, /health\/ready.*"status":200/),
  0,
);
app.kill('SIGTERM');
await app.ended;
caddy.kill('SIGTERM');
await database.stop();
if (failed === 0) rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
