import { z } from 'zod';
import { BATCH_MAX, STATUS_EVERY_MS } from '#contract/rules/machines.ts';
import {
  type Greeting,
  greetingAnswer,
  type MachineGame,
  type MachineStatus,
  machineGame,
} from '#contract/wire/machines.ts';
import { type Answer, call, detailOf, NO_ANSWER } from './call.ts';

/** The server ends every request within 15 s (P38). */
const REQUEST_TIMEOUT_MS = 20_000;
/** After this, the machine starts the game without a greeting. */
const GREETING_TIMEOUT_MS = 3_000;
/** The first and the longest pause after failures. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Smaller changes of the clock offset are not stored. */
const CLOCK_STEP_MS = 1_000;

/** Loose: later servers may add fields. A game with an unknown status stays in the queue. */
const gameAnswer = z.looseObject({ id: z.string().nullable(), status: z.string() });
const gamesAnswer = z.object({ results: z.array(gameAnswer) });
const SETTLED = ['recorded', 'duplicate', 'held', 'rejected'];
export type GameAnswer = z.infer<typeof gameAnswer>;

export type Rejected = { game: MachineGame; answer: Record<string, unknown> };

/**
 * The unsettled games, oldest first. Reads come from memory; a write is durable when its method
 * returns or resolves.
 */
export type GameQueue = {
  readonly size: number;
  /** null if this queue does not count rejected games. */
  readonly rejectedCount: number | null;
  /** Server time minus machine time in ms; 0 while unknown. */
  readonly clockOffset: number;
  oldest(count: number): MachineGame[];
  settle(ids: string[]): void | Promise<void>;
  /** Sets a game aside for a person to look at. */
  reject(rejected: Rejected): void | Promise<void>;
  setClockOffset(milliseconds: number): void | Promise<void>;
};

/** A game in progress. Its id and time never change. */
export type StartedGame = Pick<MachineGame, 'id' | 'player' | 'played_at'>;
export type FinishedGame = Omit<MachineGame, keyof StartedGame>;

export type SenderEvent =
  | { type: 'answered'; results: { game: MachineGame; result: GameAnswer }[] }
  /** A request failed. The games are kept and retried after the pause. */
  | { type: 'waiting'; pause_ms: number; why: string }
  /** 401 or 403: the key is wrong, revoked or expired. The games are kept. */
  | { type: 'stopped'; status: number; detail: string };

export type SenderOptions = {
  /** For example `https://play.example.com`. */
  url: string;
  /** `bbm_…` */
  key: string;
  queue: GameQueue;
  onEvent: (event: SenderEvent) => void;
  clock?: (() => number) | undefined;
  firstPauseMs?: number | undefined;
  longestPauseMs?: number | undefined;
  /** At most 60 characters. */
  software?: string | undefined;
  fetch?: typeof fetch | undefined;
};

export type Greeted =
  | { status: 'player'; greeting: Greeting }
  | { status: 'unknown' }
  | { status: 'offline' };

/** What ends a pause early: shutdown, a finished game, a returning network, a new status. */
type Reason = 'closed' | 'game' | 'line' | 'status';

/**
 * Makes a machine's calls: greets players, sends statuses, and sends the queue's games, oldest
 * first, until the server settles them (MACH-08). Needs no disk, so it runs in browsers too.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #closing = new AbortController();
  #clockOffset: number;
  #batch = BATCH_MAX;
  #failures = 0;
  #refused = false;
  #playing: string | null = null;
  #news = false;
  #running: Promise<unknown> | null = null;
  readonly #waits = new Set<(reason: Reason) => void>();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#clockOffset = options.queue.clockOffset;
  }

  /** The server's time, as far as it is known. */
  now(): Date {
    return new Date(this.#ownClock() + this.#clockOffset);
  }

  start(): void {
    // The response to the first status sets the clock before a game is sent.
    this.#running ??= this.#tell().then(() => Promise.all([this.#run(), this.#runStatus()]));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake('closed');
    await this.#running;
  }

  gameAdded(game: Pick<StartedGame, 'id'>): void {
    this.#wake('game');
    this.abandon(game);
  }

  abandon({ id }: Pick<StartedGame, 'id'>): void {
    if (this.#playing !== id) return;
    this.#playing = null;
    this.#changed();
  }

  /**
   * Call this when the network is back. Ends a pause after a missing response, but not one after an
   * error response.
   */
  networkIsBack(): void {
    this.#wake('line');
  }

  /**
   * Looks up the player of a scanned code. Never throws. After `offline`, start the game anyway:
   * the code suffices.
   */
  async greet(code: string): Promise<Greeted> {
    if (!machineGame.shape.player.safeParse(code).success) return { status: 'unknown' };
    const answer = await this.#request('GET', `players/${code}/`, undefined, GREETING_TIMEOUT_MS);
    if (answer.status === 404) return { status: 'unknown' };
    const greeting = greetingAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !greeting.success) return { status: 'offline' };
    return { status: 'player', greeting: greeting.data };
  }

  /** Call this when the game starts. Keep the result until the game ends. */
  begin(player: string): StartedGame {
    const started = { id: crypto.randomUUID(), player, played_at: this.now().toISOString() };
    this.#playing = started.id;
    this.#changed();
    return started;
  }

  #ownClock(): number {
    return (this.#options.clock ?? Date.now)();
  }

  /** Sends games until `close` or a refused key. */
  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted && !this.#refused) {
      const games = this.#options.queue.oldest(this.#batch);
      if (games.length === 0) {
        await this.#sleep(STATUS_EVERY_MS, 'game');
        continue;
      }
      const failure = await this.#send(games);
      if (failure === null) this.#failures = 0;
      else if (!this.#closing.signal.aborted && !this.#refused) {
        const pause_ms = this.#backoff(failure.retryAfterMs);
        this.#options.onEvent({ type: 'waiting', pause_ms, why: failure.why });
        const whole = await this.#sleep(pause_ms, failure.answered ? null : 'line');
        if (!whole) this.#failures = 0;
      }
    }
  }

  /** Sends a status every minute, and when a game begins, ends or is settled (MACH-10). */
  async #runStatus(): Promise<void> {
    while (!this.#closing.signal.aborted && !this.#refused) {
      if (!this.#news) await this.#sleep(STATUS_EVERY_MS, 'status');
      await this.#tell();
    }
  }

  #changed(): void {
    this.#news = true;
    this.#wake('status');
  }

  async #tell(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#news = false;
    const { queue, software = null } = this.#options;
    const [oldest] = queue.oldest(1);
    await this.#request('PUT', 'status/', {
      queued: queue.size,
      oldest_played_at: oldest?.played_at ?? null,
      rejected: queue.rejectedCount,
      playing: this.#playing !== null,
      software,
    } satisfies MachineStatus);
  }

  /** Sends one report and settles its games. Returns null, or why it failed. */
  async #send(
    games: MachineGame[],
  ): Promise<{ why: string; retryAfterMs: number; answered: boolean } | null> {
    const answer = await this.#request('POST', 'games/', { games });
    const { status, retryAfterMs } = answer;
    const failed = (why: string) => ({ why, retryAfterMs, answered: status !== 0 });
    if (status === 0) return failed('The server cannot be reached.');
    if (status === 413) this.#batch = Math.max(1, Math.floor(games.length / 2));
    const recorded = gamesAnswer.safeParse(answer.body);
    // A 200 without results is from a proxy or a venue's sign-in page.
    if (status !== 200 || !recorded.success)
      return failed(`The server answered ${status}: ${detailOf(answer.body)}`);
    const results = games.flatMap((game, at) => {
      const result = recorded.data.results[at];
      return result?.id === game.id && SETTLED.includes(result.status) ? [{ game, result }] : [];
    });
    const { queue } = this.#options;
    try {
      for (const { game, result } of results)
        if (result.status === 'rejected') await queue.reject({ game, answer: result });
      await queue.settle(results.map(({ game }) => game.id));
    } catch (error) {
      // The games stay queued. Sent again, they get `duplicate`.
      return failed(`The queue cannot be written: ${String(error)}`);
    }
    this.#changed();
    this.#options.onEvent({ type: 'answered', results });
    if (results.length < games.length) return failed('The server did not answer for every game.');
    return null;
  }

  /** Makes one request and sets the clock offset. 401 and 403 stop this machine (MACH-07). */
  async #request(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<Answer> {
    if (this.#refused) return NO_ANSWER;
    const sentAt = this.#ownClock();
    const { url, key, fetch } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await call({ url, key, method, path, body, sentAt, signal, fetch });
    await this.#setClock(answer.body, sentAt);
    if (answer.status === 401 || answer.status === 403) this.#stop(answer);
    return answer;
  }

  #stop({ status, body }: Answer): void {
    if (this.#refused) return;
    this.#refused = true;
    this.#wake('closed');
    this.#options.onEvent({ type: 'stopped', status, detail: detailOf(body) });
  }

  /** Assumes that the server read its clock halfway between request and response. */
  async #setClock(body: unknown, sentAt: number): Promise<void> {
    const { queue } = this.#options;
    const time = Date.parse(String((body as { server_time?: unknown } | null)?.server_time));
    if (Number.isNaN(time)) return;
    this.#clockOffset = Math.round(time - (sentAt + this.#ownClock()) / 2);
    if (Math.abs(this.#clockOffset - queue.clockOffset) < CLOCK_STEP_MS) return;
    try {
      await queue.setClockOffset(this.#clockOffset);
    } catch {
      // Only the next start needs the stored offset.
    }
  }

  /**
   * The pause before the next request, in ms; doubles with every failure. Jitter spreads the
   * retries of a venue's machines.
   */
  #backoff(retryAfterMs: number): number {
    const { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = this.#options;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(retryAfterMs + (pause * (1 + Math.random())) / 2);
  }

  /**
   * Waits. Shutdown, a refused key or the reason `until` ends the wait early. Returns whether the
   * whole time passed.
   */
  async #sleep(milliseconds: number, until: Reason | null): Promise<boolean> {
    if (this.#closing.signal.aborted || this.#refused) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, milliseconds, true);
    const wake = (reason: Reason) => {
      if (reason === until || this.#closing.signal.aborted || this.#refused) resolve(false);
    };
    this.#waits.add(wake);
    const passed = await promise;
    clearTimeout(timer);
    this.#waits.delete(wake);
    return passed;
  }

  #wake(reason: Reason): void {
    for (const wake of this.#waits) wake(reason);
  }
}
