import { beforeAll, describe, expect, test } from 'vitest';
import {
  goToMidweek,
  makeGames,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
} from '#testing/app/make.ts';
import { countQueries } from '#testing/app/query-cost.ts';
import { withApp } from '#testing/app/test-app.ts';

const HOUR = 3_600_000;
const PATH = '/api/users/profile/asks/';

const t = withApp();
beforeAll(() => goToMidweek(t));

let venues = 0;

/** A player for whom all conditions of HAND-50 hold. */
async function asked(columns: Parameters<typeof makePlayer>[1] = {}) {
  const venue = `Arcade ${++venues}`;
  const machine = await makeMachine(t, { venue });
  const screen = await makeScreen(t, venue);
  const seen = (ago: number) =>
    t.db
      .updateTable('screens')
      .set({ last_seen_at: new Date(t.clock.now().getTime() - ago) })
      .where('id', '=', Number(screen.id))
      .execute();
  await seen(HOUR);
  const player = await makePlayer(t, { visibility: 'players', ...columns });
  const [game] = await makeGames(t, machine, player, [{}]);
  const as = await makeSession(t, player);
  return {
    player,
    venue,
    machine,
    game: game?.id ?? '',
    seen,
    read: async () => (await t.call('GET', PATH, { as })).body,
    answer: (wall: unknown) => t.call('POST', PATH, { as, body: { wall } }),
    patch: (body: unknown) => t.call('PATCH', '/api/users/profile/', { as, body }),
  };
}

const bornFor = (years: number) => {
  const day = new Date(t.clock.now());
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day.toISOString().slice(0, 10);
};

describe('HAND-50 HAND-V8 the question about the screens', () => {
  test('is asked when all conditions hold', async () => {
    const { read, venue } = await asked();
    expect(await read()).toEqual({ wall: { venue } });
  });

  test.each(['league', 'venue'] as const)(
    'is not asked of a player with the visibility %s',
    async (visibility) => {
      const { read } = await asked({ visibility });
      expect(await read()).toEqual({ wall: null });
    },
  );

  test('HAND-52 P113: is not asked under age, and the response does not reveal why', async () => {
    const young = await asked({ date_of_birth: bornFor(17) });
    const other = await asked({ visibility: 'venue' });
    expect(await young.read()).toEqual(await other.read());
    expect((await young.answer('yes')).status).toBe(400);
    const later = await young.answer('later');
    expect([later.status, later.body.visibility]).toEqual([200, 'league']);
  });

  test('P113: everybody costs the same queries, whether asked or not, and why not', async () => {
    const players = [
      await asked(),
      await asked({ date_of_birth: bornFor(17) }),
      await asked({ visibility: 'venue' }),
      await asked({ visibility_question: true }),
      await asked({ wall_asked: 4 }),
    ];
    const count = countQueries(t);
    const counts: number[] = [];
    for (const { read } of players) {
      await read();
      counts.push(await count(read));
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts).toEqual(counts.map(() => counts[0]));
  });

  test('is not asked while the question at coming of age is open', async () => {
    const { read, patch } = await asked({ visibility_question: true });
    expect(await read()).toEqual({ wall: null });
    // Answering that question does not answer the one about the screens.
    await patch({ visibility: 'players' });
    expect((await read()).wall).not.toBeNull();
  });

  test('is not asked after a choice in Account', async () => {
    const { read, patch } = await asked();
    await patch({ visibility: 'league' });
    await patch({ visibility: 'players' });
    expect(await read()).toEqual({ wall: null });
  });

  test.each(['held', 'void'])('is not asked when the newest game is %s', async (state) => {
    const { read, game } = await asked();
    await t.db
      .updateTable('games')
      .set({ state: state as 'held', held_reason: state === 'held' ? 'over_max_score' : null })
      .where('id', '=', game)
      .execute();
    expect(await read()).toEqual({ wall: null });
  });

  test('is not asked when the game or the screen is older than a day', async () => {
    const { read, seen, game } = await asked();
    await seen(25 * HOUR);
    expect(await read()).toEqual({ wall: null });
    await seen(23 * HOUR);
    expect((await read()).wall).not.toBeNull();
    await t.db
      .updateTable('games')
      .set({ landed_at: new Date(t.clock.now().getTime() - 25 * HOUR) })
      .where('id', '=', game)
      .execute();
    expect(await read()).toEqual({ wall: null });
  });

  test('is not asked at a venue without a screen', async () => {
    const { read, player } = await asked();
    const elsewhere = await makeMachine(t, { venue: `Hall ${venues}` });
    await makeGames(t, elsewhere, player, [{ played_at: t.clock.now() }]);
    expect(await read()).toEqual({ wall: null });
  });

  test('makes the name visible after a yes, and is never asked again after a no', async () => {
    const yes = await asked();
    const answer = await yes.answer('yes');
    expect([answer.status, answer.body.visibility]).toEqual([200, 'venue']);
    const no = await asked();
    expect((await no.answer('no')).body.visibility).toBe('players');
    expect(await no.read()).toEqual({ wall: null });
  });

  test('counts as a no when left unanswered on four visits', async () => {
    const { read, answer } = await asked();
    for (let visit = 1; visit <= 4; visit += 1) {
      expect((await read()).wall).not.toBeNull();
      expect((await answer('later')).body.visibility).toBe('players');
    }
    expect(await read()).toEqual({ wall: null });
  });

  test('accepts no other answer', async () => {
    const { answer } = await asked();
    expect((await answer('maybe')).status).toBe(400);
  });
});
