import fs from 'node:fs';
import path from 'node:path';
import type { MachineGame } from '#contract/wire/machines.ts';
import { Journal } from './journal.ts';
import type { GameQueue, Rejected } from './sender.ts';

/** From this size on, the journal is rewritten without settled games. */
const REWRITE_AT_BYTES = 256 * 1024;

/** A record of `games.journal`. Readers skip unknown records. */
type Entry = { game?: MachineGame; settled?: string[]; clock_offset_ms?: number };

/**
 * The unsettled games, oldest first, in a folder of one machine and one process. Not SQLite:
 * decision 070.
 */
export class Queue implements GameQueue {
  readonly #games: Journal;
  readonly #rejected: Journal;
  readonly #waiting = new Map<string, MachineGame>();
  /** Whether a file was damaged. A copy is kept beside it. */
  readonly damaged: boolean;
  #clockOffset = 0;
  #rejectedCount = 0;
  readonly #rewriteLeast: number;
  #rewriteAt: number;

  /**
   * Opens or creates the queue. Cuts off data that a crash left half-written.
   * @throws the file system's errors.
   */
  constructor(folder: string, { rewriteAt = REWRITE_AT_BYTES } = {}) {
    fs.mkdirSync(folder, { recursive: true });
    const games = Journal.open(path.join(folder, 'games.journal'));
    const rejected = Journal.open(path.join(folder, 'rejected.journal'));
    this.#games = games.journal;
    this.#rejected = rejected.journal;
    this.damaged = games.damaged || rejected.damaged;
    this.#rewriteLeast = rewriteAt;
    this.#rewriteAt = rewriteAt;
    for (const entry of games.records as Entry[]) {
      if (entry.game) this.#waiting.set(entry.game.id, entry.game);
      if (entry.settled) for (const id of entry.settled) this.#waiting.delete(id);
      if (entry.clock_offset_ms !== undefined) this.#clockOffset = entry.clock_offset_ms;
    }
    // A crash between `reject`'s two writes leaves the game in both files.
    for (const { game } of rejected.records as Rejected[]) this.#waiting.delete(game.id);
    this.#rejectedCount = rejected.records.length;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get rejectedCount(): number {
    return this.#rejectedCount;
  }

  get clockOffset(): number {
    return this.#clockOffset;
  }

  oldest(count: number): MachineGame[] {
    return this.#waiting.values().take(count).toArray();
  }

  /**
   * When this returns, the game is on disk (MACH-08). Never change it afterwards: the server
   * refuses a known id with other content.
   * @throws the file system's error. The game is not stored.
   */
  add(game: MachineGame): void {
    this.#games.append({ game } satisfies Entry);
    this.#waiting.set(game.id, game);
  }

  settle(ids: string[]): void {
    if (ids.length === 0) return;
    this.#games.append({ settled: ids } satisfies Entry);
    for (const id of ids) this.#waiting.delete(id);
    this.#rewriteIfLarge();
  }

  reject(rejected: Rejected): void {
    this.#rejected.append(rejected);
    this.#rejectedCount += 1;
    this.settle([rejected.game.id]);
  }

  setClockOffset(milliseconds: number): void {
    this.#games.append({ clock_offset_ms: milliseconds } satisfies Entry);
    this.#clockOffset = milliseconds;
    this.#rewriteIfLarge();
  }

  close(): void {
    this.#games.close();
    this.#rejected.close();
  }

  #rewriteIfLarge(): void {
    if (this.#games.bytes < this.#rewriteAt) return;
    const live: Entry[] = [{ clock_offset_ms: this.#clockOffset }];
    for (const game of this.#waiting.values()) live.push({ game });
    try {
      this.#games.rewrite(live);
      // Otherwise a long queue would be rewritten on every call.
      this.#rewriteAt = Math.max(this.#rewriteLeast, 2 * this.#games.bytes);
    } catch {
      // The old file is still complete; the next call retries.
    }
  }
}

/** Every rejected game of `folder`, oldest first. */
export function readRejected(folder: string): Rejected[] {
  const file = path.join(folder, 'rejected.journal');
  if (!fs.existsSync(file)) return [];
  const { journal, records } = Journal.open(file);
  journal.close();
  return records as Rejected[];
}
