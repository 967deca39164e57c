import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_GAMES_MAX } from '#contract/rules/games.ts';
import type { Cabinet, CabinetEvent } from '../client/client.ts';
import type { FinishedGame } from '../client/sender.ts';
import { gamesWanted, type Person, playGame, type Random, rest } from './people.ts';

const HOUR_MS = 3_600_000;
/** Below the server's limit (GAME-07): an earlier run may have recorded games in the same hour. */
const HOUR_GAMES = HOUR_GAMES_MAX - 20;
/** A player's pause between two games: the least and the most, in simulated seconds. */
const BREATHER_S = [4, 12];
/** A machine's pause between two players. */
const CHANGE_S = [8, 25];
/** A player's pause between two visits. */
const AWAY_S = [3 * 60, 15 * 60];
const GAME_STEPS = 20;

export type Station = {
  readonly name: string;
  readonly cabinet: Cabinet;
  player: string | null;
  /** `done`: from 0 to 1. */
  game: { score: number; done: number } | null;
  trouble: string | null;
  stopped: boolean;
};

export type Tally = {
  games: number;
  recorded: number;
  duplicate: number;
  held: number;
  rejected: number;
  personal_bests: number;
  achievements: number;
  /** Each player's best score in this run, by name. */
  best: Map<string, number>;
};

export type HallOptions = {
  people: Person[];
  random: Random;
  /** Simulated seconds per second. */
  speed: number;
  /**
   * Simulated time starts here, in ms since 1970, and ends at the present. null: games get the
   * present time.
   */
  from: number | null;
  /** The run ends after this many games. */
  games: number;
  /** The most games of a player in an hour. Checked after a visit, so a visit can exceed it. */
  hourGames?: number;
  signal: AbortSignal;
  onStored?: (station: Station, game: FinishedGame & { id: string; player: string }) => void;
  /** `trouble`: the operator may have to act. */
  onNews?: (line: string, kind: 'joy' | 'trouble') => void;
};

type Visitor = { person: Person; backAt: number; playedAt: number[] };

/** Simulates people who walk up to machines, scan, play some games, and rest. */
export class Hall {
  readonly stations: Station[] = [];
  readonly tally: Tally = {
    games: 0,
    recorded: 0,
    duplicate: 0,
    held: 0,
    rejected: 0,
    personal_bests: 0,
    achievements: 0,
    best: new Map(),
  };
  readonly #options: HallOptions;
  readonly #visitors: Visitor[];
  readonly #names: Map<string, string>;
  readonly #begun = performance.now();
  #started = 0;

  constructor(options: HallOptions) {
    this.#options = options;
    this.#visitors = options.people.map((person) => ({ person, backAt: 0, playedAt: [] }));
    this.#names = new Map(options.people.map(({ code, name }) => [code, name]));
  }

  /** Adds a machine. `open` creates its client with the given listener. */
  add(name: string, open: (onEvent: (event: CabinetEvent) => void) => Cabinet): Station {
    const station: Station = {
      name,
      cabinet: open((event) => this.#onEvent(station, event)),
      player: null,
      game: null,
      trouble: null,
      stopped: false,
    };
    this.stations.push(station);
    return station;
  }

  /** Plays until the options' `games`, the present or `signal` ends the run. */
  async run(): Promise<void> {
    for (const { cabinet } of this.stations) cabinet.start();
    await Promise.all(this.stations.map((station) => this.#open(station)));
  }

  #seconds(): number {
    return ((performance.now() - this.#begun) / 1000) * this.#options.speed;
  }

  /** The time, in ms since 1970, of a game that starts now. */
  #playedAt({ cabinet }: Station): number {
    const { from } = this.#options;
    return from === null ? cabinet.now().getTime() : from + this.#seconds() * 1000;
  }

  #over(station: Station): boolean {
    const { signal, games, from } = this.#options;
    if (signal.aborted || station.stopped || this.#started >= games) return true;
    return from !== null && this.#playedAt(station) > station.cabinet.now().getTime();
  }

  async #wait(range: number[] | number): Promise<number> {
    const [low = 0, high = low] = typeof range === 'number' ? [range] : range;
    const seconds = low + this.#options.random() * (high - low);
    await sleep((seconds / this.#options.speed) * 1000, null, { signal: this.#options.signal });
    return seconds;
  }

  async #open(station: Station): Promise<void> {
    try {
      while (!this.#over(station)) {
        await this.#wait(CHANGE_S);
        const visitor = this.#nextVisitor();
        if (visitor !== null) await this.#visit(station, visitor);
      }
    } catch (error) {
      if (!this.#options.signal.aborted) throw error;
    } finally {
      station.player = null;
      station.game = null;
    }
  }

  /** Removes the visitor whose break ended first; null if nobody is free. */
  #nextVisitor(): Visitor | null {
    const now = this.#seconds();
    let next = -1;
    for (const [at, { backAt }] of this.#visitors.entries())
      if (backAt <= now && backAt < (this.#visitors[next]?.backAt ?? Number.POSITIVE_INFINITY))
        next = at;
    return this.#visitors.splice(next, next === -1 ? 0 : 1)[0] ?? null;
  }

  async #visit(station: Station, visitor: Visitor): Promise<void> {
    const { person } = visitor;
    const { random } = this.#options;
    station.player = person.name;
    const greeted = await station.cabinet.greet(person.code);
    // The account was deleted or the code replaced.
    if (greeted.status === 'unknown') return;
    if (greeted.status === 'player') person.name = greeted.greeting.username;
    this.#names.set(person.code, person.name);
    station.player = person.name;
    for (let left = gamesWanted(person, random); left > 0 && !this.#over(station); left -= 1) {
      await this.#playOne(station, visitor);
      await this.#wait(BREATHER_S);
    }
    station.player = null;
    const away = AWAY_S.map((seconds) => seconds * (1 + person.fatigue));
    const [low = 0, high = low] = away;
    const seconds = low + random() * (high - low);
    rest(person, seconds, random);
    visitor.backAt = Math.max(this.#seconds() + seconds, this.#hourlyLimitEnds(station, visitor));
    this.#visitors.push(visitor);
  }

  async #playOne(station: Station, visitor: Visitor): Promise<void> {
    const { person, playedAt } = visitor;
    const { speed, from, random } = this.#options;
    this.#started += 1;
    const at = this.#playedAt(station);
    const started = {
      ...station.cabinet.begin(person.code),
      played_at: new Date(at).toISOString(),
    };
    const { score, ...played } = playGame(person, random);
    // Without `from`, store the real duration: with the simulated one, games would overlap.
    const duration_s =
      from === null ? Math.round((played.duration_s / speed) * 10) / 10 : played.duration_s;
    for (let step = 0; step < GAME_STEPS; step += 1) {
      station.game = { score: Math.round((score * step) / GAME_STEPS), done: step / GAME_STEPS };
      await this.#wait(played.duration_s / GAME_STEPS);
    }
    station.game = null;
    const finished = { ...played, score, duration_s };
    try {
      const game = station.cabinet.finish(started, finished);
      this.tally.games += 1;
      playedAt.push(at);
      this.#options.onStored?.(station, game);
    } catch (error) {
      this.#started -= 1;
      station.cabinet.abandon(started);
      station.trouble = `cannot store: ${error instanceof Error ? error.message : error}`;
    }
  }

  /** When this player is below the hourly limit again, in simulated seconds. */
  #hourlyLimitEnds(station: Station, visitor: Visitor): number {
    const now = this.#playedAt(station);
    visitor.playedAt = visitor.playedAt.filter((at) => now - at < HOUR_MS);
    const { hourGames = HOUR_GAMES } = this.#options;
    const oldest = visitor.playedAt[visitor.playedAt.length - hourGames];
    if (oldest === undefined) return 0;
    const pace = this.#options.from === null ? this.#options.speed : 1;
    return this.#seconds() + ((oldest + HOUR_MS - now) / 1000) * pace;
  }

  #onEvent(station: Station, event: CabinetEvent): void {
    const news = (line: string) => this.#options.onNews?.(line, 'trouble');
    if (event.type === 'waiting') {
      if (station.trouble === null) news(`${station.name}: ${event.why} Games wait on disk.`);
      station.trouble = event.why;
    } else if (event.type === 'stopped') {
      station.stopped = true;
      station.trouble = `stopped: ${event.detail}`;
      news(`${station.name} was refused (${event.status}): ${event.detail}`);
    } else if (event.type === 'damaged') {
      news(
        `${station.name}: its queue on disk is damaged. Readable games are sent; a copy of the damaged file is kept.`,
      );
    } else {
      if (station.trouble !== null) news(`${station.name} is back.`);
      station.trouble = null;
      for (const { game, result } of event.results) this.#count(game, result);
    }
  }

  #count(game: { player: string; score: number }, result: Record<string, unknown>): void {
    const { tally } = this;
    const news = (line: string, kind: 'joy' | 'trouble') => this.#options.onNews?.(line, kind);
    const name = this.#names.get(game.player) ?? 'somebody';
    const status = String(result.status);
    if (status === 'recorded' || status === 'duplicate' || status === 'held') tally[status] += 1;
    if (status === 'rejected') {
      tally.rejected += 1;
      news(`A game of ${name} was rejected: ${result.reason}`, 'trouble');
    }
    if (status !== 'recorded') return;
    tally.best.set(name, Math.max(game.score, tally.best.get(name) ?? 0));
    if (result.personal_best === true) {
      tally.personal_bests += 1;
      news(`${name}: personal best ${game.score}`, 'joy');
    }
    for (const key of Array.isArray(result.achievements) ? result.achievements : []) {
      tally.achievements += 1;
      news(`${name} won ${key}`, 'joy');
    }
  }
}
