import type { MachineGame } from '#contract/wire/machines.ts';
import type { GameQueue, Rejected } from '../cabinet/client/sender.ts';

export type Kept = {
  /** The unsettled games, oldest first. */
  games: MachineGame[];
  clock_offset_ms: number;
  /** null before the machine's first key. */
  key: string | null;
};
export type Change =
  | { add: MachineGame }
  | { settled: string[] }
  | { rejected: Rejected }
  | { clock_offset_ms: number }
  | { key: string };

/** `write` is atomic; the change is durable when it resolves. */
export type Disk = {
  read(): Promise<Kept>;
  /** @throws Error when the change is not written. */
  write(change: Change): Promise<void>;
};

/** The unsettled games, on a disk (MACH-20). */
export class CourtQueue implements GameQueue {
  readonly #disk: Disk;
  readonly #onChange: () => void;
  #games: readonly MachineGame[];
  #clockOffset: number;

  private constructor(disk: Disk, kept: Kept, onChange: () => void) {
    this.#disk = disk;
    this.#onChange = onChange;
    this.#games = kept.games;
    this.#clockOffset = kept.clock_offset_ms;
  }

  /** Reads the queue. Calls `onChange` when its games change. */
  static async open(disk: Disk, onChange: () => void = () => undefined): Promise<CourtQueue> {
    return new CourtQueue(disk, await disk.read(), onChange);
  }

  /** Oldest first. Each change makes a new array. */
  get games(): readonly MachineGame[] {
    return this.#games;
  }

  get size(): number {
    return this.#games.length;
  }

  /** This queue does not count rejected games, because the page shows each of them. */
  readonly rejectedCount = null;

  get clockOffset(): number {
    return this.#clockOffset;
  }

  oldest(count: number): MachineGame[] {
    return this.#games.slice(0, count);
  }

  /**
   * Writes the game to disk.
   * @throws Error when that fails.
   */
  async add(game: MachineGame): Promise<void> {
    await this.#disk.write({ add: game });
    this.#set([...this.#games, game]);
  }

  async settle(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#disk.write({ settled: ids });
    this.#set(this.#games.filter(({ id }) => !ids.includes(id)));
  }

  async reject(rejected: Rejected): Promise<void> {
    await this.#disk.write({ rejected });
    this.#set(this.#games.filter(({ id }) => id !== rejected.game.id));
  }

  async setClockOffset(milliseconds: number): Promise<void> {
    await this.#disk.write({ clock_offset_ms: milliseconds });
    this.#clockOffset = milliseconds;
  }

  #set(games: readonly MachineGame[]): void {
    this.#games = games;
    this.#onChange();
  }
}
