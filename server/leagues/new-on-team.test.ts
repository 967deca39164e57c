import { describe, expect, test } from 'vitest';
import { mailTo } from '#testing/app/mails.ts';
import {
  makeLeague,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
  setLeagueMode,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { readCode, setJoining } from './joining.ts';
import type { League, Team } from './leagues.ts';
import { mailNewOnTeams } from './new-on-team.ts';
import { importRoster } from './roster-import.ts';
import { addToTeam, removeFromTeam } from './rosters.ts';

const TEAM_MAX = 3;
const t = withApp({ team_max: TEAM_MAX });
const OPERATOR = { key: OPERATOR_KEY };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Player = Awaited<ReturnType<typeof makePlayer>>;

const stateOf = async ({ id }: { id: number }) => {
  const player = await t.db
    .selectFrom('players')
    .select(['team_id', 'league_mode_enabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const modes = await t.db
    .selectFrom('league_mode_changes')
    .select(['at', 'enabled'])
    .where('player_id', '=', id)
    .orderBy('at')
    .execute();
  return { ...player, modes };
};

async function stats(player: { id: number }) {
  const as = await makeSession(t, player);
  return (await t.call('GET', '/api/leaderboards/user-league-stats/', { as })).body;
}

/** The ways onto a team, by the `how` of the player's membership. */
const WAYS = {
  code: async (player: Player, team: Team, league: League) => {
    await setJoining(t, league, 'open');
    const as = await makeSession(t, player);
    const code = await readCode(t.db, team);
    expect((await t.call('POST', `/api/teams/join/${code}/`, { as })).body.state).toBe('joined');
  },
  accepted: async (player: Player, team: Team, league: League) => {
    await setJoining(t, league, 'ask');
    const as = await makeSession(t, player);
    await t.call('POST', `/api/teams/join/${await readCode(t.db, team)}/`, { as });
    const body = { team: String(team.id), email: player.email };
    await t.call('POST', '/api/operator/teams/accept/', { as: OPERATOR, body });
  },
  add: (player: Player, team: Team) => addToTeam(t, team, [player.email]),
  import: (player: Player, team: Team, league: League) =>
    importRoster(t, league, [{ line: 1, team: team.name, email: player.email }]),
};

test.each([
  ['code', 'code', false],
  ['accepted', 'accepted', true],
  ['add', 'staff', true],
  ['import', 'staff', true],
] as const)(
  'HAND-46, HAND-47 by %s: a new player has league mode on at once, and the week says how the player came',
  async (way, how, mails) => {
    const league = await makeLeague(t);
    const team = await makeTeam(t, league);
    const player = await makePlayer(t, { league_mode_enabled: false });
    const at = t.clock.now();
    await WAYS[way](player, team, league);
    expect(await stateOf(player)).toEqual({
      team_id: team.id,
      league_mode_enabled: true,
      modes: [{ at: expect.any(Date), enabled: true }],
    });
    expect((await stats(player)).membership).toEqual({ since: expect.any(String), how });
    expect(new Date((await stats(player)).membership.since) >= at).toBe(true);

    await mailNewOnTeams(t);
    expect(await t.mails(player.email)).toEqual([]);
    t.clock.advance(MINUTE_MS);
    await mailNewOnTeams(t);
    await mailNewOnTeams(t);
    if (!mails) return expect(await t.mails(player.email)).toEqual([]);
    const mail = await mailTo(t, player.email);
    expect(mail.subject).toBe(`You are on ${team.name}`);
    expect(mail.text).toContain(league.name);
    expect(mail.text).toContain(
      `${how === 'staff' ? 'Staff added you.' : 'Staff said yes.'} League mode is on: your next 8 games this week count.`,
    );
    expect(await t.mails(player.email)).toHaveLength(1);
  },
);

test.each<[string, boolean, (player: Player) => Promise<void>, boolean]>([
  ['turns league mode off again', false, async () => {}, false],
  ['leaves league mode on for a player who had it on before', true, async () => {}, true],
  [
    'leaves league mode on for a player who chose it since',
    false,
    async (player) => {
      await setLeagueMode(t, player, false);
      t.clock.advance(1000);
      await setLeagueMode(t, player, true);
    },
    true,
  ],
])('HAND-46: undoing an accepted request %s', async (_, before, since, after) => {
  const league = await makeLeague(t);
  const team = await makeTeam(t, league);
  const player = await makePlayer(t, { league_mode_enabled: before });
  await WAYS.accepted(player, team, league);
  t.clock.advance(1000);
  await since(player);
  t.clock.advance(1000);
  const body = { team: String(team.id), email: player.email };
  await t.call('POST', '/api/operator/teams/reopen/', { as: OPERATOR, body });
  const { team_id, league_mode_enabled, modes } = await stateOf(player);
  expect({ team_id, league_mode_enabled }).toEqual({ team_id: null, league_mode_enabled: after });
  expect(modes.at(-1)?.enabled ?? before).toBe(after);
});

test('HAND-46 a move to another team leaves a player’s league mode as it is', async () => {
  const league = await makeLeague(t);
  const player = await makePlayer(t);
  const [one, two] = [await makeTeam(t, league, [player]), await makeTeam(t, league)];
  await setLeagueMode(t, player, false);
  await addToTeam(t, two, [player.email]);
  expect(await stateOf(player)).toMatchObject({ team_id: two.id, league_mode_enabled: false });
  t.clock.advance(MINUTE_MS);
  await mailNewOnTeams(t);
  expect((await mailTo(t, player.email)).text).toContain(
    'Staff added you. League mode is off. Switch it on for your games to count.',
  );
  expect(one.id).not.toBe(two.id);
});

test('HAND-47 a player who is soon taken off again gets no mail, and nobody gets two mails a week about a team', async () => {
  const league = await makeLeague(t);
  const team = await makeTeam(t, league);
  const [undone, back] = [await makePlayer(t), await makePlayer(t)];
  await addToTeam(t, team, [undone.email]);
  t.clock.advance(1000);
  await removeFromTeam(t, team, undone.email);
  await addToTeam(t, team, [back.email]);
  t.clock.advance(MINUTE_MS);
  await mailNewOnTeams(t);
  expect(await t.mails(undone.email)).toEqual([]);
  expect(await t.mails(back.email)).toHaveLength(1);
  await removeFromTeam(t, team, back.email);
  t.clock.advance(6 * DAY_MS);
  await addToTeam(t, team, [back.email]);
  t.clock.advance(MINUTE_MS);
  await mailNewOnTeams(t);
  expect(await t.mails(back.email)).toHaveLength(1);
});

describe('OPS-17: undoing a move', () => {
  const move = async (path: 'add' | 'remove', player: Player, team: Team, undo: boolean) => {
    t.clock.advance(1000);
    const body = { team: String(team.id), accounts: [String(player.id)], undo };
    const { status } = await t.call('POST', `/api/operator/teams/${path}/`, { as: OPERATOR, body });
    expect(status).toBe(200);
  };
  const joinedOf = ({ id }: Player) =>
    t.db
      .selectFrom('team_changes')
      .select(['how', 'confirmed_at', 'mail_waits'])
      .where('player_id', '=', id)
      .orderBy('at', 'desc')
      .executeTakeFirstOrThrow();

  test('off a team brings the player back as they were, and nobody is told', async () => {
    const league = await makeLeague(t);
    const [team, other] = [await makeTeam(t, league), await makeTeam(t, league)];
    const [coded, confirmed, added] = [
      await makePlayer(t, { league_mode_enabled: false }),
      await makePlayer(t, { league_mode_enabled: false }),
      await makePlayer(t, { league_mode_enabled: false }),
    ];
    await WAYS.code(coded, team, league);
    await WAYS.code(confirmed, team, league);
    const body = { team: String(team.id), account: String(confirmed.id) };
    await t.call('POST', '/api/operator/teams/accept/', { as: OPERATOR, body });
    await WAYS.add(added, team);
    t.clock.advance(MINUTE_MS);
    await mailNewOnTeams(t);
    await setLeagueMode(t, coded, false);
    const before = [];
    for (const player of [coded, confirmed, added]) {
      before.push([
        await stateOf(player),
        await joinedOf(player),
        (await stats(player)).membership,
      ]);
      await move('remove', player, team, false);
      await move('add', player, team, true);
      await move('add', player, other, false);
      await move('add', player, team, true);
    }
    t.clock.advance(8 * DAY_MS);
    await mailNewOnTeams(t);
    const quiet = { mail_waits: false };
    for (const [at, player] of [coded, confirmed, added].entries()) {
      const [state, joined, membership] = before[at] ?? [];
      expect(await stateOf(player)).toEqual(state);
      expect(await joinedOf(player)).toEqual({ ...joined, ...quiet });
      const now = (await stats(player)).membership;
      expect(now).toEqual(player === added ? membership : { ...membership, since: now.since });
    }
    expect(await t.mails(coded.email)).toEqual([]);
    expect(await t.mails(added.email)).toHaveLength(1);
  });

  test('onto a team takes back the league mode that it turned on, and undoing that turns it on', async () => {
    const team = await makeTeam(t, await makeLeague(t));
    const player = await makePlayer(t, { league_mode_enabled: false });
    await move('add', player, team, false);
    await move('remove', player, team, true);
    expect(await stateOf(player)).toMatchObject({ team_id: null, league_mode_enabled: false });
    await move('add', player, team, true);
    expect(await stateOf(player)).toMatchObject({ team_id: team.id, league_mode_enabled: true });
  });

  test('off the only team through which staff reach the player brings the player back', async () => {
    const league = await makeLeague(t);
    const player = await makePlayer(t);
    const team = await makeTeam(t, league, [player]);
    const { headers } = await makeStaff(t, { role: 'manager', leagues: [league.name] });
    const call = async (path: 'add' | 'remove', more: object = {}) => {
      t.clock.advance(1000);
      const body = { team: String(team.id), accounts: [String(player.id)], ...more };
      return (await t.call('POST', `/api/operator/teams/${path}/`, { headers, body })).status;
    };
    expect(await call('remove')).toBe(200);
    expect(await call('add')).toBe(403);
    expect(await call('add', { undo: true })).toBe(200);
    expect((await stateOf(player)).team_id).toBe(team.id);

    // Who has left in another way, or has been moved since, is out of reach.
    await removeFromTeam(t, team, player.email);
    expect(await call('add', { undo: true })).toBe(403);
    await addToTeam(t, team, [player.email]);
    expect(await call('remove')).toBe(200);
    const other = await makeTeam(t, await makeLeague(t));
    await addToTeam(t, other, [player.email]);
    expect(await call('add', { undo: true })).toBe(403);
    expect((await stateOf(player)).team_id).toBe(other.id);
  });

  test('does nothing more than the move itself if no such move came before', async () => {
    const league = await makeLeague(t);
    const [one, two] = [await makeTeam(t, league), await makeTeam(t, league)];
    const player = await makePlayer(t, { league_mode_enabled: false });
    await WAYS.code(player, one, league);
    await move('add', player, two, true);
    expect(await joinedOf(player)).toMatchObject({ how: 'staff', mail_waits: true });
    await move('remove', player, two, false);
    await WAYS.code(player, one, league);
    await move('remove', player, one, true);
    expect(await stateOf(player)).toMatchObject({ league_mode_enabled: true });
  });
});

test('HAND-43, P111 members get the code while somebody can join with it', async () => {
  const league = await makeLeague(t);
  const [player, mate] = [await makePlayer(t), await makePlayer(t)];
  const team = await makeTeam(t, league, [player, mate]);
  const invite = async () => (await stats(player)).invite;
  expect(await invite()).toBeNull();
  for (const joining of ['open', 'ask'] as const) {
    await setJoining(t, league, joining);
    expect(await invite()).toEqual({
      code: await readCode(t.db, team),
      joining,
      free: 1,
      league: league.name,
    });
  }
  await t.db
    .updateTable('seasons')
    .set({ rosters_lock_week: league.starts_on })
    .where('league_id', '=', league.id)
    .execute();
  expect(await invite()).toBeNull();
  await t.db
    .updateTable('seasons')
    .set({ rosters_lock_week: null })
    .where('league_id', '=', league.id)
    .execute();
  expect(await invite()).not.toBeNull();
  await addToTeam(t, team, [(await makePlayer(t)).email]);
  expect(await stats(player)).toMatchObject({ invite: null, full: true });
});
