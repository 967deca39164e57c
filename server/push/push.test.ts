import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { PUSH_KINDS, type PushKind } from '#contract/rules/push.ts';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { receiverOf } from '#testing/push-service.ts';
import { cleanUp } from '../accounts/cleanup.ts';
import { endEverySession, endSessions, IDLE_MS } from '../accounts/sessions.ts';
import { dayOf } from '../leagues/calendar.ts';
import { cleanUpPush } from './cleanup.ts';
import { currentPair, rotatePair } from './keys.ts';
import { nextMoment } from './local-time.ts';
import { plan } from './notices.ts';
import { planOne, type Teller, type Tellers } from './planner.ts';

const t = withApp();
// As at the start of a process.
beforeAll(() => currentPair(t));
const PATH = '/api/users/push/';
const HOUR_MS = 3_600_000;
let endpoints = 0;

async function aDevice(zone = 'UTC', host = 'fcm.googleapis.com') {
  const { endpoint, p256dh, auth } = await receiverOf(`https://${host}/send/${++endpoints}`);
  return { endpoint, p256dh, auth, locale: 'en', zone };
}

async function signIn(columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, columns);
  return { player, as: await makeSession(t, player) };
}

const put = (as: { access: string }, body: object) => t.call('PUT', `${PATH}device/`, { as, body });
const child = () => ({
  date_of_birth: new Date(t.clock.now().getTime() - 15.5 * 365.25 * 24 * HOUR_MS)
    .toISOString()
    .slice(0, 10),
});

describe('devices (PUSH-35, P72)', () => {
  test('an address belongs to the player who registered it last', async () => {
    const [maya, glass] = [await signIn(), await signIn()];
    const device = await aDevice();
    expect((await put(maya.as, device)).status).toBe(200);
    await plan(t.db, [notice(maya.player.id, 'my_game')], t.clock.now());
    await sql`insert into push_sends (notice_id, device_id, host, due_at)
      select n.id, d.id, d.host, ${t.clock.now()} from push_notices n join push_devices d using (player_id)
      where n.player_id = ${maya.player.id}`.execute(t.db);
    expect((await put(glass.as, device)).status).toBe(200);
    expect((await t.call('GET', PATH, { as: maya.as })).body.devices).toEqual([]);
    expect((await t.call('GET', PATH, { as: glass.as })).body.devices).toMatchObject([
      { current: true, client: 'Unknown browser' },
    ]);
    const { rows } = await sql`select from push_sends`.execute(t.db);
    expect(rows).toEqual([]);
  });

  test('PUSH-35: an address that another player registers at the same moment moves with all that is stored of it', async () => {
    const [maya, glass] = [await signIn(), await signIn()];
    const device = await aDevice();
    const { body } = await put(maya.as, device);
    const holding = await t.pool.connect();
    const { rows } = await holding.query('select * from push_devices where id = $1', [body.id]);
    await holding.query('delete from push_devices where id = $1', [body.id]);
    // As if Maya's request were not committed yet.
    await holding.query('begin');
    const { id: _, ...row } = rows[0];
    const names = Object.keys(row);
    await holding.query(
      `insert into push_devices (${names.join()}) values (${names.map((__, at) => `$${at + 1}`).join()})`,
      Object.values(row),
    );
    const putting = put(glass.as, device);
    await untilBlocked(t);
    await holding.query('commit');
    holding.release();
    expect((await putting).status).toBe(200);
    expect((await t.call('GET', PATH, { as: maya.as })).body.devices).toEqual([]);
    expect((await t.call('GET', PATH, { as: glass.as })).body.devices).toMatchObject([
      { current: true },
    ]);
  });

  test('P69: answers contain no address of a device, and the database stores it encrypted', async () => {
    const { as } = await signIn();
    const device = await aDevice();
    await put(as, device);
    const { body } = await t.call('GET', PATH, { as });
    expect(JSON.stringify(body)).not.toContain('send/');
    const { rows } = await sql<{
      row: string;
    }>`select to_json(d)::text as row from push_devices d`.execute(t.db);
    expect(rows.map(({ row }) => row).join()).not.toContain('/send/');
  });

  test('PUSH-35: an eleventh device removes the device that was seen least recently', async () => {
    const { player } = await signIn();
    const make = async () => ({ as: await makeSession(t, player), device: await aDevice() });
    const see = async ({ as, device }: Awaited<ReturnType<typeof make>>): Promise<string> => {
      t.clock.advance(1000);
      return (await put(as, device)).body.id;
    };
    const first = await make();
    const ids = [await see(first)];
    while (ids.length < 10) ids.push(await see(await make()));
    // The oldest device is seen again, so the second one is unseen for the longest.
    expect(await see(first)).toBe(ids[0]);
    const eleventh = await see(await make());
    const { devices } = (await t.call('GET', PATH, { as: await makeSession(t, player) })).body;
    const left = [eleventh, ids[0], ...ids.slice(2).toReversed()];
    expect(devices.map(({ id }: { id: string }) => id)).toEqual(left);
  });

  test('a device is removed when its session is ended, but stays when the session expires', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    const other = await makeSession(t, player);
    await put(other, await aDevice());
    await t.call('DELETE', '/api/users/sessions/', { as });
    expect((await t.call('GET', PATH, { as })).body.devices).toHaveLength(1);
    const replayed = await put(other, await aDevice());
    expect(replayed.status).toBe(401);
    t.clock.advance(IDLE_MS + 1);
    await cleanUpPush(t, IDLE_MS);
    await cleanUp(t);
    const again = await makeSession(t, player);
    expect((await t.call('GET', PATH, { as: again })).body.devices).toMatchObject([
      { current: false },
    ]);
    t.clock.advance(60 * 24 * HOUR_MS);
    expect(await cleanUpPush(t, IDLE_MS)).toBeGreaterThan(0);
    const last = await makeSession(t, player);
    expect((await t.call('GET', PATH, { as: last })).body.devices).toEqual([]);
  });

  test('PUSH-36, P7: when all sessions or all others end, the devices of expired sessions go too', async () => {
    const { player } = await signIn();
    const devices = async () =>
      (await t.call('GET', PATH, { as: await makeSession(t, player) })).body.devices.length;
    const current = async () => {
      const as = await makeSession(t, player);
      await put(as, await aDevice());
      return as;
    };
    /** Adds a device whose session expires by itself. */
    const leave = async () => {
      await current();
      t.clock.advance(IDLE_MS + 1);
      await cleanUpPush(t, IDLE_MS);
    };
    await leave();
    const one = await makeSession(t, player);
    const { results } = (await t.call('GET', '/api/users/sessions/', { as: one })).body;
    await t.call('DELETE', `/api/users/sessions/${results[0].id}/`, { as: one });
    expect(await devices(), 'one session ended').toBe(1);
    await t.call('DELETE', '/api/users/sessions/', { as: await current() });
    expect(await devices(), 'all others ended').toBe(1);
    await leave();
    await endSessions(t.db, player.id);
    expect(await devices(), 'all ended').toBe(0);
    await leave();
    await endEverySession(t.db);
    expect(await devices(), 'everybody signed out').toBe(0);
  });

  test('PUSH-33: a device that its player turned off stays off until turned on there', async () => {
    const { player, as } = await signIn();
    const other = await makeSession(t, player);
    const device = await aDevice();
    const byItself = async (session: typeof as, body = device) =>
      (await put(session, { ...body, former: device.endpoint })).status;
    const { body } = await put(as, device);
    await t.call('DELETE', `${PATH}devices/${body.id}/`, { as: other });
    expect(await byItself(as)).toBe(409);
    expect((await put(as, device)).status, 'without its former address').toBe(409);
    expect(await byItself(await makeSession(t, player)), 'signed in again').toBe(409);
    expect(await byItself(as, await aDevice()), 'subscribed with another key').toBe(409);
    expect(await byItself((await signIn()).as), 'another player').toBe(200);
    const on = await put(as, { ...device, by_tap: true });
    expect(on.status, 'turned on').toBe(200);
    await t.call('DELETE', `${PATH}devices/${on.body.id}/?why=denied`, { as });
    expect((await t.call('GET', PATH, { as })).body.devices).toEqual([]);
    expect(await byItself(as), 'after its permission was denied for a while').toBe(200);
    // A push service that calls the device gone does not turn it off (P78).
    await t.db.deleteFrom('push_devices').where('player_id', '=', player.id).execute();
    expect(await byItself(as)).toBe(200);
    // A device whose session has expired by itself.
    t.clock.advance(IDLE_MS + 1);
    await cleanUpPush(t, IDLE_MS);
    const last = await makeSession(t, player);
    const { devices } = (await t.call('GET', PATH, { as: last })).body;
    await t.call('DELETE', `${PATH}devices/${devices[0].id}/`, { as: last });
    expect(await byItself(last)).toBe(409);
    t.clock.advance(400 * 24 * HOUR_MS + 1);
    await cleanUpPush(t, IDLE_MS);
    expect(await byItself(await makeSession(t, player))).toBe(200);
  });

  test("a player cannot remove another player's device", async () => {
    const [maya, glass] = [await signIn(), await signIn()];
    const { body } = await put(maya.as, await aDevice());
    for (const id of [body.id, 'x', '999999999999', body.id])
      expect((await t.call('DELETE', `${PATH}devices/${id}/`, { as: glass.as })).status).toBe(204);
    expect((await t.call('GET', PATH, { as: maya.as })).body.devices).toHaveLength(1);
    expect((await t.call('DELETE', `${PATH}devices/${body.id}/`, { as: maya.as })).status).toBe(
      204,
    );
    expect((await t.call('GET', PATH, { as: maya.as })).body.devices).toEqual([]);
  });

  test('an invalid field of a device is refused, and the answer names it', async () => {
    const { as } = await signIn();
    const good = await aDevice();
    const cases: [string, string][] = [
      ['endpoint', 'https://fcm.googleapis.com@10.0.0.1/'],
      ['p256dh', 'BAAA'],
      ['auth', 'AAAA'],
      ['zone', 'Mars/Olympus'],
      ['zone', '+02:00'],
      ['locale', 'not a language'],
    ];
    for (const [field, value] of cases) {
      const { status, body } = await put(as, { ...good, [field]: value });
      expect([status, Object.keys(body)]).toEqual([400, [field]]);
    }
    const foreign = await t.call('PUT', `${PATH}device/`, {
      as,
      body: good,
      headers: { origin: 'https://evil.test' },
    });
    expect(foreign.status).toBe(403);
  });
});

describe('the player’s switches, and whether the app may ask about notifications (PUSH-20, PUSH-32)', () => {
  test('at first all switches but `passed` are on, and a change sets only the switches that it names', async () => {
    const { as } = await signIn();
    const first = (await t.call('GET', PATH, { as })).body;
    expect(first).toMatchObject({
      kinds: { my_game: true, my_week: true, nudge: true, duel: true, passed: false },
      locked: [],
      ask: true,
    });
    const { body } = await t.call('PATCH', PATH, {
      as,
      body: { kinds: { my_week: false, passed: true } },
    });
    expect(body.kinds).toEqual({
      my_game: true,
      my_week: false,
      nudge: true,
      duel: true,
      passed: true,
    });
  });

  test('a switch applies to all devices of the player, also to one that is added later', async () => {
    const { player, as: phone } = await signIn();
    await put(phone, await aDevice());
    const turnOff = { as: phone, body: { kinds: { my_week: false, passed: true } } };
    expect((await t.call('PATCH', PATH, turnOff)).status).toBe(200);
    const tablet = await makeSession(t, player);
    await put(tablet, await aDevice());
    const kindsOn = async (as: { access: string }) =>
      (await t.call('GET', PATH, { as })).body.kinds;
    for (const as of [phone, tablet])
      expect(await kindsOn(as)).toMatchObject({ my_week: false, passed: true });
    await t.call('PATCH', PATH, { as: tablet, body: { kinds: { passed: false } } });
    expect(await kindsOn(phone)).toMatchObject({ my_week: false, passed: false, my_game: true });

    noon();
    const kinds: PushKind[] = ['my_week', 'passed', 'my_game'];
    await plan(
      t.db,
      kinds.map((kind) => notice(player.id, kind)),
      t.clock.now(),
    );
    await planAll();
    expect(await outcomes(player.id)).toEqual([
      'my_game: sent',
      'my_week: dropped, off',
      'passed: dropped, off',
    ]);
    const { rows } = await sql`
      select d.id from push_sends s join push_devices d on d.id = s.device_id
      where d.player_id = ${player.id}`.execute(t.db);
    expect(rows).toHaveLength(2);
  });

  test('PUSH-20, PUSH-T7: a minor has all kinds switched off and two locked, and the app does not ask', async () => {
    const { as } = await signIn(child());
    const { body } = await t.call('GET', PATH, { as });
    expect(Object.values(body.kinds)).toEqual([false, false, false, false, false]);
    expect(body).toMatchObject({ locked: ['nudge', 'passed'], ask: false });
    const forged = await t.call('PATCH', PATH, {
      as,
      body: { kinds: { my_game: true, nudge: true } },
    });
    expect(forged).toMatchObject({
      status: 400,
      body: { kinds: ['You can turn this on at 18.'] },
    });
    const own = await t.call('PATCH', PATH, { as, body: { kinds: { my_game: true } } });
    expect(own.body.kinds).toMatchObject({ my_game: true, nudge: false });
  });

  test('PUSH-22: turning 18 removes only the locks, and raising ADULT_AGE locks at once', async () => {
    const { player, as } = await signIn(child());
    await put(as, await aDevice());
    await t.call('PATCH', PATH, { as, body: { kinds: { my_game: true } } });
    const years = (n: number) =>
      new Date(t.clock.now().getTime() - n * 365.25 * 24 * HOUR_MS).toISOString().slice(0, 10);
    await t.db
      .updateTable('players')
      .set({ date_of_birth: years(19) })
      .where('id', '=', player.id)
      .execute();
    const read = async (app = t) => (await app.call('GET', PATH, { as })).body;
    const off = { my_week: false, nudge: false, duel: false, passed: false };
    expect(await read()).toMatchObject({ locked: [], kinds: { my_game: true, ...off } });
    const turnOn = { as, body: { kinds: { nudge: true } } };
    expect((await t.call('PATCH', PATH, turnOn)).body.kinds.nudge).toBe(true);
    const raised = await t.sibling({ adult_age: 21 });
    expect(await read(raised)).toMatchObject({
      locked: ['nudge', 'passed'],
      kinds: { my_game: true, nudge: false },
    });
    expect((await raised.call('PATCH', PATH, turnOn)).status).toBe(400);
    noon();
    await plan(t.db, [notice(player.id, 'nudge')], t.clock.now());
    await planOne(raised, TELLERS);
    expect(await outcomes(player.id)).toEqual(['nudge: dropped, off']);
  });

  test('PUSH-32, PUSH-T7: “Not now” pauses the question for 30 days, then 180, then for ever', async () => {
    const { player } = await signIn();
    const ask = async () =>
      (await t.call('GET', PATH, { as: await makeSession(t, player) })).body.ask;
    const later = async () =>
      t.call('PATCH', PATH, { as: await makeSession(t, player), body: { ask: 'later' } });
    for (const days of [30, 180]) {
      await later();
      t.clock.advance(1000);
      // The answer was lost, so the player taps again.
      await later();
      t.clock.advance((days - 1) * 24 * HOUR_MS);
      expect(await ask()).toBe(false);
      t.clock.advance(25 * HOUR_MS);
      expect(await ask()).toBe(true);
    }
    await later();
    t.clock.advance(3_000 * 24 * HOUR_MS);
    expect(await ask()).toBe(false);
  });

  test('while notifications are off, there is no key, and no device is stored', async () => {
    const off = await t.sibling({ push: null });
    const { as } = await signIn();
    expect((await off.call('GET', PATH, { as })).body).toMatchObject({
      public_key: null,
      ask: false,
    });
    const { status } = await off.call('PUT', `${PATH}device/`, { as, body: await aDevice() });
    expect(status).toBe(400);
  });
});

const notice = (player_id: number, kind: PushKind, subject: string = kind, hours = 24) => ({
  player_id,
  kind,
  subject,
  data: {},
  worth_until: new Date(t.clock.now().getTime() + hours * HOUR_MS),
});

const told: { kind: string; at: Date; player_id: number }[] = [];
const teller = (rank: number): Teller => ({
  rank: () => rank,
  words: async (_, { kind, player_id }) => {
    told.push({ kind, player_id, at: t.clock.now() });
    return { title: kind, body: '', path: '/profile' };
  },
});
const TELLERS: Tellers = {
  my_week: teller(1),
  nudge: teller(3),
  my_game: teller(4),
  duel: teller(5),
  passed: teller(6),
};
async function planAll() {
  while (await planOne(t, TELLERS));
}

/** The outcomes of a player's notices. */
async function outcomes(playerId: number): Promise<string[]> {
  const rows = await t.db
    .selectFrom('push_notices')
    .select(['subject', 'state', 'why'])
    .where('player_id', '=', playerId)
    .orderBy('subject')
    .execute();
  return rows.map(({ subject, state, why }) =>
    [`${subject}: ${state}`, why ?? []].flat().join(', '),
  );
}

describe('hours and limits (PUSH-10 to PUSH-16)', () => {
  const ZONES = ['America/St_Johns', 'Europe/Berlin', 'Pacific/Kiritimati'];
  const KINDS: PushKind[] = ['my_game', 'my_week', 'nudge', 'duel'];

  beforeAll(() => sql`delete from push_notices`.execute(t.db));

  test('PUSH-10, PUSH-11, PUSH-T4: notices keep to the hours and limits, in three zones and across clock changes', async () => {
    // The week before summer time ends in Berlin and St. John's.
    const start = Date.UTC(t.clock.now().getUTCFullYear() + 1, 9, 23, 7);
    t.clock.advance(start - t.clock.now().getTime());
    const players = await Promise.all(
      ZONES.map(async (zone) => {
        const { player, as } = await signIn();
        await put(as, await aDevice(zone));
        return { id: player.id, zone };
      }),
    );
    told.length = 0;
    for (let hour = 0; hour < 14 * 24; hour += 1) {
      for (const { id } of players)
        if (hour % 3 === 0) {
          const kind = KINDS[(hour / 3) % KINDS.length] ?? 'duel';
          await plan(t.db, [notice(id, kind, `${kind} ${hour}`)], t.clock.now());
        }
      await planAll();
      t.clock.advance(HOUR_MS / 2);
      await planAll();
      t.clock.advance(HOUR_MS / 2);
    }
    for (const { id, zone } of players) {
      const own = told.filter(({ player_id }) => player_id === id);
      const hours = own.map(({ at }) =>
        Number(
          new Intl.DateTimeFormat('en', {
            timeZone: zone,
            hour: 'numeric',
            hourCycle: 'h23',
          }).format(at),
        ),
      );
      expect(own.length).toBeGreaterThan(3 * 12);
      expect(Math.min(...hours)).toBeGreaterThanOrEqual(9);
      expect(Math.max(...hours)).toBeLessThan(21);
      const days = Map.groupBy(own, ({ at }) => dayOf(at, zone));
      expect(Math.max(...[...days.values()].map(({ length }) => length))).toBe(3);
      for (const [n, { at }] of own.entries())
        if (n > 0)
          expect(at.getTime() - (own[n - 1]?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(5 * 60_000);
    }
  });

  test('PUSH-12, PUSH-T4: the next moment is the first that the hours and limits allow', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 400 * 24 * 60 }),
        fc.integer({ min: 0, max: 4 * 24 * 60 }),
        fc.integer({ min: 0, max: 3 }),
        (zone, minute, ago, sent) => {
          const now = new Date(Date.UTC(2026, 0, 1) + minute * 60_000);
          const last_sent_at = sent === 0 ? null : new Date(now.getTime() - ago * 60_000);
          const sent_on = last_sent_at && dayOf(last_sent_at, zone);
          const allowed = (at: number) => {
            const hour = Number(
              new Intl.DateTimeFormat('en', {
                timeZone: zone,
                hour: 'numeric',
                hourCycle: 'h23',
              }).format(at),
            );
            if (hour < 9 || hour >= 21) return false;
            if (last_sent_at && at - last_sent_at.getTime() < 5 * 60_000) return false;
            return !(sent === 3 && dayOf(new Date(at), zone) === sent_on);
          };
          let first = now.getTime();
          while (!allowed(first)) first += 60_000;
          expect(nextMoment(now, zone, { last_sent_at, sent_on, sent }).getTime()).toBe(first);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('PUSH-12: a notice waits for the next allowed moment, and is dropped if that moment is too late', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    noon();
    t.clock.advance(10 * HOUR_MS);
    const until = (subject: string, hours: number) => notice(player.id, 'duel', subject, hours);
    // The next moment is at 09:00, in eleven hours.
    const notices = [until('brief', 10.5), until('long', 24)];
    await plan(t.db, notices, t.clock.now());
    told.length = 0;
    await planAll();
    expect(await outcomes(player.id)).toEqual(['brief: dropped, no moment', 'long: waiting']);
    t.clock.advance(11 * HOUR_MS + 60_000);
    await planAll();
    expect(told.map(({ player_id }) => player_id)).toEqual([player.id]);
    expect(await outcomes(player.id)).toEqual(['brief: dropped, no moment', 'long: sent']);
  });

  test('PUSH-14, PUSH-15: a newer notice replaces an older one, and the most important goes first', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    noon();
    for (const kind of ['duel', 'my_game', 'nudge', 'my_week', 'my_game'] as const)
      await plan(t.db, [notice(player.id, kind)], t.clock.now());
    told.length = 0;
    for (let n = 0; n < 5; n += 1) {
      await planAll();
      t.clock.advance(5 * 60_000);
    }
    expect(told.map(({ kind }) => kind)).toEqual(['my_week', 'nudge', 'my_game']);
  });

  test('PUSH-14, PUSH-48: a newer notice that replaces one while it is dropped is not lost', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    noon();
    await plan(t.db, [notice(player.id, 'duel')], t.clock.now());
    const words = async () => {
      t.clock.advance(1);
      await plan(t.db, [notice(player.id, 'duel')], t.clock.now());
      return null;
    };
    await planOne(t, { ...TELLERS, duel: { ...teller(5), words } });
    expect(await outcomes(player.id)).toEqual(['duel: waiting']);
  });

  test('PUSH-14, OPS-17: a decision waits its minute, even if it replaces a notice that is due before', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    noon();
    t.clock.advance(10 * HOUR_MS);
    await plan(t.db, [notice(player.id, 'my_game')], t.clock.now());
    await planAll();
    // It waits for 09:00. The decision is made ten seconds before.
    t.clock.advance(11 * HOUR_MS - 10_000);
    const now = t.clock.now();
    await plan(t.db, [notice(player.id, 'my_game')], now, new Date(now.getTime() + 60_000));
    t.clock.advance(20_000);
    await planAll();
    expect(await outcomes(player.id)).toEqual(['my_game: waiting']);
    t.clock.advance(60_000);
    await planAll();
    expect(await outcomes(player.id)).toEqual(['my_game: sent']);
  });

  test('P73: the switch and the age are read when a notice is sent', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    noon();
    await plan(t.db, [notice(player.id, 'my_game'), notice(player.id, 'nudge')], t.clock.now());
    await sql`update player_push set my_game = false where player_id = ${player.id}`.execute(t.db);
    await sql`update players set date_of_birth = ${child().date_of_birth} where id = ${player.id}`.execute(
      t.db,
    );
    told.length = 0;
    await planAll();
    expect(told).toEqual([]);
  });

  test('P74, PUSH-11: two processes send each notice once, and share the limit', async () => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    const other = await t.sibling();
    const six = [t, other, t, other, t, other];
    // Open all connections first, so that the six begin together.
    await Promise.all(six.map(({ db }) => sql`select pg_sleep(0.2)`.execute(db)));
    const rounds = 5;
    for (let round = 0; round < rounds; round += 1) {
      noon();
      const eight = Array.from({ length: 8 }, (_, n) =>
        notice(player.id, 'my_game', `${round} ${n}`, 1),
      );
      await plan(t.db, eight, t.clock.now());
      told.length = 0;
      await Promise.all(six.map((one) => planOne(one, TELLERS)));
      await planAll();
      expect(told).toHaveLength(1);
    }
    const sent = (await outcomes(player.id)).filter((outcome) => outcome.endsWith('sent'));
    expect(sent).toHaveLength(rounds);
  });

  test('no notice is written for a player without a device', async () => {
    const { player } = await signIn();
    await plan(t.db, [notice(player.id, 'my_game')], t.clock.now());
    const { rows } = await sql`select from push_notices where player_id = ${player.id}`.execute(
      t.db,
    );
    expect(rows).toEqual([]);
  });
});

test('PUSH-45, P70: 60 days after a rotation the old key pair and its devices are deleted', async () => {
  const [old, fresh] = [await signIn(), await signIn()];
  await put(old.as, await aDevice());
  await t.db.transaction().execute((db) => rotatePair({ ...t, db }));
  await put(fresh.as, await aDevice());
  const kept = async (days: number) => {
    t.clock.advance(days * 24 * HOUR_MS);
    await t.db.updateTable('push_devices').set({ seen_at: t.clock.now() }).execute();
    await cleanUpPush(t, IDLE_MS);
    const { rows } = await sql<{ player_id: number }>`
      select player_id from push_devices where player_id in (${old.player.id}, ${fresh.player.id})
      order by player_id`.execute(t.db);
    const { rows: keys } = await sql`select from push_keys`.execute(t.db);
    return [rows.map(({ player_id }) => player_id), keys.length];
  };
  expect(await kept(59)).toEqual([[old.player.id, fresh.player.id], 2]);
  expect(await kept(2)).toEqual([[fresh.player.id], 1]);
  // A key pair that no secret key decrypts is replaced, but not by a GET (P36).
  const other = await t.sibling({ secret_keys: ['another-secret-of-thirty-two-letters'] });
  const keyOf = async (app: typeof t) =>
    (await app.call('GET', PATH, { as: await makeSession(app, fresh.player) })).body.public_key;
  const before = await keyOf(t);
  expect(await keyOf(other)).toBeNull();
  expect(await keyOf(t)).toBe(before);
  await currentPair(other);
  const after = await keyOf(other);
  expect(after).toEqual(expect.any(String));
  expect(after).not.toBe(before);
  expect(await keyOf(other)).toBe(after);
});

test('PUSH-49: twenty failures in a row over seven days remove a device', async () => {
  const failing = async (failures: number, days: number) => {
    const { player, as } = await signIn();
    await put(as, await aDevice());
    const failing_since = new Date(t.clock.now().getTime() - days * 24 * HOUR_MS);
    await t.db
      .updateTable('push_devices')
      .set({ failures, failing_since })
      .where('player_id', '=', player.id)
      .execute();
    return player.id;
  };
  const [few, brief, gone] = [await failing(19, 8), await failing(20, 6.9), await failing(20, 7)];
  await cleanUpPush(t, IDLE_MS);
  const { rows } = await sql<{ player_id: number }>`
    select player_id from push_devices where player_id = any(${[few, brief, gone]}::bigint[])
    order by player_id`.execute(t.db);
  expect(rows.map(({ player_id }) => player_id)).toEqual([few, brief]);
});

test('PUSH-17, PUSH-52: notices have five kinds; only the files listed here plan them', () => {
  expect(PUSH_KINDS).toEqual(['my_game', 'my_week', 'nudge', 'duel', 'passed']);
  const server = join(import.meta.dirname, '..');
  const planning = globSync('**/*.ts', { cwd: server }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      /\bplan\b.*push\/notices\.ts|\bplan\b.*'\.\/notices\.ts'|into push_notices/.test(
        readFileSync(join(server, file), 'utf8'),
      ),
  );
  expect(planning.toSorted()).toEqual([
    'duels/notices.ts',
    'games/notices.ts',
    'leaderboards/passed.ts',
    'nudges/notices.ts',
    'push/notices.ts',
    'push/test-notice.ts',
    'weeks/weeks.ts',
  ]);
});

/** Moves the clock to the next noon in UTC. */
function noon() {
  const now = t.clock.now().getTime();
  t.clock.advance(24 * HOUR_MS - (now % (24 * HOUR_MS)) + 12 * HOUR_MS);
}
