import type { CourtSetup } from '#contract/wire/court.ts';
import { type GameResult, type MachineGame, machineGame } from '#contract/wire/machines.ts';
import {
  type FinishedGame,
  type Greeted,
  Sender,
  type SenderEvent,
  type StartedGame,
} from '../cabinet/client/sender.ts';
import { openDisk } from './disk.ts';
import { type Call, Line } from './line.ts';
import { CourtQueue, type Disk } from './queue.ts';
import type { Stopped } from './words.ts';

export type Settled = { game: MachineGame; result: GameResult };

/** Each change makes a new object. */
export type MachineState = {
  waiting: readonly MachineGame[];
  calls: readonly Call[];
  plugged: boolean;
  stopped: Stopped | null;
};

/** Short, because somebody at the page waits for the retry. */
const LONGEST_PAUSE_MS = 15_000;
/** Without this lock, two tabs would send the same queue. */
const LOCK = 'court';

/** @throws Error with a sentence for the display. */
async function ask<T>(path: string, method = 'GET'): Promise<T> {
  const response = await fetch(`/dev/court/${path}`, { method });
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.detail ?? `The server answered ${response.status}.`);
  return body;
}

/**
 * The players and achievements.
 * @throws Error with a sentence for the display.
 */
export const readSetup = (): Promise<CourtSetup> => ask('setup/');

/** Waits until this tab holds the lock. Calls `onBusy` if another tab has it. */
export async function becomeMachine(onBusy: () => void): Promise<void> {
  const hold = () => new Promise<never>(() => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock) {
      resolve();
      return hold();
    }
    onBusy();
    void navigator.locks.request(LOCK, () => {
      resolve();
      return hold();
    });
  });
  await promise;
}

/** This page's machine (MACH-20). */
export class CourtMachine {
  readonly #disk: Disk;
  readonly #queue: CourtQueue;
  readonly #line: Line;
  readonly #listeners = new Set<() => void>();
  #sender: Sender;
  #key: string;
  #state: MachineState;
  #stopped: Stopped | null = null;
  onSettled: (settled: Settled[]) => void = () => undefined;

  private constructor(disk: Disk, queue: CourtQueue, key: string) {
    this.#disk = disk;
    this.#queue = queue;
    this.#key = key;
    this.#line = new Line(() => this.changed());
    this.#sender = this.#newSender();
    this.#state = this.#read();
  }

  /**
   * Opens the disk, gets a key if none is valid, and starts sending.
   * @throws Error with a sentence for the display.
   */
  static async open(): Promise<CourtMachine> {
    const disk = await openDisk();
    const { key } = await disk.read();
    let machine: CourtMachine | undefined;
    const queue = await CourtQueue.open(disk, () => machine?.changed());
    machine = new CourtMachine(disk, queue, key ?? '');
    // A server with a new database does not know the stored key.
    if (key === null || !(await works(key))) await machine.newKey();
    else machine.#sender.start();
    return machine;
  }

  get key(): string {
    return this.#key;
  }

  readonly state = (): MachineState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  changed(): void {
    this.#state = this.#read();
    for (const listener of this.#listeners) listener();
  }

  /**
   * Gets a new key and resumes sending. The stored games stay.
   * @throws Error with a sentence for the display.
   */
  async newKey(): Promise<void> {
    const { key } = await ask<{ key: string }>('key/', 'POST');
    await this.#disk.write({ key });
    await this.#sender.close();
    this.#key = key;
    this.#stopped = null;
    this.#sender = this.#newSender();
    this.#sender.start();
    this.changed();
  }

  /** Pulls the cable or plugs it in. The page's own calls bypass it. */
  plug(plugged: boolean): void {
    this.#line.plug(plugged);
    if (plugged) this.#sender.networkIsBack();
  }

  greet(code: string): Promise<Greeted> {
    return this.#sender.greet(code);
  }

  begin(code: string): StartedGame {
    return this.#sender.begin(code);
  }

  /**
   * Ends a game and writes it to disk.
   * @throws Error when that fails.
   */
  async finish(started: StartedGame, finished: FinishedGame): Promise<MachineGame> {
    const game = machineGame.parse({ ...started, ...finished });
    await this.#queue.add(game);
    this.#sender.gameAdded(game);
    return game;
  }

  #newSender(): Sender {
    return new Sender({
      url: location.origin,
      key: this.#key,
      queue: this.#queue,
      longestPauseMs: LONGEST_PAUSE_MS,
      fetch: this.#line.fetch,
      onEvent: (event) => this.#onEvent(event),
    });
  }

  #onEvent(event: SenderEvent): void {
    if (event.type === 'waiting') this.#line.noteRetry(event.pause_ms);
    if (event.type === 'stopped') {
      this.#stopped = { status: event.status, detail: event.detail };
      this.changed();
    }
    // The cast is safe: the sender settles only games with a GameResult.
    if (event.type === 'answered') this.onSettled(event.results as Settled[]);
  }

  #read(): MachineState {
    return {
      waiting: this.#queue.games,
      calls: this.#line.calls,
      plugged: this.#line.plugged,
      stopped: this.#stopped,
    };
  }
}

/** Whether the server accepts the key; true without an answer. */
async function works(key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch('/api/machine/', { headers }).catch(() => null);
  return response === null || (response.status !== 401 && response.status !== 403);
}
