import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aGame, makeMachine, makePlayer } from '#testing/app/make.ts';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { CHANNEL } from '../db/notifications.ts';
import { findNamed } from '../db/reference.ts';
import { changeVenue, VENUES } from '../venues/venues.ts';
import { ROTATION_MS, revokeMachine, rotateMachine } from './machines.ts';
import { viewMachines } from './overview.ts';
import { ACCEPTED_MS } from './state.ts';
import { REFUSED_EVERY_MS, storeRefused } from './status.ts';

const t = withApp();

const MINUTE = 60_000;
const PATH = '/api/machine/status/';
const put = ({ key }: { key: string }, body: object, headers = {}) =>
  t.call('PUT', PATH, { as: { key }, body, headers });
async function view({ id }: { id: number }) {
  const [found] = await viewMachines(t, sql<boolean>`m.id = ${id}`);
  if (found === undefined) throw new Error('no machine');
  return found;
}
/** The notifications that `act` sends to the console. */
async function noticesOf(act: () => Promise<unknown>): Promise<string[]> {
  const listener = await t.pool.connect();
  const notices: string[] = [];
  listener.on('notification', ({ payload = '' }) => notices.push(payload));
  try {
    await listener.query(`listen ${CHANNEL}`);
    await act();
    // Notifications come in order, so those of `act` come before this one.
    await listener.query(`notify ${CHANNEL}, 'end'`);
    await expect.poll(() => notices.at(-1)).toBe('end');
  } finally {
    listener.release(true);
  }
  return notices.slice(0, -1);
}
const statusRow = ({ id }: { id: number }) =>
  t.db.selectFrom('machine_status').selectAll().where('machine_id', '=', id).executeTakeFirst();

describe('MACH-10: the status of a machine', () => {
  test('is stored, and answered with the time and the state', async () => {
    const machine = await makeMachine(t);
    const oldest = new Date(t.clock.now().getTime() - MINUTE).toISOString();
    const answer = await put(machine, {
      queued: 9,
      oldest_played_at: oldest,
      rejected: 0,
      software: '1.4.2',
      playing: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      server_time: expect.stringMatching(/Z$/),
      state: 'playing',
    });
    expect(await view(machine)).toMatchObject({
      queued: 9,
      oldest_played_at: new Date(oldest),
      rejected: 0,
      software: '1.4.2',
      state: 'playing',
    });
    // The server removes characters that hide the version or change its direction.
    await put(machine, { software: '\u202e1.4\r\n\u0000.3\u200b ' });
    expect(await view(machine)).toMatchObject({ software: '1.4.3' });
    expect((await put(machine, {})).body.state).toBe('idle');
    expect(await view(machine)).toMatchObject({ queued: null, software: null, rejected: null });
  });

  test('MACH-10: counts the characters of a version as PostgreSQL does', async () => {
    const machine = await makeMachine(t);
    expect((await put(machine, { software: '🏀'.repeat(61) })).status).toBe(400);
    expect((await put(machine, { software: '🏀'.repeat(60) })).status).toBe(200);
    expect(await view(machine)).toMatchObject({ software: '🏀'.repeat(60) });
  });

  test('refuses negative numbers, long versions and other types', async () => {
    const machine = await makeMachine(t);
    for (const [field, value] of [
      ['queued', -1],
      ['queued', 1.5],
      ['rejected', -1],
      ['software', 'x'.repeat(61)],
      ['playing', 'yes'],
      ['oldest_played_at', 'yesterday'],
    ] as const) {
      const answer = await put(machine, { [field]: value });
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]]);
    }
    expect(await statusRow(machine)).toBeUndefined();
    expect((await t.call('PUT', PATH, { body: {} })).status).toBe(401);
  });

  test('keeps the time at which the number of rejected games last rose', async () => {
    const machine = await makeMachine(t);
    const risen = async () => (await statusRow(machine))?.rejected_at ?? null;
    await put(machine, { rejected: 0 });
    expect(await risen()).toBeNull();
    await put(machine, { rejected: 2 });
    const first = await risen();
    expect(first).not.toBeNull();
    t.clock.advance(MINUTE);
    await put(machine, { rejected: 2 });
    expect(await risen()).toEqual(first);
    await put(machine, { rejected: 0 });
    expect(await risen()).toEqual(first);
    await put(machine, { rejected: 1 });
    expect(await risen()).not.toEqual(first);
  });
});

describe('MACH-11: a machine', () => {
  test('plays after a greeting, until its game is reported', async () => {
    const [machine, player] = [await makeMachine(t), await makePlayer(t)];
    await put(machine, {});
    t.clock.advance(MINUTE);
    await t.call('GET', `/api/machine/players/${player.uuid}/`, { as: { key: machine.key } });
    expect(await view(machine)).toMatchObject({ state: 'playing', greeted_player: player.id });
    const game = aGame(t, player, { played_at: t.clock.now().toISOString() });
    await t.call('POST', '/api/machine/games/', {
      as: { key: machine.key },
      body: { games: [game] },
    });
    expect(await view(machine)).toMatchObject({ state: 'idle', last_score: 300 });
  });

  test('counts as off the clock if the Date header of its calls is wrong, and as silent when the calls stop', async () => {
    const machine = await makeMachine(t, { venue: 'Always Open' });
    const date = new Date(t.clock.now().getTime() + 3 * MINUTE).toUTCString();
    expect((await put(machine, {}, { date })).body.state).toBe('clock');
    const since = (await view(machine)).heard_at;
    t.clock.advance(5 * MINUTE);
    expect(await view(machine)).toMatchObject({ state: 'silent', since });
    await changeVenue(t.db, await findNamed(t.db, VENUES, 'always open'), {
      hours: `${['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(t.clock.now().getUTCDay() + 3) % 7]} 12:00-13:00`,
    });
    expect((await view(machine)).state).toBe('closed');
  });
});

test('MACH-13: a gap of more than five minutes between calls is stored as time away', async () => {
  const machine = await makeMachine(t);
  const away = () =>
    t.db.selectFrom('machine_away').selectAll().where('machine_id', '=', machine.id).execute();
  await put(machine, {});
  t.clock.advance(5 * MINUTE - 1000);
  await put(machine, {});
  expect(await away()).toEqual([]);
  const { heard_at } = await view(machine);
  t.clock.advance(7 * MINUTE);
  await put(machine, {});
  const [spell] = await away();
  expect(spell?.gone_at).toEqual(heard_at);
  expect(spell?.back_at.getTime()).toBeGreaterThanOrEqual((heard_at?.getTime() ?? 0) + 7 * MINUTE);
  await put(machine, {});
  expect(await away()).toHaveLength(1);
});

describe('P31i: a refused call is remembered', () => {
  const call = (key: string) => t.call('GET', '/api/machine/', { as: { key } });

  test('for a replaced and for a revoked key, until an accepted call', async () => {
    const machine = await makeMachine(t);
    await put(machine, {});
    const { key } = await rotateMachine(t, String(machine.id));
    t.clock.advance(ROTATION_MS + 1);
    expect((await call(machine.key)).status).toBe(401);
    expect((await view(machine)).state).toBe('refused');
    t.clock.advance(1);
    expect((await call(key)).status).toBe(200);
    expect((await view(machine)).state).toBe('idle');
    // A stranger with the replaced key does not change the state of a machine that calls.
    t.clock.advance(REFUSED_EVERY_MS + 1);
    expect((await call(machine.key)).status).toBe(401);
    expect((await view(machine)).state).toBe('idle');
    t.clock.advance(REFUSED_EVERY_MS + 1);
    await revokeMachine(t, String(machine.id));
    const before = (await statusRow(machine))?.refused_at;
    expect((await call(key)).status).toBe(403);
    expect((await statusRow(machine))?.refused_at).not.toEqual(before);
  });

  test('the next accepted call sends the console an event', async () => {
    const machine = await makeMachine(t);
    expect((await call(machine.key)).status).toBe(200);
    t.clock.advance(1);
    await storeRefused(t.db, machine.id, t.clock.now());
    t.clock.advance(ACCEPTED_MS);
    expect((await view(machine)).state).toBe('refused');
    const notices = await noticesOf(async () => {
      expect((await call(machine.key)).status).toBe(200);
      expect((await view(machine)).state).toBe('idle');
    });
    expect(notices).toEqual(['console machines']);
  });

  test('MACH-17: only the first call of a key sends the console an event', async () => {
    const machine = await makeMachine(t);
    expect(await noticesOf(() => call(machine.key))).toEqual(['console machines']);
    t.clock.advance(MINUTE + 1);
    expect(await noticesOf(() => call(machine.key))).toEqual([]);
  });

  test('a clock that becomes wrong or right sends the console an event at once', async () => {
    const machine = await makeMachine(t);
    const callAt = (off: number) =>
      noticesOf(() => {
        t.clock.advance(1000);
        const date = new Date(t.clock.now().getTime() + off).toUTCString();
        return t.call('GET', '/api/machine/', { as: { key: machine.key }, headers: { date } });
      });
    await callAt(0);
    expect(await callAt(10 * MINUTE)).toEqual(['console machines']);
    expect((await view(machine)).state).toBe('clock');
    expect(await callAt(11 * MINUTE)).toEqual([]);
    expect(await callAt(0)).toEqual(['console machines']);
    expect((await view(machine)).state).toBe('idle');
  });

  test('at most once a minute, whoever calls', async () => {
    const machine = await makeMachine(t);
    await revokeMachine(t, String(machine.id));
    await call(machine.key);
    const first = (await statusRow(machine))?.refused_at;
    t.clock.advance(REFUSED_EVERY_MS - 1000);
    await call(machine.key);
    await storeRefused(t.db, machine.id, t.clock.now());
    expect((await statusRow(machine))?.refused_at).toEqual(first);
    t.clock.advance(2000);
    await Promise.all(Array.from({ length: 20 }, () => call(machine.key)));
    const second = (await statusRow(machine))?.refused_at;
    expect(second).not.toEqual(first);
  });

  test('never for a key that did not exist', async () => {
    const machine = await makeMachine(t);
    const stranger = await testApp();
    const { key } = await makeMachine(stranger);
    await stranger.close();
    const forged = machine.key.replace(/_[0-9a-f]{64}_/, `_${'0'.repeat(64)}_`);
    const rows = () =>
      t.db
        .selectFrom('machine_status')
        .select(({ fn }) => fn.countAll().as('n'))
        .execute();
    const before = await rows();
    for (const wrong of [key, forged, 'bbm_live_x']) expect((await call(wrong)).status).toBe(401);
    expect(await rows()).toEqual(before);
    expect(await statusRow(machine)).toBeUndefined();
  });
});
