import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aGame, makeGames, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { OPERATOR_KEY, testApp, withApp } from '#testing/app/test-app.ts';
import { lockPatiently } from '../db/locks.ts';
import { rebuild } from '../games/rebuild.ts';
import { readMachinePage } from '../staff-pages/machine.ts';
import {
  changeMachine,
  ENDED_KEPT_MS,
  markRepair,
  ROTATION_MS,
  revokeMachine,
  rotateMachine,
  stopOldKey,
} from './machines.ts';
import { listMachines, viewMachines } from './overview.ts';
import { recordReport } from './report.ts';

const t = withApp();

const me = (key: string, headers = {}) => t.call('GET', '/api/machine/', { as: { key }, headers });

test('a machine learns its name and the time', async () => {
  const machine = await makeMachine(t, { name: 'Hoop 2', venue: 'Dockside Arcade' });
  const answer = await me(machine.key);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: String(machine.id),
    name: 'Hoop 2',
    venue: 'Dockside Arcade',
    server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

test('machines share a venue if the names differ only in letter case', async () => {
  const one = await makeMachine(t, { venue: 'Station Bowl' });
  const other = await makeMachine(t, { venue: 'STATION bowl' });
  expect(other).toMatchObject({ venue_id: one.venue_id, venue: 'Station Bowl' });
});

test('a second machine with the same name is refused', async () => {
  await makeMachine(t, { name: 'Twin' });
  await expect(makeMachine(t, { name: 'twin' })).rejects.toMatchObject({ status: 409 });
});

test('P31a: a key has 256 random bits and is stored as a hash only', async () => {
  const machine = await makeMachine(t);
  expect(machine.key).toMatch(/^bbm_test_[a-z0-9]{12}_[0-9a-f]{64}_[0-9a-f]{8}$/);
  const [keyId = '', secret = ''] = machine.key.split('_').slice(2);
  const rows = await t.db.selectFrom('machine_keys').selectAll().where('id', '=', keyId).execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(rows[0]?.hash.toString('hex')).not.toBe(secret);
});

test('P31a: anything but a valid key is 401', async () => {
  const { key } = await makeMachine(t);
  const { key: other } = await makeMachine(t);
  const wrongSecret = key.replace(/_[0-9a-f]{64}_/, `_${'0'.repeat(64)}_`);
  const foreignId = [...key.split('_').slice(0, 2), ...other.split('_').slice(2)].join('_');
  const mixed = key.replace(/_[a-z0-9]{12}_/, `_${other.split('_')[2]}_`);
  for (const wrong of ['', 'x', key.slice(0, -1), `${key}0`, key.toUpperCase(), wrongSecret, mixed])
    expect([wrong, (await me(wrong)).status]).toEqual([wrong, 401]);
  expect((await me(foreignId)).status).toBe(200); // `foreignId` is exactly the other machine's key.
  expect((await t.call('GET', '/api/machine/')).status).toBe(401);
  const basic = await t.call('GET', '/api/machine/', {
    headers: { authorization: `Basic ${key}` },
  });
  expect(basic.status).toBe(401);
});

test('P31b: a key that was never issued is 401, even with a correct checksum', async () => {
  const { key } = await makeMachine(t);
  const stranger = await testApp();
  const { key: foreign } = await makeMachine(stranger);
  await stranger.close();
  expect((await me(key)).status).toBe(200);
  expect((await me(foreign)).status).toBe(401);
});

test('P31a: the player API refuses a machine key', async () => {
  const { key } = await makeMachine(t);
  expect((await t.call('GET', '/api/users/profile/', { as: { key } })).status).toBe(401);
});

test('P31a: after a rotation both keys work for an hour, then only the new one', async () => {
  const { id, key: first } = await makeMachine(t);
  const { key: second } = await rotateMachine(t, String(id));
  expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 200]);
  expect(ROTATION_MS).toBe(60 * 60_000);
  t.clock.advance(ROTATION_MS + 1);
  expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200]);
});

test('P31a: a machine has at most two valid keys', async () => {
  const { name, key: first } = await makeMachine(t);
  const { key: second } = await rotateMachine(t, name);
  const { key: third } = await rotateMachine(t, name);
  const statuses = [];
  for (const key of [first, second, third]) statuses.push((await me(key)).status);
  expect(statuses).toEqual([401, 200, 200]);
});

test('MACH-17: a key that a rotation stopped is listed for 30 more days, with its end', async () => {
  const app = await testApp();
  const { id, name, key: first } = await makeMachine(app);
  const { key: second } = await rotateMachine(app, name);
  const stoppedAt = app.clock.now();
  const { key: third } = await rotateMachine(app, name);
  const list = async () =>
    (await readMachinePage(app, id)).keys.map((key) => [key.id, key.ends_at]);
  const idOf = (key: string) => key.split('_')[2];
  const [newest, old, ended] = await list();
  expect([newest, old?.[0], ended?.[0]]).toEqual([[idOf(third), null], idOf(second), idOf(first)]);
  expect(Date.parse(ended?.[1] ?? '')).toBeGreaterThanOrEqual(stoppedAt.getTime());
  expect(Date.parse(ended?.[1] ?? '')).toBeLessThanOrEqual(app.clock.now().getTime());

  app.clock.advance(ENDED_KEPT_MS + ROTATION_MS + 1);
  expect(await list()).toHaveLength(3);
  await rotateMachine(app, name);
  expect((await list()).map(([key]) => key)).toEqual([expect.any(String), idOf(third)]);
  await app.close();
});

test('REL-15: after the clock was set back, the key of the last rotation is still the newest', async () => {
  const { id, name } = await makeMachine(t);
  await t.db
    .updateTable('machine_keys')
    .set({ created_at: new Date(t.clock.now().getTime() + 3_600_000) })
    .where('machine_id', '=', id)
    .execute();
  await rotateMachine(t, name);
  const { old_key_until } = await rotateMachine(t, name);
  const [view] = await viewMachines(t, sql<boolean>`m.id = ${id}`);
  expect(view?.key_created_at?.getTime()).toBeLessThanOrEqual(t.clock.now().getTime());
  expect(view?.old_key_ends_at).toEqual(old_key_until);
});

describe('MACH-22: a machine without a working key is refused', () => {
  const view = async (id: number) => (await viewMachines(t, sql<boolean>`m.id = ${id}`))[0];

  test('from the moment its key is stopped until it calls with the new one', async () => {
    const { id, name, key: first } = await makeMachine(t);
    expect((await me(first)).status).toBe(200);
    const { key: second } = await rotateMachine(t, name);
    const { until, old_key_ends_at } = (await view(id)) ?? {};
    expect(until?.getTime()).toBeLessThan(old_key_ends_at?.getTime() ?? 0);
    await stopOldKey(t, name);
    expect(await view(id)).toMatchObject({ state: 'refused', since: expect.any(Date) });
    expect((await readMachinePage(t, id)).machine).toMatchObject({ keyless: true, revoked: false });
    t.clock.advance(1);
    expect((await me(second)).status).toBe(200);
    expect(await view(id)).toMatchObject({ state: 'idle' });
  });

  test('even if the machine has a newer valid key that it has never used', async () => {
    const { id, name, key: first } = await makeMachine(t);
    expect((await me(first)).status).toBe(200);
    await rotateMachine(t, name);
    await rotateMachine(t, name);
    expect(await view(id)).toMatchObject({ state: 'refused' });
  });

  test('unless it has never called, or is revoked', async () => {
    const { id, name, key } = await makeMachine(t);
    await rotateMachine(t, name);
    await stopOldKey(t, name);
    expect((await view(id))?.state).not.toBe('refused');
    const other = await makeMachine(t);
    expect((await me(other.key)).status).toBe(200);
    await revokeMachine(t, other.name);
    expect((await readMachinePage(t, other.id)).machine).toMatchObject({
      keyless: false,
      revoked: true,
    });
    expect((await me(key)).status).toBe(401);
  });
});

describe('P31a MACH-21: staff stop the old key before its hour is over', () => {
  const idOf = (key: string) => key.split('_')[2] ?? '';

  test('the next call with the old key is refused, and the new key still works', async () => {
    const { name, key: first } = await makeMachine(t);
    const { key: second } = await rotateMachine(t, name);
    expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 200]);
    expect(await stopOldKey(t, name)).toMatchObject({ name, stopped: idOf(first) });
    expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200]);
    expect(await stopOldKey(t, name)).toMatchObject({ stopped: null });
  });

  test('only the key that staff named is stopped, even after another rotation', async () => {
    const { name, key: first } = await makeMachine(t);
    const { key: second } = await rotateMachine(t, name);
    // Somebody else rotates: the second key, which the machine uses, is now the old one.
    const { key: third } = await rotateMachine(t, name);
    expect(await stopOldKey(t, name, idOf(first))).toMatchObject({ stopped: null });
    expect([(await me(second)).status, (await me(third)).status]).toEqual([200, 200]);
    expect(await stopOldKey(t, name, idOf(second))).toMatchObject({ stopped: idOf(second) });
    expect([(await me(second)).status, (await me(third)).status]).toEqual([401, 200]);
  });

  test('the only working key, or a key of another machine, cannot be stopped', async () => {
    const { name, key } = await makeMachine(t);
    const other = await makeMachine(t);
    await rotateMachine(t, other.name);
    expect(await stopOldKey(t, name)).toMatchObject({ stopped: null });
    expect(await stopOldKey(t, name, idOf(other.key))).toMatchObject({ stopped: null });
    await expect(stopOldKey(t, name, idOf(key))).rejects.toMatchObject({ status: 409 });
    expect([(await me(key)).status, (await me(other.key)).status]).toEqual([200, 200]);
    await expect(stopOldKey(t, 'Nowhere')).rejects.toMatchObject({ status: 404 });
  });
});

test('P31a: a revoked machine is refused from its next call on, with every key', async () => {
  const { name, key: first } = await makeMachine(t);
  const { key: second } = await rotateMachine(t, name);
  expect((await me(second)).status).toBe(200);
  await revokeMachine(t, name);
  await revokeMachine(t, name);
  for (const key of [first, second]) expect((await me(key)).status).toBe(403);
  const { key: third } = await rotateMachine(t, name);
  expect((await me(third)).status).toBe(200);
  for (const key of [first, second]) expect((await me(key)).status).toBe(401);
});

test('rotating or revoking an unknown machine gets 404', async () => {
  await expect(rotateMachine(t, 'Nowhere')).rejects.toMatchObject({ status: 404 });
  await expect(revokeMachine(t, '0')).rejects.toMatchObject({ status: 404 });
});

test('P31a: the time of a machine’s last call and its clock error are stored at most once a minute', async () => {
  const { id, name, key } = await makeMachine(t);
  const state = async () => (await listMachines(t)).find((machine) => machine.id === id);
  expect(await state()).toMatchObject({
    name,
    heard_at: null,
    clock_error_ms: null,
    games_today: 0,
    revoked: false,
  });
  const ahead = new Date(t.clock.now().getTime() + 90_000).toUTCString();
  await me(key, { date: ahead });
  const first = await state();
  expect(first?.heard_at).toBeInstanceOf(Date);
  expect(Math.abs((first?.clock_error_ms ?? 0) - 90_000)).toBeLessThan(20_000);
  await me(key);
  expect((await state())?.heard_at).toEqual(first?.heard_at);
  t.clock.advance(61_000);
  await me(key);
  const later = await state();
  expect(later?.heard_at?.getTime()).toBeGreaterThan(first?.heard_at?.getTime() ?? 0);
  expect(later?.clock_error_ms).toBe(first?.clock_error_ms);
});

test.each(['1970-01-01', '2106-02-07', '9999-12-31'])(
  'P31h: a machine whose clock says %s is served, and its error is shown',
  async (day) => {
    const { id, key } = await makeMachine(t);
    const date = new Date(`${day}T00:00:00Z`);
    expect((await me(key, { date: date.toUTCString() })).status).toBe(200);
    const shown = async () =>
      (await listMachines(t)).find((machine) => machine.id === id)?.clock_error_ms ?? Number.NaN;
    await expect.poll(shown).not.toBeNaN();
    const error = date.getTime() - t.clock.now().getTime();
    expect(Math.abs((await shown()) - error)).toBeLessThan(60_000);
  },
);

test('P31a: a key older than a year is due for rotation, and still works', async () => {
  const app = await testApp();
  const { key, name } = await makeMachine(app);
  const due = async () => (await listMachines(app)).map(({ key_due }) => key_due);
  app.clock.advance(364 * 24 * 3_600_000);
  expect(await due()).toEqual([false]);
  app.clock.advance(2 * 24 * 3_600_000);
  expect(await due()).toEqual([true]);
  expect((await app.call('GET', '/api/machine/', { as: { key } })).status).toBe(200);
  await rotateMachine(app, name);
  expect(await due()).toEqual([false]);
  await app.close();
});

test('P31g: of 80 concurrent calls to two processes about 50 pass and the others get 429', async () => {
  const other = await t.sibling();
  const { key } = await makeMachine(t);
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      (at % 2 ? other : t).call('GET', '/api/machine/', { as: { key } }),
    ),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  // More than 50 can pass, because slots become free during the calls.
  expect(passed).toBeGreaterThanOrEqual(50);
  expect(passed).toBeLessThan(70);
  expect(passed + refused.length).toBe(80);
  for (const { headers, body } of refused) {
    expect(headers['retry-after']).toBe('1');
    expect(body).toEqual({ detail: expect.any(String) });
  }
});

test('P31g: a machine over its limit may still make 10 calls a second, and slows no other machine', async () => {
  const { id, key } = await makeMachine(t);
  const { key: neighbour } = await makeMachine(t);
  const book = (ms: number) => {
    const free_at = new Date(t.clock.now().getTime() + ms);
    return t.db
      .insertInto('machine_pace')
      .values({ machine_id: id, free_at })
      .onConflict((clash) => clash.column('machine_id').doUpdateSet({ free_at }))
      .execute();
  };
  // Move the next free slot further ahead than the burst allows.
  await book(5_500);
  expect((await me(key)).status).toBe(429);
  expect((await me(neighbour)).status).toBe(200);
  t.clock.advance(1_600);
  const statuses = [];
  for (let call = 0; call < 40; call += 1) statuses.push((await me(key)).status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
});

test('REL-15: a clock that is set back by an hour locks no machine out', async () => {
  const { id, key } = await makeMachine(t);
  const free_at = new Date(t.clock.now().getTime() + 3_600_000);
  await t.db.insertInto('machine_pace').values({ machine_id: id, free_at }).execute();
  expect((await me(key)).status).toBe(200);
  expect((await me(key)).status).toBe(200);
});

test('P30f: a machine gets a player’s name by the code, but not the e-mail address', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t, { username: 'Maya_Banks', jersey_number: '07' });
  const answer = await t.call('GET', `/api/machine/players/${player.uuid}/`, { as: { key } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    username: 'Maya_Banks',
    avatar_color: '#377AD3',
    jersey_number: '07',
    team: null,
    league_mode_enabled: false,
    league_games_left: 0,
    server_time: expect.any(String),
  });
});

test('an unknown code, an incomplete account and a malformed code get 404', async () => {
  const { key } = await makeMachine(t);
  const half = await makePlayer(t, { username: null });
  const newcomer = await makePlayer(t, { date_of_birth: null });
  for (const code of [
    crypto.randomUUID(),
    half.uuid,
    newcomer.uuid,
    'nonsense',
    'a'.repeat(2_000),
    '%00',
    "'",
  ])
    expect([
      code,
      (await t.call('GET', `/api/machine/players/${code}/`, { as: { key } })).status,
    ]).toEqual([code, 404]);
});

test('a call without a key is refused before its body is read, and a wrong method gets 405', async () => {
  const { key } = await makeMachine(t);
  const unsigned = await t.call('POST', '/api/machine/games/', { body: '{' });
  expect(unsigned.status).toBe(401);
  const wrong = await t.call('DELETE', '/api/machine/games/', { as: { key } });
  expect(wrong.status).toBe(405);
});

test('MACH-12: marking a machine in repair again changes nothing until it is back in service', async () => {
  const { id } = await makeMachine(t);
  const state = async () => (await listMachines(t)).find((machine) => machine.id === id);
  await markRepair(t, String(id), 'Marek');
  await markRepair(t, String(id), 'Ines');
  expect(await state()).toMatchObject({ state: 'repair', repair_by: 'Marek' });
  expect(await state()).toMatchObject({ repair_by: 'Marek', repair_why: null });
  await markRepair(t, String(id), null);
  expect(await state()).toMatchObject({ state: 'closed', repair_by: null });
  await expect(markRepair(t, 'nobody', 'Ines')).rejects.toMatchObject({ status: 404 });
});

test('MACH-12: staff say what is wrong with a machine in repair, and the audit has it', async () => {
  const { id, name } = await makeMachine(t);
  const repair = async (body: object) =>
    (
      await t.call('POST', '/api/operator/machines/repair/', {
        as: { key: OPERATOR_KEY },
        body: { machine: String(id), ...body },
      })
    ).body;
  expect((await repair({ why: 'x'.repeat(121) })).why).toEqual([
    'The reason has at most 120 characters.',
  ]);
  expect(await repair({})).toMatchObject({ repair_by: 'Command line', repair_why: null });
  expect((await repair({ why: ' The left net\ndoes not count ' })).repair_why).toBe(
    'The left net does not count',
  );
  expect((await repair({})).repair_why).toBe('The left net does not count');
  expect((await repair({ why: null })).repair_why).toBeNull();
  await repair({ why: 'Ball is stuck' });
  expect(await repair({ done: true })).toMatchObject({ repair_by: null, repair_why: null });
  const lines = await t.db
    .selectFrom('audit')
    .select(['what', 'before', 'after'])
    .where('what', 'like', `%${name}%`)
    .orderBy('id')
    .execute();
  const wrong = (before: string | null, after: string | null) => ({
    before: { 'what is wrong': before },
    after: { 'what is wrong': after },
  });
  expect(lines.slice(-6)).toMatchObject([
    { what: `${name} is in repair`, after: {} },
    { what: `Changed what is wrong with ${name}`, ...wrong(null, 'The left net does not count') },
    { what: `${name} is in repair` },
    { ...wrong('The left net does not count', null) },
    { ...wrong(null, 'Ball is stuck') },
    { what: `${name} is back in service`, ...wrong('Ball is stuck', null) },
  ]);
});

test('MACH-14: a report that arrives while its machine moves is recorded at one venue', async () => {
  const [machine, player] = [await makeMachine(t, { venue: 'Attic' }), await makePlayer(t)];
  const played = Array.from({ length: 2 }, () => aGame(t, player));
  const { moving, reported } = await t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [machine.id]);
    const moving = changeMachine(t, machine, { venue: 'Cellar' });
    const waits = sql<{ waits: boolean }>`
      select count(*) = 1 as waits from pg_locks where locktype = 'advisory' and not granted
        and classid = 1 and objid = ${machine.id}`;
    await expect.poll(async () => (await waits.execute(t.db)).rows[0]?.waits).toBe(true);
    // The machine as it was when the call was authenticated.
    return { moving, reported: recordReport(t, machine, played) };
  });
  const cellar = (await moving).venue_id;
  expect(await reported).toMatchObject([{ status: 'recorded' }, { status: 'recorded' }]);
  const games = t.db.selectFrom('games').select('venue_id').where('machine_id', '=', machine.id);
  expect(await games.execute()).toEqual([{ venue_id: cellar }, { venue_id: cellar }]);
  const boards = t.db.selectFrom('bests').select('venue_id').distinct();
  expect(await boards.where('player_id', '=', player.id).orderBy('venue_id').execute()).toEqual([
    { venue_id: 0 },
    { venue_id: cellar },
  ]);
});

test('MACH-14: a machine gets another name and venue, and its games keep the old venue', async () => {
  const [machine, player] = [await makeMachine(t, { venue: 'Old Hall' }), await makePlayer(t)];
  const as = await makeSession(t, player);
  await makeGames(t, machine, player, [{ score: 10 }]);
  t.clock.advance(60_000);
  const moved = await changeMachine(t, machine, { name: 'Moved', venue: 'New Hall' });
  expect(moved).toMatchObject({ name: 'Moved', venue: 'New Hall' });
  await makeGames(t, moved, player, [{ score: 20 }]);
  const { body } = await t.call('GET', '/api/users/profile/games/', { as });
  const venues = body.results.map(({ score, venue }: { score: number; venue: string }) => [
    score,
    venue,
  ]);
  expect(venues.sort()).toEqual([
    [10, 'Old Hall'],
    [20, 'New Hall'],
  ]);
  const boards = () => t.db.selectFrom('bests').selectAll().orderBy('venue_id').execute();
  const before = await boards();
  await rebuild(t);
  expect(await boards()).toEqual(before);
  await makeMachine(t, { name: 'Taken' });
  await expect(changeMachine(t, moved, { name: 'taken' })).rejects.toMatchObject({ status: 409 });
});
