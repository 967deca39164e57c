import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses of deploy/cluster are in 10.0.0.0/24, those of the trial in this network. */
const NETWORK = '10.77.0';
const BRIDGE = 'bbtrial';
const NUMBERS = { db1: 11, db2: 12, db3: 13, app1: 21, app2: 22, front: 31 } as const;

export type HostName = keyof typeof NUMBERS;
export const DATABASES = ['db1', 'db2', 'db3'] as const;
export const APPS = ['app1', 'app2'] as const;

export const addressOf = (name: HostName): string => `${NETWORK}.${NUMBERS[name]}`;
/** A configuration of deploy/cluster with the trial's network. */
export const inNetwork = (text: string): string => text.replaceAll('10.0.0.', `${NETWORK}.`);

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'ignore'] });
/** Does `work`, also if what it names is gone. */
export const quietly = (work: () => unknown) => {
  try {
    work();
  } catch {
    // It is gone.
  }
};

const spaceOf = (name: HostName) => `bbtrial-${name}`;
const linkOf = (name: HostName) => `bbt-${name}`;

/** Gives each host a network namespace, and links it to a bridge that this process is on too. */
export function openHosts(): void {
  closeHosts();
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${NETWORK}.1/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  for (const name of Object.keys(NUMBERS) as HostName[]) {
    const inside = (...args: string[]) => ip('netns', 'exec', spaceOf(name), 'ip', ...args);
    ip('netns', 'add', spaceOf(name));
    ip('link', 'add', linkOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', spaceOf(name));
    ip('link', 'set', linkOf(name), 'master', BRIDGE, 'up');
    inside('link', 'set', 'lo', 'up');
    inside('addr', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
  }
}

/** Kills what runs in the namespaces, and removes them. */
export function closeHosts(): void {
  for (const name of Object.keys(NUMBERS) as HostName[]) {
    quietly(() => signalAll(name, 'SIGKILL'));
    quietly(() => ip('netns', 'del', spaceOf(name)));
    quietly(() => ip('link', 'del', linkOf(name)));
  }
  quietly(() => ip('link', 'del', BRIDGE));
}

/** Sends the signal to every process of a host. */
export function signalAll(name: HostName, signal: NodeJS.Signals): void {
  const pids = String(ip('netns', 'pids', spaceOf(name)))
    .split('\n')
    .filter(Boolean);
  for (const pid of pids) quietly(() => process.kill(Number(pid), signal));
}

/** Without its link, a host sends and receives nothing; its processes keep running. */
export const setLink = (name: HostName, to: 'up' | 'down') =>
  void ip('link', 'set', linkOf(name), to);

/** Sets whether `name` and `other` reach each other. Both still reach all other hosts. */
export function setReach(name: HostName, other: HostName, reach: boolean): void {
  const verb = reach ? 'del' : 'add';
  ip('netns', 'exec', spaceOf(name), 'ip', 'route', verb, 'blackhole', `${addressOf(other)}/32`);
}

/** Starts a program on a host. Its output goes into `<folder>/<log>.log`. */
export function startOn(
  name: HostName,
  [program = '', ...args]: string[],
  {
    folder,
    log,
    env = {},
    postgres = false,
    cwd = '/',
  }: {
    folder: string;
    log: string;
    env?: Record<string, string>;
    /** As the user postgres; otherwise as root. */
    postgres?: boolean;
    cwd?: string;
  },
): ChildProcess {
  const file = openSync(join(folder, `${log}.log`), 'a');
  const as = postgres ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const child = spawn('ip', ['netns', 'exec', spaceOf(name), ...as, program, ...args], {
    cwd,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  return child;
}
