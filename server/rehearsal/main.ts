import { tmpdir } from 'node:os';
import { rehearsalLine } from '#contract/wire/backups.ts';
import { Refusal } from '../errors.ts';
import { EmbeddedDatabaseError } from '../postgres/errors.ts';
import { type Closers, RehearsalFailed } from './new-version.ts';
import { rehearse } from './rehearse.ts';

// `./backboard rehearse` runs this process, reads lines of JSON (contract/wire/backups.ts) from its
// stdout, and ends it by closing its stdin.

const [file = '', folder = tmpdir()] = process.argv.slice(2);
const closers: Closers = [];
const send = (line: unknown) =>
  process.stdout.write(`${JSON.stringify(rehearsalLine.parse(line))}\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop());
process.stdin.on('close', () => void stop()).resume();

function advice(error: unknown): string {
  if (error instanceof Refusal && 'detail' in error.body) return String(error.body.detail);
  const known = error instanceof EmbeddedDatabaseError || error instanceof RehearsalFailed;
  if (known) return error.message;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  if (code === 'ENOENT') return `There is no such file or folder: ${message}`;
  if (code === 'ENOSPC' || code === '53100')
    return `The disk of ${folder} is full. Name a folder on another one: --folder /srv/tmp`;
  return `The upgrade of the copy failed: ${message}`;
}

try {
  const result = await rehearse({ file, folder, closers }, (progress) => send({ progress }));
  if (!stopping) send({ result });
} catch (error) {
  if (!stopping) send({ error: advice(error) });
}
if (!stopping) process.exit(0);
