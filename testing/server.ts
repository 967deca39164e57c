import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openCommands } from './commands.ts';
import { COMPILED } from './compiled.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { freePort } from './ports.ts';

const ROOT = join(import.meta.dirname, '..');
/** The environment variable with the folder of prepare-data.ts. */
export const PREPARED_DATA = 'PREPARED_DATA';
const START_PATIENCE_MS = 120_000;

/** The real server: its own process, database and port. */
export type RunningServer = {
  url: string;
  dataDir: string;
  mail: MailSink;
  backboard(...args: string[]): Promise<string>;
  addMachine(name: string, venue?: string): Promise<{ id: string; name: string; key: string }>;
  play(key: string, game: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Queries the embedded database, for example to age rows. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Kills the process, by default with SIGKILL, and waits for its exit. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the killed server, with the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts the server without demo data, and an SMTP server. An empty SMTP_URL in `env` keeps mails
 * in the mailbox. The server trusts X-Forwarded-For, so that tests share no rate limits.
 */
export async function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const dataDir = await mkdtemp(join(tmpdir(), 'backboard-e2e-'));
  const prepared = process.env[PREPARED_DATA];
  // With -a, PostgreSQL's user stays the owner of the files.
  if (prepared !== undefined) execFileSync('cp', ['-a', `${prepared}/.`, dataDir]);
  const mail = await startMailSink();
  const url = `http://localhost:${port}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: mail.url,
    DEMO: '0',
    NODE_COMPILE_CACHE: COMPILED,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    LOG_LEVEL: 'warn',
    // Shed no load, because tests keep the computer busy.
    SHED: '0',
    ...env,
  };
  let child: ChildProcess;
  let output = '';

  async function launch(): Promise<void> {
    const args = ['--import', './testing/with-parent.child.ts', 'server/main.ts'];
    child = spawn(join(ROOT, 'node_modules/.bin/node'), args, {
      cwd: ROOT,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-20_000);
      });
    const until = Date.now() + START_PATIENCE_MS;
    for (;;) {
      const ready = await fetch(`${url}/health/ready`).catch(() => null);
      if (ready?.ok) return;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the server ended at its start, code ${child.exitCode}:\n${output}`);
      if (Date.now() > until) throw new Error(`the server is not ready:\n${output}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  const commands = openCommands({
    ...process.env,
    BACKBOARD_URL: url,
    DATA_DIR: dataDir,
    // The output must be plain, whatever Playwright sets.
    FORCE_COLOR: '0',
  });
  async function backboard(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await commands.run(...args);
    if (code !== 0) throw new Error(`backboard ${args.join(' ')}: ${stderr || stdout}`);
    return stdout;
  }

  await launch().catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return {
    url,
    dataDir,
    mail,
    backboard,
    addMachine: async (name, venue) =>
      JSON.parse(
        await backboard('machine', 'add', name, ...(venue ? ['--venue', venue] : []), '--json'),
      ),
    play: async (key, game) => {
      const answer = await fetch(`${url}/api/machine/games/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ games: [game] }),
      });
      if (!answer.ok)
        throw new Error(`the machine was answered ${answer.status}: ${await answer.text()}`);
      const { results } = (await answer.json()) as { results: [Record<string, unknown>] };
      return results[0];
    },
    sql: async (text, values) => {
      const home = join(dataDir, 'postgres');
      // This file has the socket's folder and the port.
      const notes = (await readFile(join(home, 'cluster/postmaster.pid'), 'utf8')).split('\n');
      const client = new pg.Client({
        host: notes[4],
        port: Number(notes[3]),
        user: 'backboard',
        database: 'backboard',
        password: (await readFile(join(home, 'password'), 'utf8')).trim(),
      });
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    kill,
    restart: launch,
    close: async () => {
      commands.close();
      await kill('SIGTERM');
      await mail.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
