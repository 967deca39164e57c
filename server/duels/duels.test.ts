import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  DUEL_BETWEEN,
  DUEL_CHANGED,
  DUELS_OFF,
  NO_DUEL,
  OFFERS_FULL,
  RUNNING_FULL,
} from '#contract/rules/duels.ts';
import type { Duel } from '#contract/wire/duels.ts';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import {
  aGame,
  goToMidweek,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { withApp } from '#testing/app/test-app.ts';
import { receiverOf } from '#testing/push-service.ts';
import * as migration from '../db/migrations/086-duel-tallies.ts';
import { releaseGame, restoreGame, voidGame } from '../games/corrections.ts';
import { rebuild } from '../games/rebuild.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { deletePlayer } from '../players/erase.ts';
import { planOne, type StoredNotice, type Teller } from '../push/planner.ts';
import { duelTeller } from './notices.ts';
import { cleanUpDuels, settleDuels } from './settle.ts';

const t = withApp();
const PATH = '/api/users/duels/';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REFUSED = { status: 400, body: { username: [NO_DUEL] } };
const CHANGED = { status: 400, body: { detail: DUEL_CHANGED } };

const years = (n: number) =>
  new Date(t.clock.now().getTime() - n * 365.25 * DAY).toISOString().slice(0, 10);

type Columns = Parameters<typeof makePlayer>[1];
async function aPlayer(columns: Columns = {}) {
  const player = await makePlayer(t, { visibility: 'league', ...columns });
  const ip = makeIp();
  const call = async (method: string, path: string, body?: unknown) =>
    t.call(method, path.startsWith('/') ? path : `${PATH}${path}`, {
      as: await makeSession(t, player),
      ip,
      ...(body === undefined ? {} : { body }),
    });
  return {
    ...player,
    call,
    offer: (to: { username: string | null }) => call('POST', '', { username: to.username }),
    accept: (id: string) => call('POST', `${id}/accept/`),
    decline: (id: string) => call('POST', `${id}/decline/`),
    takeBack: (id: string) => call('DELETE', `${id}/`),
    list: async () => (await call('GET', '')).body,
    setOn: (duel: boolean) => call('PATCH', '/api/users/push/', { kinds: { duel } }),
  };
}
type Someone = Awaited<ReturnType<typeof aPlayer>>;

/** Makes a league of two teams with these players. */
async function aLeague(home: Someone[], away: Someone[] = [], timezone = 'UTC') {
  const league = await makeLeague(t, { timezone });
  return [await makeTeam(t, league, home), await makeTeam(t, league, away)] as const;
}

async function running(one: Someone, other: Someone): Promise<Duel> {
  const { body } = await one.offer(other);
  return (await other.accept(body.id)).body;
}

let machine: Awaited<ReturnType<typeof makeMachine>>;
async function play(player: { id: number }, score: number, ago = 60_000) {
  const played_at = new Date(t.clock.now().getTime() - ago);
  const [game] = await makeGames(t, machine, player, [{ score, played_at }]);
  return game?.seq ?? 0;
}

beforeEach(async () => {
  goToMidweek(t);
  await sql`delete from limits`.execute(t.db);
  machine ??= await makeMachine(t, { name: 'Secret hoop' });
});

describe('offers and answers (DUEL-02, DUEL-03, DUEL-07)', () => {
  test('only the two players see an offer, and an accepted duel ends with its 8th day', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe, lil], 'America/New_York');
    // Wednesday 25 November 2026, 19:40 in New York.
    t.clock.advance(Date.UTC(2026, 10, 26, 0, 40) - t.clock.now().getTime());
    const { status, body } = await maya.offer(joe);
    expect([status, body]).toMatchObject([
      200,
      { state: 'offered', offered_by_me: true, rival: { username: joe.username }, result: null },
    ]);
    expect(Date.parse(body.accept_until) - Date.parse(body.offered_at)).toBe(48 * HOUR);
    expect((await joe.list()).offers).toMatchObject([{ offered_by_me: false }]);
    expect(await lil.list()).toMatchObject({ offers: [], running: [], results: [] });
    expect(await lil.accept(body.id)).toMatchObject(CHANGED);
    expect(await maya.accept(body.id)).toMatchObject(CHANGED);
    const accepted = await joe.accept(body.id);
    expect(accepted.body).toMatchObject({
      state: 'running',
      ends_at: '2026-12-03T05:00:00.000Z',
      best: null,
      rival_best: null,
    });
    expect(await joe.accept(body.id)).toMatchObject(CHANGED);
    expect(await joe.decline(body.id)).toMatchObject(CHANGED);
    expect(await maya.takeBack(body.id)).toMatchObject(CHANGED);
  });

  test('an offer can be taken back or declined, and expires after 48 hours', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const first = (await maya.offer(joe)).body.id;
    expect((await maya.takeBack(first)).status).toBe(204);
    expect((await maya.takeBack(first)).status).toBe(204);
    expect(await joe.accept(first)).toMatchObject(CHANGED);
    const second = (await maya.offer(joe)).body.id;
    expect((await joe.decline(second)).status).toBe(204);
    expect(await maya.offer(joe)).toMatchObject(REFUSED);
    // The player who declined may offer a duel in turn.
    const third = (await joe.offer(maya)).body.id;
    t.clock.advance(48 * HOUR);
    expect(await maya.accept(third)).toMatchObject(CHANGED);
    expect((await maya.list()).offers).toEqual([]);
    await settleDuels(t);
    t.clock.advance(5 * DAY);
    expect((await maya.offer(joe)).status).toBe(200);
  });

  test('a pair can have one open duel, and a player can have three offers and three running duels', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => aPlayer()));
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya, joe], others);
    await maya.offer(joe);
    expect(await joe.offer(maya)).toMatchObject({
      status: 400,
      body: { username: [DUEL_BETWEEN] },
    });
    const [a, b, c, d] = others as [Someone, Someone, Someone, Someone];
    const offers = [(await maya.offer(a)).body.id, (await maya.offer(b)).body.id];
    expect(await maya.offer(c)).toMatchObject({ status: 400, body: { detail: OFFERS_FULL } });
    await a.accept(offers[0]);
    await b.accept(offers[1]);
    expect((await running(c, maya)).state).toBe('running');
    // Maya has three duels, so nobody can offer her one, and nobody learns why.
    expect(await d.offer(maya)).toMatchObject(REFUSED);
    expect(await maya.offer(d)).toMatchObject({ status: 400, body: { detail: RUNNING_FULL } });
    await sql`delete from limits`.execute(t.db);
    for (let n = 0; n < 10; n += 1) await d.offer({ username: 'nobody' });
    expect((await d.offer(joe)).status).toBe(429);
  });

  test('DUEL-03, P4: an acceptance that waits for a lock until the 48 hours are over is refused', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const { id } = (await maya.offer(joe)).body;
    const holding = await t.pool.connect();
    await holding.query('begin');
    await holding.query('select from players where id = $1 for update', [maya.id]);
    const accepting = joe.accept(id);
    await untilBlocked(t);
    t.clock.advance(48 * HOUR);
    await holding.query('rollback');
    holding.release();
    expect(await accepting).toMatchObject(CHANGED);
    expect((await joe.list()).running).toEqual([]);
  });

  test('an acceptance does not revive an offer that the job ends at the same moment', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const { id } = (await maya.offer(joe)).body;
    const holding = await t.pool.connect();
    await holding.query('begin');
    await holding.query(`update duels set state = 'expired' where id = $1`, [id]);
    const accepting = joe.accept(id);
    await untilBlocked(t);
    await holding.query('commit');
    holding.release();
    expect(await accepting).toMatchObject(CHANGED);
    expect((await joe.list()).running).toEqual([]);
  });

  test('when two players offer each other a duel at once, one offer is stored', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const answers = await Promise.all([maya.offer(joe), joe.offer(maya)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('an acceptance and a simultaneous withdrawal or block do not both happen', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const { id } = (await maya.offer(joe)).body;
    const [accepted, back] = await Promise.all([joe.accept(id), maya.takeBack(id)]);
    expect([accepted.status, back.status]).toSatisfy(
      ([one, other]) => (one === 200 && other === 400) || (one === 400 && other === 204),
    );
    if (accepted.status === 200) await maya.call('POST', `${id}/block/`);
    else {
      const again = (await maya.offer(joe)).body.id;
      await Promise.all([joe.accept(again), maya.call('POST', `${again}/block/`)]);
    }
    expect(await joe.list()).toMatchObject({ offers: [], running: [] });
  });
});

describe('refused offers look alike (DUEL-11, P75)', () => {
  test('offers to strangers, unknown names, oneself, or blocked, switched-off or under-age players get one answer by the same statements', async () => {
    const maya = await aPlayer();
    const near = {
      off: await aPlayer(),
      child: await aPlayer({ date_of_birth: years(15) }),
      blocker: await aPlayer(),
    };
    await aLeague([maya], Object.values(near));
    await near.off.setOn(false);
    await near.child.setOn(true);
    await sql`insert into blocks values (${near.blocker.id}, ${maya.id}, default, now())`.execute(
      t.db,
    );
    const cases = { ...near, stranger: await aPlayer(), unknown: { username: 'nobody' }, maya };
    const counts = new Map<string, number>();
    for (const [name, to] of Object.entries(cases)) {
      const as = await makeSession(t, maya);
      const body = { username: to.username };
      const { count } = await statements(async () => {
        const answer = await t.call('POST', PATH, { as, body });
        expect([name, answer.status, answer.body]).toEqual([name, REFUSED.status, REFUSED.body]);
      });
      counts.set(name, count);
    }
    // Each refusal sends the same statements, so that its time reveals nothing.
    expect([...new Set(counts.values())]).toEqual([expect.any(Number)]);
    // The list does not reveal who is of age, has duels switched off, or has blocked the player.
    const { body } = await maya.call('GET', 'partners/');
    expect(body.results.map(({ username }: { username: string }) => username).toSorted()).toEqual(
      Object.values(near)
        .map(({ username }) => username)
        .toSorted(),
    );
    await maya.setOn(false);
    expect(await maya.offer(near.off)).toMatchObject({ status: 400, body: { detail: DUELS_OFF } });
  });

  test('under-age players duel only team mates, and those duels end when the player leaves the team', async () => {
    const [adult, mate, child] = [
      await aPlayer(),
      await aPlayer(),
      await aPlayer({ date_of_birth: years(15) }),
    ];
    const [team, other] = await aLeague([adult, mate, child], [await aPlayer()]);
    expect(await adult.offer(child)).toMatchObject(REFUSED);
    expect((await child.list()).on).toBe(false);
    await child.setOn(true);
    expect((await child.list()).on).toBe(true);
    const duel = await running(adult, child);
    expect(duel.state).toBe('running');
    const offered = (await child.offer(mate)).body;
    const partners = (await child.call('GET', 'partners/')).body.results;
    expect(partners.map(({ relation }: { relation: string }) => relation)).toEqual([
      'team',
      'team',
    ]);
    await removeFromTeam(t, team, child.email);
    await addToTeam(t, other, [child.email]);
    for (const one of [adult, mate, child])
      expect(await one.list()).toMatchObject({ offers: [], running: [] });
    expect(await mate.accept(offered.id)).toMatchObject(CHANGED);
    await settleDuels(t);
    await removeFromTeam(t, other, child.email);
    await addToTeam(t, team, [child.email]);
    expect((await child.list()).running).toEqual([]);
  });

  test('friends without a common league may duel, and a change of team ends no duel between adults', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    expect(await maya.offer(joe)).toMatchObject(REFUSED);
    const { code, expires_at } = (await maya.call('POST', '/api/friends/code/')).body;
    await joe.call('POST', '/api/friends/ask/', { code });
    await maya.call('POST', '/api/friends/code/answer/', { yes: true, expires_at });
    expect((await maya.call('GET', 'partners/')).body.results).toMatchObject([
      { username: joe.username, team: null, relation: 'friend' },
    ]);
    expect((await running(maya, joe)).state).toBe('running');
    await aLeague([maya], []);
    await settleDuels(t);
    expect((await joe.list()).running).toHaveLength(1);
  });
});

describe('games decide a duel (DUEL-04 to DUEL-06, DUEL-09)', () => {
  test('the best game of the window counts, even a held game after its release', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await play(maya, 990);
    const duel = await running(maya, joe);
    t.clock.advance(HOUR);
    await play(maya, 402);
    await play(maya, 400);
    await play(joe, 388);
    const held = await play(joe, t.config.max_score + 1);
    expect((await maya.list()).running).toMatchObject([
      { best: { score: 402, games: 2, machine: 'Secret hoop' }, rival_best: 388, result: null },
    ]);
    const bests = async () => {
      const { results } = (await maya.call('GET', '/api/users/profile/games/')).body;
      return results
        .filter(({ duels }: { duels: unknown[] }) => duels.length > 0)
        .map(({ score, duels }: { score: number; duels: unknown }) => [score, duels]);
    };
    expect(await bests()).toEqual([[402, [{ id: duel.id, username: joe.username }]]]);
    const seen = await joe.list();
    expect(JSON.stringify(seen.running[0].rival)).not.toMatch(/Secret|played|games/);
    expect(seen.running[0]).toMatchObject({ best: { score: 388, games: 1 }, rival_best: 402 });
    await releaseGame(t, held);
    expect((await maya.list()).running[0].rival_best).toBe(t.config.max_score + 1);
    t.clock.advance(Date.parse(duel.ends_at ?? '') - t.clock.now().getTime());
    // A game at the exact end is not in the duel.
    await play(maya, 995, 0);
    await settleDuels(t);
    expect((await maya.list()).running).toHaveLength(1);
    t.clock.advance(10 * 60_000);
    await settleDuels(t);
    expect(await maya.list()).toMatchObject({ won: 0, lost: 1, results: [{ result: 'lost' }] });
    expect(await joe.list()).toMatchObject({ won: 1, lost: 0, results: [{ result: 'won' }] });
    expect(await bests()).toMatchObject([[402, [{ id: duel.id }]]]);
    t.clock.advance(31 * DAY);
    await cleanUpDuels(t);
    expect(await bests(), 'final').toMatchObject([[402, [{ id: duel.id }]]]);
  });

  test('DUEL-04: a game counts by the time that its machine gives, even if that clock is ahead', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const ends = Date.parse((await running(maya, joe)).ends_at ?? '');
    t.clock.advance(ends - 4 * 60_000 - t.clock.now().getTime());
    const { key } = await makeMachine(t);
    const report = (player: Someone, score: number, at: number) =>
      t.call('POST', '/api/machine/games/', {
        as: { key },
        body: { games: [aGame(t, player, { score, played_at: new Date(at).toISOString() })] },
      });
    for (const [player, score, at] of [
      [maya, 300, ends - 60_000],
      [joe, 900, ends],
    ] as const)
      expect((await report(player, score, at)).body.results).toMatchObject([
        { status: 'recorded' },
      ]);
    t.clock.advance(15 * 60_000);
    await settleDuels(t);
    expect((await maya.list()).results).toMatchObject([{ result: 'won', best: { score: 300 } }]);
  });

  test('a correction within 31 days changes a result, and after that the result is final', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const duel = await running(maya, joe);
    t.clock.advance(HOUR);
    const best = await play(maya, 402);
    await play(joe, 388);
    t.clock.advance(Date.parse(duel.ends_at ?? '') + 11 * 60_000 - t.clock.now().getTime());
    await settleDuels(t);
    await voidGame(t, best);
    expect(await settleDuels(t, true)).toBe(1);
    expect(await settleDuels(t, true)).toBe(0);
    expect((await joe.list()).results).toMatchObject([{ result: 'won', final: false }]);
    t.clock.advance(31 * DAY);
    expect(await cleanUpDuels(t)).toBeGreaterThan(0);
    await restoreGame(t, best);
    await rebuild(t);
    expect((await joe.list()).results).toMatchObject([
      { result: 'won', final: true, best: { score: 388, machine: 'Secret hoop' } },
    ]);
    expect(await cleanUpDuels(t)).toBe(0);
    t.clock.advance(370 * DAY);
    await cleanUpDuels(t);
    expect((await joe.list()).results).toEqual([]);
  });

  /** Makes decided duels of the two, which ended a day apart, the newest now. */
  async function manyDecided(one: Someone, other: Someone, length: number) {
    const now = t.clock.now().getTime();
    await t.db
      .insertInto('duels')
      .values(
        Array.from({ length }, (_, n) => ({
          offerer_id: n % 2 ? one.id : other.id,
          rival_id: n % 2 ? other.id : one.id,
          state: 'decided' as const,
          told: 'none' as const,
          offered_at: new Date(now - (n + 9) * DAY),
          accept_until: new Date(now - (n + 8) * DAY),
          accepted_at: new Date(now - (n + 8) * DAY),
          ends_at: new Date(now - n * DAY),
          changed_at: new Date(now),
        })),
      )
      .execute();
  }

  test('a page lists 20 decided duels', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await manyDecided(maya, joe, 45);
    await cleanUpDuels(t);
    const seen = new Set<string>();
    let cursor: string | null = '';
    const pages: number[] = [];
    while (cursor !== null) {
      const { body }: { body: { results: Duel[]; next: string | null } } = await maya.call(
        'GET',
        `?cursor=${cursor}`,
      );
      for (const { id } of body.results) seen.add(id);
      pages.push(body.results.length);
      cursor = body.next;
    }
    expect([pages, seen.size]).toEqual([[20, 20, 5], 45]);
  });

  test('DUEL-13: a tally stays after the duels’ rows and the rival are deleted', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const counts = async (one: Someone) => {
      const { won, lost, level } = await one.list();
      return { won, lost, level };
    };
    const ended = async (scores: [number | null, number | null]) => {
      const duel = await running(maya, joe);
      t.clock.advance(HOUR);
      const games = [];
      for (const [at, player] of [maya, joe].entries()) {
        const score = scores[at] ?? null;
        if (score !== null) games.push(await play(player, score));
      }
      t.clock.advance(Date.parse(duel.ends_at ?? '') + 11 * 60_000 - t.clock.now().getTime());
      await settleDuels(t);
      return games;
    };
    const [best = 0] = await ended([402, 388]);
    await ended([300, 300]);
    await ended([null, 200]);
    await ended([null, null]);
    expect(await counts(maya)).toEqual({ won: 1, lost: 1, level: 1 });
    t.clock.advance(31 * DAY);
    await cleanUpDuels(t);
    await voidGame(t, best);
    await ended([500, 400]);
    expect(await counts(maya)).toEqual({ won: 2, lost: 1, level: 1 });
    expect(await counts(joe)).toEqual({ won: 1, lost: 2, level: 1 });
    t.clock.advance(370 * DAY);
    await cleanUpDuels(t);
    await t.db.deleteFrom('players').where('id', '=', joe.id).execute();
    expect(await counts(maya)).toEqual({ won: 2, lost: 1, level: 1 });
    const exported = await maya.call('GET', '/api/users/profile/export/');
    expect(exported.body.final_duels).toEqual({ won: 2, lost: 1, level: 1 });
  });

  test('DUEL-13: the list reads as many rows with 400 final duels as with 100, apart from the page of final duels', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    for (let n = 0; n < 5; n += 1) await manyDecided(joe, lil, 400);
    const counted = readRows(t);
    const rowsRead = async () => {
      await cleanUpDuels(t);
      await sql`vacuum analyze duels`.execute(t.db);
      const as = await makeSession(t, maya);
      const queries = await counted(() => t.call('GET', PATH, { as }));
      // A page of final duels is read from those of the last 400 days.
      const others = queries.filter(({ text }) => !text.includes('d.final_at is not null'));
      expect(others.length).toBeGreaterThan(1);
      return others.reduce((sum, { rows }) => sum + rows, 0);
    };
    await manyDecided(maya, joe, 131);
    const few = await rowsRead();
    await sql`delete from duels where final_at is null`.execute(t.db);
    await manyDecided(maya, joe, 331);
    // 300 more duels are final. Another query plan may read a few more rows.
    expect((await rowsRead()) - few).toBeLessThan(50);
  });

  test('DUEL-13: the migration counts the duels that are already final', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await manyDecided(maya, joe, 4);
    const nth = sql`(select count(*) from duels e where e.offerer_id in (${maya.id}, ${joe.id}) and e.id < d.id)`;
    // Two duels without a game; then joe beats maya, a level duel, and maya beats joe.
    await sql`update duels d set final_at = now(),
        best_offerer = case when ${nth} > 0 then '{"score": 5}'::jsonb end,
        best_rival = case ${nth} when 1 then '{"score": 9}'::jsonb when 2 then '{"score": 5}' end
      where d.offerer_id in (${maya.id}, ${joe.id})`.execute(t.db);
    await t.db.transaction().execute(async (trx) => {
      await sql`drop table duel_tallies`.execute(trx);
      await migration.up(trx as never);
    });
    const tallies = await sql`select * from duel_tallies where player_id in (${maya.id}, ${joe.id})
      order by player_id`.execute(t.db);
    expect(tallies.rows).toEqual([
      { player_id: maya.id, won: 1, lost: 1, level: 1 },
      { player_id: joe.id, won: 1, lost: 1, level: 1 },
    ]);
  });
});

describe('the end of a duel (DUEL-08, DUEL-10, P76)', () => {
  test('a block ends the duel silently, in the block’s transaction, and applies in both directions', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    const { id } = await running(maya, joe);
    expect((await joe.call('POST', `${id}/block/`)).status).toBe(204);
    for (const one of [maya, joe])
      expect(await one.list()).toMatchObject({ offers: [], running: [], results: [] });
    expect(await maya.offer(joe)).toMatchObject(REFUSED);
    expect(await joe.offer(maya)).toMatchObject(REFUSED);
    expect((await maya.call('GET', '/api/blocks/')).body.results).toEqual([]);
    const blocked = (await joe.call('GET', '/api/blocks/')).body.results;
    expect(blocked).toMatchObject([{ username: maya.username }]);
    await joe.call('DELETE', `/api/blocks/${blocked[0].n}/`);
    expect((await maya.offer(joe)).status).toBe(200);
    // A player cannot block by the number of a duel that they are not in.
    const lil = await aPlayer();
    expect((await lil.call('POST', `${id}/block/`)).status).toBe(204);
    expect((await lil.call('GET', '/api/blocks/')).body.results).toEqual([]);
  });

  test('deleting an account ends its duels at once for both', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await running(maya, joe);
    const { notified } = await statements(() => deletePlayer(t.db, joe.id, t.clock.now()));
    expect(notified).toContain(`duel ${maya.id}`);
    expect(notified).toMatch(/\bleague \d/);
    expect((await maya.list()).running).toEqual([]);
  });
});

describe('notices (PUSH-04)', () => {
  async function withDevice(one: Someone) {
    const { endpoint, p256dh, auth } = await receiverOf(`https://fcm.googleapis.com/d/${one.id}`);
    const body = { endpoint, p256dh, auth, locale: 'en', zone: 'UTC' };
    expect((await one.call('PUT', '/api/users/push/device/', body)).status).toBe(200);
  }

  /** Takes the player's notices that wait to be sent, and returns the words each would have now. */
  async function told(one: Someone): Promise<string[]> {
    const { rows } = await sql<StoredNotice>`
      delete from push_notices where player_id = ${one.id} and state = 'waiting' and kind = 'duel'
      returning *`.execute(t.db);
    const words = await Promise.all(
      rows.map((notice) => duelTeller.words(t, notice, { zone: 'UTC', locale: 'en' })),
    );
    return words.map((one) => (one === null ? 'nothing' : `${one.title}. ${one.body}`));
  }

  test('PUSH-04, PUSH-13: each kind of notice about a duel has its words and its time limit', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await withDevice(maya);
    await withDevice(joe);
    t.clock.advance(Date.UTC(2027, 10, 24, 19, 40) - t.clock.now().getTime());
    const { id } = (await maya.offer(joe)).body;
    const worth = async (one: Someone) => {
      const { rows } = await sql<{ until: Date }>`select worth_until as until from push_notices
        where player_id = ${one.id} and state = 'waiting' and kind = 'duel'`.execute(t.db);
      return rows[0]?.until.getTime();
    };
    const inHours = (hours: number) => t.clock.now().getTime() + hours * HOUR;
    /** Compares roughly, because the tests' clock moves on meanwhile. */
    const near = (hours: number) => expect.closeTo(inHours(hours), -5);
    expect(await worth(joe)).toEqual(near(48));
    expect(await told(joe)).toEqual([
      `${maya.username} offers you a duel. The best game of 7 days wins. Accept until Fri 19:40.`,
    ]);
    const { ends_at } = (await joe.accept(id)).body;
    expect(await worth(maya)).toEqual(near(24));
    expect(await told(maya)).toEqual([
      `${joe.username} takes your duel. It is on. The best game until Wed 1 Dec wins.`,
    ]);
    t.clock.advance(HOUR);
    await play(maya, 388);
    expect(await told(joe)).toEqual([]);
    const best = await play(joe, 1_402);
    expect(await worth(maya)).toBe(Date.parse(ends_at));
    expect(await told(maya)).toEqual([
      `${joe.username} leads 1,402 – 388. Your duel ends Wed 1 Dec, midnight.`,
    ]);
    await play(maya, 1_500);
    await play(joe, 1_501);
    await play(maya, 1_400);
    expect([await told(maya), await told(joe)]).toEqual([[], []]);
    t.clock.advance(Date.parse(ends_at) + 11 * 60_000 - t.clock.now().getTime());
    await settleDuels(t);
    expect(await worth(joe)).toEqual(near(48));
    expect(await told(joe)).toEqual([
      `Duel won 1,501 – 1,500. Your best game beat ${maya.username}’s by 1.`,
    ]);
    expect(await told(maya)).toEqual([
      `Duel lost 1,500 – 1,501. ${joe.username}’s best game beat yours by 1.`,
    ]);
    await voidGame(t, best + 2);
    await settleDuels(t, true);
    expect(await worth(maya)).toEqual(near(48));
    expect(await told(maya)).toEqual([
      'The duel has turned. A late game or a correction changed it: 1,500 – 1,402.',
    ]);
  });

  /** Sends what is due, and returns the titles that these players get. */
  async function sent(...players: Someone[]): Promise<string[][]> {
    const titles = players.map((): string[] => []);
    const nothing: Teller = { rank: () => 9, words: async () => null };
    const duel: Teller = {
      ...duelTeller,
      words: async (deps, notice, at) => {
        const words = await duelTeller.words(deps, notice, at);
        const nth = players.findIndex(({ id }) => id === notice.player_id);
        if (words !== null) titles[nth]?.push(words.title);
        return words;
      },
    };
    const tellers = { duel, my_game: nothing, my_week: nothing, nudge: nothing, passed: nothing };
    while (await planOne(t, tellers));
    return titles;
  }

  /** Moves to the next 09:01, when notices that waited overnight may be sent. */
  const goToMorning = () =>
    t.clock.advance(DAY - (t.clock.now().getTime() % DAY) + 9 * HOUR + 60_000);

  /** A duel of players with devices that has just been decided, at night: maya's game is `won`. */
  async function decided() {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await withDevice(maya);
    await withDevice(joe);
    const { ends_at } = await running(maya, joe);
    t.clock.advance(HOUR);
    const games = { won: await play(maya, 500), lost: await play(joe, 400) };
    goToMorning();
    await sent();
    t.clock.advance(Date.parse(ends_at ?? '') + 11 * 60_000 - t.clock.now().getTime());
    await settleDuels(t);
    return { maya, joe, ...games };
  }
  const TURNED = [['The duel has turned'], ['The duel has turned']];

  test('PUSH-04, PUSH-14: a result that turns before it was sent is told as the result, and may still turn once', async () => {
    const { maya, joe, won } = await decided();
    await voidGame(t, won);
    await settleDuels(t, true);
    goToMorning();
    expect(await sent(maya, joe)).toEqual([['Duel lost'], ['Duel won']]);
    t.clock.advance(HOUR);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual([[], []]);
    await restoreGame(t, won);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual(TURNED);
    goToMorning();
    await voidGame(t, won);
    await settleDuels(t, true);
    expect(await sent(maya, joe), 'once').toEqual([[], []]);
  });

  test('PUSH-16, DUEL-05: a turn that was undone before it was sent, or leaves no game, is not told', async () => {
    const { maya, joe, won, lost } = await decided();
    goToMorning();
    expect(await sent(maya, joe)).toEqual([['Duel won 500 – 400'], ['Duel lost 400 – 500']]);
    await voidGame(t, won);
    await settleDuels(t, true);
    await restoreGame(t, won);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe), 'undone').toEqual([[], []]);
    await voidGame(t, won);
    await voidGame(t, lost);
    await settleDuels(t, true);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe), 'no game').toEqual([[], []]);
    await restoreGame(t, lost);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual(TURNED);
  });

  /** Delays Joe's notice of a result that Maya is sent in the morning. */
  async function mayaFirst() {
    const duel = await decided();
    goToMorning();
    await sql`update push_notices set due_at = ${new Date(t.clock.now().getTime() + HOUR)}
      where state = 'waiting' and player_id = ${duel.joe.id}`.execute(t.db);
    expect(await sent(duel.maya, duel.joe)).toEqual([['Duel won 500 – 400'], []]);
    return duel;
  }

  test('PUSH-04, PUSH-14: a player told of a result that turns before the rival is told learns that it has turned', async () => {
    const { maya, joe, won } = await mayaFirst();
    await voidGame(t, won);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe)).toEqual([[], ['Duel won']]);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual([['The duel has turned'], []]);
    t.clock.advance(HOUR);
    await settleDuels(t, true);
    expect(await sent(maya, joe), 'once').toEqual([[], []]);
  });

  test('PUSH-16: a result that was void when the rival should be told is told to the rival alone', async () => {
    const { maya, joe, won, lost } = await mayaFirst();
    await voidGame(t, won);
    await voidGame(t, lost);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe)).toEqual([[], []]);
    await restoreGame(t, won);
    await restoreGame(t, lost);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual([[], ['Duel lost 400 – 500']]);
  });

  test('PUSH-16: a player who was told the new result learns that the turn was undone', async () => {
    const { maya, joe, won } = await mayaFirst();
    await voidGame(t, won);
    await settleDuels(t, true);
    await sql`update push_notices set due_at = ${new Date(t.clock.now().getTime() + 2 * HOUR)}
      where state = 'waiting' and player_id = ${maya.id}`.execute(t.db);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe)).toEqual([[], ['Duel won']]);
    await restoreGame(t, won);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe)).toEqual([[], []]);
    await settleDuels(t, true);
    expect(await sent(maya, joe)).toEqual([[], ['The duel has turned']]);
  });

  test('PUSH-04: an overtaking that is undone before it was told does not use up the duel’s notice', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await withDevice(maya);
    await withDevice(joe);
    await running(maya, joe);
    goToMorning();
    await sent();
    await play(maya, 400);
    t.clock.advance(13 * HOUR);
    await play(joe, 500);
    await play(maya, 600);
    goToMorning();
    expect(await sent(maya, joe)).toEqual([[], []]);
    await play(joe, 700);
    expect(await sent(maya, joe)).toEqual([[`${joe.username} leads 700 – 600`], []]);
    await play(maya, 800);
    t.clock.advance(HOUR);
    expect(await sent(maya, joe), 'once').toEqual([[], []]);
  });

  /** Starts a duel of Maya, who has a device, with Joe, and waits for the next morning. */
  async function mayaHears() {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await aLeague([maya], [joe]);
    await withDevice(maya);
    await running(maya, joe);
    goToMorning();
    await sent();
    t.clock.advance(HOUR);
    return [maya, joe] as const;
  }

  test('PUSH-04: an overtaken player without a device does not use up the duel’s notice', async () => {
    const [maya, joe] = await mayaHears();
    await play(joe, 400);
    await play(maya, 500);
    await play(joe, 600);
    expect(await sent(maya)).toEqual([[`${joe.username} leads 600 – 500`]]);
  });

  test('PUSH-04, OPS-17: a held game that takes the lead when it is released is told after a minute', async () => {
    const [maya, joe] = await mayaHears();
    await play(maya, 400);
    const held = await play(joe, t.config.max_score + 1);
    await releaseGame(t, held);
    expect(await sent(maya)).toEqual([[]]);
    t.clock.advance(61_000);
    expect(await sent(maya)).toEqual([[expect.stringContaining(`${joe.username} leads`)]]);
  });

  test('a withdrawn offer sends no notice, and a notice calls a hidden rival “A player”', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    const [team] = await aLeague([maya], [joe]);
    await withDevice(joe);
    const { id } = (await maya.offer(joe)).body;
    await maya.takeBack(id);
    expect(await told(joe)).toEqual(['nothing']);
    await maya.offer(joe);
    await removeFromTeam(t, team, maya.email);
    expect(await told(joe)).toMatchObject([expect.stringMatching(/^A player offers you a duel/)]);
  });

  test('a game in a duel notifies both players with no more statements than any other game (DUEL-12)', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    await aLeague([maya, lil], [joe]);
    await running(maya, joe);
    t.clock.advance(HOUR);
    await play(lil, 100);
    const plain = await statements(() => play(lil, 300));
    const inDuel = await statements(() => play(maya, 300));
    expect(plain.count).toBeGreaterThan(3);
    expect(inDuel.count).toBe(plain.count);
    expect(inDuel.notified).toContain(`duel ${maya.id},${joe.id}`);
    expect(plain.notified).not.toContain('duel ');
  });

  test('PUSH-T11: a report of 100 games takes the same statements with and without duels (DUEL-12)', async () => {
    const [maya, joe, lil, zoe] = [
      await aPlayer(),
      await aPlayer(),
      await aPlayer(),
      await aPlayer(),
    ];
    await aLeague([maya, lil], [joe, zoe]);
    await running(maya, joe);
    t.clock.advance(5 * HOUR);
    const report = async (players: Someone[]) => {
      const { key } = await makeMachine(t);
      const games = Array.from({ length: 100 }, (_, at) =>
        aGame(t, players[at % players.length] as Someone, {
          score: 300 + at,
          played_at: new Date(t.clock.now().getTime() - (at + 1) * 150_000).toISOString(),
        }),
      );
      return statements(async () => {
        const { body } = await t.call('POST', '/api/machine/games/', {
          as: { key },
          body: { games },
        });
        expect(new Set(body.results.map(({ status }: { status: string }) => status))).toEqual(
          new Set(['recorded']),
        );
      });
    };
    // First games, the first time a player is overtaken, and a report after a pause cost more.
    for (let n = 0; n < 3; n += 1) {
      t.clock.advance(5 * HOUR);
      await report([lil, zoe]);
      await report([maya, joe]);
    }
    t.clock.advance(5 * HOUR);
    await report([await aPlayer(), await aPlayer()]);
    const plain = await report([lil, zoe]);
    const inDuel = await report([maya, joe]);
    expect(plain.count).toBeGreaterThan(3);
    expect(inDuel.count).toBe(plain.count);
    expect(inDuel.notified).toContain('duel ');
  });
});

let sent = 0;

const clients = new Set<unknown>();

/** Counts the statements that a connection of the pool sends. */
function watch(client: { query(...args: unknown[]): unknown }): void {
  if (clients.has(client)) return;
  clients.add(client);
  const query = client.query.bind(client);
  client.query = (...args) => {
    sent += 1;
    return query(...args);
  };
}

/** How many statements `work` sends, and what it notifies. */
async function statements(work: () => Promise<unknown>) {
  t.pool.on('acquire', watch);
  const listener = await t.pool.connect();
  const notified: string[] = [];
  listener.on('notification', ({ payload }) => notified.push(payload ?? ''));
  await listener.query('listen backboard_live');
  sent = 0;
  await work();
  const count = sent;
  await listener.query('unlisten *');
  listener.release(true);
  t.pool.off('acquire', watch);
  return { count, notified: notified.join('; ') };
}
