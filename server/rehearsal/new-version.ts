import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../main.ts');
const READY_WITHIN_MS = 120_000;
/** The time from SIGTERM to SIGKILL. A healthy version stops within 30 s (P41). */
const STOP_WITHIN_MS = 40_000;
const ASK_EVERY_MS = 100;

/**
 * The new version's environment on the copy. It has none of the caller's variables, which name the
 * live database, mail server and providers.
 */
export const settingsOfCopy = (port: number, dataDir: string): Record<string, string> => ({
  TMPDIR: tmpdir(),
  PORT: String(port),
  DATA_DIR: dataDir,
  DEMO: '0',
  LOG_LEVEL: 'warn',
  // Otherwise the stand-in for Google would start.
  GOOGLE_CLIENT_ID: 'rehearsal',
  GOOGLE_CLIENT_SECRET: 'rehearsal',
  // Nothing listens on port 1, so no mail reaches a player. Without SMTP_URL, every user of this
  // computer could read the copy's mailbox (P46).
  SMTP_URL: 'smtp://127.0.0.1:1',
});

export type Closers = (() => Promise<unknown>)[];

/** The new version does not start. The message has its last output. */
export class RehearsalFailed extends Error {}

/**
 * Starts this version on a data folder, as `npm start` does, and stops it when it is ready.
 * @returns milliseconds until it was ready
 * @throws RehearsalFailed
 */
export async function startNewVersion(dataDir: string, closers: Closers): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: settingsOfCopy(port, dataDir),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let failure: Error | undefined;
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', (error) => {
      failure = error;
      done();
    });
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output = (output + bytes).slice(-2_000);
    });
  const stop = async () => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(patience);
  };
  closers.push(stop);
  try {
    while (!(await isReady(port))) {
      if (failure !== undefined)
        throw new RehearsalFailed(`The new version does not start: ${failure.message}`);
      if (child.exitCode !== null || child.signalCode !== null)
        throw new RehearsalFailed(`The new version does not start on the copy:\n${output.trim()}`);
      if (performance.now() - began > READY_WITHIN_MS)
        throw new RehearsalFailed(
          `The new version is not ready after ${READY_WITHIN_MS / 1000} s:\n${output.trim()}`,
        );
      await sleep(ASK_EVERY_MS);
    }
    return Math.round(performance.now() - began);
  } finally {
    await stop();
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  server.close();
  await once(server, 'close');
  return typeof at === 'object' && at !== null ? at.port : 0;
}
