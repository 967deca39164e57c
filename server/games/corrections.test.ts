import { expect, test } from 'vitest';
import {
  aGame,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
  numberOf,
} from '#testing/app/make.ts';
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { recordReport } from '../machines/report.ts';
import { listHeld } from '../staff-pages/games.ts';
import { discardGame, releaseGame, restoreGame, returnGame, voidGame } from './corrections.ts';

const { t, ago } = midweekApp();

const wonBy = async ({ id }: { id: number }) =>
  (
    await t.db
      .selectFrom('player_achievements')
      .select(['key', 'game_id'])
      .where('player_id', '=', id)
      .orderBy('key')
      .execute()
  ).map(({ key, game_id }) => `${key} ${game_id}`);
const statOf = async (player: { id: number }) => {
  const { body } = await t.call('GET', '/api/users/profile/', { as: await makeSession(t, player) });
  return body.user_stat;
};
const derived = async ({ id }: { id: number }) => ({
  stats: await t.db.selectFrom('player_stats').selectAll().where('player_id', '=', id).execute(),
  weeks: await t.db
    .selectFrom('league_weeks')
    .selectAll()
    .where('player_id', '=', id)
    .orderBy('week')
    .execute(),
  bests: await t.db
    .selectFrom('bests')
    .selectAll()
    .where('player_id', '=', id)
    .orderBy('week')
    .orderBy('venue_id')
    .execute(),
  won: await wonBy({ id }),
});
test('a voided game counts in no figure, and a restored game counts in all figures again', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const machine = await makeMachine(t, { venue: 'Dockside' });
  const games = await makeGames(
    t,
    machine,
    player,
    [300, 100, 200, 250].map((score, at) => ({ score, played_at: ago((9 - at) * HOUR) })),
  );
  const [first, , , last] = games;
  if (first === undefined || last === undefined) throw new Error('no games');
  const before = await derived(player);
  expect(await statOf(player)).toEqual({ games_played: 4, highscore: 300, avg_score: 212.5 });

  expect(await voidGame(t, first.seq)).toMatchObject({
    id: first.id,
    player: player.username,
    machine: machine.name,
    score: 300,
    state: 'void',
  });
  expect(await statOf(player)).toEqual({ games_played: 3, highscore: 250, avg_score: 183.3 });
  const { weeks, won } = await derived(player);
  expect(weeks).toMatchObject([{ games_played: 3, total: 550, fourth_best: null }]);
  // The next game that qualifies gets the void game's achievements.
  expect(won.map((one) => one.split(' ')[0])).toEqual([
    'first-game',
    'first-league-game',
    'personal-best',
  ]);
  expect(won.join()).not.toContain(first.id);

  await restoreGame(t, first.seq);
  expect(await derived(player)).toEqual(before);
});

test('a player whose only game is void has no figures', async () => {
  const player = await makePlayer(t);
  const [game] = await makeGames(t, await makeMachine(t), player, [{}]);
  await voidGame(t, game?.seq ?? 0);
  expect(await statOf(player)).toEqual({ games_played: 0, highscore: 0, avg_score: 0 });
  expect(await derived(player)).toEqual({ stats: [], weeks: [], bests: [], won: [] });
});

test('the ninth game counts when an earlier game is void', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const games = await makeGames(
    t,
    await makeMachine(t),
    player,
    Array.from({ length: 9 }, (_, at) => ({ score: at + 1, played_at: ago((9 - at) * 60_000) })),
  );
  expect((await derived(player)).weeks).toMatchObject([{ games_played: 8, score_sum: 36 }]);
  await voidGame(t, games[0]?.seq ?? 0);
  expect((await derived(player)).weeks).toMatchObject([{ games_played: 8, score_sum: 44 }]);
});

test('P31f: a released game counts in the week in which it was played', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  await makeTeam(t, league, [player]);
  const machine = await makeMachine(t);
  const [game] = await makeGames(t, machine, player, [
    { score: 20_000, played_at: ago(10 * 24 * HOUR) },
  ]);
  const id = game?.id ?? '';
  expect(game?.outcome).toMatchObject({ status: 'held', reason: 'over_max_score' });
  expect(await derived(player)).toEqual({ stats: [], weeks: [], bests: [], won: [] });
  const { games, total } = await listHeld(t.db, 100);
  expect(total).toBe(games.length);
  expect(games.find((held) => held.id === id)).toMatchObject({
    player: player.username,
    held_reason: 'over_max_score',
    score: 20_000,
  });
  // The game counts for the team, although the player has left it since.
  await t.db.updateTable('players').set({ team_id: null }).where('id', '=', player.id).execute();
  expect(await releaseGame(t, game?.seq ?? 0)).toMatchObject({ state: 'counted' });
  expect(await statOf(player)).toEqual({ games_played: 1, highscore: 20_000, avg_score: 20_000 });
  expect((await derived(player)).weeks).toMatchObject([{ games_played: 1, total: 20_000 }]);
  expect((await listHeld(t.db, 100)).games.map((held) => held.id)).not.toContain(id);
});

test('P31f: a discarded game counts nowhere, and a repeated report of it is a duplicate', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const game = aGame(t, player, { score: 10_000 });
  await recordReport(t, machine, [game]);
  const seq = await numberOf(t, game.id);
  expect(await discardGame(t, seq)).toMatchObject({ state: 'discarded' });
  for (const again of [releaseGame, restoreGame, voidGame, discardGame])
    await expect(again(t, seq)).rejects.toMatchObject({ status: 409 });
  expect(await recordReport(t, machine, [game])).toMatchObject([{ status: 'duplicate' }]);
  expect(await statOf(player)).toMatchObject({ games_played: 0 });
});

test('OPS-17: a released or discarded game can be held again, as if nothing had happened', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const machine = await makeMachine(t);
  const games = await makeGames(t, machine, player, [
    { score: 20_000, played_at: ago(2 * HOUR) },
    { score: 100, played_at: ago(HOUR) },
  ]);
  const [held = 0, counted = 0] = games.map(({ seq }) => seq);
  const landed = async (seq: number) =>
    (
      await t.db
        .selectFrom('games')
        .select('landed_at')
        .where('seq', '=', seq)
        .executeTakeFirstOrThrow()
    ).landed_at;
  const before = await derived(player);
  for (const decide of [releaseGame, discardGame]) {
    await decide(t, held);
    expect(await returnGame(t, held)).toMatchObject({ state: 'held' });
    expect(await derived(player)).toEqual(before);
    expect(await landed(held)).toBeNull();
  }
  await expect(returnGame(t, held)).rejects.toMatchObject({ status: 409 });
  await expect(returnGame(t, counted)).rejects.toMatchObject({
    message: expect.stringContaining('was never held'),
  });
  expect(await releaseGame(t, held)).toMatchObject({ state: 'counted' });
  const [then, past] = [await landed(held), ago(HOUR)];
  await t.db.updateTable('games').set({ landed_at: past }).where('seq', '=', held).execute();
  await returnGame(t, held);
  expect([then, await landed(held)]).toEqual([expect.any(Date), past]);
});

test('correcting a game that is in another state gets 409', async () => {
  const player = await makePlayer(t);
  const [game] = await makeGames(t, await makeMachine(t), player, [{}]);
  const seq = game?.seq ?? 0;
  for (const wrong of [releaseGame, discardGame, restoreGame])
    await expect(wrong(t, seq)).rejects.toMatchObject({ status: 409 });
  await voidGame(t, seq);
  await expect(voidGame(t, seq)).rejects.toMatchObject({ status: 409 });
  await expect(voidGame(t, 999_999_999)).rejects.toMatchObject({ status: 404 });
});

test('GAME-01: two games with the same id, on different machines, have different numbers', async () => {
  const player = await makePlayer(t);
  const id = crypto.randomUUID();
  const [one, two] = [await makeMachine(t), await makeMachine(t)];
  await makeGames(t, one, player, [{ id, played_at: ago(HOUR) }]);
  const [game] = await makeGames(t, two, player, [{ id, played_at: ago(2 * HOUR) }]);
  expect(await voidGame(t, game?.seq ?? 0)).toMatchObject({ machine_id: two.id, state: 'void' });
  const states = await t.db
    .selectFrom('games')
    .select(['machine_id', 'state'])
    .where('id', '=', id)
    .orderBy('machine_id')
    .execute();
  expect(states).toEqual([
    { machine_id: one.id, state: 'counted' },
    { machine_id: two.id, state: 'void' },
  ]);
});

test('of twenty concurrent attempts to void one game exactly one succeeds', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const [game] = await makeGames(t, machine, player, [{ played_at: ago(HOUR) }, {}]);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => voidGame(t, game?.seq ?? 0)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await statOf(player)).toMatchObject({ games_played: 1 });
});

test('voiding a game of a deleted account changes the total of the team', async () => {
  const player = await makePlayer(t);
  const team = await makeTeam(t, await makeLeague(t), [player]);
  const [game] = await makeGames(t, await makeMachine(t), player, [{ score: 70 }]);
  await t.db.deleteFrom('players').where('id', '=', player.id).execute();
  const total = async () =>
    (
      await t.db.selectFrom('league_weeks').select('total').where('team_id', '=', team.id).execute()
    ).map((row) => row.total);
  expect(await total()).toEqual([70]);
  expect(await voidGame(t, game?.seq ?? 0)).toMatchObject({ player: null, state: 'void' });
  expect(await total()).toEqual([]);
  await restoreGame(t, game?.seq ?? 0);
  expect(await total()).toEqual([70]);
});
