import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import { makeIp, makeLeague, makePlayer, makeSession, makeTeam } from '#testing/app/make.ts';
import { openProvider, type TestProvider } from '#testing/app/openid-provider.ts';
import { type TestApp, testApp } from '#testing/app/test-app.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { CLEARED } from '../players/players.ts';

/**
 * A stranger signs up with somebody else's address (P6, P7, P24, P27, P29c). The owner of the
 * address then takes the account over in each possible way, and the stranger tries every way back
 * in.
 */
const PLANTED = 'planted by a stranger';
const MINUTE = 60_000;

let t: TestApp;
let provider: TestProvider;
let password_hash: string;
beforeAll(async () => {
  provider = await openProvider();
  t = await testApp({ google: provider.settings });
  password_hash = await hashPassword(PLANTED);
});
afterAll(async () => {
  await t.close();
  await provider.close();
});

let people = 0;
let email: string;
beforeEach(() => {
  people += 1;
  email = `victim${people}@gmail.com`;
});
const post = (path: string, body: unknown) =>
  t.call('POST', `/api/users/${path}/`, { body, ip: makeIp() });
const mailed = (count: number) =>
  expect.poll(async () => (await t.mails(email)).length).toBe(count);

/** A row for each column of CLEARED, and a block of the account by somebody else. */
async function plantRows({ id }: { id: number }) {
  const other = await makePlayer(t);
  const team = await makeTeam(t, await makeLeague(t));
  await sql`
    with own as (select ${id}::bigint as id, ${other.id}::bigint as other, now() as at),
      request as (insert into join_requests (player_id, team_id, asked_at)
        select id, ${team.id}::integer, at from own),
      friends as (insert into friendships (player_id, friend_id, since)
        select id, other, at from own union all select other, id, at from own),
      blocks as (insert into blocks (player_id, blocked_id, at)
        select id, other, at from own union all select other, id, at from own),
      codes as (insert into friend_codes (player_id, code_hash, expires_at, asked_by)
        select id, sha256(${`own ${id}`}::bytea), at, null from own
        union all select other, sha256(${`other ${id}`}::bytea), at, id from own),
      duels as (insert into duels (offerer_id, rival_id, state, offered_at, accept_until, changed_at)
        select id, other, 'declined', at, at, at from own
        union all select other, id, 'declined', at, at, at from own),
      tally as (insert into duel_tallies (player_id, won, lost, level) select id, 1, 0, 0 from own),
      switches as (insert into player_push (player_id, my_game, my_week, nudge, duel, passed)
        select id, true, true, true, true, true from own),
      key as (insert into push_keys (public_key, sealed, created_at)
        select rpad(${String(id)}, 65, '-')::bytea, 'sealed', at from own returning id),
      device as (insert into push_devices (player_id, endpoint_hash, sealed, host, locale, zone,
          client, key_id, since, seen_at)
        select own.id, sha256(${`device ${id}`}::bytea), 'sealed', 'push.example', 'en', 'UTC',
          'Firefox', key.id, at, at from own, key),
      off as (insert into push_off (player_id, endpoint_hash, at)
        select id, sha256('off'), at from own)
    insert into push_notices (player_id, kind, subject, data, caused_at, worth_until, due_at)
    select id, 'nudge', 'planted', '{}', at, at, at from own`.execute(t.db);
}

/** How many rows each column of CLEARED finds for the player. */
const ownRows = (id: number) =>
  Promise.all(
    CLEARED.map(async (column) => {
      const [table = ''] = column.split('.');
      const { rows } = await sql`
        select from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(t.db);
      return [column, rows.length];
    }),
  );

/** An unverified account with everything that a stranger could leave in it. */
async function plant() {
  const player = await makePlayer(t, {
    email,
    email_verified_at: null,
    username: `planted-${people}`,
    password_hash,
    date_of_birth: '1990-01-01',
    avatar_color: '#010203',
    jersey_number: '66',
    league_mode_enabled: true,
  });
  await t.db
    .insertInto('identities')
    .values({
      issuer: 'https://planted.example',
      subject: String(people),
      player_id: player.id,
      created_at: t.clock.now(),
    })
    .execute();
  await t.db
    .insertInto('league_mode_changes')
    .values({ player_id: player.id, at: t.clock.now(), enabled: true })
    .execute();
  await plantRows(player);
  const session = await makeSession(t, player);
  await post('resend-verification', { email });
  await post('auth/request-password-reset', { email });
  await mailed(2);
  return {
    player,
    session,
    /** This code is in the owner's mailbox, but it must stop working too. */
    code: await codeFor({ mails: async (to) => (await t.mails(to)).slice(1) }, email).catch(
      () => '',
    ),
    link: await linkFor(t, email),
  };
}

const ADOPTIONS: Record<string, () => Promise<{ access: string; refresh: string }>> = {
  'by a code (P27)': async () => {
    await post('auth/register', { email });
    t.clock.advance(MINUTE);
    await post('resend-verification', { email });
    await mailed(3);
    const answer = await post('verify-email', { email, code: await codeFor(t, email) });
    expect(answer.status).toBe(200);
    return answer.body.tokens;
  },
  'by a link (P24)': async () => {
    t.clock.advance(MINUTE);
    await post('auth/request-password-reset', { email });
    await mailed(3);
    const link = await linkFor(t, email);
    const answer = await post('auth/reset-password', { ...link, password: 'the owner’s own kite' });
    expect(answer.status).toBe(200);
    return answer.body.tokens;
  },
  'by Google (P29c)': async () => {
    provider.person = { sub: `owner-${people}`, email, email_verified: true };
    const answer = await post('auth/google/callback', { code: 'the owner’s' });
    expect(answer.status).toBe(200);
    return answer.body.tokens;
  },
};

describe.each(Object.entries(ADOPTIONS))('P7: an account adopted %s', (_name, adopt) => {
  test('keeps nothing that the stranger planted', async () => {
    const planted = await plant();
    expect(await ownRows(planted.player.id)).toEqual(CLEARED.map((column) => [column, 1]));
    const owner = await adopt();
    const { body: user } = await t.call('GET', '/api/users/profile/', { as: owner });
    expect(user).toMatchObject({
      email,
      username: '',
      date_of_birth: null,
      avatar_color: '#377AD3',
      jersey_number: '00',
      league_mode_enabled: false,
      profile_setup_complete: false,
    });
    expect(user.uuid).not.toBe(planted.player.uuid);
    const { id } = planted.player;
    expect(await ownRows(id)).toEqual(CLEARED.map((column) => [column, 0]));
    const { rows: blocks } = await sql`select from blocks where blocked_id = ${id}`.execute(t.db);
    expect(blocks).toHaveLength(1);
    for (const [table, column] of [
      ['identities', 'issuer'],
      ['league_mode_changes', 'enabled'],
    ] as const) {
      const rows = await t.db.selectFrom(table).selectAll().where('player_id', '=', id).execute();
      expect(rows.map((row) => Reflect.get(row, column))).not.toContain('https://planted.example');
      if (table === 'league_mode_changes') expect(rows).toEqual([]);
    }
  });

  test('accepts none of the earlier secrets', async () => {
    const { session, code } = await plant();
    const owner = await adopt();
    expect((await t.call('GET', '/api/users/profile/', { as: session })).status).toBe(401);
    expect((await post('auth/token/refresh', { refresh: session.refresh })).status).toBe(401);
    expect((await post('auth/login', { email, password: PLANTED })).status).toBe(400);
    expect((await post('verify-email', { email, code: code || '000000' })).status).toBe(400);
    expect((await t.call('GET', '/api/users/profile/', { as: owner })).status).toBe(200);
  });

  test('cannot be opened with a Google account that was linked before', async () => {
    const { player } = await plant();
    await t.db
      .updateTable('identities')
      .set({ issuer: provider.settings.issuer, subject: `stranger-${people}` })
      .where('player_id', '=', player.id)
      .execute();
    const owner = await adopt();
    provider.person = {
      sub: `stranger-${people}`,
      email: `stranger${people}@gmail.com`,
      email_verified: true,
    };
    const { body: stranger } = await post('auth/google/callback', { code: 'the stranger’s' });
    const { body: user } = await t.call('GET', '/api/users/profile/', { as: owner });
    expect(stranger.user?.email).toBe(`stranger${people}@gmail.com`);
    expect(stranger.user?.uuid).not.toBe(user.uuid);
  });

  test('stays on the team that the operator put it on', async () => {
    const { player } = await plant();
    const team = await makeTeam(t, await makeLeague(t), [], { name: `Team of ${people}` });
    await t.db
      .updateTable('players')
      .set({ team_id: team.id })
      .where('id', '=', player.id)
      .execute();
    const { body } = await t.call('GET', '/api/users/profile/', { as: await adopt() });
    expect(body.team).toEqual({ name: `Team of ${people}` });
  });
});

test('P7: each column that refers to a player is cleared, or stays for a reason', async () => {
  const STAYS: Record<string, string> = {
    'sessions.player_id': 'ended with the account’s other ways in; tested above',
    'identities.player_id': 'removed with the account’s other ways in; tested above',
    'codes.player_id': 'replaced or dropped by the code that proves the address; tested above',
    'audit.player_id': 'append-only, about staff',
    'blocks.blocked_id': 'lifted by the blocker only (P101)',
    'nudges.player_id': 'by team mates; the team stays',
    'nudges.sender_id': 'counts the nudges of a team mate’s week; the team stays',
    'team_changes.player_id': 'the team stays',
    'league_decisions.player_id': 'by staff',
    'cup_sides.player_id': 'by staff or from the team, and games count for it',
    'cup_players.player_id': 'by staff or from the team, and games count for it',
    'games.player_id': 'games never change',
    'game_reports.player_id': 'staff may be about to answer it; the game stays',
    'player_stats.player_id': 'from games',
    'bests.player_id': 'from games',
    'board_places.player_id': 'from games',
    'league_weeks.player_id': 'from games',
    'player_achievements.player_id': 'from games',
    'machine_status.greeted_player': 'the last scan at a machine, for minutes',
  };
  const { rows } = await sql<{ name: string }>`
    select distinct name from (
      select c.conrelid::regclass || '.' || a.attname as name
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'players'::regclass and c.conparentid = 0
      union
      select table_name || '.' || column_name from information_schema.columns
      where table_schema = 'public' and column_name = 'player_id'
    ) names`.execute(t.db);
  expect(rows.map(({ name }) => name).sort()).toEqual([...CLEARED, ...Object.keys(STAYS)].sort());
});

test('P6 P27: a stranger who registers an address repeatedly learns nothing and keeps nothing', async () => {
  await makePlayer(t, { email, email_verified_at: null, username: null, date_of_birth: null });
  const seen = [];
  for (let n = 0; n < 4; n += 1) {
    const { status, body } = await post('auth/register', {
      email,
      username: `planted-${n}`,
      password: PLANTED,
      date_of_birth: '1990-01-01',
      email_verified_at: '2020-01-01',
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('tokens');
    seen.push(body.user.uuid);
    t.clock.advance(MINUTE);
  }
  const answer = await post('verify-email', { email, code: await codeFor(t, email) });
  expect(answer.status).toBe(200);
  expect(seen).not.toContain(answer.body.user.uuid);
  expect(answer.body.user).toMatchObject({ username: '', has_set_password: false });
});

test('P29c: sign-in with Google and a concurrent code end up in one account', async () => {
  await post('auth/register', { email });
  await mailed(1);
  const code = await codeFor(t, email);
  provider.person = { sub: `owner-${people}`, email, email_verified: true };
  const [byGoogle, byCode] = await Promise.all([
    post('auth/google/callback', { code: 'the owner’s' }),
    post('verify-email', { email, code }),
  ]);
  // In any order, there is one account, and the owner is signed in.
  expect(byGoogle.status).toBe(200);
  expect([200, 400]).toContain(byCode.status);
  const players = await t.db
    .selectFrom('players')
    .select('id')
    .where('email', '=', email)
    .execute();
  expect(players).toHaveLength(1);
});

test('P29c: a verified account is not linked when Google does not vouch for the address', async () => {
  const owner = await makePlayer(t, { email: `owner${people}@example.com`, password_hash });
  const before = await makeSession(t, owner);
  provider.person = { sub: `thief-${people}`, email: owner.email, email_verified: true };
  expect((await post('auth/google/callback', { code: 'the thief’s' })).status).toBe(400);
  provider.person = { ...provider.person, email: owner.email.toUpperCase() };
  expect((await post('auth/google/callback', { code: 'the thief’s' })).status).toBe(400);
  expect((await t.call('GET', '/api/users/profile/', { as: before })).status).toBe(200);
  const links = await t.db
    .selectFrom('identities')
    .selectAll()
    .where('player_id', '=', owner.id)
    .execute();
  expect(links).toEqual([]);
});
