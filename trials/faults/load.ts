import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tables } from '../recount.ts';
import { timeOf } from '../recount.ts';

/** A machine's pause between reports, so that the load does not use all CPU time. */
const PAUSE_MS = 60;
const RETRY_MS = 40;
const BATCH_MAX = 4;
/** Longer than every timeout of the server (P38). */
const ANSWER_MS = 20_000;
/** The time between a player's games, within the hourly limit (GAME-07). */
const APART_MS = 90_000;
/** The age of the oldest game. */
const FIRST_MS = 29 * 24 * 3_600_000;

export type Game = { id: string; player: string; score: number; played_at: string };
type Player = { uuid: string };

type Sent = { begun: number; ended: number; status: number };

/**
 * Machines that send games, and repeat each report until it is answered 200. `journal` has the
 * acknowledged games, to compare them with the database.
 */
export class Load {
  readonly journal = new Map<string, Game>();
  /** Responses other than 200, by status; 0 stands for no response. */
  readonly refusals = new Map<number, number>();
  readonly wrong: string[] = [];
  readonly #sent = new Set<{ begun: number; status: Promise<number> }>();
  /** The server's clock minus this computer's in ms, by the last response. */
  clockError = 0;
  #waiting: (() => void)[] = [];
  #lastGood = 0;
  #ending = false;
  readonly #machines: Promise<void>[];
  readonly #url: () => string;

  constructor(url: () => string, keys: string[], players: Player[]) {
    this.#url = url;
    this.#machines = keys.map((key, at) =>
      this.#play(
        key,
        players.filter((_, index) => index % keys.length === at),
      ),
    );
  }

  /**
   * Waits until a report sent after `moment` got a 200. Returns the milliseconds since `moment`.
   */
  async servedAfter(moment: number, patienceMs = 180_000): Promise<number> {
    while (this.#lastGood < moment) {
      if (performance.now() - moment > patienceMs)
        throw new Error(`The server has not served again within ${patienceMs} ms.`);
      await Promise.race([new Promise<void>((done) => this.#waiting.push(done)), sleep(1_000)]);
    }
    return performance.now() - moment;
  }

  pending(): Promise<number[]> {
    return Promise.all([...this.#sent].map(({ status }) => status));
  }

  async stop(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#machines);
  }

  async #play(key: string, players: Player[]): Promise<void> {
    const from = Date.now() - FIRST_MS;
    for (let turn = 0; !this.#ending; turn += 1) {
      const games = Array.from({ length: randomInt(1, BATCH_MAX + 1) }, (_, at): Game => {
        const player = players[(turn * BATCH_MAX + at) % players.length];
        const round = Math.floor((turn * BATCH_MAX + at) / players.length);
        return {
          id: randomUUID(),
          player: player?.uuid ?? '',
          score: randomInt(1, 900),
          played_at: new Date(from + round * APART_MS).toISOString(),
        };
      });
      await this.#send(key, games);
      await sleep(PAUSE_MS);
    }
  }

  async #send(key: string, games: Game[]): Promise<void> {
    for (;;) {
      const begun = performance.now();
      const answer = this.#post(key, games);
      const pending = { begun, status: answer.then(({ status }) => status) };
      this.#sent.add(pending);
      const { status, results } = await answer;
      this.#sent.delete(pending);
      if (status === 200) {
        this.#note(games, results);
        this.#lastGood = Math.max(this.#lastGood, begun);
        for (const done of this.#waiting.splice(0)) done();
        return;
      }
      this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
      if (![0, 429, 503].includes(status)) this.wrong.push(`a batch was answered ${status}`);
      await sleep(RETRY_MS);
    }
  }

  async #post(key: string, games: Game[]) {
    try {
      const answer = await fetch(`${this.#url()}/api/machine/games/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ games }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const body = (await answer.json()) as {
        results?: { id: string; status: string }[];
        server_time?: string;
      };
      if (body.server_time) this.clockError = Date.parse(body.server_time) - Date.now();
      return { status: answer.status, results: body.results ?? [] };
    } catch {
      return { status: 0, results: [] };
    }
  }

  #note(games: Game[], results: { id: string; status: string }[]): void {
    for (const [at, game] of games.entries()) {
      const result = results[at];
      if (result?.id === game.id && ['recorded', 'duplicate', 'held'].includes(result.status))
        this.journal.set(game.id, game);
      else this.wrong.push(`a game was answered ${JSON.stringify(result)}`);
    }
  }
}

/** Repeats a request `everyMs` after each response, until `stop`. */
export function repeatRequest(ask: () => Promise<number>, everyMs: number) {
  const sent: Sent[] = [];
  let ending = false;
  const run = (async () => {
    while (!ending) {
      const begun = performance.now();
      const status = await ask().catch(() => 0);
      sent.push({ begun, ended: performance.now(), status });
      await sleep(everyMs);
    }
  })();
  return {
    sent,
    stop: async () => {
      ending = true;
      await run;
      return sent;
    },
  };
}

export function compare(tables: Tables, journal: Map<string, Game>) {
  const players = new Map((tables.get('players') ?? []).map(({ id, uuid }) => [uuid, id]));
  const stored = Map.groupBy(tables.get('games') ?? [], ({ id }) => id);
  const found = { lost: 0, twice: 0, other: 0 };
  for (const game of journal.values()) {
    const [row, ...more] = stored.get(game.id) ?? [];
    if (row === undefined) found.lost += 1;
    else if (more.length > 0) found.twice += 1;
    else if (
      row.player_id !== players.get(game.player) ||
      Number(row.score) !== game.score ||
      timeOf(row.played_at ?? null) !== Date.parse(game.played_at)
    )
      found.other += 1;
  }
  return found;
}
