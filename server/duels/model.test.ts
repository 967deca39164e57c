import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Duel } from '#contract/wire/duels.ts';
import {
  type Action,
  act,
  erase,
  type Facts,
  list,
  night,
  type OracleDuel,
  type Reply,
  tidy,
} from '#testing/app/duel-oracle.ts';
import {
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { releaseGame, restoreGame, voidGame } from '../games/corrections.ts';
import { rebuild } from '../games/rebuild.ts';
import type { Team } from '../leagues/leagues.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { deletePlayer } from '../players/erase.ts';
import { cleanUpDuels, settleDuels } from './settle.ts';

/* Duels against a model of their rules (PUSH-T9), in two processes on one database. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PATH = '/api/users/duels/';

/** For more steps: `DUEL_STEPS=10000 vitest run server/duels/model.test.ts`. */
const STEPS = Number(process.env.DUEL_STEPS ?? 200);
const STEPS_A_WALK = 50;

/** The time zones of the teams: two teams of one league, and one of another. */
const ZONES = ['America/New_York', 'America/New_York', 'Asia/Kathmandu'];
/** The last player is under age. */
const PEOPLE = 5;

type Step =
  | { do: 'offer'; by: number; to: number }
  | { do: 'accept' | 'decline' | 'takeBack' | 'block'; by: number; nth: number }
  /** Two offers at once, or an acceptance and another action. */
  | { do: 'race'; against: 'accept' | 'takeBack' | 'block' | 'offer'; nth: number }
  | { do: 'unblock'; by: number }
  | { do: 'play'; by: number; score: number; late: number }
  | { do: 'void' | 'restore' | 'release'; nth: number }
  | { do: 'move'; by: number; team: number | null }
  | { do: 'switch'; by: number; on: boolean }
  | { do: 'erase'; by: number }
  | { do: 'wait'; hours: number }
  | { do: 'night' };

const who = fc.nat(PEOPLE - 1);
const nth = fc.nat(30);
const one = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: one('offer'), by: who, to: who }) },
  { weight: 8, arbitrary: fc.record({ do: one('accept'), by: who, nth }) },
  { weight: 3, arbitrary: fc.record({ do: one('decline', 'takeBack'), by: who, nth }) },
  { weight: 1, arbitrary: fc.record({ do: one('block'), by: who, nth }) },
  { weight: 2, arbitrary: fc.record({ do: one('unblock'), by: who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: one('race'),
      against: one('accept', 'takeBack', 'block', 'offer'),
      nth,
    }),
  },
  {
    weight: 10,
    // Few scores, so that many are equal; 99999 is held.
    arbitrary: fc.record({
      do: one('play'),
      by: who,
      score: fc.constantFrom(300, 301, 302, 303, 99_999),
      late: fc.nat(40),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: one('void', 'restore', 'release'), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: one('move'), by: who, team: fc.constantFrom(0, 1, 2, null) }),
  },
  { weight: 1, arbitrary: fc.record({ do: one('switch'), by: who, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: one('erase'), by: who }) },
  { weight: 5, arbitrary: fc.record({ do: one('wait'), hours: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: one('wait'), hours: fc.constantFrom(192, 700) }) },
  { weight: 2, arbitrary: fc.record({ do: one('night') }) },
);

const t = withApp();
let machine: Awaited<ReturnType<typeof makeMachine>>;
let processes: [TestApp, TestApp];
beforeAll(async () => {
  processes = [t, await t.sibling()];
  machine = await makeMachine(t);
});

/** Moves the clock to the next half minute, so that no step is exactly at a deadline. */
function tick(): number {
  const now = t.clock.now().getTime();
  t.clock.advance(MINUTE + MINUTE / 2 - (now % MINUTE));
  return t.clock.now().getTime();
}

type Person = Awaited<ReturnType<typeof makePlayer>>;

class Walk {
  facts: Facts = { zones: ZONES, people: [], blocks: [], duels: [], games: [] };
  readonly seqs: number[] = [];
  readonly ip = makeIp();
  turn = 0;

  readonly people: readonly Person[];
  readonly teams: readonly Team[];

  private constructor(people: readonly Person[], teams: readonly Team[]) {
    this.people = people;
    this.teams = teams;
  }

  static async begin(): Promise<Walk> {
    t.clock.advance(HOUR - (t.clock.now().getTime() % HOUR) + 7 * MINUTE);
    const born = new Date(t.clock.now().getTime() - 15 * 365.25 * DAY).toISOString().slice(0, 10);
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, at) =>
        makePlayer(t, {
          visibility: 'league',
          ...(at === PEOPLE - 1 ? { date_of_birth: born } : {}),
        }),
      ),
    );
    const leagues = new Map<string, Awaited<ReturnType<typeof makeLeague>>>();
    const teams: Team[] = [];
    for (const [at, timezone] of ZONES.entries()) {
      const league = leagues.get(timezone) ?? (await makeLeague(t, { timezone }));
      leagues.set(timezone, league);
      teams.push(
        await makeTeam(
          t,
          league,
          people.filter((_, person) => teamOf(person) === at),
        ),
      );
    }
    const walk = new Walk(people, teams);
    walk.facts.people = people.map((_, person) => ({
      adult: person < PEOPLE - 1,
      team: teamOf(person),
      on: person < PEOPLE - 1,
      deleted: false,
      final: { won: 0, lost: 0, level: 0 },
    }));
    return walk;
  }

  /** The process for the next call. The two take turns. */
  process(): TestApp {
    this.turn += 1;
    return processes[this.turn % 2] as TestApp;
  }

  async call(by: number, method: string, path: string, body?: object, on = this.process()) {
    const as = await makeSession(t, this.people[by] as { id: number });
    return on.call(method, path, { as, ip: this.ip, ...(body === undefined ? {} : { body }) });
  }

  send(action: Action, on?: TestApp) {
    if (action.do === 'offer') {
      const { username } = this.people[action.to] ?? { username: null };
      return this.call(action.by, 'POST', PATH, { username }, on);
    }
    const path = `${PATH}${this.facts.duels[action.duel]?.id}/`;
    if (action.do === 'takeBack') return this.call(action.by, 'DELETE', path, undefined, on);
    return this.call(action.by, 'POST', `${path}${action.do}/`, undefined, on);
  }

  /** Sends one action. */
  async ask(action: Action, now: number): Promise<void> {
    const { facts } = this;
    const reply = act(facts, action, now);
    const answer = await this.send(action);
    expect(said(answer, reply)).toEqual(reply);
    learn(facts, action, answer.body);
  }

  /**
   * Sends two actions at once to the two processes. The answers must be those of one of the two
   * orders.
   */
  async race(pair: [Action, Action], now: number): Promise<void> {
    const answers = await Promise.all(pair.map((action, at) => this.send(action, processes[at])));
    const orders = [
      [0, 1],
      [1, 0],
    ].map((order) => {
      const facts = structuredClone(this.facts);
      const fits = order.map((at) => {
        const action = pair[at] as Action;
        const answer = answers[at] as Answered;
        const reply = act(facts, action, now);
        learn(facts, action, answer.body);
        return JSON.stringify(said(answer, reply)) === JSON.stringify(reply);
      });
      return { facts, fits: fits.every(Boolean) };
    });
    const found = orders.find(({ fits }) => fits);
    expect([pair, answers.map(({ status, body }) => [status, body]), found !== undefined]).toEqual([
      pair,
      expect.anything(),
      true,
    ]);
    if (found) this.facts = found.facts;
  }

  /** The duels that a process shows a player, in the form of `list`. */
  async shown(person: number, on?: TestApp) {
    const { body } = await this.call(person, 'GET', PATH, undefined, on);
    const of = (duels: Duel[]) =>
      duels
        .map((duel) => ({
          id: duel.id,
          mine: duel.offered_by_me,
          ends: duel.ends_at === null ? null : Date.parse(duel.ends_at),
          own: duel.best?.score ?? null,
          theirs: duel.rival_best,
          result: duel.result,
          final: duel.final,
        }))
        .toSorted((a, b) => Number(a.id) - Number(b.id));
    const { won, lost, level, offers, running, results } = body;
    return { won, lost, level, offers: of(offers), running: of(running), results: of(results) };
  }

  async compare(): Promise<void> {
    for (const [person, { deleted }] of this.facts.people.entries())
      if (!deleted)
        for (const process of processes)
          expect(await this.shown(person, process)).toEqual(list(this.facts, person));
  }

  async take(step: Step): Promise<void> {
    const now = tick();
    const { facts, people } = this;
    const alive = (person: number) => facts.people[person]?.deleted === false;
    if ('by' in step && !alive(step.by)) return;
    switch (step.do) {
      case 'offer':
        if (alive(step.to)) await this.ask(step, now);
        break;
      case 'accept':
      case 'decline':
      case 'takeBack':
      case 'block': {
        const duel = pick(facts.duels, step.nth, stillThere);
        if (duel !== undefined) await this.ask({ do: step.do, by: step.by, duel }, now);
        break;
      }
      case 'race': {
        const [by, to] = [step.nth % PEOPLE, (step.nth * 7 + 1) % PEOPLE];
        const duel = pick(facts.duels, step.nth, ({ state }) => state === 'offered');
        if (step.against === 'offer') {
          if (by !== to && alive(by) && alive(to))
            await this.race(
              [
                { do: 'offer', by, to },
                { do: 'offer', by: to, to: by },
              ],
              now,
            );
        } else if (duel !== undefined) {
          const { offerer, rival } = facts.duels[duel] as OracleDuel;
          const against = step.against === 'accept' ? rival : offerer;
          await this.race(
            [
              { do: 'accept', by: rival, duel },
              { do: step.against, by: against, duel },
            ],
            now,
          );
        }
        break;
      }
      case 'unblock': {
        const { body } = await this.call(step.by, 'GET', '/api/blocks/');
        for (const { n } of body.results) await this.call(step.by, 'DELETE', `/api/blocks/${n}/`);
        facts.blocks = facts.blocks.filter(([by]) => by !== step.by);
        break;
      }
      case 'play': {
        const { score, by } = step;
        const at = now - step.late * HOUR - MINUTE / 2;
        const [game] = await makeGames(this.process(), machine, people[by] as { id: number }, [
          { score, played_at: new Date(at) },
        ]);
        this.seqs.push(game?.seq ?? 0);
        facts.games.push({ by, score, at, state: score > 10_000 ? 'held' : 'counted' });
        break;
      }
      case 'void':
      case 'restore':
      case 'release': {
        const [from, to, change] = CORRECTIONS[step.do];
        const at = pick(facts.games, step.nth, ({ by, state }) => alive(by) && state === from);
        const game = facts.games[at ?? -1];
        if (game === undefined || at === undefined) break;
        await change(this.process(), this.seqs[at] ?? 0);
        game.state = to;
        break;
      }
      case 'move': {
        const [person, own] = [people[step.by], facts.people[step.by]];
        if (!person || !own || own.team === step.team) break;
        const on = this.process();
        if (step.team === null)
          await removeFromTeam(on, this.teams[own.team ?? 0] as Team, person.email);
        else await addToTeam(on, this.teams[step.team] as Team, [person.email]);
        own.team = step.team;
        break;
      }
      case 'switch': {
        const own = facts.people[step.by];
        await this.call(step.by, 'PATCH', '/api/users/push/', { kinds: { duel: step.on } });
        if (own) own.on = step.on;
        break;
      }
      case 'erase': {
        const { id } = people[step.by] as { id: number };
        await this.process()
          .db.transaction()
          .execute((trx) => deletePlayer(trx, id, t.clock.now()));
        erase(facts, step.by);
        break;
      }
      case 'wait':
        t.clock.advance(step.hours * HOUR);
        break;
      case 'night':
        await cleanUpDuels(this.process());
        night(facts, now);
        break;
    }
    await sql`delete from limits`.execute(t.db);
    await settleDuels(this.process());
    tidy(this.facts, t.clock.now().getTime());
    const looking = 'by' in step ? step.by : this.turn % PEOPLE;
    if (alive(looking))
      expect([step, await this.shown(looking)]).toEqual([step, list(this.facts, looking)]);
  }
}

/** The team of each player: three players, the one under age among them, are on the first team. */
const teamOf = (person: number) => [0, 0, 1, 2, 0][person] ?? 0;

type Answered = Awaited<ReturnType<TestApp['call']>>;

/** The part of an answer that the oracle's reply has, too. */
const said = ({ status, body }: Answered, { text }: Reply) => ({
  status,
  ...(text === undefined ? {} : { text: body.username?.[0] ?? body.detail }),
});

/** Copies what only the server knows: the number of a duel, and its instants. */
function learn(facts: Facts, action: Action, body: Duel): void {
  const made = facts.duels.at(-1);
  if (action.do === 'offer' && made?.id === '') {
    made.id = body.id;
    made.offered = Date.parse(body.offered_at);
  }
  const duel = action.do === 'accept' ? facts.duels[action.duel] : undefined;
  if (duel?.state === 'running' && body.accepted_at) duel.accepted = Date.parse(body.accepted_at);
}

const CORRECTIONS = {
  void: ['counted', 'void', voidGame],
  restore: ['void', 'counted', restoreGame],
  release: ['held', 'counted', releaseGame],
} as const;

/** Whether the duel's row still exists. */
const stillThere = ({ state }: OracleDuel) => state !== 'over';

/** The index of the nth item that fits; undefined if none fits. */
function pick<Item>(items: Item[], nth: number, fits: (item: Item) => boolean) {
  const places = [...items.keys()].filter((at) => fits(items[at] as Item));
  return places[nth % (places.length || 1)];
}

test('DUEL-02 to DUEL-08, DUEL-10, PUSH-T9: in random steps in two processes, every answer and list is that of the model', {
  timeout: 120_000 + STEPS * 1_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: STEPS_A_WALK, maxLength: STEPS_A_WALK }),
      async (steps) => {
        const walk = await Walk.begin();
        await walk.call(PEOPLE - 1, 'PATCH', '/api/users/push/', { kinds: { duel: true } });
        (walk.facts.people[PEOPLE - 1] as { on: boolean }).on = true;
        for (const one of steps) await walk.take(one);
        await walk.compare();
        await rebuild(t);
        await walk.compare();
      },
    ),
    { numRuns: Math.ceil(STEPS / STEPS_A_WALK), endOnFailure: true },
  );
});
