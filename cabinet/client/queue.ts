import fs from 'node:fs';
import path from 'node:path';
import type { MachineGame } from '#contract/machines.ts';
import { Journal } from './journal.ts';

/** The journal is rewritten without the games that are done when it has grown to this. */
const REWRITE_AT_BYTES = 256 * 1024;

/** What stands in `games.journal`. A record that nobody knows any more is skipped. */
type Entry = { game?: MachineGame; settled?: string[]; clock_offset_ms?: number };
/** What stands in `rejected.journal`: the game, and what the server said about it. */
export type Rejected = { game: MachineGame; answer: Record<string, unknown> };

/**
 * The games that the server has not answered for yet, oldest first, in a folder on disk: one
 * folder for each machine, one process for each folder.
 */
export class Queue {
  readonly #games: Journal;
  readonly #rejected: Journal;
  readonly #waiting = new Map<string, MachineGame>();
  /** Whether opening found records that the disk had damaged; a copy lies beside it. */
  readonly damaged: boolean;
  #clockOffset = 0;
  readonly #rewriteLeast: number;
  #rewriteAt: number;

  /**
   * Opens or creates the queue in `folder`; whatever a crash cut short is mended.
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
    // A crash between the two writes of `reject` leaves the game in both files.
    for (const { game } of rejected.records as Rejected[]) this.#waiting.delete(game.id);
  }

  /** How many games wait for the server. */
  get size(): number {
    return this.#waiting.size;
  }

  /** What to add to the machine's clock to get the server's, in milliseconds; 0 until it is known. */
  get clockOffset(): number {
    return this.#clockOffset;
  }

  /** Up to `count` games, the longest waiting first. */
  oldest(count: number): MachineGame[] {
    return this.#waiting.values().take(count).toArray();
  }

  /**
   * Keeps a game until the server answers for it. When this returns, the game is on disk. A game
   * is sent as it stands here for ever: the server refuses an id that comes with other content.
   * @throws the file system's error: then the game is not stored.
   */
  add(game: MachineGame): void {
    this.#games.append({ game } satisfies Entry);
    this.#waiting.set(game.id, game);
  }

  /** Forgets games that the server has for good. */
  settle(ids: string[]): void {
    if (ids.length === 0) return;
    this.#games.append({ settled: ids } satisfies Entry);
    for (const id of ids) this.#waiting.delete(id);
    this.#rewriteIfLarge();
  }

  /** Moves a game that the server will never take into `rejected.journal`, where it stays. */
  reject(rejected: Rejected): void {
    this.#rejected.append(rejected);
    this.settle([rejected.game.id]);
  }

  /** Remembers how wrong the machine's clock is, for the next start without a server. */
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
      // A long queue would otherwise be rewritten with every answer.
      this.#rewriteAt = Math.max(this.#rewriteLeast, 2 * this.#games.bytes);
    } catch {
      // Upkeep only: the old file stands, and the next answer tries again.
    }
  }
}

/** Every game of `folder` that the server refused for good, oldest first. */
export function readRejected(folder: string): Rejected[] {
  const file = path.join(folder, 'rejected.journal');
  if (!fs.existsSync(file)) return [];
  const { journal, records } = Journal.open(file);
  journal.close();
  return records as Rejected[];
}
