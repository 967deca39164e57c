import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  BATCH_MAX,
  type Greeting,
  greetingAnswer,
  type MachineGame,
  machineGame,
} from '#contract/machines.ts';
import { type Answer, call, detailOf, NO_ANSWER } from './call.ts';
import { Queue } from './queue.ts';

/** The server ends every request within 15 s (P38); whoever waits longer waits for nobody. */
const REQUEST_TIMEOUT_MS = 20_000;
/** A player stands in front of the machine: better no greeting than a late one. */
const GREETING_TIMEOUT_MS = 3_000;
/** Between tries when the server cannot be reached: doubled from the first to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** With nothing to send, the machine still says that it lives and looks at the server's clock. */
const HEARTBEAT_MS = 10 * 60_000;
/** A smaller change of the clock is not worth a write. */
const CLOCK_STEP_MS = 1_000;

/**
 * What this side needs of an answer, and no more: a machine outlives many versions of the server,
 * and a word that it does not know must not stop its games. An unknown status is no answer.
 */
const gameAnswer = z.looseObject({ id: z.string().nullable(), status: z.string() });
const gamesAnswer = z.object({ results: z.array(gameAnswer) });
const SETTLED = ['recorded', 'duplicate', 'held', 'rejected'];
export type GameAnswer = z.infer<typeof gameAnswer>;

/** A game that has begun. Its id and time are made once and never change. */
export type StartedGame = Pick<MachineGame, 'id' | 'player' | 'played_at'>;
/** How it ended: a whole score ≥ 0, and what else the machine knows (seconds, counts). */
export type FinishedGame = Omit<MachineGame, keyof StartedGame>;

export type CabinetEvent =
  /** The server answered for these games; they have left the queue. */
  | { type: 'answered'; results: { game: MachineGame; result: GameAnswer }[] }
  /** Nothing is lost; the next try comes in `pause_ms`. */
  | { type: 'waiting'; pause_ms: number; why: string }
  /** The disk had damaged the queue's files; what can be read is there, a copy lies beside. */
  | { type: 'damaged' }
  /** 401 or 403: the key is wrong, revoked or expired. Games are kept; call the operator. */
  | { type: 'stopped'; status: number; detail: string };

export type CabinetOptions = {
  /** The server, such as `https://play.example.com`. */
  url: string;
  /** The machine's key, `bbm_…`. */
  key: string;
  /** Where the queue lives: a folder of this machine alone. */
  folder: string;
  onEvent?: (event: CabinetEvent) => void;
  /** The machine's own clock, in milliseconds since 1970. */
  clock?: () => number;
  firstPauseMs?: number;
  longestPauseMs?: number;
};

/** What a scan brought: a player, a code that nobody has, or no word from the server. */
export type Greeted =
  | { status: 'player'; greeting: Greeting }
  | { status: 'unknown' }
  | { status: 'offline' };

/**
 * An arcade machine's side of the machine API (contract 3). A finished game is on disk before
 * `finish` returns; from there it is sent, oldest first, until the server has answered for it,
 * through any number of restarts on either side. The server counts every id once, so sending
 * again is always safe and forgetting never is.
 */
export class Cabinet {
  readonly #options: CabinetOptions;
  readonly #queue: Queue;
  readonly #closing = new AbortController();
  #clockOffset: number;
  #batch = BATCH_MAX;
  #failures = 0;
  #refused = false;
  #running: Promise<void> | null = null;
  #wake: () => void = () => {};

  /** @throws the file system's errors when the queue cannot be opened. */
  constructor(options: CabinetOptions) {
    this.#options = options;
    this.#queue = new Queue(options.folder);
    this.#clockOffset = this.#queue.clockOffset;
  }

  /** Games on disk that the server has not answered for. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** The server's time as well as this machine knows it. */
  now(): Date {
    return new Date(this.#ownClock() + this.#clockOffset);
  }

  /** Begins to send what waits. */
  start(): void {
    if (this.#running !== null) return;
    if (this.#queue.damaged) this.#tell({ type: 'damaged' });
    this.#running = this.#run();
  }

  /** Stops sending, gives up a request that is under way, and closes the queue. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#wake();
    await this.#running;
    this.#queue.close();
  }

  /**
   * Asks who has just held this code to the scanner. `offline` is no reason to refuse a game: the
   * code is all it needs. Never throws.
   */
  async greet(code: string): Promise<Greeted> {
    if (!machineGame.shape.player.safeParse(code).success) return { status: 'unknown' };
    const answer = await this.#ask('GET', `players/${code}/`, undefined, GREETING_TIMEOUT_MS);
    if (answer.status === 404) return { status: 'unknown' };
    const greeting = greetingAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !greeting.success) return { status: 'offline' };
    return { status: 'player', greeting: greeting.data };
  }

  /** Call it when the game starts, and keep what it returns until the game ends. */
  begin(player: string): StartedGame {
    return { id: randomUUID(), player, played_at: this.now().toISOString() };
  }

  /**
   * Call it when the game ends. When it returns, the game is on disk and will arrive.
   * @throws when the game has not the contract's form, or cannot be written (disk full): then it
   * is not stored, and the same call may be tried again.
   */
  finish(started: StartedGame, finished: FinishedGame): MachineGame {
    const game = machineGame.parse({ ...started, ...finished });
    this.#queue.add(game);
    this.#wake();
    return game;
  }

  #ownClock(): number {
    return (this.#options.clock ?? Date.now)();
  }

  /** Sends until closed or refused; sleeps between failures, and while there is nothing to send. */
  async #run(): Promise<void> {
    await this.#hello();
    while (!this.#closing.signal.aborted && !this.#refused) {
      const games = this.#queue.oldest(this.#batch);
      if (games.length === 0) {
        if (await this.#sleep(HEARTBEAT_MS, true)) await this.#hello();
        continue;
      }
      const trouble = await this.#send(games);
      if (trouble === null) this.#failures = 0;
      else if (!this.#closing.signal.aborted && !this.#refused) {
        const pause_ms = this.#pause(trouble.retryAfterMs);
        this.#tell({ type: 'waiting', pause_ms, why: trouble.why });
        await this.#sleep(pause_ms, false);
      }
    }
  }

  /** Is the key good, and what time is it? `#ask` takes both from the answer. */
  async #hello(): Promise<void> {
    await this.#ask('GET', '');
  }

  /** Sends one batch and settles what was answered for. Null when the server answered as agreed. */
  async #send(games: MachineGame[]): Promise<{ why: string; retryAfterMs: number } | null> {
    const answer = await this.#ask('POST', 'games/', { games });
    const { status, retryAfterMs } = answer;
    if (status === 0) return { why: 'The server cannot be reached.', retryAfterMs };
    if (status === 413) this.#batch = Math.max(1, Math.floor(games.length / 2));
    const recorded = gamesAnswer.safeParse(answer.body);
    // A 200 that is not ours comes from something in between: a hotel's sign-in page, a proxy.
    if (status !== 200 || !recorded.success)
      return { why: `The server answered ${status}: ${detailOf(answer.body)}`, retryAfterMs };
    const results = games.flatMap((game, at) => {
      const result = recorded.data.results[at];
      return result?.id === game.id && SETTLED.includes(result.status) ? [{ game, result }] : [];
    });
    try {
      for (const { game, result } of results)
        if (result.status === 'rejected') this.#queue.reject({ game, answer: result });
      this.#queue.settle(results.map(({ game }) => game.id));
    } catch (error) {
      // Answered for, but not crossed off: they are sent again and come back as duplicates.
      return { why: `The queue cannot be written: ${String(error)}`, retryAfterMs };
    }
    this.#tell({ type: 'answered', results });
    if (results.length < games.length)
      return { why: 'The server did not answer for every game.', retryAfterMs };
    return null;
  }

  /** One call: takes the server's time from the answer, and stops this machine on 401 and 403. */
  async #ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<Answer> {
    if (this.#refused) return NO_ANSWER;
    const sentAt = this.#ownClock();
    const { url, key } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await call({ url, key, method, path, body, sentAt, signal });
    this.#setClock(answer.body, sentAt);
    if (answer.status === 401 || answer.status === 403) this.#stop(answer);
    return answer;
  }

  #stop({ status, body }: Answer): void {
    if (this.#refused) return;
    this.#refused = true;
    this.#wake();
    this.#tell({ type: 'stopped', status, detail: detailOf(body) });
  }

  /** The server's time was true half way between asking and hearing; later games carry it. */
  #setClock(body: unknown, sentAt: number): void {
    const time = Date.parse(String((body as { server_time?: unknown } | null)?.server_time));
    if (Number.isNaN(time)) return;
    this.#clockOffset = Math.round(time - (sentAt + this.#ownClock()) / 2);
    if (Math.abs(this.#clockOffset - this.#queue.clockOffset) < CLOCK_STEP_MS) return;
    try {
      this.#queue.setClockOffset(this.#clockOffset);
    } catch {
      // Only the next start would have used it.
    }
  }

  /** Doubles with every failure; the random part keeps an arcade from calling all at once. */
  #pause(retryAfterMs: number): number {
    const { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = this.#options;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(retryAfterMs + (pause * (1 + Math.random())) / 2);
  }

  /** Waits; a finished game cuts it short when `wakeable`. True when the whole time has passed. */
  async #sleep(milliseconds: number, wakeable: boolean): Promise<boolean> {
    if (this.#closing.signal.aborted || this.#refused) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, milliseconds, true);
    this.#wake = () => {
      if (wakeable || this.#closing.signal.aborted || this.#refused) resolve(false);
    };
    const passed = await promise;
    clearTimeout(timer);
    this.#wake = () => {};
    return passed;
  }

  #tell(event: CabinetEvent): void {
    this.#options.onEvent?.(event);
  }
}
