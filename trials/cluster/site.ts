import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ROOT } from '../../bench/processes.ts';
import { APPS, addressOf, DATABASES, type HostName, inNetwork, startOn } from './hosts.ts';

const FILES = join(ROOT, 'deploy/cluster');
/** Before this version, Patroni loses acknowledged games over etcd3 (Patroni issue 2689). */
const ETCD3_FROM = '3.0.3';

export const WEB = `http://${addressOf('front')}:8080`;
export const PASSWORD = 'a-password-of-the-trial';

const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres']));
const isBefore = (version: string, other: string) =>
  version.localeCompare(other, 'en', { numeric: true }) < 0;

const PACKAGES = 'iproute2 patroni etcd-server haproxy pgbackrest postgresql openssl';
/** The port of a copy of the database, as in docs/cluster.md. */
export const COPY_PORT = 5499;

export type Versions = {
  postgres: string;
  patroni: string;
  etcd: string;
  haproxy: string;
  pgbackrest: string;
};

/** @throws Error that says which package is missing */
export function readVersions(): Versions {
  const ask = (program: string, flag: string) => {
    try {
      const said = String(execFileSync(program, [flag], { stdio: ['ignore', 'pipe', 'pipe'] }));
      return /\d+(\.\d+)+/.exec(said)?.[0] ?? said.trim();
    } catch {
      throw new Error(`${program} is missing. apt-get install ${PACKAGES}`);
    }
  };
  const major = readdirSync('/usr/lib/postgresql').toSorted().at(-1);
  return {
    postgres: ask(`/usr/lib/postgresql/${major}/bin/postgres`, '--version'),
    patroni: ask('patroni', '--version'),
    etcd: ask('etcd', '--version'),
    haproxy: ask('haproxy', '-v'),
    pgbackrest: ask('pgbackrest', 'version'),
  };
}

/** The programs of the hosts, configured by the files of deploy/cluster. */
export class Site {
  readonly #folder: string;
  readonly #versions: Versions;
  readonly #apps = new Map<HostName, ChildProcess>();
  readonly #proxies = new Map<HostName, ChildProcess>();
  readonly #etcd = new Map<HostName, ChildProcess>();
  readonly #patroni = new Map<HostName, ChildProcess>();
  readonly #secrets = {
    SECRET_KEY: randomBytes(36).toString('base64url'),
    BACKBOARD_OPERATOR_KEY: randomBytes(36).toString('base64url'),
  };
  constructor(folder: string, versions: Versions) {
    this.#folder = folder;
    this.#versions = versions;
  }

  /** The folder of a host, which belongs to the user postgres. */
  #folderOf(name: HostName): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    chownSync(folder, idOf('-u'), idOf('-g'));
    return folder;
  }

  #write(name: HostName, file: string, text: string, mode = 0o600): string {
    const path = join(this.#folderOf(name), file);
    writeFileSync(path, text);
    chmodSync(path, mode);
    chownSync(path, idOf('-u'), idOf('-g'));
    return path;
  }

  /** A file of deploy/cluster with this host's addresses, folders and passwords. */
  #read(name: HostName, file: string): string {
    const folder = this.#folderOf(name);
    const major = this.#versions.postgres.split('.')[0] ?? '';
    return inNetwork(readFileSync(join(FILES, file), 'utf8'))
      .replaceAll('/var/lib/postgresql/17/backboard', join(folder, 'data'))
      .replaceAll('/usr/lib/postgresql/17', `/usr/lib/postgresql/${major}`)
      .replaceAll('/var/lib/postgresql/.pgpass-patroni', join(folder, 'pgpass'))
      .replaceAll('/var/run/postgresql', folder)
      .replaceAll('/var/lib/etcd/backboard', join(folder, 'etcd'))
      .replaceAll('/etc/patroni', folder)
      .replaceAll('/srv/backboard-backups', join(this.#folder, 'backups'))
      .replaceAll(/PASSWORD-OF-[A-Z]+/g, PASSWORD);
  }

  /** A certificate of the trial's own authority for each database host. */
  makeCertificates(): void {
    const at = (file: string) => join(this.#folder, file);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const key = ['-newkey', 'rsa:2048', '-nodes', '-subj'];
    openssl(
      'req',
      '-x509',
      ...key,
      '/CN=trial',
      '-days',
      '2',
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.crt'),
    );
    for (const name of DATABASES) {
      const folder = this.#folderOf(name);
      const [request, names] = [join(folder, 'request'), join(folder, 'names')];
      writeFileSync(names, `subjectAltName=IP:${addressOf(name)},IP:127.0.0.1,DNS:${name}`);
      openssl('req', ...key, `/CN=${name}`, '-keyout', join(folder, 'server.key'), '-out', request);
      openssl(
        ...[
          'x509',
          '-req',
          '-in',
          request,
          '-days',
          '2',
          '-CA',
          at('ca.crt'),
          '-CAkey',
          at('ca.key'),
        ],
        ...['-CAcreateserial', '-extfile', names, '-out', join(folder, 'server.crt')],
      );
      chownSync(join(folder, 'server.key'), idOf('-u'), idOf('-g'));
      chmodSync(join(folder, 'server.key'), 0o600);
    }
  }

  startEtcd(name: HostName): void {
    const text = this.#read(name, 'etcd');
    const env = Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line.startsWith('ETCD_'))
        .map((line) => {
          const at = line.indexOf('=');
          return [line.slice(0, at), line.slice(at + 1)];
        }),
    );
    const own = (value: string) => value.replaceAll(addressOf('db1'), addressOf(name));
    for (const [key, value] of Object.entries(env))
      if (key !== 'ETCD_INITIAL_CLUSTER') env[key] = own(value);
    env.ETCD_NAME = name;
    // Before that version, Patroni uses version 2 of etcd's interface.
    if (isBefore(this.#versions.patroni, ETCD3_FROM)) env.ETCD_ENABLE_V2 = 'true';
    const options = {
      folder: this.#folderOf(name),
      log: 'etcd',
      env: { ...env, ETCD_LOG_LEVEL: 'warn' },
    };
    mkdirSync(join(this.#folderOf(name), 'etcd'), { recursive: true, mode: 0o700 });
    this.#etcd.set(name, startOn(name, ['etcd'], options));
  }

  killEtcd(name: HostName): void {
    this.#etcd.get(name)?.kill('SIGKILL');
  }

  startPatroni(name: HostName): void {
    const etcd = isBefore(this.#versions.patroni, ETCD3_FROM) ? 'etcd:' : 'etcd3:';
    const text = this.#read(name, 'patroni.yml')
      .replace(/^etcd3:/m, etcd)
      .replace('name: db1', `name: ${name}`)
      .replaceAll(/^(?! *hosts:).*$/gm, (line) =>
        line.replaceAll(addressOf('db1'), addressOf(name)),
      )
      // The namespaces share one kernel, so a watchdog would reset this computer.
      .replace('mode: required', 'mode: off');
    const file = this.#write(name, 'patroni.yml', text);
    this.#write(name, 'bootstrap.sh', this.#read(name, 'bootstrap.sh'), 0o700);
    this.#patroni.set(name, this.#startAsPostgres(name, 'patroni', ['patroni', file]));
  }

  /** Stops Patroni, and PostgreSQL with it. */
  async stopPatroni(name: HostName): Promise<void> {
    await stop(this.#patroni.get(name), 'SIGTERM');
  }

  #startAsPostgres(name: HostName, log: string, command: string[]): ChildProcess {
    const folder = this.#folderOf(name);
    const env = {
      PGBACKREST_CONFIG: this.#write(name, 'pgbackrest.conf', this.#read(name, 'pgbackrest.conf')),
      PGBACKREST_LOCK_PATH: folder,
      PGBACKREST_LOG_PATH: folder,
    };
    return startOn(name, command, { folder, log, env, postgres: true });
  }

  /**
   * Runs a command as the user postgres.
   * @throws Error if it fails
   */
  async runAsPostgres(name: HostName, command: string[]): Promise<void> {
    const [code] = await once(this.#startAsPostgres(name, 'commands', command), 'exit');
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`);
  }

  /** Brings the last backup and the WAL since then back to `moment`, beside the cluster. */
  async restore(name: HostName, moment: string): Promise<void> {
    const data = this.#copyOf(name);
    await this.runAsPostgres(name, [
      ...['pgbackrest', '--stanza=backboard', `--pg1-path=${data}`, '--type=time'],
      ...[`--target=${moment}`, '--target-action=promote', 'restore'],
    ]);
    const settings = `-c port=${COPY_PORT} -c archive_mode=off -c synchronous_standby_names=`;
    await this.runAsPostgres(name, [this.#pgCtl, '-D', data, '-w', '-o', settings, 'start']);
  }

  get #pgCtl(): string {
    return `/usr/lib/postgresql/${this.#versions.postgres.split('.')[0]}/bin/pg_ctl`;
  }

  #copyOf(name: HostName): string {
    return join(this.#folderOf(name), 'moment');
  }

  /** Changes the settings that Patroni keeps in etcd. */
  async configure(settings: Record<string, unknown>): Promise<void> {
    const answer = await fetch(`http://${addressOf(await this.leader())}:8008/config`, {
      method: 'PATCH',
      body: JSON.stringify(settings),
    });
    if (!answer.ok) throw new Error(`configure: ${answer.status} ${await answer.text()}`);
  }

  startProxy(name: HostName): void {
    const front = name === 'front';
    const text = this.#read(name, front ? 'haproxy-web.cfg' : 'haproxy-database.cfg')
      .replace(/bind :443 .*\n/, `bind ${addressOf('front')}:8080\n`)
      .replace(/ +bind :80\n.*redirect scheme.*\n/, '');
    const file = this.#write(name, 'haproxy.cfg', text);
    const options = { folder: this.#folderOf(name), log: 'haproxy' };
    this.#proxies.set(name, startOn(name, ['haproxy', '-db', '-f', file], options));
  }

  killProxy(name: HostName): void {
    this.#proxies.get(name)?.kill('SIGKILL');
  }

  startApp(name: HostName, app = ROOT): void {
    const folder = this.#folderOf(name);
    const given = this.#read(name, 'backboard.env').replaceAll(
      '/etc/backboard-ca.crt',
      join(this.#folder, 'ca.crt'),
    );
    const env = Object.fromEntries(
      given
        .split('\n')
        .filter((line) => /^[A-Z_]+=/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const node = join(ROOT, 'node_modules/.bin/node');
    const child = startOn(name, [node, 'server/main.ts'], {
      folder,
      log: 'app',
      cwd: app,
      env: {
        ...env,
        ...this.#secrets,
        NODE_ENV: 'production',
        PUBLIC_URL: WEB,
        ALLOW_PLAIN: 'public',
        SMTP_URL: 'smtps://127.0.0.1:1',
        DATA_DIR: folder,
        PORT: '3000',
        DRAIN_SECONDS: '3',
        LOG_LEVEL: 'warn',
        SHED: '0',
      },
    });
    this.#apps.set(name, child);
  }

  async stopApp(name: HostName, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await stop(this.#apps.get(name), signal);
  }

  async restartApp(name: HostName, app = ROOT): Promise<void> {
    await this.stopApp(name);
    this.startApp(name, app);
    await this.untilReady(name);
  }

  async untilReady(name: HostName): Promise<void> {
    await until(`${name} is ready`, () => isOk(`http://${addressOf(name)}:3000/health/ready`));
  }

  /** The cluster's members, according to the first Patroni that answers. */
  async members(): Promise<{ name: HostName; role: string; state: string }[]> {
    for (const host of DATABASES) {
      const answer = await fetch(`http://${addressOf(host)}:8008/cluster`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members: never[] }).members;
    }
    return [];
  }

  /** The name of the leader that can write. */
  async leader(): Promise<HostName> {
    let found: HostName | undefined;
    await until('a leader', async () => {
      for (const name of DATABASES)
        if (await isOk(`http://${addressOf(name)}:8008/primary`)) found = name;
      return found !== undefined;
    });
    return found as HostName;
  }

  async standbys(): Promise<{ sync: HostName | undefined; all: HostName[] }> {
    const members = await this.members();
    return {
      sync: members.find(({ role }) => role === 'sync_standby')?.name,
      all: members.filter(({ role }) => role !== 'leader').map(({ name }) => name),
    };
  }

  /** Waits until all three databases run and one is the synchronous standby. */
  async untilWhole(): Promise<void> {
    await until('three databases', async () => {
      const members = await this.members();
      const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
      return running.length === 3 && members.some(({ role }) => role === 'sync_standby');
    });
  }

  /** The process ids of a host's PostgreSQL, the postmaster's first. */
  postgresOf(name: HostName): [number, ...number[]] {
    const path = join(this.#folder, name, 'data/postmaster.pid');
    const postmaster = Number.parseInt(readFileSync(path, 'utf8'), 10);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
  }

  async switchOver(from: HostName, to: HostName): Promise<void> {
    const answer = await fetch(`http://${addressOf(from)}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: from, candidate: to }),
    });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  }

  /** A superuser's connection to the leader. */
  async connect(port = 5432): Promise<pg.Client> {
    const client = new pg.Client({
      host: addressOf(await this.leader()),
      port,
      user: 'postgres',
      password: PASSWORD,
      database: 'backboard',
      ssl: { rejectUnauthorized: false },
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async start(app: string): Promise<void> {
    this.makeCertificates();
    for (const name of DATABASES) this.startEtcd(name);
    await until('etcd', () => isOk(`http://${addressOf('db1')}:2379/health`));
    for (const name of DATABASES) this.startPatroni(name);
    await this.untilWhole();
    const backups = join(this.#folder, 'backups');
    mkdirSync(backups);
    chownSync(backups, idOf('-u'), idOf('-g'));
    await this.runAsPostgres(await this.leader(), [
      ...['pgbackrest', '--stanza=backboard', 'stanza-create'],
    ]);
    for (const name of [...APPS, 'front'] as const) this.startProxy(name);
    for (const name of APPS) this.startApp(name, app);
    for (const name of APPS) await this.untilReady(name);
  }
}

async function stop(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );

const PATIENCE_MS = 120_000;

/** @throws Error after two minutes */
export async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await reached())) {
    if (performance.now() > deadline) throw new Error(`no ${what} within two minutes`);
    await sleep(100);
  }
}
