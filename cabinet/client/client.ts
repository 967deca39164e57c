import { type MachineGame, machineGame } from '#contract/wire/machines.ts';
import { Queue } from './queue.ts';
import {
  type FinishedGame,
  type Greeted,
  Sender,
  type SenderEvent,
  type SenderOptions,
  type StartedGame,
} from './sender.ts';

export type CabinetEvent =
  | SenderEvent
  /** A queue file is damaged. The client sends the readable games and keeps a copy of the file. */
  | { type: 'damaged' };

export type CabinetOptions = Omit<SenderOptions, 'queue' | 'onEvent'> & {
  folder: string;
  onEvent?: (event: CabinetEvent) => void;
};

/**
 * The machine's side of the machine API. A finished game is on disk before `finish` returns
 * (MACH-08), and is sent until the server settles it.
 */
export class Cabinet {
  readonly #queue: Queue;
  readonly #sender: Sender;
  readonly #onEvent: (event: CabinetEvent) => void;
  #started = false;
  #closed = false;

  /** @throws the file system's errors when the queue cannot be opened. */
  constructor({ folder, onEvent = () => undefined, ...options }: CabinetOptions) {
    this.#queue = new Queue(folder);
    this.#onEvent = onEvent;
    this.#sender = new Sender({ ...options, queue: this.#queue, onEvent });
  }

  get waiting(): number {
    return this.#queue.size;
  }

  now(): Date {
    return this.#sender.now();
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    if (this.#queue.damaged) this.#onEvent({ type: 'damaged' });
    this.#sender.start();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#sender.close();
    this.#queue.close();
  }

  /** Never throws. After `offline`, start the game anyway: the code suffices. */
  greet(code: string): Promise<Greeted> {
    return this.#sender.greet(code);
  }

  /** Call this when the game starts. Pass the result to `finish` or `abandon`. */
  begin(player: string): StartedGame {
    return this.#sender.begin(player);
  }

  /** Call this when a game ends early without a score. */
  abandon(started: Pick<StartedGame, 'id'>): void {
    this.#sender.abandon(started);
  }

  /**
   * Call this when the game ends.
   * @throws when the game is invalid or the disk is full. Nothing is stored; the call may be
   * retried.
   */
  finish(started: StartedGame, finished: FinishedGame): MachineGame {
    const game = machineGame.parse({ ...started, ...finished });
    this.#queue.add(game);
    this.#sender.gameAdded(game);
    return game;
  }
}
