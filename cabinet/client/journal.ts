import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * The bytes before a line's JSON. A line is `<bytes of the JSON> <CRC-32 of the JSON> <JSON>\n`,
 * both numbers as 8 hex digits. The JSON has no raw line break.
 */
const HEADER = 18;
const LINE_BREAK = 0x0a;

export class JournalTaken extends Error {
  constructor(file: string) {
    super(`Another process has changed ${file}. Give every machine its own folder.`);
  }
}

function encode(record: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(record));
  const hex = (value: number) => value.toString(16).padStart(8, '0');
  return Buffer.concat([
    Buffer.from(`${hex(body.length)} ${hex(crc32(body))} `),
    body,
    Buffer.of(LINE_BREAK),
  ]);
}

/** The record at `at` and the offset of the next; null if `at` has no complete record. */
function decode(bytes: Buffer, at: number): { record: unknown; next: number } | null {
  const header = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(bytes.toString('latin1', at, at + HEADER));
  if (header === null) return null;
  const end = at + HEADER + Number.parseInt(header[1] ?? '', 16);
  if (end >= bytes.length) return null;
  const body = bytes.subarray(at + HEADER, end);
  if (crc32(body) !== Number.parseInt(header[2] ?? '', 16)) return null;
  return { record: JSON.parse(body.toString()), next: end + 1 };
}

/**
 * Returns every complete record in order. Bytes after `end` are a torn write, which was never
 * acknowledged. `damaged`: complete records follow a broken one. Only the broken one is lost.
 */
function decodeAll(bytes: Buffer): { records: unknown[]; end: number; damaged: boolean } {
  const records: unknown[] = [];
  let end = 0;
  let damaged = false;
  for (let at = 0; at < bytes.length; ) {
    const found = decode(bytes, at);
    if (found !== null) {
      records.push(found.record);
      damaged ||= at !== end;
      end = found.next;
      at = end;
    } else {
      const lineBreak = bytes.indexOf(LINE_BREAK, at);
      at = lineBreak === -1 ? bytes.length : lineBreak + 1;
    }
  }
  return { records, end, damaged };
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += fs.writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** Makes a new file name durable. Windows cannot sync a folder, and need not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * An append-only file of JSON records. When `append` returns, the record survives `kill -9` and a
 * power cut. Synchronous, because a machine finishes only a few games a minute.
 */
export class Journal {
  readonly file: string;
  #handle: number;
  #bytes: number;
  /** A write failed halfway: cut off the bytes past `#bytes` before the next write. */
  #torn = false;
  /** The folder was not synced after a rename: a power cut could lose new records. */
  #renamed = false;

  private constructor(file: string, handle: number, bytes: number) {
    this.file = file;
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /**
   * Opens or creates `file`, cuts off a torn end, and returns the records, oldest first. Copies a
   * file with a damaged middle to `<file>.damaged-<time>`.
   * @throws the file system's errors.
   */
  static open(file: string): { journal: Journal; records: unknown[]; damaged: boolean } {
    const handle = fs.openSync(file, fs.existsSync(file) ? 'r+' : 'w+');
    const bytes = fs.readFileSync(handle);
    const { records, end, damaged } = decodeAll(bytes);
    if (end < bytes.length) fs.ftruncateSync(handle, end);
    // Sync, because the last process may have died before it synced its last record.
    fs.fsyncSync(handle);
    syncFolder(path.dirname(file));
    const journal = new Journal(file, handle, end);
    if (damaged) {
      fs.writeFileSync(`${file}.damaged-${Date.now()}`, bytes);
      journal.rewrite(records);
    }
    return { journal, records, damaged };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws JournalTaken, or the file system's error (disk full). Nothing was added. */
  append(record: unknown): void {
    this.#assertUnchanged();
    if (this.#renamed) this.#syncName();
    if (this.#torn) fs.ftruncateSync(this.#handle, this.#bytes);
    const line = encode(record);
    this.#torn = true;
    writeAll(this.#handle, line, this.#bytes);
    fs.fsyncSync(this.#handle);
    this.#torn = false;
    this.#bytes += line.length;
  }

  /**
   * Replaces the records: renames a new, synced file over the old one, so that a complete file
   * always exists.
   * @throws JournalTaken, or the file system's error. No record is lost.
   */
  rewrite(records: Iterable<unknown>): void {
    this.#assertUnchanged();
    const fresh = `${this.file}.new`;
    const lines = Buffer.concat([...records].map(encode));
    const handle = fs.openSync(fresh, 'w+');
    try {
      writeAll(handle, lines, 0);
      fs.fsyncSync(handle);
      fs.renameSync(fresh, this.file);
    } catch (error) {
      fs.closeSync(handle);
      fs.rmSync(fresh, { force: true });
      throw error;
    }
    this.#renamed = true;
    fs.closeSync(this.#handle);
    this.#handle = handle;
    this.#bytes = lines.length;
    this.#torn = false;
    this.#syncName();
  }

  close(): void {
    fs.closeSync(this.#handle);
  }

  #syncName(): void {
    syncFolder(path.dirname(this.file));
    this.#renamed = false;
  }

  #assertUnchanged(): void {
    const open = fs.fstatSync(this.#handle);
    const sameFile = fs.statSync(this.file, { throwIfNoEntry: false })?.ino === open.ino;
    if (!sameFile || (!this.#torn && open.size !== this.#bytes)) throw new JournalTaken(this.file);
  }
}
