import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import {
  type BackupHeader,
  backupHeader,
  backupTrailer,
  PART_BYTES,
} from '#contract/wire/backups.ts';
import type { Progress } from '#contract/wire/system.ts';
import { Failure } from './terminal.ts';

/** Resolves a path against the user's folder, which `npm run` keeps in INIT_CWD. */
export function inFolder(path: string): string {
  const npm = process.env.npm_lifecycle_event === 'backboard';
  return resolve((npm && process.env.INIT_CWD) || process.cwd(), path);
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const NEWLINE = 10;

/** Reads a backup's header, trailer and number of rows during its download. */
function inspect(onProgress: (progress: Progress) => void) {
  const gunzip = createGunzip();
  let header: BackupHeader | undefined;
  let total = 0;
  let lines = 0;
  let line: Buffer[] = [];
  let last = '';
  gunzip.on('data', (bytes: Buffer) => {
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      if (lines === 0) {
        header = backupHeader.parse(
          JSON.parse(Buffer.concat([...line, bytes.subarray(from, to)]).toString()),
        );
        total = header.tables.reduce((sum, { rows }) => sum + rows, 0);
      } else if (lines > total)
        last = Buffer.concat([...line, bytes.subarray(from, to)]).toString();
      line = [];
      lines += 1;
      from = to + 1;
    }
    // Keep only the first and the last line.
    if (lines === 0 || lines > total) line.push(bytes.subarray(from));
    onProgress({ step: 'saving', done: Math.min(lines, total), total });
  });
  const ended = new Promise<void>((resolve, reject) => {
    gunzip.once('end', resolve).once('error', reject);
  });
  ended.catch(() => undefined);
  return {
    /** Waits if `gunzip` falls behind. */
    async write(bytes: Uint8Array): Promise<void> {
      if (gunzip.write(bytes)) return;
      await Promise.race([new Promise((resolve) => gunzip.once('drain', resolve)), ended]);
    },
    /** @throws when the backup is not complete */
    async end(): Promise<{ header: BackupHeader; rows: number }> {
      gunzip.end();
      await ended;
      const { rows } = backupTrailer.parse(JSON.parse(last));
      if (header === undefined || rows !== total || lines !== total + 2)
        throw new Error('cut short');
      return { header, rows };
    },
  };
}

/**
 * Streams a backup into a temporary file for this user only, renamed to `path` when complete and
 * synced: a broken download never looks like a backup. `download` is called when the file is open.
 * @throws Failure when the server or the disk fails, or the download is incomplete. `path` is then
 *   unchanged.
 */
export async function saveBackup(
  download: () => Promise<ReadableStream<Uint8Array>>,
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<{ bytes: number; rows: number; made_at: string }> {
  const side = `${path}.part`;
  await rm(side, { force: true });
  const file = await open(side, 'wx', 0o600).catch((error: Error) => {
    throw new Failure(
      `Cannot write ${path}: choose an existing folder that you may write to (${error.message}).`,
    );
  });
  try {
    const source = await download();
    const inspector = inspect(onProgress);
    let bytes = 0;
    for await (const chunk of source) {
      await file.writeFile(chunk);
      bytes += chunk.length;
      await inspector.write(chunk);
    }
    const { header, rows } = await inspector.end();
    await file.sync();
    await file.close();
    await rename(side, path);
    return { bytes, rows, made_at: header.made_at };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(side, { force: true });
    if (error instanceof Failure) throw error;
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new Failure(
      full
        ? `There is no space left for ${path}; nothing was saved. Free some space and try again.`
        : "The backup ended too early; nothing was saved. See the server's log, then try again.",
    );
  }
}

/** Yields a file's parts, each at most PART_BYTES long. `done` and `total` are bytes. */
export async function* parts(
  path: string,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; done: number; total: number }> {
  const file = await open(path).catch((error: Error & { code?: string }) => {
    throw new Failure(
      error.code === 'ENOENT'
        ? `There is no file ${path}. Check the path.`
        : `Cannot read ${path}: ${error.message}`,
    );
  });
  try {
    const { size: total } = await file.stat();
    for (let done = 0; done < total; ) {
      const { bytesRead, buffer } = await file.read(
        new Uint8Array(PART_BYTES),
        0,
        PART_BYTES,
        done,
      );
      if (bytesRead === 0) break;
      done += bytesRead;
      yield { bytes: buffer.subarray(0, bytesRead), done, total };
    }
  } finally {
    await file.close();
  }
}

/**
 * Streams a download into a temporary file for this user only, renamed to `path` when complete.
 * Returns the number of bytes.
 * @throws Failure when the server or the disk fails; `path` is unchanged.
 */
export async function saveStream(
  download: () => Promise<ReadableStream<Uint8Array>>,
  path: string,
): Promise<number> {
  const side = `${path}.part`;
  await rm(side, { force: true });
  let bytes = 0;
  try {
    const file = await open(side, 'wx', 0o600);
    try {
      for await (const chunk of await download()) {
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(side, path);
    return bytes;
  } catch (error) {
    await rm(side, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(
      `Nothing was saved in ${path}: ${error instanceof Error ? error.message : error}. Choose a folder that you may write to, and try again.`,
    );
  }
}
