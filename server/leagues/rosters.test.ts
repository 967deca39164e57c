import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { makeLeague, makePlayer, makeTeam } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { lockPlayer } from '../players/players.ts';
import { listTeams } from './leagues.ts';
import { importRoster, type RosterRefused } from './roster-import.ts';
import { addToTeam, listMembers, removeFromTeam, removeSeveral } from './rosters.ts';

const t = withApp();

const changesOf = ({ id }: { id: number }) =>
  t.db
    .selectFrom('team_changes')
    .select('team_id')
    .where('player_id', '=', id)
    .orderBy('at')
    .execute()
    .then((rows) => rows.map(({ team_id }) => team_id));
const teamIdOf = async ({ id }: { id: number }) =>
  (await t.db.selectFrom('players').select('team_id').where('id', '=', id).execute())[0]?.team_id;

test('a player is on at most one team, and adding the player to another one is recorded as a move', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  const [one, two] = [await makeTeam(t, league), await makeTeam(t, league)];
  expect(await addToTeam(t, one, [player.email.toUpperCase(), ` ${player.email}`])).toEqual([
    {
      player_id: player.id,
      email: player.email,
      username: player.username,
      moved_from: null,
      from_id: null,
    },
  ]);
  t.clock.advance(1000);
  await addToTeam(t, one, [player.email]);
  t.clock.advance(1000);
  expect(await addToTeam(t, two, [player.email])).toMatchObject([{ moved_from: one.name }]);
  await expect(removeFromTeam(t, one, player.email)).rejects.toMatchObject({ status: 409 });
  t.clock.advance(1000);
  await removeFromTeam(t, two, player.email);
  expect(await changesOf(player)).toEqual([one.id, two.id, null]);
  expect(await teamIdOf(player)).toBeNull();
});

test('HAND-C12: one call takes several players off a team, all or none', async () => {
  const league = await makeLeague(t);
  const [one, two, other] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const team = await makeTeam(t, league, [one, two]);
  await makeTeam(t, league, [other]);
  for (const [ids, status] of [
    [[one.id, other.id], 409],
    [[one.id, 999_999_999], 404],
  ] as const)
    await expect(removeSeveral(t, team, ids)).rejects.toMatchObject({ status });
  expect(await teamIdOf(one)).toBe(team.id);
  expect(await removeSeveral(t, team, [one.id, two.id, one.id])).toMatchObject([
    { player_id: one.id, moved_from: team.name },
    { player_id: two.id, moved_from: team.name },
  ]);
  expect([await teamIdOf(one), await teamIdOf(two)]).toEqual([null, null]);
});

test('adding players is all or nothing, and the refusal names every address that cannot be added', async () => {
  const [good, half] = [await makePlayer(t), await makePlayer(t, { username: null })];
  const team = await makeTeam(t, await makeLeague(t));
  const refused = await addToTeam(t, team, [good.email, half.email, 'nobody@example.com']).catch(
    (error) => error,
  );
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.body.detail).toContain(half.email);
  expect(refused.body.detail).toContain('nobody@example.com');
  expect(refused.body.detail).not.toContain(`${good.email} `);
  expect(await teamIdOf(good)).toBeNull();
});

test('fifty concurrent moves of a player leave the player on one team, the last one in the history', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  const teams = await Promise.all(Array.from({ length: 5 }, () => makeTeam(t, league)));
  let time = t.clock.now().getTime();
  const clock = { now: () => new Date(++time) };
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const team = teams[at % teams.length];
      if (team === undefined) throw new Error('no team');
      return addToTeam({ ...t, clock }, team, [player.email]);
    }),
  );
  const changes = await changesOf(player);
  expect(changes.length).toBeGreaterThan(1);
  expect(changes.at(-1)).toBe(await teamIdOf(player));
});

test('a roster import creates the teams and puts every player on a team', async () => {
  const players = await Promise.all(Array.from({ length: 6 }, () => makePlayer(t)));
  const league = await makeLeague(t);
  const row = (at: number, team: string) => ({
    line: at + 2,
    team,
    email: ` ${players[at]?.email.toUpperCase()} `,
  });
  const first = await importRoster(t, league, [
    row(0, 'Äpfel'),
    row(1, 'Äpfel '),
    row(2, 'Birnen'),
    row(3, 'birnen'),
    row(4, 'Birnen'),
  ]);
  expect(first).toEqual({ teams_created: 2, players_added: 5, players_moved: 0, unchanged: 0 });
  expect(
    (await listTeams(t.db, sql`l.id = ${league.id}`)).map(({ name, players }) => [name, players]),
  ).toEqual([
    ['Birnen', 3],
    ['Äpfel', 2],
  ]);
  t.clock.advance(1000);
  const again = await importRoster(t, league, [
    row(0, 'Birnen'),
    row(1, 'Äpfel'),
    row(5, 'Kirschen'),
  ]);
  expect(again).toEqual({ teams_created: 1, players_added: 1, players_moved: 1, unchanged: 1 });
  const [moved] = players;
  expect(moved && (await changesOf(moved))).toHaveLength(2);
  // Players who are not in the file stay on their teams.
  expect(await listMembers(t.db, league)).toHaveLength(6);
});

test('a roster with bad rows is refused as a whole, and the refusal lists the bad rows', async () => {
  const [good, taken, half] = [
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t, { username: null }),
  ];
  await makeTeam(t, await makeLeague(t, { name: 'Rivals' }), [taken], { name: 'Theirs' });
  const league = await makeLeague(t);
  const before = (await listTeams(t.db)).length;
  const refused: RosterRefused = await importRoster(
    t,
    league,
    [
      { line: 2, team: 'Ours', email: good.email },
      { line: 3, team: '  ', email: 'a@example.com' },
      { line: 4, team: 'x'.repeat(41), email: 'b@example.com' },
      { line: 5, team: 'Ours', email: good.email },
      { line: 6, team: 'Ours', email: 'nobody@example.com' },
      { line: 7, team: 'Ours', email: half.email },
      { line: 8, team: 'Ours', email: taken.email },
    ],
    { unreadable: [{ line: 1, problem: 'This row has 3 columns.' }] },
  ).catch((error) => error);
  expect(refused.problems.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8]);
  expect(refused.problems.map(({ problem }) => problem)).toEqual([
    'This row has 3 columns.',
    'The team has no name.',
    "A team's name has at most 40 characters.",
    `${good.email} is in line 2 too.`,
    'There is no account with the address nobody@example.com.',
    `${half.email} has not finished signing up.`,
    `${taken.email} is on “Theirs” of “Rivals”: take them off that team first.`,
  ]);
  expect((await listTeams(t.db)).length).toBe(before);
  expect(await teamIdOf(good)).toBeNull();
});

test('two concurrent imports of one roster have the same effect as one', async () => {
  const players = await Promise.all(Array.from({ length: 8 }, () => makePlayer(t)));
  const league = await makeLeague(t);
  const rows = players.map(({ email }, line) => ({ line, team: `T${line % 3}`, email }));
  const results = await Promise.all([
    importRoster(t, league, rows),
    importRoster(t, league, rows.toReversed()),
  ]);
  expect(results.map(({ players_added }) => players_added).sort()).toEqual([0, 8]);
  expect(await listTeams(t.db, sql`l.id = ${league.id}`)).toHaveLength(3);
});

test('an import locks players before the league, in the same order as a player who joins', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  let imported: Promise<unknown> | undefined;
  await t.db.transaction().execute(async (trx) => {
    await lockPlayer(trx, player.id);
    imported = importRoster(t, league, [{ line: 1, team: 'New', email: player.email }]);
    await untilBlocked(t);
    // This would deadlock with an import that held the league's lock.
    await sql`select from leagues where id = ${league.id} for share`.execute(trx);
  });
  expect(await imported).toMatchObject({ players_added: 1 });
});
