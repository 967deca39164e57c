import { beforeAll, describe, expect, test } from 'vitest';
import {
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { makeLink } from './links.ts';
import { ABSOLUTE_MS, IDLE_MS, LINK_SESSION_MS, SESSIONS_MAX } from './sessions.ts';

const t = withApp();
/** An app over plain http, where browsers offer no passkeys. */
let plain: TestApp;
beforeAll(async () => {
  plain = await t.sibling({ public_url: 'http://192.168.1.20:3000' });
});

const asKey = { as: { key: OPERATOR_KEY } };
const ours = { origin: 'http://localhost:3000' };
const theirs = { origin: 'http://192.168.1.20:3000', host: '192.168.1.20:3000' };

async function invite(app: TestApp, body: object): Promise<string> {
  const answer = await app.call('POST', '/api/operator/staff/', { ...asKey, body });
  expect(answer.status).toBe(201);
  return answer.body.url.split('#')[1];
}
const me = (app: TestApp, headers: Record<string, string>) =>
  app.call('GET', '/api/console/me/', { headers });

describe('a one-time link (P61)', () => {
  test('is shown without being used up, and replaced by a new one', async () => {
    const first = await invite(t, { name: 'Ines Duarte', role: 'owner' });
    for (let twice = 0; twice < 2; twice += 1) {
      const shown = await t.call('POST', '/api/console/link/', {
        body: { token: first },
        headers: ours,
      });
      expect(shown.body).toMatchObject({
        name: 'Ines Duarte',
        role: 'owner',
        invited_by: 'Command line',
        passkeys: true,
      });
    }
    const again = await t.call('POST', '/api/operator/staff/link/', {
      ...asKey,
      body: { staff: 'ines duarte' },
    });
    const second = again.body.url.split('#')[1];
    const shown = (token: string) =>
      t.call('POST', '/api/console/link/', { body: { token }, headers: ours });
    expect((await shown(first)).status).toBe(404);
    expect((await shown(second)).status).toBe(200);
    t.clock.advance(24 * 3_600_000 - 60_000);
    expect((await shown(second)).status).toBe(200);
    t.clock.advance(60_000);
    expect((await shown(second)).status).toBe(404);
  });

  test('opens nothing once it is withdrawn', async () => {
    const token = await invite(t, { name: 'Withdrawn', role: 'floor' });
    const shown = () => t.call('POST', '/api/console/link/', { body: { token }, headers: ours });
    expect((await shown()).status).toBe(200);
    const body = { staff: 'Withdrawn' };
    const unlinked = await t.call('POST', '/api/operator/staff/unlink/', { ...asKey, body });
    expect(unlinked.status).toBe(200);
    expect((await shown()).status).toBe(404);
  });

  test('is stored as a hash only, and is in the address after the #', async () => {
    const answer = await t.call('POST', '/api/operator/staff/', {
      ...asKey,
      body: { name: 'Hashed', role: 'floor' },
    });
    const token = answer.body.url.split('/console/join#')[1];
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = await t.db.selectFrom('staff_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('opens a session of 12 h only where there are no passkeys, and only once', async () => {
    const token = await invite(t, { name: 'Secure', role: 'floor' });
    const refused = await t.call('POST', '/api/console/link/session/', {
      body: { token, device: 'Bar tablet' },
      headers: ours,
    });
    expect(refused.status).toBe(403);

    const other = await invite(plain, { name: 'Sam Okafor', role: 'floor' });
    const use = () =>
      plain.call('POST', '/api/console/link/session/', {
        body: { token: other, device: 'Bar tablet' },
        headers: theirs,
      });
    const before = plain.clock.now();
    const both = await Promise.all([use(), use()]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    const { joined_at } = await plain.db
      .selectFrom('staff')
      .select('joined_at')
      .where('name', '=', 'Sam Okafor')
      .executeTakeFirstOrThrow();
    expect(Number(joined_at)).toBeGreaterThanOrEqual(Number(before));
    expect(Number(joined_at)).toBeLessThanOrEqual(Number(plain.clock.now()));
    const opened = both.find(({ status }) => status === 204);
    const cookie = String(opened?.headers['set-cookie']);
    expect(cookie).toMatch(
      /^backboard_staff=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const headers = { ...theirs, cookie: cookie.split(';')[0] ?? '' };
    expect((await me(plain, headers)).body).toMatchObject({
      name: 'Sam Okafor',
      role: 'floor',
      session: { kind: 'link', device: 'Bar tablet' },
    });
    t.clock.advance(LINK_SESSION_MS - IDLE_MS / 2);
    expect((await me(plain, headers)).status).toBe(200);
    t.clock.advance(IDLE_MS / 2);
    expect((await me(plain, headers)).status).toBe(401);
  });
});

describe('a session (P62)', () => {
  test('ends 12 h after its last call, and 30 d after its sign-in', async () => {
    const hour = 3_600_000;
    expect([IDLE_MS, ABSOLUTE_MS, LINK_SESSION_MS]).toEqual([12 * hour, 720 * hour, 12 * hour]);
    const { headers } = await makeStaff(t);
    t.clock.advance(IDLE_MS - 1000);
    expect((await me(t, headers)).status).toBe(200);
    t.clock.advance(IDLE_MS - 1000);
    expect((await me(t, headers)).status).toBe(200);
    t.clock.advance(IDLE_MS);
    expect((await me(t, headers)).status).toBe(401);

    const { headers: busy } = await makeStaff(t);
    for (let hours = 0; hours < ABSOLUTE_MS / 3_600_000 - 8; hours += 8) {
      t.clock.advance(8 * 3_600_000);
      expect((await me(t, busy)).status).toBe(200);
    }
    t.clock.advance(8 * 3_600_000);
    expect((await me(t, busy)).status).toBe(401);

    // A list has only open sessions: this person's is idle, and not yet deleted.
    const { name } = await makeStaff(t);
    const list = () => t.call('GET', `/api/operator/staff/sessions/?staff=${name}`, asKey);
    expect((await list()).body.results).toHaveLength(1);
    t.clock.advance(IDLE_MS);
    expect((await list()).body.results).toEqual([]);
  });

  test('has a cookie with the prefix __Host- and Secure under https', async () => {
    const https = await t.sibling({ public_url: 'https://10.0.0.5' });
    const own = { origin: 'https://10.0.0.5', host: '10.0.0.5' };
    const token = await invite(https, { name: 'Under https', role: 'floor' });
    const { headers } = await https.call('POST', '/api/console/link/session/', {
      body: { token, device: 'Phone' },
      headers: own,
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-backboard_staff=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
  });

  test('ends when its person opens 20 newer ones', async () => {
    const sessions = [];
    let token = await invite(plain, { name: 'Many devices', role: 'floor' });
    for (let n = 0; n <= SESSIONS_MAX; n += 1) {
      const { headers } = await plain.call('POST', '/api/console/link/session/', {
        body: { token, device: `Phone ${n}` },
        headers: theirs,
      });
      sessions.push({ ...theirs, cookie: String(headers['set-cookie']).split(';')[0] ?? '' });
      t.clock.advance(1000);
      const again = await t.call('POST', '/api/operator/staff/link/', {
        ...asKey,
        body: { staff: 'Many devices' },
      });
      token = again.body.url.split('#')[1];
    }
    const statuses = await Promise.all(sessions.map(async (one) => (await me(plain, one)).status));
    expect(statuses).toEqual([401, ...Array(SESSIONS_MAX).fill(200)]);
  });

  test('is always new: a planted cookie opens nothing and does not become the session', async () => {
    const planted = 'A'.repeat(43);
    const token = await invite(plain, { name: 'Fixated', role: 'floor' });
    const { headers } = await plain.call('POST', '/api/console/link/session/', {
      body: { token, device: 'Phone' },
      headers: { ...theirs, cookie: `backboard_staff=${planted}` },
    });
    expect(String(headers['set-cookie'])).not.toContain(planted);
    expect((await me(plain, { ...theirs, cookie: `backboard_staff=${planted}` })).status).toBe(401);
  });

  test('ends at once when its person is removed or gets another role', async () => {
    const [one, other] = [await makeStaff(t, { role: 'manager' }), await makeStaff(t)];
    expect((await me(t, one.headers)).status).toBe(200);
    await t.call('POST', '/api/operator/staff/change/', {
      headers: other.headers,
      body: { staff: one.name, role: 'floor' },
    });
    expect((await me(t, one.headers)).status).toBe(401);
    const third = await makeStaff(t, { role: 'manager' });
    const removed = await t.call('POST', '/api/operator/staff/remove/', {
      headers: other.headers,
      body: { staff: third.name },
    });
    expect(removed.body).toEqual({ name: third.name, sessions_ended: 1 });
    expect((await me(t, third.headers)).status).toBe(401);
  });

  test('removing a person also deletes the address for their mails', async () => {
    const { id, name } = await makeStaff(t, { role: 'manager' });
    await t.call('POST', '/api/operator/alerts/', {
      ...asKey,
      body: { staff: name, email: 'gone@example.com' },
    });
    const stored = () =>
      t.db.selectFrom('staff_alerts').select('email').where('staff_id', '=', id).execute();
    expect(await stored()).toHaveLength(1);
    await t.call('POST', '/api/operator/staff/remove/', { ...asKey, body: { staff: name } });
    expect(await stored()).toEqual([]);
  });

  test('of staff opens nothing for players, and a player’s token opens nothing for staff', async () => {
    const { headers } = await makeStaff(t);
    const { access } = await makeSession(t, await makePlayer(t));
    expect((await t.call('GET', '/api/users/profile/', { headers })).status).toBe(401);
    for (const path of ['/api/operator/machines/', '/api/console/me/'])
      expect((await t.call('GET', path, { as: { access } })).status).toBe(401);
    // A bearer token takes precedence over a valid cookie.
    expect(
      (await t.call('GET', '/api/operator/machines/', { as: { access }, headers })).status,
    ).toBe(401);
    const { key } = await makeMachine(t);
    expect((await t.call('GET', '/api/operator/machines/', { as: { key } })).status).toBe(401);
  });
});

test('P64: a change with the cookie must come from our own pages', async () => {
  const { headers } = await makeStaff(t);
  const cookie = { cookie: headers.cookie };
  const add = (name: string, more: Record<string, string>) =>
    t.call('POST', '/api/operator/leagues/', {
      body: { name, timezone: 'UTC' },
      headers: { ...cookie, ...more },
    });
  expect((await add('No sign', {})).status).toBe(403);
  expect((await add('Same site', { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  expect((await add('None', { 'sec-fetch-site': 'none' })).status).toBe(403);
  expect((await add('Elsewhere', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await add('Cross', { ...ours, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await add('Ours by origin', ours)).status).toBe(201);
  expect((await add('Ours by fetch', { 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  const form = await t.call('POST', '/api/operator/leagues/', {
    body: 'name=x',
    headers: { ...cookie, ...ours, 'content-type': 'text/plain' },
  });
  expect(form.status).toBe(415);
  // Only routes for backup parts accept bytes.
  const bytes = await t.call('POST', '/api/operator/machines/repair/', {
    body: '{}',
    headers: { ...cookie, ...ours, 'content-type': 'application/octet-stream' },
  });
  expect(bytes.status).toBe(415);
});

test('STAFF-02: a person without venues and leagues reaches nothing, even after losing the last venue', async () => {
  await makeMachine(t, { venue: 'Last Hall' });
  await makeLeague(t);
  const change = (staff: string, body: object) =>
    t.call('POST', '/api/operator/staff/change/', { ...asKey, body: { staff, ...body } });
  const added = await t.call('POST', '/api/operator/staff/', {
    ...asKey,
    body: { name: 'Nothing yet', role: 'manager' },
  });
  expect(added.body.staff).toMatchObject({ everything: false, venues: [], leagues: [] });
  await makeStaff(t, { name: 'Last venue', role: 'manager', venues: ['Last Hall'] });
  await makeStaff(t, { name: 'Was owner' });
  const reaches = async (staff: string, body: object) => (await change(staff, body)).body;
  expect(await reaches('Last venue', { venues: [] })).toMatchObject({ everything: false });
  expect(await reaches('Last venue', { everything: true })).toMatchObject({ everything: true });
  // A new role alone does not change the reach, except an owner's.
  expect(await reaches('Last venue', { role: 'floor' })).toMatchObject({ everything: true });
  expect(await reaches('Last venue', { role: 'manager', everything: false })).toMatchObject({
    everything: false,
    venues: [],
  });
  await makeStaff(t, { name: 'Second owner' });
  expect(await reaches('Was owner', { role: 'manager' })).toMatchObject({ everything: false });
  expect((await change('Was owner', { role: 'owner', everything: false })).status).toBe(400);
  const both = { everything: true, venues: ['Last Hall'] };
  expect((await change('Was owner', both)).status).toBe(400);

  const { headers } = await makeStaff(t, { name: 'Sees nothing', role: 'manager' });
  expect((await t.call('GET', '/api/operator/venues/', { headers })).body.results).not.toEqual([]);
  // Writes the row directly, because a change by a call would end the session.
  await t.db
    .updateTable('staff')
    .set({ everything: false })
    .where('name', '=', 'Sees nothing')
    .execute();
  for (const path of ['machines/', 'venues/', 'leagues/', 'teams/', 'screens/', 'held/'])
    expect([
      path,
      (await t.call('GET', `/api/operator/${path}`, { headers })).body.results,
    ]).toEqual([path, []]);
  const page = await t.call('GET', '/api/operator/machines/show/?machine=id:1', { headers });
  expect(page.status).toBe(403);
});

test('P60: the last owner can neither be removed nor get a lower role', async () => {
  const alone = await testApp();
  try {
    const owner = await makeStaff(alone, { name: 'Only' });
    const gone = (path: string, body: object) =>
      alone.call('POST', `/api/operator/staff/${path}/`, { headers: owner.headers, body });
    expect((await gone('remove', { staff: 'Only' })).status).toBe(409);
    expect((await gone('change', { staff: 'Only', role: 'manager' })).status).toBe(409);
    // An owner without passkey, session or link cannot get in.
    const { id } = await makeStaff(alone, { name: 'Second' });
    const now = alone.clock.now();
    const expired = { created_at: new Date(now.getTime() - 1), expires_at: now };
    await alone.db.updateTable('staff_sessions').set(expired).where('staff_id', '=', id).execute();
    expect((await gone('change', { staff: 'Only', role: 'manager' })).status).toBe(409);
    await alone.db.deleteFrom('staff_sessions').where('staff_id', '=', id).execute();
    expect((await gone('change', { staff: 'Only', role: 'manager' })).status).toBe(409);
    await makeLink(alone, alone.db, id, 'Somebody');
    await alone.db.updateTable('staff_links').set(expired).execute();
    expect((await gone('change', { staff: 'Only', role: 'manager' })).status).toBe(409);
    await makeLink(alone, alone.db, id, 'Somebody');
    expect((await gone('change', { staff: 'Only', role: 'manager' })).status).toBe(200);
  } finally {
    await alone.close();
  }
});

test('P60: the last passkey of the last owner cannot be removed', async () => {
  const alone = await testApp();
  try {
    const owner = await makeStaff(alone, { name: 'Only' });
    const manager = await makeStaff(alone, { name: 'Less', role: 'manager' });
    const stored = { public_key: Buffer.from('k'), counter: 0, transports: [], name: 'Phone' };
    const passkeys = [
      { id: 'first', staff_id: owner.id },
      { id: 'second', staff_id: owner.id },
      { id: 'of Less', staff_id: manager.id },
    ].map((passkey) => ({ ...passkey, ...stored, created_at: alone.clock.now() }));
    await alone.db.insertInto('staff_passkeys').values(passkeys).execute();
    const own = (id: string) =>
      alone.call('DELETE', `/api/console/devices/${id}/`, { headers: owner.headers });
    const other = (staff: string, device: string) =>
      alone.call('POST', '/api/operator/staff/remove-device/', {
        ...asKey,
        body: { staff, device },
      });
    const both = await Promise.all([own('first'), own('second')]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    const [left] = (
      await alone.db
        .selectFrom('staff_passkeys')
        .select('id')
        .where('staff_id', '=', owner.id)
        .execute()
    ).map(({ id }) => id);
    expect((await other('Only', left ?? '')).body).toEqual({
      detail:
        'This is the last passkey of the last owner. Set up another one first, or nobody could manage staff.',
    });
    expect((await own(left ?? '')).status).toBe(409);
    expect((await other('Less', 'of Less')).body).toMatchObject({ devices: [], joined: true });
    await makeStaff(alone, { name: 'Second' });
    expect((await own(left ?? '')).status).toBe(204);
  } finally {
    await alone.close();
  }
});

test('P39a: one person’s calls are limited, and others can still call', async () => {
  const { headers } = await makeStaff(t, { role: 'floor' });
  const statuses = new Set<number>();
  for (let n = 0; n < 300; n += 1)
    statuses.add((await t.call('POST', '/api/operator/leagues/', { headers, body: {} })).status);
  expect([...statuses]).toEqual([403, 429]);
  expect((await t.call('GET', '/api/operator/tonight/', { headers })).status).toBe(200);
});

test('P39a: operator and console calls of one person share a limit', async () => {
  const { headers } = await makeStaff(t, { role: 'floor' });
  const statuses: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const [method, path] = n % 2 ? ['DELETE', 'console/devices/1/'] : ['POST', 'operator/leagues/'];
    statuses.push((await t.call(method, `/api/${path}`, { headers, body: {} })).status);
  }
  // Besides the burst of 240, the rate allows eight calls a second.
  expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(240);
});

test('P62: a browser with two session cookies is not signed in', async () => {
  const [one, other] = [await makeStaff(t), await makeStaff(t)];
  const cookie = `${other.headers.cookie}; ${one.headers.cookie}`;
  expect((await t.call('GET', '/api/console/me/', { headers: { cookie } })).status).toBe(401);
});

test('P65: no staff can have the name that the audit gives to the command line', async () => {
  const body = { name: 'command LINE', role: 'floor' };
  expect((await t.call('POST', '/api/operator/staff/', { ...asKey, body })).status).toBe(409);
  const { name } = await makeStaff(t);
  const change = { staff: name, name: body.name };
  expect(
    (await t.call('POST', '/api/operator/staff/change/', { ...asKey, body: change })).status,
  ).toBe(409);
});

test('STAFF-05: a taken name is refused, even if it has letters beyond ASCII', async () => {
  const [first, second] = [await makeStaff(t, { name: 'İnci Öz' }), await makeStaff(t)];
  const answer = await t.call('POST', '/api/operator/staff/change/', {
    ...asKey,
    body: { staff: second.name, name: first.name },
  });
  expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining(first.name)]);
});

test('P63: a manager of one league cannot take a player off a team of another league', async () => {
  const player = await makePlayer(t);
  const [own, other] = [await makeLeague(t), await makeLeague(t)];
  const theirs = await makeTeam(t, other, [player]);
  const team = await makeTeam(t, own);
  const { headers } = await makeStaff(t, { role: 'manager', leagues: [own.name] });
  const add = () =>
    t.call('POST', '/api/operator/teams/add/', {
      headers,
      body: { team: team.name, emails: [player.email] },
    });
  expect((await add()).status).toBe(403);
  const { team_id } = await t.db
    .selectFrom('players')
    .select('team_id')
    .where('id', '=', player.id)
    .executeTakeFirstOrThrow();
  expect(team_id).toBe(theirs.id);
  await t.call('POST', '/api/operator/teams/remove/', {
    ...asKey,
    body: { team: theirs.name, email: player.email },
  });
  expect((await add()).status).toBe(200);
  // P65: the audit names the moved player.
  const lines = await t.db
    .selectFrom('audit')
    .select('what')
    .where('player_id', '=', player.id)
    .orderBy('id')
    .execute();
  expect(lines.map(({ what }) => what)).toEqual([
    `Took ${player.username} off ${theirs.name}`,
    `Put ${player.username} on ${team.name}`,
  ]);
});
