import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
  numberOf,
} from '#testing/app/make.ts';
import { midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';
import { reportGame } from './reports.ts';

const OPERATOR = { key: OPERATOR_KEY };
const NOT_YOURS = 'This is not a game of yours.';

const { t } = midweekApp();
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});

async function playerWith(...scores: number[]) {
  const player = await makePlayer(t);
  const now = t.clock.now().getTime();
  const games = await makeGames(
    t,
    machine,
    player,
    scores.map((score, at) => ({ score, played_at: new Date(now - (at + 1) * 300_000) })),
  );
  return { ...player, as: await makeSession(t, player), games: games.map(({ id }) => id) };
}
type Reporter = Awaited<ReturnType<typeof playerWith>>;

const path = (game: string | undefined) => `/api/users/profile/games/${game}/report/`;
const send = (
  { as }: Pick<Reporter, 'as'>,
  game: string | undefined,
  body: unknown = { reason: 'not_mine' },
) => t.call('POST', path(game), { as, body });
const history = async ({ as }: Pick<Reporter, 'as'>) =>
  (await t.call('GET', '/api/users/profile/games/', { as })).body;
const number = async (id: string | undefined) => String(await numberOf(t, id));
const settle = async (id: string | undefined, verdict: string) =>
  t.call('POST', '/api/operator/reports/settle/', {
    as: OPERATOR,
    body: { game: await number(id), verdict },
  });

test('GAME-11: the player’s history and the staff’s list show that a game is reported', async () => {
  const me = await playerWith(388, 298);
  const sent = await send(me, me.games[1], {
    reason: 'machine',
    text: '  The rim\nis bent.\u0007 <b>Look</b> ',
  });
  expect([sent.status, sent.body]).toEqual([200, { state: 'open' }]);
  const { results } = await history(me);
  expect(results.map(({ report }: { report: string | null }) => report)).toEqual([null, 'open']);
  const text = 'The rim\nis bent.  <b>Look</b>';
  expect(results[1]).toMatchObject({ report_reason: 'machine', report_text: text });
  const list = await t.call('GET', '/api/operator/reports/', { as: OPERATOR });
  expect(list.body.total).toBe(list.body.results.length);
  expect(list.body.results.at(-1)).toMatchObject({
    id: me.games[1],
    player: me.username,
    machine: machine.name,
    venue: 'Dockside Arcade',
    score: 298,
    state: 'counted',
    reason: 'machine',
    text,
  });
});

test('GAME-11: a game has at most one open report, and can be reported again after a withdrawal', async () => {
  const me = await playerWith(100);
  const racing = await Promise.all([1, 2, 3, 4].map(() => send(me, me.games[0])));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect((await send(me, me.games[0])).body.detail).toBe('You have reported this game already.');
  const end = () => t.call('DELETE', path(me.games[0]), { as: me.as });
  expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
  expect((await history(me)).results[0]).toMatchObject({ report: null, report_reason: null });
  expect((await send(me, me.games[0], { reason: 'other' })).status).toBe(200);
});

test('GAME-11: a player can change only reports of their own games, and never gets a 404', async () => {
  const [me, other] = [await playerWith(100), await playerWith(200)];
  for (const game of [other.games[0], randomUUID(), 'x', '%00']) {
    const { status, body } = await send(me, game);
    expect([game, status, body.detail]).toEqual([game, 400, NOT_YOURS]);
    expect((await t.call('DELETE', path(game), { as: me.as })).status).toBe(204);
  }
  await send(other, other.games[0]);
  await t.call('DELETE', path(other.games[0]), { as: me.as });
  expect((await history(other)).results[0].report).toBe('open');
});

test('GAME-11: `void` takes the game out of every figure, and the player sees which game it was', async () => {
  const player = await playerWith(100, 900);
  const league = await makeLeague(t);
  await makeTeam(t, league, [player]);
  await send(player, player.games[1]);
  expect((await history(player)).games_played).toBe(2);
  const settled = await settle(player.games[1], 'void');
  expect([settled.status, settled.body.state]).toEqual([200, 'void']);
  const after = await history(player);
  expect(after).toMatchObject({ games_played: 1, highscore: 100 });
  expect(after.results[1]).toMatchObject({ counts: 'void', report: 'void' });
  expect([(await settle(player.games[1], 'stands')).status]).toEqual([404]);
  expect((await send(player, player.games[1])).body.detail).toBe(
    'This game counts nowhere already.',
  );
  await t.call('POST', '/api/operator/games/restore/', {
    as: OPERATOR,
    body: { game: await number(player.games[1]) },
  });
  expect((await history(player)).results[1]).toMatchObject({ report: 'open' });
  const open = await t.call('GET', '/api/operator/inbox/', { as: OPERATOR });
  expect(open.body.results).toContainEqual(
    expect.objectContaining({ kind: 'report', game: await number(player.games[1]) }),
  );
  expect((await settle(player.games[1], 'stands')).body.state).toBe('counted');
  expect((await history(player)).results[1]).toMatchObject({ report: 'stands' });
});

test('GAME-11: `stands` leaves the game as it is, and the game can be reported again', async () => {
  const me = await playerWith(100);
  await send(me, me.games[0]);
  expect((await settle(me.games[0], 'stands')).body.state).toBe('counted');
  expect((await history(me)).results[0]).toMatchObject({ counts: 'no_team', report: 'stands' });
  expect((await send(me, me.games[0])).status).toBe(200);
  expect((await history(me)).results[0].report).toBe('open');
});

test('GAME-11: the verdict `void` discards a held game, and a void game cannot get the verdict `stands`', async () => {
  const me = await playerWith(20_000, 100);
  await send(me, me.games[0]);
  expect((await settle(me.games[0], 'void')).body.state).toBe('discarded');
  expect((await history(me)).results[0]).toMatchObject({ counts: 'void', report: 'void' });
  await send(me, me.games[1]);
  await t.call('POST', '/api/operator/games/void/', {
    as: OPERATOR,
    body: { game: await number(me.games[1]) },
  });
  expect((await settle(me.games[1], 'stands')).status).toBe(409);
  expect((await settle(me.games[1], 'void')).body.state).toBe('void');
  const body = { game: '999999999', verdict: 'void' };
  const unknown = await t.call('POST', '/api/operator/reports/settle/', { as: OPERATOR, body });
  expect(unknown.status).toBe(404);
});

test('GAME-11 OPS-17: undoing a verdict opens the report again, and leaves the game as it was before', async () => {
  const me = await playerWith(20_000, 100);
  const undo = async (call: string, game: string | undefined) =>
    t.call('POST', `/api/operator/${call}/`, { as: OPERATOR, body: { game: await number(game) } });
  const report = async (at: number) => (await history(me)).results[at].report;
  for (const game of me.games) await send(me, game);
  await settle(me.games[0], 'void');
  expect((await undo('held/return', me.games[0])).body.state).toBe('held');
  expect(await report(0)).toBe('open');
  await settle(me.games[1], 'stands');
  expect((await undo('reports/reopen', me.games[1])).body.state).toBe('counted');
  expect(await report(1)).toBe('open');
  expect((await undo('reports/reopen', me.games[1])).status).toBe(409);
  await settle(me.games[1], 'void');
  expect((await undo('reports/reopen', me.games[1])).body.state).toBe('void');
  expect(await report(1)).toBe('open');
});

test('OPS-17: a player sees a correction after a minute, and never one that was undone before', async () => {
  const me = await playerWith(20_000, 100);
  const correct = async (call: string, game: string | undefined) =>
    t.call('POST', `/api/operator/${call}/`, { as: OPERATOR, body: { game: await number(game) } });
  const landsIn = async (at: number) => {
    const { results, read_at } = await history(me);
    const ms = Date.parse(results[at].landed_at) - Date.parse(read_at);
    return Math.max(0, Math.round(ms / 1_000));
  };
  expect(await landsIn(0)).toBe(0);
  await correct('held/release', me.games[0]);
  expect(await landsIn(0)).toBe(60);
  await correct('games/void', me.games[0]);
  await correct('games/restore', me.games[0]);
  expect(await landsIn(0), 'released, taken out and put back').toBeGreaterThan(50);
  await correct('games/void', me.games[1]);
  await correct('games/restore', me.games[1]);
  expect(await landsIn(1)).toBe(0);
  await correct('games/void', me.games[1]);
  t.clock.advance(61_000);
  await correct('games/restore', me.games[1]);
  expect(await landsIn(1)).toBe(60);
});

test('GAME-11: a verdict and a simultaneous withdrawal of a report do not both happen', async () => {
  for (let round = 0; round < 5; round += 1) {
    const me = await playerWith(100);
    await send(me, me.games[0]);
    const [settled, taken] = await Promise.all([
      settle(me.games[0], 'void'),
      t.call('DELETE', path(me.games[0]), { as: me.as }),
    ]);
    expect(taken.status).toBe(204);
    expect([200, 404]).toContain(settled.status);
    const won = settled.status === 200;
    const { results, games_played } = await history(me);
    expect([results[0].report, games_played]).toEqual(won ? ['void', 0] : [null, 1]);
  }
});

test('P67: a player may send ten reports a day, over two processes, and a refused report does not count', async () => {
  const other = await t.sibling();
  const me = await playerWith(...Array.from({ length: 14 }, (_, at) => at + 1));
  await send(me, randomUUID());
  const sent = await Promise.all(
    me.games.map((game, at) =>
      (at % 2 === 0 ? t : other).call('POST', path(game), {
        as: me.as,
        body: { reason: 'not_mine' },
      }),
    ),
  );
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = sent.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused[0]?.body.detail).toMatch(
    /^You can report 10 games a day\. Try again in \d+ hours\.$/,
  );
  // The log has the name of the limit (P42).
  await expect(
    reportGame({ ...t, log: t.app.log }, { id: '0', player_id: me.id }, randomUUID(), {
      reason: 'not_mine',
    }),
  ).rejects.toMatchObject({ limit: 'game_report' });
  t.clock.advance(24 * 3_600_000);
  const late = await makeSession(t, me);
  const left = sent.findIndex(({ status }) => status === 429);
  expect((await send({ as: late }, me.games[left])).status).toBe(200);
});

test('P67: a text has at most 300 letters and may be left out', async () => {
  const me = await playerWith(1, 2, 3);
  const long = await send(me, me.games[0], { reason: 'other', text: 'x'.repeat(301) });
  expect([long.status, long.body]).toEqual([400, { text: ['Write at most 300 letters.'] }]);
  expect((await send(me, me.games[0], { reason: 'spite' })).status).toBe(400);
  expect((await send(me, me.games[0], { reason: 'other', text: 'ß'.repeat(300) })).status).toBe(
    200,
  );
  expect((await send(me, me.games[1], { reason: 'other', text: ' \u0000 ' })).status).toBe(200);
  // U+202E would reverse the text that staff read beside it.
  const turned = 'not \u202emi\u200bne\u2069';
  expect((await send(me, me.games[2], { reason: 'other', text: turned })).status).toBe(200);
  const { results } = await history(me);
  expect(
    results.map((row: { report_text: string | null }) => row.report_text?.length ?? null),
  ).toEqual([300, null, 'not mine'.length]);
});
