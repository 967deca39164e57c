import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { FRIEND_CODE_DEAD } from '#contract/rules/friends.ts';
import { makeIp, makeLeague, makePlayer, makeSession, makeTeam } from '#testing/app/make.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import type { Team } from '../leagues/leagues.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { listFriends } from './friends.ts';

/* Friends against a model of sets, in two processes on one database (T12 of the season's rules). */

/** For more steps: `FRIEND_STEPS=5000 vitest run server/friends/model.test.ts`. */
const STEPS = Number(process.env.FRIEND_STEPS ?? 40);
const STEPS_A_WALK = 40;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PATH = '/api/friends/';

type Step =
  | { do: 'show' | 'answerYes' | 'answerNo' | 'answerBlock'; by: number }
  | { do: 'open' | 'ask' | 'remove' | 'block' | 'unblock'; by: number; of: number }
  | { do: 'move'; by: number; team: number | null }
  | { do: 'age'; by: number; days: number }
  | { do: 'wait'; minutes: number };

const who = fc.nat(4);
const one = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);
const move = fc.record({ do: one('move'), by: who, team: fc.constantFrom(0, 1, null) });
// Days until the player comes of age, by the date in UTC+14.
const age = fc.record({ do: one('age'), by: who, days: fc.constantFrom(-900, 0, 1, 900) });
const lose = fc.record({ do: one('remove', 'block', 'unblock'), by: who, of: who });
const wait = fc.record({ do: one('wait'), minutes: fc.constantFrom(1, 11) });
const answer = one('answerYes', 'answerYes', 'answerNo', 'answerBlock');
/** Two meet; something else may come before the answer. */
const meeting = fc
  .tuple(who, who, answer, fc.option(fc.oneof(move, age, lose, wait), { freq: 3 }))
  .map(([by, of, say, between]): Step[] => [
    { do: 'show', by },
    { do: 'ask', by: of, of: by },
    ...(between === null ? [] : [between]),
    { do: say, by },
  ]);
const alone: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: one('show'), by: who }),
  fc.record({ do: one('ask', 'open'), by: who, of: who }),
  fc.record({ do: answer, by: who }),
  move,
  age,
  lose,
  wait,
);
const steps = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: meeting },
      { weight: 3, arbitrary: alone.map((step) => [step]) },
    ),
    { minLength: STEPS_A_WALK, maxLength: STEPS_A_WALK },
  )
  .map((some) => some.flat().slice(0, STEPS_A_WALK));

type Person = { adult: boolean; team: number | null };
/** A code that somebody shows, and who asks by it. */
type Code = { expires_at: string; until: number; asked: number | null; text: string };

/** What the rules say, in sets of pairs. */
class Model {
  readonly people: Person[];
  readonly friends = new Set<string>();
  readonly blocks = new Set<string>();
  readonly codes = new Map<number, Code>();
  made = 0;

  constructor(people: Person[]) {
    this.people = people;
  }

  pair = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

  /** Whether two players may be friends (FRIEND-04). */
  may(a: number, b: number): boolean {
    const [one, other] = [this.people[a] as Person, this.people[b] as Person];
    return one.adult === other.adult || (one.team !== null && one.team === other.team);
  }
  blocked = (a: number, b: number) => this.blocks.has(`${a} ${b}`) || this.blocks.has(`${b} ${a}`);
  /** The friends whom a player sees in the list (FRIEND-05). */
  listOf = (a: number) =>
    [...this.people.keys()].filter((b) => this.friends.has(this.pair(a, b)) && this.may(a, b));
  blockedBy = (a: number) => [...this.people.keys()].filter((b) => this.blocks.has(`${a} ${b}`));
  /** Whether the code that `of` shows works for `by` now. */
  works(by: number, of: number, now: number): boolean {
    const code = this.codes.get(of);
    return (
      code !== undefined &&
      code.until > now &&
      by !== of &&
      (code.asked === null || code.asked === by) &&
      this.may(by, of) &&
      !this.blocked(by, of)
    );
  }
  block(by: number, of: number): void {
    this.blocks.add(`${by} ${of}`);
    this.friends.delete(this.pair(by, of));
  }
}

const t = withApp();
let processes: [TestApp, TestApp];
beforeAll(async () => {
  processes = [t, await t.sibling()];
});

class Walk {
  turn = 0;
  readonly ip = makeIp();
  readonly players: Awaited<ReturnType<typeof makePlayer>>[] = [];
  readonly teams: Team[] = [];
  readonly model: Model;

  constructor(ages: readonly boolean[]) {
    this.model = new Model(ages.map((adult) => ({ adult, team: null })));
  }

  async begin(): Promise<void> {
    const league = await makeLeague(t);
    this.teams.push(await makeTeam(t, league), await makeTeam(t, league));
    for (const { adult } of this.model.people)
      this.players.push(
        await makePlayer(t, {
          visibility: 'league',
          date_of_birth: this.birthday(adult ? -900 : 900),
        }),
      );
  }

  birthday(days: number): string {
    const day = new Date(t.clock.now().getTime() + 14 * 60 * MINUTE + days * DAY);
    day.setUTCFullYear(day.getUTCFullYear() - t.config.adult_age);
    return day.toISOString().slice(0, 10);
  }

  async call(by: number, method: string, path: string, body?: object) {
    this.turn += 1;
    const as = await makeSession(t, this.players[by] as { id: number });
    const on = processes[this.turn % 2] as TestApp;
    const options = { as, ip: this.ip, ...(body ? { body } : {}) };
    return on.call(method, path.startsWith('/') ? path : `${PATH}${path}`, options);
  }

  /** The numbers in somebody's list of friends or blocks, by name. */
  async numbers(by: number, path: string): Promise<Map<string, string>> {
    const { body } = await this.call(by, 'GET', path);
    return new Map(
      body.results.map((row: { username: string; n: string }) => [row.username, row.n]),
    );
  }

  nameOf = (at: number) => String(this.players[at]?.username);

  async take(step: Step): Promise<void> {
    await sql`delete from limits`.execute(t.db);
    const { model } = this;
    const now = t.clock.now().getTime();
    switch (step.do) {
      case 'show': {
        const { body } = await this.call(step.by, 'POST', 'code/');
        const { code, expires_at } = body;
        const until = now + 10 * MINUTE;
        model.codes.set(step.by, { expires_at, until, asked: null, text: code });
        break;
      }
      case 'open':
      case 'ask': {
        const code = model.codes.get(step.of)?.text ?? 'ABCDEFGH';
        const works = model.works(step.by, step.of, now);
        const answer = await this.call(step.by, 'POST', `${step.do}/`, { code });
        expect([step, answer.status < 300]).toEqual([step, works]);
        if (!works) expect(answer.body).toEqual({ detail: FRIEND_CODE_DEAD });
        const shown = model.codes.get(step.of);
        if (works && step.do === 'ask' && shown) shown.asked = step.by;
        break;
      }
      case 'answerYes':
      case 'answerNo':
      case 'answerBlock': {
        const code = model.codes.get(step.by);
        const asker = code && code.until > now ? code.asked : null;
        const block = step.do === 'answerBlock';
        const yes = step.do === 'answerYes';
        const expires_at = code?.expires_at ?? new Date(now).toISOString();
        const said = { yes, block, expires_at };
        const { status } = await this.call(step.by, 'POST', 'code/answer/', said);
        expect([step, status]).toEqual([step, asker === null ? 400 : 204]);
        if (asker === null) break;
        model.codes.delete(step.by);
        if (block) model.block(step.by, asker);
        else if (yes && model.may(step.by, asker) && !model.blocked(step.by, asker)) {
          model.friends.add(model.pair(step.by, asker));
          model.made += 1;
        }
        break;
      }
      case 'remove':
      case 'block': {
        const n = (await this.numbers(step.by, '')).get(this.nameOf(step.of)) ?? '0';
        const isListed = model.listOf(step.by).includes(step.of);
        const answer =
          step.do === 'remove'
            ? await this.call(step.by, 'DELETE', `${n}/`)
            : await this.call(step.by, 'POST', `${n}/block/`);
        expect(answer.status).toBe(204);
        if (isListed && step.do === 'remove') model.friends.delete(model.pair(step.by, step.of));
        if (isListed && step.do === 'block') model.block(step.by, step.of);
        break;
      }
      case 'unblock': {
        const [first] = model.blockedBy(step.by);
        const { body } = await this.call(step.by, 'GET', '/api/blocks/');
        expect(body.results).toHaveLength(model.blockedBy(step.by).length);
        // The blocked player cannot lift the block by its number (P101).
        const n = body.results.at(-1)?.n ?? '0';
        if (step.of !== step.by) await this.call(step.of, 'DELETE', `/api/blocks/${n}/`);
        expect((await this.call(step.by, 'GET', '/api/blocks/')).body).toEqual(body);
        if (first === undefined) break;
        for (const row of body.results) await this.call(step.by, 'DELETE', `/api/blocks/${row.n}/`);
        for (const of of model.blockedBy(step.by)) model.blocks.delete(`${step.by} ${of}`);
        break;
      }
      case 'move': {
        const own = model.people[step.by] as Person;
        const { email } = this.players[step.by] as { email: string };
        if (own.team === step.team) break;
        if (step.team === null) await removeFromTeam(t, this.teams[own.team ?? 0] as Team, email);
        else await addToTeam(t, this.teams[step.team] as Team, [email]);
        own.team = step.team;
        break;
      }
      case 'age': {
        const date_of_birth = this.birthday(step.days);
        const { id } = this.players[step.by] as { id: number };
        await t.db.updateTable('players').set({ date_of_birth }).where('id', '=', id).execute();
        (model.people[step.by] as Person).adult = step.days <= 0;
        break;
      }
      case 'wait':
        t.clock.advance(step.minutes * MINUTE);
    }
    // Compare the lists of the players in the step, and of one other player.
    const looking = new Set([
      ...('by' in step ? [step.by] : []),
      ...('of' in step ? [step.of] : []),
    ]);
    await this.compare(step, [...looking.add(this.turn % model.people.length)]);
  }

  async compare(step: Step | 'end', looking: Iterable<number>): Promise<void> {
    const { model } = this;
    for (const at of looking) {
      const { results } = await listFriends(t, (this.players[at] as { id: number }).id);
      const listed = results.map(({ username }) => username).toSorted();
      expect([step, at, listed]).toEqual([step, at, model.listOf(at).map(this.nameOf).toSorted()]);
    }
  }
}

test('FRIEND-01 to FRIEND-05, FRIEND-10, P99, P101: after random steps in two processes every list is that of the model', {
  timeout: 120_000 + STEPS * 2_000,
}, async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      steps,
      async (ages, taken) => {
        const walk = new Walk(ages);
        await walk.begin();
        for (const step of taken) await walk.take(step);
        await walk.compare('end', walk.model.people.keys());
        made += walk.model.made;
      },
    ),
    { numRuns: Math.ceil(STEPS / STEPS_A_WALK), endOnFailure: true },
  );
  // A run of few steps may make no friends.
  if (STEPS >= 400) expect(made).toBeGreaterThan(STEPS / 40);
});
