import { setTimeout as sleep } from 'node:timers/promises';
import { openEvents } from '#testing/event-stream.ts';
import {
  type Acknowledged,
  GAMES_PATH,
  gamesMaker,
  longestGap,
  note,
} from '../../bench/load/games.ts';
import { refreshOf, type Size } from '../../bench/load/seed.ts';

const REPORTERS = 8;
const READERS = 2;
const STREAMS = 20;
const GAME_EVERY_MS = 150;
const READ_EVERY_MS = 100;
const RETRY_MS = 200;
const CALL_TIMEOUT_MS = 20_000;
/** A game that is still refused this long after the last fault fails the trial. */
const LAST_GAMES_MS = 60_000;
/** Well below the ten minutes for which an access token is valid. */
const TOKEN_MS = 200_000;

export type Seen = {
  /** The longest time without an acknowledged game, or without a profile, in seconds. */
  withoutGames: number;
  withoutReads: number;
  games: number;
  /** Reports that were sent again. */
  repeated: number;
  /** Answers other than 200, 429, and 503 with `Retry-After`, and how often. */
  wrong: Record<string, number>;
  /** Calls without an answer. */
  unanswered: number;
  /** How many streams are open at the end, and how many should be. */
  streams: string;
};

/** Machines and players, as they call through the front. */
export class Load {
  readonly acknowledged: Acknowledged = new Map();
  readonly since = new Date();
  readonly #url: string;
  readonly make: ReturnType<typeof gamesMaker>;
  readonly #tokens = new Map<number, { access: string; at: number }>();
  readonly #running: Promise<void>[] = [];
  #games: number[] = [];
  #reads: number[] = [];
  #wrong = new Map<string, number>();
  #unanswered = 0;
  #repeated = 0;
  #open = 0;
  #over = false;

  constructor(url: string, size: Size) {
    this.#url = url;
    this.make = gamesMaker(size);
    for (let n = 0; n < REPORTERS; n += 1) this.#running.push(this.#report());
    for (let n = 1; n <= READERS; n += 1) this.#running.push(this.#read(n));
    for (let n = 1; n <= STREAMS; n += 1) void this.#follow(READERS + n);
  }

  /** The body of a 200; null for any other answer. */
  async #call(path: string, init: RequestInit): Promise<string | null> {
    try {
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
      const answer = await fetch(`${this.#url}${path}`, { ...init, signal });
      const body = await answer.text();
      if (answer.status === 200) return body;
      const fine =
        answer.status === 429 || (answer.status === 503 && answer.headers.has('retry-after'));
      if (!fine) {
        const what = `${answer.status} ${path} ${body.slice(0, 60)}`;
        this.#wrong.set(what, (this.#wrong.get(what) ?? 0) + 1);
      }
    } catch {
      this.#unanswered += 1;
    }
    return null;
  }

  async #token(player: number): Promise<string> {
    const known = this.#tokens.get(player);
    if (known !== undefined && performance.now() - known.at < TOKEN_MS) return known.access;
    for (;;) {
      const body = await this.#call('/api/users/auth/token/refresh/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh: refreshOf(player) }),
      });
      if (body !== null) {
        const access: string = JSON.parse(body).access;
        this.#tokens.set(player, { access, at: performance.now() });
        return access;
      }
      if (this.#over) throw new Error('the load has ended');
      await sleep(RETRY_MS);
    }
  }

  /** A machine, which sends each game until it is acknowledged. */
  async #report(): Promise<void> {
    while (!this.#over) {
      const { key, body } = this.make(1);
      for (let again = false; ; again = true) {
        const answer = await this.#call(GAMES_PATH, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body,
        });
        if (answer !== null) {
          note(this.acknowledged, answer, again);
          this.#games.push(performance.now());
          break;
        }
        this.#repeated += 1;
        await sleep(RETRY_MS);
      }
      await sleep(GAME_EVERY_MS);
    }
  }

  async #read(player: number): Promise<void> {
    while (!this.#over) {
      const access = await this.#token(player).catch(() => null);
      if (access === null) return;
      const headers = { authorization: `Bearer ${access}` };
      if ((await this.#call('/api/users/profile/', { headers })) !== null)
        this.#reads.push(performance.now());
      await sleep(READ_EVERY_MS);
    }
  }

  /** A page, which reopens its stream about a second after it ends. */
  async #follow(player: number): Promise<void> {
    while (!this.#over) {
      try {
        const stream = await openEvents(this.#url, await this.#token(player));
        this.#open += 1;
        await stream.ended.catch(() => undefined);
        this.#open -= 1;
      } catch (error) {
        const what = `stream ${(error as Error).message}`;
        if (/answered (?!429|503)/.test(what))
          this.#wrong.set(what, (this.#wrong.get(what) ?? 0) + 1);
      }
      await sleep(500 + 1_000 * Math.random());
    }
  }

  /** Runs `fault` after `before` quiet ms. Returns what callers saw until `after` ms later. */
  async during(
    fault: () => Promise<unknown>,
    { before = 3_000, after = 20_000 } = {},
  ): Promise<Seen> {
    this.#games = [];
    this.#reads = [];
    this.#wrong = new Map();
    this.#unanswered = 0;
    this.#repeated = 0;
    const began = performance.now();
    await sleep(before);
    await fault();
    await sleep(after);
    const ended = performance.now();
    const seconds = (times: number[]) => Math.round(longestGap(times).ms / 10) / 100;
    return {
      withoutGames: seconds([began, ...this.#games, ended]),
      withoutReads: seconds([began, ...this.#reads, ended]),
      games: this.#games.length,
      repeated: this.#repeated,
      wrong: Object.fromEntries(this.#wrong),
      unanswered: this.#unanswered,
      streams: `${this.#open} of ${STREAMS}`,
    };
  }

  /**
   * Stops, and waits until every game is acknowledged.
   * @throws Error if a game is still refused after a minute
   */
  async stop(): Promise<void> {
    this.#over = true;
    const late = sleep(LAST_GAMES_MS, true, { ref: false });
    if (await Promise.race([Promise.all(this.#running).then(() => false), late]))
      throw new Error('games are refused a minute after the last fault');
  }
}
