import { BATCH_BYTES, BATCH_MAX } from '#contract/rules/machines.ts';
import { machineGame, machineStatus } from '#contract/wire/machines.ts';
import type { Post, SentGame } from './server.ts';

/** Each rule's title and advice, in the order in which `table()` prints them. */
export const RULES = {
  key: [
    'Every call carries the machine key',
    'Send the header Authorization: Bearer <key> with every call.',
  ],
  call: [
    'Batches go to POST /api/machine/games/ as JSON',
    'Keep the slash at the end, send Content-Type: application/json, and a body {"games": […]}.',
  ],
  form: [
    'Every game has the agreed form',
    'Send id, player, score and played_at as docs/machine-api.md describes them.',
  ],
  ids: [
    'A game gets one UUID, once, and never changes',
    'Make a new id for every game when it starts, also for one that is equal to another. Store the id with the game, and send exactly what was stored.',
  ],
  batch: [
    'A long queue goes in batches of at most 500 games and 256 KiB',
    'Send the 500 oldest, wait for the answer, send the next. To have it judged, let more than 500 games pile up before the test.',
  ],
  order: ['The oldest games go first', 'Send the queue from its old end.'],
  busy: [
    'After 503 the games are kept and sent again, with pauses',
    'Keep every game until its own result has come. Pause a second at first, then twice as long each time, with jitter.',
  ],
  retry_after: [
    'After 429 the machine waits as long as Retry-After says',
    'Read Retry-After (in seconds) and send nothing before it has passed.',
  ],
  lost_answer: [
    'When the response is lost, the same games are sent again',
    'A broken connection does not tell whether the game was recorded. Send it again under the same id: the server counts it once.',
  ],
  stranger: [
    'A response that is not the server’s settles nothing',
    'Accept only a JSON body with results. A sign-in page of the venue’s network is none.',
  ],
  done: [
    'Games that the server has settled are not sent again',
    'Drop a game from the queue once its result says recorded, duplicate or held.',
  ],
  rejected: [
    'A rejected game is put aside and does not affect the others',
    'Read the result of every game: put a rejected one where a person finds it, and continue with the rest.',
  ],
  clock: [
    'The machine’s clock follows server_time',
    'Take server_time from any response and add the difference to played_at of later games.',
  ],
  status: [
    'The machine says how many games wait',
    'Send PUT /api/machine/status/ every minute, with queued as a whole number, and when a game begins or ends.',
  ],
  stop: [
    'After 401 the machine stops and keeps its games',
    'Stop calling, show the operator that the key is refused, and continue only with a new key.',
  ],
} as const;
export type Rule = keyof typeof RULES;
/** A machine need not send a status, but a status that it sends is checked. */
export const OPTIONAL: readonly Rule[] = ['status'];
/** `passed` is null for a rule that was not tested. */
export type Verdict = { rule: Rule; passed: boolean | null; why: string };

/** Slack, because the player who starts first may finish last. */
const ORDER_SLACK_MS = 120_000;
/** What the machine has sent, and which rules it broke. */
export class Findings {
  readonly #failed = new Map<Rule, string>();
  readonly #proven = new Set<Rule>();
  readonly #contents = new Map<string, string>();
  readonly #settled = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #note: (line: string) => void;
  #newest = 0;

  /** `note` is called at the first breach of each rule. */
  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  fail(rule: Rule, why: string): void {
    if (this.#failed.has(rule)) return;
    this.#failed.set(rule, why);
    this.#note(`FAIL  ${rule}: ${why}`);
  }
  prove(rule: Rule): void {
    this.#proven.add(rule);
  }
  get seen(): number {
    return this.#contents.size;
  }
  isSettled(game: SentGame): boolean {
    return this.#settled.has(String(game.id));
  }
  settle(games: SentGame[]): void {
    for (const game of games) this.#settled.add(String(game.id));
  }
  reject(game: SentGame): void {
    this.#rejected.add(String(game.id));
  }

  inspect(post: Post): void {
    this.prove('key');
    this.prove('call');
    if (post.games.length === 0) this.fail('call', 'a body had no games in it');
    if (post.games.length > BATCH_MAX)
      this.fail('batch', `one call had ${post.games.length} games`);
    if (post.bytes > BATCH_BYTES) this.fail('batch', `one body had ${post.bytes} bytes`);
    const ids = new Set<unknown>();
    for (const game of post.games) {
      if (ids.has(game.id)) this.fail('ids', `${game.id} is twice in one batch`);
      ids.add(game.id);
      this.#inspectGame(game);
    }
    if (this.seen > BATCH_MAX) this.prove('batch');
  }

  /**
   * Requires valid statuses. At least one must report `known` queued games or more; the machine may
   * have sent the others before it queued these games.
   */
  inspectStatuses(bodies: readonly unknown[], known: number): void {
    const counts: number[] = [];
    for (const body of bodies) {
      const parsed = machineStatus.safeParse(body);
      const issue = parsed.error?.issues[0];
      if (issue) this.fail('status', `${issue.path.join('.') || 'the body'}: ${issue.message}`);
      else counts.push(parsed.data?.queued ?? 0);
    }
    if (counts.length === 0) return;
    if (Math.max(...counts) < known)
      this.fail(
        'status',
        `${known} games waited, and queued was never more than ${Math.max(...counts)}`,
      );
    else this.prove('status');
  }

  #inspectGame(game: SentGame): void {
    this.prove('form');
    this.prove('ids');
    const parsed = machineGame.safeParse(game);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      this.fail('form', `${issue?.path.join('.')} of ${JSON.stringify(game)}: ${issue?.message}`);
      return;
    }
    const { id, ...rest } = parsed.data;
    const content = JSON.stringify(rest);
    if (this.#rejected.has(id)) this.fail('rejected', `${id} was rejected and sent again`);
    if (this.#settled.has(id)) this.fail('done', `${id} was settled and sent again`);
    if ((this.#contents.get(id) ?? content) !== content)
      this.fail('ids', `${id} was sent again with other content`);
    if (!this.#contents.has(id)) {
      const played = Date.parse(rest.played_at);
      if (this.seen > 0) this.prove('order');
      if (played < this.#newest - ORDER_SLACK_MS)
        this.fail('order', `${id} was sent after games that were played later`);
      this.#newest = Math.max(this.#newest, played);
    }
    this.#contents.set(id, content);
  }

  /**
   * Checks that `again` repeats the oldest games of `post`. A missing game breaks `rule`, and `ids`
   * too if `again` has its content under a new id.
   */
  inspectAgain(rule: Rule, post: Post, again: Post): void {
    const content = ({ id: _, ...rest }: SentGame) => JSON.stringify(rest);
    const before = new Set(post.games.map(({ id }) => id));
    const repeated = new Set(again.games.map(({ id }) => id));
    const missing = post.games.slice(0, again.games.length).find(({ id }) => !repeated.has(id));
    if (missing === undefined) return;
    this.fail(rule, `${missing.id} was not sent again`);
    const twin = again.games.find(
      (game) => !before.has(game.id) && content(game) === content(missing),
    );
    if (twin) this.fail('ids', `one game was sent as ${missing.id} and as ${twin.id}`);
  }

  verdicts(): Verdict[] {
    return (Object.keys(RULES) as Rule[]).map((rule) => {
      const why = this.#failed.get(rule);
      if (why !== undefined) return { rule, passed: false, why };
      if (this.#proven.has(rule)) return { rule, passed: true, why: '' };
      return { rule, passed: null, why: 'not seen in this run' };
    });
  }
}

/** One line for a passed rule, three for any other. */
export function table(verdicts: Verdict[]): string {
  return verdicts
    .flatMap(({ rule, passed, why }) => {
      const [title, advice] = RULES[rule];
      const word = passed === null ? '????' : passed ? 'pass' : 'FAIL';
      const line = `${word}  ${rule.padEnd(12)} ${title}`;
      return passed ? [line] : [line, `      ${why}`, `      → ${advice}`];
    })
    .join('\n');
}
