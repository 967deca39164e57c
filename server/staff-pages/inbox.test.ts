import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { INBOX_MAX } from '#contract/rules/inbox.ts';
import type { InboxAnswer, InboxCase } from '#contract/wire/inbox.ts';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';
import { generateSchedule } from '../leagues/schedule.ts';

const MINUTE = 60_000;

const { t } = midweekApp();
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});

const inbox = async (): Promise<InboxAnswer> =>
  (await t.call('GET', '/api/operator/inbox/', { as: { key: OPERATOR_KEY } })).body;
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * MINUTE);
const caseOf = async (game: string | undefined): Promise<InboxCase> => {
  const found = (await inbox()).results.find((one) => one.game === game);
  if (found === undefined) throw new Error(`no case of ${game}`);
  return found;
};
const tooHigh = () => t.config.max_score + 1;

test('GAME-12: a held game comes with the scores before it, the games around it, and its week', async () => {
  const player = await makePlayer(t);
  const starts = '2026-01-05';
  const league = await makeLeague(t, { starts });
  const team = await makeTeam(t, league, [player]);
  await makeTeam(t, league, []);
  await generateSchedule(t, league, { weeks: 100 });
  await makeGames(t, machine, player, [
    { score: 400, played_at: ago(50) },
    { score: 300, played_at: ago(40) },
    { score: 200, played_at: ago(30) },
    { score: 100, played_at: ago(20) },
  ]);
  const [held] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(25) }]);
  const found = await caseOf(held?.game);
  expect(found).toMatchObject({
    kind: 'held',
    score: tooHigh(),
    held_reason: 'over_max_score',
    report_reason: null,
    machine: machine.name,
    venue: 'Dockside Arcade',
    player: { username: player.username, team: team.name },
    recent: [100, 200, 300, 400],
    outside: null,
    // The game would replace the player's fourth-best game, which has 100.
    week: { team: team.name, total: 1000, total_after: 1000 - 100 + tooHigh() },
  });
  expect(found.nearby.map(({ score, own }) => [score, own])).toEqual([
    [300, false],
    [200, false],
    [tooHigh(), true],
    [100, false],
  ]);
});

test('GAME-12: of nine games, the eight that were played first count, even for two teams', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t, { starts: '2026-01-05' });
  const [first, second] = [await makeTeam(t, league, [player]), await makeTeam(t, league, [])];
  await generateSchedule(t, league, { weeks: 100 });
  const eight = (at: number) => ({ score: 100 + at, played_at: ago(200 - at * 10) });
  await makeGames(t, machine, player, [0, 1, 2, 3, 4, 5].map(eight));
  // `early` was played before the change of team, so it is for the first team. If it counted, the
  // last of the eight games would not.
  const [early] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(195) }]);
  await t.db
    .insertInto('team_changes')
    .values({ player_id: player.id, team_id: second.id, at: ago(145) })
    .execute();
  await t.db
    .updateTable('players')
    .set({ team_id: second.id })
    .where('id', '=', player.id)
    .execute();
  await makeGames(t, machine, player, [6, 7].map(eight));
  const [late] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(5) }]);

  const before = 102 + 103 + 104 + 105;
  expect((await caseOf(early?.game)).week).toMatchObject({
    team: first.name,
    total: before,
    total_after: before - 102 + tooHigh(),
    opponent: second.name,
    opponent_total: 106 + 107,
    over: false,
    others: [{ team: second.name, total: 106 + 107, total_after: 106 }],
  });
  expect((await caseOf(late?.game)).week).toMatchObject({
    team: second.name,
    total: 213,
    total_after: 213,
    others: [],
  });
  await t.call('POST', '/api/operator/held/release/', {
    as: { key: OPERATOR_KEY },
    body: { game: early?.game },
  });
  const { rows } = await t.pool.query(
    'select team_id, sum(total)::int as total from league_weeks where player_id = $1 group by 1',
    [player.id],
  );
  expect(new Map(rows.map(({ team_id, total }) => [team_id, total]))).toEqual(
    new Map([
      [first.id, before - 102 + tooHigh()],
      [second.id, 106],
    ]),
  );
});

test('GAME-12: only cases that staff reach are counted, and staff learn who decided a case before them', async () => {
  const far = await makeMachine(t, { venue: 'Far Arcade' });
  const player = await makePlayer(t);
  const [held] = await makeGames(t, far, player, [{ score: tooHigh(), played_at: ago(9) }]);
  const [reported] = await makeGames(t, far, player, [{ score: 9, played_at: ago(19) }]);
  await t.call('POST', `/api/users/profile/games/${reported?.id}/report/`, {
    as: await makeSession(t, player),
    body: { reason: 'other' },
  });
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Far Arcade'] });
  const { name, headers: other } = await makeStaff(t, { role: 'manager', venues: ['Far Arcade'] });
  const count = async () => {
    const { held, reports } = (await t.call('GET', '/api/operator/inbox/', { headers })).body;
    return { held, reports };
  };
  const decided = async (game = '') =>
    (await t.call('GET', `/api/operator/inbox/decided/?game=${game}`, { headers })).body;
  expect(await count()).toEqual({ held: 1, reports: 1 });
  expect(await decided(held?.game)).toEqual({ decided: null });
  await t.call('POST', '/api/operator/held/discard/', {
    headers: other,
    body: { game: held?.game },
  });
  await t.call('POST', '/api/operator/reports/settle/', {
    headers: other,
    body: { game: reported?.game, verdict: 'stands' },
  });
  expect(await count()).toEqual({ held: 0, reports: 0 });
  expect(await decided(held?.game)).toEqual({
    decided: { decision: 'discard', by: name, at: expect.any(String) },
  });
  expect(await decided(reported?.game)).toEqual({
    decided: { decision: 'stands', by: name, at: expect.any(String) },
  });
  await t.call('POST', '/api/operator/games/void/', { headers, body: { game: reported?.game } });
  expect((await decided(reported?.game)).decided.decision).toBe('void');
  await t.call('POST', '/api/operator/games/restore/', { headers, body: { game: reported?.game } });
  expect((await decided(reported?.game)).decided.decision).toBe('restore');
});

test('HAND-C6: a request to join shows the team’s free places, and only staff of its league see the request', async () => {
  const league = await makeLeague(t, { venue: 'Hill Arcade' });
  const team = await makeTeam(t, league, [await makePlayer(t), await makePlayer(t)]);
  const [first, second] = [
    await makePlayer(t, { avatar_color: '#376CDC', jersey_number: '21' }),
    await makePlayer(t),
  ];
  await makeGames(t, machine, first, [
    { score: 100, played_at: ago(30) },
    { score: 200, played_at: ago(20) },
  ]);
  const asked_at = ago(10);
  await t.db
    .insertInto('join_requests')
    .values([
      { player_id: second.id, team_id: team.id, asked_at: ago(5) },
      { player_id: first.id, team_id: team.id, asked_at },
    ])
    .execute();
  const staffOf = (venue: string) => makeStaff(t, { role: 'manager', venues: [venue] });
  const { headers } = await staffOf('Hill Arcade');
  const read = async (): Promise<InboxAnswer> =>
    (await t.call('GET', '/api/operator/inbox/', { headers })).body;
  const { requests, asking } = await read();
  expect(requests).toBe(2);
  expect(asking.map(({ account }) => account)).toEqual([String(first.id), String(second.id)]);
  expect(asking[0]).toEqual({
    kind: 'request',
    account: String(first.id),
    username: first.username,
    avatar_color: '#376CDC',
    jersey_number: '21',
    games_played: 2,
    avg_score: 150,
    team_id: String(team.id),
    team: team.name,
    league: league.name,
    places_left: t.config.team_max - 2,
    asked_at: asked_at.toISOString(),
  });
  const other = await staffOf('Dockside Arcade');
  const theirs = (await t.call('GET', '/api/operator/inbox/', other)).body;
  expect(theirs).toMatchObject({ requests: 0, asking: [] });
  const body = { team: `id:${team.id}`, account: String(first.id) };
  const answer = (path: string, as: object, more: object = {}) =>
    t.call('POST', `/api/operator/teams/${path}/`, { ...as, body: { ...body, ...more } });
  expect((await answer('accept', other)).status).toBe(403);
  expect((await answer('accept', { headers })).status).toBe(200);
  expect((await read()).asking).toMatchObject([
    { account: String(second.id), places_left: t.config.team_max - 3 },
  ]);
  await answer('reopen', { headers }, { asked_at: asking[0]?.asked_at });
  expect((await read()).asking).toEqual(asking);
});

test('HAND-C6: the inbox counts all requests to join and shows the oldest, and free places are never below 0', async () => {
  const league = await makeLeague(t, { venue: 'Full Arcade' });
  const full = await Promise.all(
    Array.from({ length: t.config.team_max + 1 }, () => makePlayer(t)),
  );
  const team = await makeTeam(t, league, []);
  await t.db
    .updateTable('players')
    .set({ team_id: team.id })
    .where(
      'id',
      'in',
      full.map(({ id }) => id),
    )
    .execute();
  const asking = await Promise.all(Array.from({ length: INBOX_MAX + 1 }, () => makePlayer(t)));
  await t.db
    .insertInto('join_requests')
    .values(asking.map(({ id }, at) => ({ player_id: id, team_id: team.id, asked_at: ago(at) })))
    .execute();
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Full Arcade'] });
  const read: InboxAnswer = (await t.call('GET', '/api/operator/inbox/', { headers })).body;
  expect(read.requests).toBe(INBOX_MAX + 1);
  expect(read.asking).toHaveLength(INBOX_MAX);
  expect(read.asking[0]).toMatchObject({ account: String(asking.at(-1)?.id), places_left: 0 });
});

test('GAME-13: the inbox lists the decisions of a day, newest first, to staff who reach the game', async () => {
  const near = await makeMachine(t, { venue: 'Near Bowl' });
  const player = await makePlayer(t);
  const [held, other] = await makeGames(t, near, player, [
    { score: tooHigh(), played_at: ago(9) },
    { score: 77, played_at: ago(19) },
  ]);
  // A session ends after 12 idle hours, so each step has its own staff.
  const staffOf = (venue: string) => makeStaff(t, { role: 'manager', venues: [venue] });
  const decisions = async (venue = 'Near Bowl') => {
    const { headers } = await staffOf(venue);
    return (await t.call('GET', '/api/operator/inbox/decisions/', { headers })).body.results;
  };
  const decide = async (path: string, game = '') => {
    const { name, headers } = await staffOf('Near Bowl');
    await t.call('POST', `/api/operator/${path}/`, { headers, body: { game } });
    return name;
  };
  expect(await decisions()).toEqual([]);
  await decide('games/void', other?.game);
  t.clock.advance(23 * 60 * MINUTE);
  await decide('held/release', held?.game);
  const name = await decide('games/restore', other?.game);
  const short = (all: { decision: string; score: number }[]) =>
    all.map(({ decision, score }) => [decision, score]);
  expect(short(await decisions())).toEqual([
    ['restore', 77],
    ['release', tooHigh()],
    ['void', 77],
  ]);
  expect((await decisions())[0]).toEqual({
    id: expect.any(String),
    decision: 'restore',
    by: name,
    at: expect.any(String),
    game: other?.game,
    score: 77,
    machine: near.name,
    player: { id: String(player.id), username: player.username },
  });
  const foreign = JSON.stringify(await decisions('Dockside Arcade'));
  expect(foreign).not.toContain(near.name);
  expect(foreign).not.toContain(player.username);
  t.clock.advance(2 * 60 * MINUTE);
  expect(short(await decisions())).toEqual([
    ['restore', 77],
    ['release', tooHigh()],
  ]);
});

test('GAME-01 GAME-13: two games with the same id each keep their own decision', async () => {
  const [one, two] = [await makeMachine(t), await makeMachine(t)];
  const player = await makePlayer(t);
  const id = randomUUID();
  const [first] = await makeGames(t, one, player, [{ id, score: 11, played_at: ago(9) }]);
  const [second] = await makeGames(t, two, player, [{ id, score: 22, played_at: ago(19) }]);
  const { headers } = await makeStaff(t);
  const call = (path: string, body: object) =>
    t.call('POST', `/api/operator/${path}/`, { headers, body });
  const list = (await call('games/list', { id })).body.results;
  expect(list).toMatchObject([{ game: first?.game }, { game: second?.game }]);
  expect((await call('games/void', { game: second?.game })).status).toBe(200);
  expect((await call('games/void', { game: id })).status).toBe(400);
  const decided = async (game = '') => {
    const path = `/api/operator/inbox/decided/?game=${game}`;
    return (await t.call('GET', path, { headers })).body.decided?.decision ?? null;
  };
  expect([await decided(first?.game), await decided(second?.game)]).toEqual([null, 'void']);
  const { results } = (await t.call('GET', '/api/operator/inbox/decisions/', { headers })).body;
  const about = results.filter(({ machine }: { machine: string }) => machine === two.name);
  expect(about).toMatchObject([{ game: second?.game, score: 22, decision: 'void' }]);
  const path = `/api/operator/players/page/?account=${player.id}`;
  const { games } = (await t.call('GET', path, { headers })).body;
  expect(games).toMatchObject([
    { game: first?.game, score: 11, decided: null },
    { game: second?.game, score: 22, decided: { decision: 'void' } },
  ]);
});

test('GAME-12: a reported game comes with what a void would change, even for the ninth game of the week', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t, { starts: '2026-01-05' });
  const team = await makeTeam(t, league, [player]);
  await makeTeam(t, league, []);
  await generateSchedule(t, league, { weeks: 100 });
  const scores = [500, 10, 20, 30, 40, 50, 60, 70, 400];
  const games = await makeGames(
    t,
    machine,
    player,
    scores.map((score, at) => ({ score, played_at: ago(100 - at) })),
  );
  const [best] = games;
  await t.call('POST', `/api/users/profile/games/${best?.id}/report/`, {
    as: await makeSession(t, player),
    body: { reason: 'not_mine' },
  });
  const report = await caseOf(best?.game);
  expect(report).toMatchObject({
    kind: 'report',
    state: 'counted',
    best: true,
    week: { team: team.name, total: 500 + 70 + 60 + 50, total_after: 400 + 70 + 60 + 50 },
  });
  await t.call('POST', '/api/operator/reports/settle/', {
    as: { key: OPERATOR_KEY },
    body: { game: best?.game, verdict: 'void' },
  });
  const { rows } = await sql<{ total: number }>`
    select total::integer as total from league_weeks where team_id = ${team.id}`.execute(t.db);
  expect(rows).toEqual([{ total: report.week?.total_after }]);
});

test('GAME-12: the inbox has room for reports beside many held games', async () => {
  const player = await makePlayer(t);
  const [game] = await makeGames(t, machine, player, [{ score: 8, played_at: ago(29) }]);
  await t.call('POST', `/api/users/profile/games/${game?.id}/report/`, {
    as: await makeSession(t, player),
    body: { reason: 'machine' },
  });
  await makeGames(
    t,
    machine,
    player,
    Array.from({ length: INBOX_MAX + 2 }, (_, at) => ({
      score: tooHigh(),
      played_at: ago(300 + at),
    })),
  );
  const { results, held, reports } = await inbox();
  expect(held).toBeGreaterThan(INBOX_MAX);
  expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(INBOX_MAX);
  expect(results.filter(({ kind }) => kind === 'report')).toHaveLength(reports);
  expect(await caseOf(game?.game)).toMatchObject({ report_reason: 'machine', in_repair: false });
});

test('GAME-12: a report comes with its text, and leaves the inbox when it is settled', async () => {
  const player = await makePlayer(t);
  const [game] = await makeGames(t, machine, player, [{ score: 188, played_at: ago(15) }]);
  const as = await makeSession(t, player);
  await t.call('POST', `/api/users/profile/games/${game?.id}/report/`, {
    as,
    body: { reason: 'not_mine', text: 'I was at the bar.' },
  });
  expect(await caseOf(game?.game)).toMatchObject({
    kind: 'report',
    report_reason: 'not_mine',
    held_reason: null,
    text: 'I was at the bar.',
    outside: 'no_team',
    week: null,
  });
  const { reports } = await inbox();
  await t.call('POST', '/api/operator/reports/settle/', {
    as: { key: OPERATOR_KEY },
    body: { game: game?.game, verdict: 'stands' },
  });
  const after = await inbox();
  expect(after.reports).toBe(reports - 1);
  expect(after.results.map((one) => one.game)).not.toContain(game?.id);
});

test('GAME-12: a reported game that was held and then discarded is still among the games around it', async () => {
  const player = await makePlayer(t);
  const [held] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(14) }]);
  await t.call('POST', `/api/users/profile/games/${held?.id}/report/`, {
    as: await makeSession(t, player),
    body: { reason: 'machine' },
  });
  await t.call('POST', '/api/operator/held/discard/', {
    as: { key: OPERATOR_KEY },
    body: { game: held?.game },
  });
  const { kind, nearby } = await caseOf(held?.game);
  expect([kind, nearby.filter(({ own }) => own)]).toEqual(['report', [expect.anything()]]);
});
