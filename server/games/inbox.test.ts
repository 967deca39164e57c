import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InboxAnswer, InboxCase } from '#contract/inbox.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import {
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '../testing/make.ts';
import { OPERATOR_KEY, type TestApp, testApp } from '../testing/test-app.ts';

const MINUTE = 60_000;

let t: TestApp;
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  t = await testApp();
  goToMidweek(t);
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});
afterAll(() => t.close());

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
  await generateSchedule(t.db, league, { weeks: 100 });
  await makeGames(t, machine, player, [
    { score: 400, played_at: ago(50) },
    { score: 300, played_at: ago(40) },
    { score: 200, played_at: ago(30) },
    { score: 100, played_at: ago(20) },
  ]);
  const [held] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(25) }]);
  const found = await caseOf(held?.id);
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
    // The game would replace the fourth best, 100.
    week: { team: team.name, total: 1000, total_after: 1000 - 100 + tooHigh() },
  });
  expect(found.nearby.map(({ score, own }) => [score, own])).toEqual([
    [400, false],
    [300, false],
    [200, false],
    [tooHigh(), true],
    [100, false],
  ]);
});

test('GAME-12: after eight games the order of play decides, so no total is promised', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t, { starts: '2026-01-05' });
  await makeTeam(t, league, [player]);
  await makeTeam(t, league, []);
  await generateSchedule(t.db, league, { weeks: 100 });
  await makeGames(
    t,
    machine,
    player,
    Array.from({ length: 8 }, (_, at) => ({ score: 100 + at, played_at: ago(100 + at * 5) })),
  );
  const [held] = await makeGames(t, machine, player, [{ score: tooHigh(), played_at: ago(5) }]);
  expect((await caseOf(held?.id)).week).toMatchObject({ total: 422, total_after: null });
});

test('GAME-12: a report comes with its words, and leaves the inbox when it is settled', async () => {
  const player = await makePlayer(t);
  const [game] = await makeGames(t, machine, player, [{ score: 188, played_at: ago(15) }]);
  const as = await makeSession(t, player);
  await t.call('POST', `/api/users/profile/games/${game?.id}/report/`, {
    as,
    body: { reason: 'not_mine', text: 'I was at the bar.' },
  });
  expect(await caseOf(game?.id)).toMatchObject({
    kind: 'report',
    report_reason: 'not_mine',
    held_reason: null,
    text: 'I was at the bar.',
    outside: 'no_team',
    week: null,
  });
  const { total } = await inbox();
  await t.call('POST', '/api/operator/reports/settle/', {
    as: { key: OPERATOR_KEY },
    body: { game: game?.id, verdict: 'stands' },
  });
  const after = await inbox();
  expect(after.total).toBe(total - 1);
  expect(after.results.map((one) => one.game)).not.toContain(game?.id);
});
