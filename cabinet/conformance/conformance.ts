/**
 * `npm run conformance`: acts as the server, and judges a machine in any language by what it sends.
 * docs/machine-api.md has the rules.
 */
import { exec } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Findings, OPTIONAL, RULES, type Rule, table, type Verdict } from './rules.ts';
import { type FakeServer, type Post, recorded, type SentGame, startFakeServer } from './server.ts';
import { answerOf, resultsOf, type VectorAnswer } from './vectors.ts';

/** How early or late a timer may be. */
const TIMER_SLACK_MS = 50;
/**
 * How far the fake server's clock is ahead. The `played_at` of a machine that follows this clock
 * differs from it by at most CLOCK_SLACK_MS.
 */
const AHEAD_MS = 20 * 60_000;
const CLOCK_SLACK_MS = 10 * 60_000;

export type JudgeOptions = {
  port: number;
  key: string;
  play: (games: number) => void;
  ready?: (url: string) => void;
  note?: (line: string) => void;
  /** Called before each wait for a report that must come. */
  waiting?: (rule: Rule) => void;
  /** Without a report for this long, a rule counts as broken. */
  patienceMs: number;
  /** A machine that is silent for this long has nothing more to send. */
  quietMs: number;
  /** How long a machine must not call after 401. */
  stillMs: number;
  retryAfterS: number;
  /** The shortest allowed pause before a retry. */
  hammeringMs: number;
};

const reply = (post: Post, { status, body, headers }: VectorAnswer) =>
  post.answer(status, body, headers);

class MachineSilent extends Error {}

class Scenes {
  readonly #options: JudgeOptions;
  readonly #server: FakeServer;
  readonly #found: Findings;

  constructor(options: JudgeOptions, server: FakeServer, found: Findings) {
    this.#options = options;
    this.#server = server;
    this.#found = found;
  }

  async play(): Promise<void> {
    this.#options.play(1);
    let post = await this.#next('busy', 'no batch was sent');
    post = await this.#busy(post);
    post = await this.#retryAfter(post);
    post = await this.#again(post, 'lost_answer', (lost) => lost.drop());
    post = await this.#again(post, 'stranger', (strange) => reply(strange, answerOf('stranger')));
    await this.#drain(post);
    this.#found.prove('done');
    await this.#rejectOne();
    await this.#clock();
    await this.#stop();
  }

  /**
   * Returns the next report, after checking the common rules. Fails `rule` if none arrives in time.
   */
  async #next(rule: Rule, why: string): Promise<Post> {
    this.#options.waiting?.(rule);
    const post = await this.#server.next(this.#options.patienceMs);
    if (post === null) {
      this.#found.fail(rule, why);
      throw new MachineSilent();
    }
    this.#found.inspect(post);
    return post;
  }

  /**
   * Refuses `post`. Checks that its games come again, unchanged and oldest first. Returns the new
   * report.
   */
  async #again(post: Post, rule: Rule, refuse: (post: Post) => void): Promise<Post> {
    refuse(post);
    const again = await this.#next(rule, 'the games were not sent again');
    this.#found.inspectAgain(rule, post, again);
    this.#found.prove(rule);
    return again;
  }

  async #busy(first: Post): Promise<Post> {
    let post = first;
    for (let time = 0; time < 3; time += 1) {
      const again = await this.#again(post, 'busy', (busy) => reply(busy, answerOf('busy')));
      if (again.at - post.at < this.#options.hammeringMs)
        this.#found.fail('busy', `it retried ${Math.round(again.at - post.at)} ms later`);
      post = again;
    }
    return post;
  }

  async #retryAfter(post: Post): Promise<Post> {
    const { retryAfterS } = this.#options;
    const again = await this.#again(post, 'retry_after', (many) =>
      reply(many, {
        ...answerOf('retry_after'),
        headers: { 'retry-after': String(retryAfterS) },
      }),
    );
    const waited = again.at - post.at;
    if (waited < retryAfterS * 1000 - TIMER_SLACK_MS)
      this.#found.fail(
        'retry_after',
        `asked to wait ${retryAfterS} s, it waited ${Math.round(waited)} ms`,
      );
    return again;
  }

  #accept(post: Post): void {
    const verdict = (game: SentGame) =>
      this.#found.isSettled(game) ? { id: String(game.id), status: 'duplicate' as const } : null;
    post.answer(200, recorded(post.games, this.#server.now(), verdict));
    this.#found.settle(post.games);
  }

  async #drain(first: Post | null): Promise<void> {
    for (let post = first; post !== null; post = await this.#server.next(this.#options.quietMs)) {
      if (post !== first) this.#found.inspect(post);
      this.#accept(post);
    }
  }

  async #rejectOne(): Promise<void> {
    this.#options.play(3);
    let post = await this.#next('rejected', 'no game was sent after three were played');
    // Answer busy, at most four times, until a report has two games; some machines never send two.
    for (let time = 0; post.games.length < 2 && time < 4; time += 1)
      post = await this.#again(post, 'busy', (busy) => reply(busy, answerOf('busy')));
    const [bad, ...good] = post.games;
    if (bad === undefined) return;
    const id = String(bad.id);
    const [rejection] = resultsOf('rejected').filter(({ status }) => status === 'rejected');
    post.answer(
      200,
      recorded(post.games, this.#server.now(), (game) =>
        game === bad && rejection !== undefined ? { ...rejection, id } : null,
      ),
    );
    this.#found.reject(bad);
    this.#found.settle(good);
    await this.#drain(null);
  }

  async #clock(): Promise<void> {
    this.#options.play(1);
    const post = await this.#next('rejected', 'nothing was sent after a rejected game');
    this.#found.prove('rejected');
    const game = post.games.at(-1);
    const wrong = Date.parse(String(game?.played_at)) - this.#server.now();
    if (Math.abs(wrong) > CLOCK_SLACK_MS)
      this.#found.fail(
        'clock',
        `played_at of a new game is ${Math.round(wrong / 1000)} s from server_time`,
      );
    this.#found.prove('clock');
    this.#found.inspectStatuses(this.#server.statuses, post.games.length);
    await this.#drain(post);
  }

  async #stop(): Promise<void> {
    this.#options.play(1);
    const post = await this.#next('stop', 'no game was sent after one was played');
    reply(post, answerOf('stop'));
    this.#options.play(1);
    const more = await this.#server.next(this.#options.stillMs);
    if (more !== null) this.#found.fail('stop', 'it called again with the refused key');
    this.#found.prove('stop');
  }
}

/**
 * Judges the machine that calls `options.port`, until all scenes are done or the machine is silent.
 * @throws if the port cannot be used.
 */
export async function judge(options: JudgeOptions): Promise<Verdict[]> {
  const found = new Findings(options.note ?? (() => {}));
  const server = await startFakeServer({
    port: options.port,
    key: options.key,
    aheadMs: AHEAD_MS,
    complain: (rule, what) => found.fail(rule, what),
  });
  options.ready?.(server.url);
  try {
    await new Scenes(options, server, found).play();
  } catch (error) {
    if (!(error instanceof MachineSilent)) throw error;
  } finally {
    await server.close();
  }
  return found.verdicts();
}

/** Longer than a backoff of a minute or two. */
const PATIENCE_MS = 5 * 60_000;
const QUIET_MS = 3_000;
const HAMMERING_MS = 200;
const STILL_MS = 60_000;
const RETRY_AFTER_S = 5;

const HELP = `Acts as the server and judges a machine by what it sends.

  npm run conformance -- [--port 4555] [--key bbm_…] [--play COMMAND]

  --port N        where to listen (default 4555)
  --key KEY       the machine's key (default: a new one)
  --play COMMAND  plays one game on the machine; without it you are asked to
  --still S       seconds without a call that are expected after 401 (default ${STILL_MS / 1000})

Before you start, let more than 500 games pile up on the machine, so that its batches can be
judged. Exit code: 0 all passed, 1 something failed or could not be seen, 2 wrong usage.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4555' },
      key: { type: 'string', default: `bbm_${randomBytes(24).toString('hex')}` },
      play: { type: 'string' },
      still: { type: 'string', default: String(STILL_MS / 1000) },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  const still = Number(values.still);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || !(still > 0))
    throw new Error('--port must be a number from 0 to 65535, --still a number of seconds.');
  const command = values.play;
  const play = (games: number) => {
    if (command === undefined)
      return console.log(`→ Play ${games === 1 ? 'a game' : `${games} games`} on the machine.`);
    for (let game = 0; game < games; game += 1)
      exec(command, (error, _, stderr) => {
        if (error) console.log(`→ --play failed: ${stderr || error.message}`);
      });
  };
  const verdicts = await judge({
    port,
    key: values.key,
    play,
    note: (line) => console.log(line),
    waiting: (rule) =>
      console.log(
        `… waiting for the machine, at most ${PATIENCE_MS / 60_000} minutes: ${RULES[rule][0]}`,
      ),
    ready: (url) => console.log(`Listening on ${url}\nMachine key: ${values.key}\n`),
    patienceMs: PATIENCE_MS,
    quietMs: QUIET_MS,
    stillMs: still * 1000,
    retryAfterS: RETRY_AFTER_S,
    hammeringMs: HAMMERING_MS,
  });
  console.log(`\n${table(verdicts)}`);
  return verdicts.every(({ rule, passed }) => passed ?? OPTIONAL.includes(rule)) ? 0 : 1;
}

if (import.meta.main)
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exitCode = 2;
  }
