/**
 * Sets Backboard up line by line as docs/operating.md says, under a real systemd, with PostgreSQL,
 * Backboard and Caddy as services, in a throw-away copy of this computer
 * (trials/deploy/systemd-root.sh). Then kills and restarts Backboard under load, makes and tests a
 * backup, replaces the certificate with one of a private authority, and stops Backboard.
 *
 * apt-get install git npm caddy postgresql systemd iproute2 curl
 * node trials/deploy/systemd.ts
 *
 * Needs root and Linux.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../bench/processes.ts';

const NAME = 'localhost';
/** The copy's control groups are below this one, apart from the computer's own. */
const GROUP = '/sys/fs/cgroup/systemd/backboard-bench';
const PATIENCE_MS = 180_000;
let failed = 0;

function check(what: string, seen: unknown, wanted: RegExp): void {
  const right = wanted.test(String(seen));
  if (!right) failed += 1;
  console.log(`${right ? 'ok   ' : 'WRONG'} ${what}: ${seen}`);
}

if (!existsSync(join(dirname(GROUP), 'cgroup.procs')))
  throw new Error(`${dirname(GROUP)} does not exist: this script needs control groups version 1.`);
mkdirSync(GROUP, { recursive: true });
const apart = ['--mount', '--pid', '--ipc', '--uts', '--cgroup', '--net'];
const boot = [
  ...['unshare', ...apart, '--fork', '--kill-child', '--propagation', 'private'],
  ...['sh', join(ROOT, 'trials/deploy/systemd-root.sh')],
];
const system = spawn('sh', ['-c', `echo $$ > ${GROUP}/cgroup.procs && exec ${boot.join(' ')}`], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise<void>((done) => system.once('exit', () => done()));
process.on('exit', () => system.kill('SIGKILL'));

function removeGroups(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroups(join(folder, entry.name));
  rmdirSync(folder);
}

function commOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Waits until unshare's child is systemd. Returns its process id outside the copy. */
async function process1(): Promise<string> {
  const children = `/proc/${system.pid}/task/${system.pid}/children`;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const [pid] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
    if (pid && commOf(pid) === 'systemd') return pid;
    if (system.exitCode !== null || system.signalCode !== null || performance.now() > until)
      throw new Error('systemd does not start on this computer.');
    await sleep(50);
  }
}
const pid1 = await process1();

/**
 * The output of a line of shell in the copy, as root.
 * @throws Error with the output if the line fails
 */
function run(line: string, folder = '/'): string {
  const inside = ['--target', pid1, '-m', '-p', '-i', '-u', '-C', '-n', '--root', '--wd=/'];
  const args = [...inside, 'sh', '-ec', `cd ${folder}; ${line}`];
  return execFileSync('nsenter', args, {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  }).trim();
}
function tryRun(line: string): string {
  try {
    return run(line);
  } catch {
    return '';
  }
}
async function until(what: string, holds: () => boolean): Promise<number> {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > PATIENCE_MS)
      throw new Error(`${what}: not in time\n${tryRun('journalctl --no-pager -n 60')}`);
    await sleep(50);
  }
  return performance.now() - begun;
}
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const show = (unit: string, property: string) =>
  tryRun(`systemctl show ${unit} --property=${property} --value`);
const status = (path: string) =>
  tryRun(`curl -ks -m 40 -o /dev/null -w '%{http_code}' https://${NAME}${path}`);

await until('systemd', () =>
  /running|degraded/.test(tryRun('systemctl is-system-running || true')),
);
check(
  'process 1',
  run('cat /proc/1/comm; systemctl --version | head -1').replace('\n', ', '),
  /^systemd, /,
);

// Debian's package usually creates this cluster.
const version = run('ls /usr/lib/postgresql | sort -n | tail -1');
run(`test -d /etc/postgresql/${version}/main || pg_createcluster ${version} main`);
run(`systemctl start postgresql@${version}-main`);

const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const recipe = /```sh\n([^`]*?)```/.exec(operating)?.[1];
if (recipe === undefined) throw new Error('docs/operating.md has no block of shell commands.');
const keyLine = /^export BACKBOARD_OPERATOR_KEY=.*$/m.exec(operating)?.[0];
if (keyLine === undefined) throw new Error('docs/operating.md has no line that exports the key.');
const secret = () => randomBytes(36).toString('base64');
/** Replacements for lines that need a person or the internet. */
const replacements: [RegExp, string][] = [
  [/^apt-get install .*/, ''],
  [
    /^git clone REPOSITORY \/opt\/backboard/,
    `git clone -q --no-hardlinks -c safe.directory='*' ${ROOT} /opt/backboard && cp -a ${ROOT}/node_modules /opt/backboard/`,
  ],
  [
    /^nano \/etc\/backboard\.env.*/,
    `sed -i -e 's#^PUBLIC_URL=.*#PUBLIC_URL=https://${NAME}#' -e 's#^SECRET_KEY=.*#SECRET_KEY=${secret()}#' -e 's#^BACKBOARD_OPERATOR_KEY=.*#BACKBOARD_OPERATOR_KEY=${secret()}#' /etc/backboard.env`,
  ],
  [/YOUR NAME/, NAME],
];
let folder = '/';
for (const original of recipe.split('\n').filter((line) => line.trim() !== '')) {
  const line = replacements.reduce(
    (text, [pattern, other]) => text.replace(pattern, () => other),
    original,
  );
  const begun = performance.now();
  if (line !== '') run(line, folder);
  // Later lines run in the folder to which this line changes.
  folder = /&& cd (\S+)/.exec(line)?.[1] ?? folder;
  console.log(`      ${seconds(performance.now() - begun).padStart(7)}  ${original}`);
}

await until('ready', () => status('/health/ready') === '200');
const main = () => show('backboard', 'MainPID');
const about = run(`cat /proc/${main()}/status`);
check('backboard', run('systemctl is-active backboard'), /^active$/);
check('caddy', run('systemctl is-active caddy'), /^active$/);
check('it runs as', run(`stat -c %U /proc/${main()}`), /^backboard$/);
check('capabilities', /CapBnd:\s*(\S+)/.exec(about)?.[1], /^0+$/);
check('no new privileges', /NoNewPrivs:\s*(\d)/.exec(about)?.[1], /^1$/);
check('filter of system calls', /Seccomp:\s*(\d)/.exec(about)?.[1], /^2$/);
check('its file of secrets', run('stat -c "%U %a" /etc/backboard.env'), /^root 600$/);
check(
  'development packages',
  run(
    'ls -d node_modules/typescript node_modules/vite node_modules/vitest 2>/dev/null || echo none',
    '/opt/backboard',
  ),
  /^none$/,
);
check(
  'how long logs are kept',
  run('systemd-analyze cat-config systemd/journald.conf'),
  /MaxRetentionSec=30day/,
);
check('a page through Caddy', status('/login'), /^200$/);
const wrongPassword = JSON.stringify({ email: 'ann@example.com', password: 'quiet orange kite' });
check(
  'a sign-in with a wrong password',
  tryRun(
    `curl -ks -o /dev/null -w '%{http_code}' -H 'content-type: application/json' -d '${wrongPassword}' https://${NAME}/api/users/auth/login/`,
  ),
  /^400$/,
);
const niceness = run(
  `for task in /proc/${main()}/task/*; do case $(cat $task/comm) in libuv-worker) cut -d' ' -f19 $task/stat;; esac; done | sort -u | tr '\\n' ' '`,
);
check('niceness of the threads that hash', niceness, /^10$/);
check('/metrics through Caddy', status('/metrics'), /^404$/);
check(
  'the operator on the server',
  run(`${keyLine}; ./backboard machine add "Hoop 1" --json`, '/opt/backboard')
    .replace(/"key".*/s, '…')
    .replaceAll(/\s+/g, ' '),
  /"name": "Hoop 1"/,
);

// From now on, curl sends requests in the background.
const calls = '/tmp/calls';
run(
  `nohup sh -c 'while test ! -e /tmp/enough; do curl -ks -m 40 -o /dev/null -w "%{http_code} %{time_total}\\n" https://${NAME}/api/config/; sleep 0.1; done >${calls}' >/dev/null 2>&1 &`,
);
for (let time = 1; time <= 3; time += 1) {
  const [before, restarts] = [main(), show('backboard', 'NRestarts')];
  run(`kill -9 ${before}`);
  const took = await until('again', () => {
    const now = main();
    return (
      now !== '0' && now !== before && tryRun('curl -sf localhost:3000/health/ready').includes('{')
    );
  });
  check(
    `killed and restarted by systemd, ready after ${seconds(took)}; restarts`,
    `${restarts} -> ${show('backboard', 'NRestarts')}`,
    new RegExp(`^${restarts} -> ${Number(restarts) + 1}$`),
  );
  // Pause, or one request could wait through two kills.
  await sleep(3_000);
}
const begun = performance.now();
run('systemctl restart backboard');
await until('restarted', () => tryRun('curl -sf localhost:3000/health/ready').includes('{'));
console.log(`      systemctl restart: ready again after ${seconds(performance.now() - begun)}`);
await sleep(2_000);
run('touch /tmp/enough');
await sleep(500);
const answers = run(`cat ${calls}`).split('\n').filter(Boolean);
const wrong = answers.filter((line) => !line.startsWith('200'));
const slowest = Math.max(...answers.map((line) => Number(line.split(' ')[1])));
check(
  `calls meanwhile, ${answers.length}, the slowest ${slowest.toFixed(1)} s; not answered 200`,
  wrong.length,
  /^0$/,
);

/** Runs a shell block of docs/operating.md unchanged. */
function runBlock(start: string, inFolder: string): string {
  const block = operating.split('```sh\n').find((one) => one.startsWith(start));
  if (block === undefined) throw new Error(`docs/operating.md has no block "${start}".`);
  const lines = block.slice(0, block.indexOf('```'));
  const at = performance.now();
  const output = run(lines, inFolder);
  console.log(`      ${seconds(performance.now() - at).padStart(7)}  ${start} …`);
  return output;
}

check(
  'the first backup',
  runBlock('cp /opt/backboard/deploy/backboard-backup.service', '/'),
  /-rw------- .*\.gz$/m,
);
check(
  'the drill of the backup',
  runBlock('cd /opt/backboard\ndeploy/drill.sh', '/'),
  /The backup is good\.$/,
);

const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
run(
  [
    `openssl req -x509 ${key} -days 30 -subj "/CN=Own authority" -keyout ca.key -out own-ca.crt`,
    `openssl req ${key} -subj /CN=${NAME} -keyout site.key -out site.csr`,
    `echo subjectAltName=DNS:${NAME} > names`,
    'openssl x509 -req -in site.csr -CA own-ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile names -out site.crt',
    'install -o caddy -m 600 site.crt site.key /etc/caddy/',
    "sed -i '/^{\\$SITE/a tls /etc/caddy/site.crt /etc/caddy/site.key' /etc/caddy/Caddyfile",
  ].join(' 2>&1; '),
  '/root',
);
runBlock('cp own-ca.crt', '/root');
const trusted = () =>
  tryRun(`curl -s -m 40 -o /dev/null -w '%{http_code}' https://${NAME}/health/ready`);
await until('the own certificate', () => trusted() === '200');
check('a call that trusts the own authority, without -k', trusted(), /^200$/);
check(
  'the server trusts it too',
  run(`tr '\\0' '\\n' < /proc/${main()}/environ | grep NODE_EXTRA_CA_CERTS`),
  /own-ca\.crt$/,
);

run('systemctl stop backboard');
check(
  'systemctl stop',
  `${show('backboard', 'Result')}, exit code ${show('backboard', 'ExecMainStatus')}`,
  /^success, exit code 0$/,
);
check('processes left', tryRun('pgrep -u backboard | wc -l'), /^0$/);
const journal = run('journalctl -u backboard --no-pager -o cat');
check(
  'errors in its journal',
  journal.split('\n').filter((line) => /"level":[56]0/.test(line)).length,
  /^0$/,
);

system.kill('SIGKILL');
await ended;
await sleep(1_000);
removeGroups(GROUP);
console.log(failed === 0 ? 'all checks passed' : `${failed} checks failed`);
process.exit(failed === 0 ? 0 : 1);
