import { type ChildProcess, spawn } from 'node:child_process';
import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { makeGames, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { onDatabase } from '#testing/app/test-database.ts';
import {
  decrypt,
  type PushReceiver,
  type PushService,
  receiverOf,
  startPushService,
} from '#testing/push-service.ts';
import { voidGame } from '../games/corrections.ts';
import { gameTeller } from '../games/notices.ts';
import { ownMetrics } from '../http/metrics.ts';
import { encryptFor, encryptWith, tagOf } from './message.ts';
import { plan } from './notices.ts';
import type { Teller, Tellers } from './planner.ts';
import type { Given } from './sender.child.ts';
import { openPush, type PushSender, retryAfterMs } from './sender.ts';

const t = withApp();
let service: PushService;
let sender: PushSender;
/** Of a kind that this test does not cause. */
const NOTHING_TO_TELL: Teller = { rank: () => 0, words: async () => null };
const TELLERS: Tellers = {
  my_game: gameTeller,
  my_week: {
    rank: () => 1,
    words: async (_, { data }) => ({ title: data.title, body: 'Week', path: '/week' }),
  },
  nudge: NOTHING_TO_TELL,
  duel: NOTHING_TO_TELL,
  passed: NOTHING_TO_TELL,
};

beforeAll(async () => {
  service = await startPushService(() => t.clock.now().getTime());
  sender = openPush({ ...t, metrics: ownMetrics() }, TELLERS, service);
  sender.work();
});
beforeEach(async () => {
  service.reply = () => 201;
  service.received.length = 0;
  service.wrong.length = 0;
  goToMorning();
  await sql`delete from push_sends`.execute(t.db);
});
afterAll(async () => {
  await sender.stop();
  await service.close();
});

/** The next noon in UTC: not in the quiet hours, and another day for the damper. */
function goToMorning() {
  const now = t.clock.now().getTime();
  t.clock.advance(86_400_000 - (now % 86_400_000) + 12 * 3_600_000);
}

async function makeDevice(host?: string, columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, columns);
  const receiver = await service.subscribe(host);
  const as = await makeSession(t, player);
  const put = await t.call('PUT', '/api/users/push/device/', { as, body: bodyOf(receiver) });
  expect(put.status).toBe(200);
  return { player, receiver, as, id: put.body.id as string };
}

const bodyOf = ({ endpoint, p256dh, auth }: PushReceiver) => ({
  endpoint,
  p256dh,
  auth,
  locale: 'en',
  zone: 'UTC',
});

const tell = (player: { id: number }, title: string, hours = 24) =>
  plan(
    t.db,
    [
      {
        player_id: player.id,
        kind: 'my_week',
        subject: title,
        data: { title },
        worth_until: new Date(t.clock.now().getTime() + hours * 3_600_000),
      },
    ],
    t.clock.now(),
  );

const titles = () => service.received.map(({ message }) => message.notification.title);
const waiting = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from push_sends`.execute(
    t.db,
  );
  return rows[0]?.n;
};

test('the vector of RFC 8291, appendix A', async () => {
  const privateKey = createECDH('prime256v1');
  privateKey.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
  const sent = await encryptWith(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      p256dh: Buffer.from(
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        'base64url',
      ),
      auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
    },
    { privateKey, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') },
  );
  expect(sent.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('another library decrypts random messages, all of one length', async () => {
  const lengths = new Set<number>();
  for (let n = 0; n < 100; n += 1) {
    const receiver = await receiverOf('https://fcm.googleapis.com/x');
    const text = 'ü'.repeat(Math.floor(Math.random() * 1_000));
    const sent = await encryptFor(
      {
        p256dh: Buffer.from(receiver.p256dh, 'base64url'),
        auth: Buffer.from(receiver.auth, 'base64url'),
      },
      Buffer.from(text),
    );
    expect(await decrypt(receiver, sent)).toBe(text);
    lengths.add(sent.length);
  }
  expect(lengths.size).toBe(1);
});

test('PUSH-01, PUSH-40, P70, P71: a late game is told to each device, encrypted and signed', async () => {
  const { player, receiver } = await makeDevice();
  const machine = await makeMachine(t, { name: 'Hoop of the night' });
  const played_at = new Date(t.clock.now().getTime() - 2 * 3_600_000);
  await makeGames(t, machine, player, [{ score: 1388, played_at }]);
  await expect.poll(() => service.received.length).toBe(1);
  const [sent] = service.received;
  if (sent === undefined) throw new Error('nothing was sent');
  const { message } = sent;
  expect(service.wrong).toEqual([]);
  expect(message).toMatchObject({
    web_push: 8030,
    notification: {
      title: 'A late game came in: 1,388',
      body: expect.stringMatching(
        /^Played \w{3} at 10:00 on Hoop of the night\. It counts for you\.$/,
      ),
      lang: 'en',
      dir: 'ltr',
      navigate: 'http://localhost:3000/games',
    },
  });
  expect(sent).toMatchObject({ endpoint: receiver.endpoint, urgency: 'normal', bytes: 2151 });
  expect(sent.topic).toBe(message.notification.tag);
  expect(sent.topic).toMatch(/^[\w-]{32}$/);
  expect(sent.ttl).toBeGreaterThan(23 * 3600);
  await expect.poll(waiting).toBe(0);
});

test('PUSH-01: an ordinary game is not told, and several late ones are told once', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  await makeGames(t, machine, player, [{ score: 100 }]);
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  await makeGames(t, machine, player, [
    { score: 200, played_at: ago(60) },
    { score: 450, played_at: ago(90) },
  ]);
  await expect.poll(titles).toEqual(['2 late games came in']);
  expect(service.received[0]?.message.notification.body).toBe('The best of them: 450.');
});

test('PUSH-16: what staff take back within the minute is not told', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  const [game] = await makeGames(t, machine, player, [{ score: 100 }]);
  await voidGame(t, game?.seq ?? 0);
  await sql`update games set state = 'counted' where player_id = ${player.id}`.execute(t.db);
  t.clock.advance(61_000);
  const outcome = async () =>
    (
      await sql<{ state: string; why: string }>`
        select state, why from push_notices where player_id = ${player.id}`.execute(t.db)
    ).rows[0];
  await expect.poll(outcome).toEqual({ state: 'dropped', why: 'no longer true' });
  expect(service.received).toEqual([]);
});

test('PUSH-06: a test goes at once, also at night, five times an hour', async () => {
  t.clock.advance(11 * 3_600_000);
  const { as } = await makeDevice();
  for (let n = 0; n < 5; n += 1)
    expect((await t.call('POST', '/api/users/push/test/', { as })).status).toBe(204);
  expect((await t.call('POST', '/api/users/push/test/', { as })).status).toBe(429);
  await expect.poll(() => titles()[0]).toBe('It works');
  const nobody = await makeSession(t, await makePlayer(t));
  const none = await t.call('POST', '/api/users/push/test/', { as: nobody });
  expect(none).toMatchObject({ status: 400, body: { detail: 'No device is on.' } });
});

describe('answers of a push service (PUSH-49, P78)', () => {
  test('2xx is sent; 404 and 410 end the device; 400, 413 and a redirect drop the message', async () => {
    const statuses = [201, 404, 410, 400, 413, 302];
    const devices = await Promise.all(statuses.map(() => makeDevice()));
    const byEndpoint = new Map(
      devices.map(({ receiver }, at) => [receiver.endpoint, statuses[at]]),
    );
    service.reply = (endpoint) => (answer) =>
      answer
        .writeHead(byEndpoint.get(endpoint) ?? 500, { location: 'https://169.254.169.254/' })
        .end();
    for (const { player } of devices) await tell(player, 'Hello');
    await expect.poll(() => service.received.length).toBe(statuses.length);
    await expect.poll(waiting).toBe(0);
    const kept = await Promise.all(
      devices.map(async ({ id }) => {
        const row = await t.db
          .selectFrom('push_devices')
          .select('id')
          .where('id', '=', Number(id))
          .execute();
        return row.length === 1;
      }),
    );
    expect(kept).toEqual([true, false, false, true, true, true]);
  });

  /** Each failure is stored, and nothing is due. */
  const settled = () =>
    expect
      .poll(async () => {
        const { rows } = await sql`
          select from push_sends where not retrying or due_at <= ${t.clock.now()}`.execute(t.db);
        return rows.length;
      })
      .toBe(0);

  test('429 and 5xx are repeated after Retry-After, with the same id, topic and tag', async () => {
    const { player } = await makeDevice();
    service.reply = (_, nth) => (answer) => {
      if (nth === 1) answer.writeHead(429, { 'retry-after': '120' }).end();
      else answer.writeHead(nth === 2 ? 500 : 201).end();
    };
    await tell(player, 'Again');
    await expect.poll(() => service.received.length).toBe(1);
    const due = async () =>
      (
        await sql<{ due_at: Date }>`select due_at from push_sends`.execute(t.db)
      ).rows[0]?.due_at.getTime() ?? 0;
    await expect
      .poll(async () => Math.round(((await due()) - t.clock.now().getTime()) / 10_000))
      .toBe(12);
    t.clock.advance(121_000);
    await expect.poll(() => service.received.length).toBe(2);
    await settled();
    t.clock.advance(61_000);
    await expect.poll(() => service.received.length).toBe(3);
    expect(new Set(service.received.map(({ message }) => message.id)).size).toBe(1);
    expect(new Set(service.received.map(({ topic }) => topic)).size).toBe(1);
    await expect.poll(waiting).toBe(0);
  });

  test('a service that answers 100 MB, resets or says nothing holds no other back', async () => {
    const slow = await Promise.all(
      Array.from({ length: 6 }, () => makeDevice('slow.push.apple.com')),
    );
    const flood = await makeDevice('web.push.apple.com');
    const quick = await makeDevice();
    service.reply = (endpoint) =>
      endpoint.includes('slow') ? 'silence' : endpoint.includes('web.push') ? 'flood' : 201;
    for (const { player } of slow) await tell(player, 'Slow');
    await tell(flood.player, 'Flood');
    await tell(quick.player, 'Quick');
    await expect.poll(() => titles().includes('Quick') && titles().includes('Flood')).toBe(true);
    // At most four connections wait for the slow one, whose messages stay.
    await expect.poll(() => titles().filter((title) => title === 'Slow').length).toBe(4);
    await expect.poll(waiting).toBe(6);
    service.reply = () => 201;
  });

  test('a 401 is dropped, logged, and not repeated', async () => {
    const { player } = await makeDevice();
    service.reply = () => 403;
    await tell(player, 'Refused');
    await expect.poll(titles).toEqual(['Refused']);
    await expect
      .poll(
        async () =>
          (
            await sql`select from push_sends s join push_notices n
      on n.id = s.notice_id where n.player_id = ${player.id}`.execute(t.db)
          ).rows.length,
      )
      .toBe(0);
  });

  test('PUSH-49: after an outage of two hours what is still of use arrives within two minutes', async () => {
    const devices = await Promise.all(Array.from({ length: 3 }, () => makeDevice()));
    service.reply = () => 'reset';
    for (const { player } of devices) await tell(player, 'Still of use');
    const brief = await makeDevice();
    await tell(brief.player, 'Too late', 1);
    await expect.poll(() => service.received.length).toBe(4);
    await settled();
    for (let tried = 4, n = 0; n < 4; n += 1) {
      t.clock.advance(30 * 60_000);
      await expect.poll(() => service.received.length, { timeout: 5_000 }).toBeGreaterThan(tried);
      await settled();
      tried = service.received.length;
      const as = await makeSession(t, brief.player);
      expect((await t.call('GET', '/api/users/profile/', { as })).status).toBe(200);
    }
    await expect.poll(waiting).toBe(3);
    service.received.length = 0;
    service.reply = () => 201;
    t.clock.advance(61_000);
    await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
    expect(titles()).toEqual(['Still of use', 'Still of use', 'Still of use']);
  });

  test('the operator sees what waits, what was sent, and the last error of each host', async () => {
    const { player } = await makeDevice('web.push.apple.com');
    service.reply = () => 503;
    await tell(player, 'Waits');
    const read = async () =>
      (await t.call('GET', '/api/operator/push/', { as: { key: OPERATOR_KEY } })).body;
    const apple = async () =>
      (await read()).hosts.find(({ host }: { host: string }) => host === 'web.push.apple.com');
    await expect.poll(async () => (await apple()).last_error?.status).toBe(503);
    expect(await read()).toMatchObject({
      on: true,
      waiting: { notices: 0, messages: 1 },
      key: { old_devices: 0 },
    });
    expect((await apple()).waiting).toBe(1);
    expect((await read()).sent).toBeGreaterThan(0);
    expect(JSON.stringify(await read())).not.toContain(player.username);
  });

  test('Retry-After is seconds or a date, at most an hour', () => {
    const now = new Date('2026-11-27T10:00:00Z');
    expect(retryAfterMs('30', now)).toBe(30_000);
    expect(retryAfterMs('999999', now)).toBe(3_600_000);
    expect(retryAfterMs('Fri, 27 Nov 2026 10:02:00 GMT', now)).toBe(120_000);
    expect(retryAfterMs('Fri, 27 Nov 2020 10:02:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeNull();
    expect(retryAfterMs(undefined, now)).toBeNull();
  });
});

test('PUSH-45, P70: after a rotation the old key signs for old devices', async () => {
  const old = await makeDevice();
  const before = (await t.call('GET', '/api/users/push/', { as: old.as })).body.public_key;
  const operator = { key: OPERATOR_KEY };
  const rotated = await t.call('POST', '/api/operator/push/rotate/', { as: operator, body: {} });
  expect(rotated.status).toBe(200);
  expect(rotated.body.old_devices).toBeGreaterThan(0);
  const { rows: audit } = await sql<{ what: string }>`
    select what from audit order by id desc limit 1`.execute(t.db);
  expect(audit).toEqual([{ what: 'Replaced the key pair of notifications' }]);
  const fresh = await makeDevice();
  const after = (await t.call('GET', '/api/users/push/', { as: fresh.as })).body.public_key;
  expect(after).not.toBe(before);
  await tell(old.player, 'Old');
  await tell(fresh.player, 'New');
  await expect.poll(() => service.received.length).toBe(2);
  const keys = Object.fromEntries(
    service.received.map((one) => [one.message.notification.title, one.key]),
  );
  expect(keys).toEqual({ Old: before, New: after });
  const { rows } = await sql<{ sealed: string }>`select sealed from push_keys`.execute(t.db);
  expect(rows.some(({ sealed }) => sealed.includes('PRIVATE'))).toBe(false);
});

describe('kills', () => {
  const KILLS = Number(process.env.PUSH_KILLS ?? 2);
  const CAUSES = Math.max(8, 3 * KILLS);

  test(
    `PUSH-48: ${KILLS} kills of the sender lose nothing and repeat only what was in transit`,
    async () => {
      await sender.stop();
      const devices = [];
      for (let n = 0; n < CAUSES; n += 1) devices.push(await makeDevice());
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
      const given: Given = {
        connection: onDatabase(inject('connection'), rows[0]?.name ?? ''),
        config: { secret_keys: t.config.secret_keys, public_url: t.config.public_url },
        port: service.port,
        ahead_ms: t.clock.now().getTime() - Date.now(),
      };
      service.reply = () => (answer) => void setTimeout(() => answer.writeHead(201).end(), 30);
      const start = (): ChildProcess =>
        spawn(process.execPath, [join(import.meta.dirname, 'sender.child.ts')], {
          env: { ...process.env, GIVEN: JSON.stringify(given) },
          stdio: 'inherit',
        });
      let told = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let some = 0; some < CAUSES / KILLS && told < CAUSES; some += 1, told += 1)
          await tell(devices[told]?.player ?? { id: 0 }, `Told ${told}`);
        const child = start();
        const gone = once(child, 'exit');
        const had = service.received.length;
        const until = Date.now() + 20_000;
        while (service.received.length === had && Date.now() < until)
          await new Promise((done) => setTimeout(done, 2));
        await new Promise((done) => setTimeout(done, Math.random() * 60));
        expect(child.exitCode, 'the sender must not end by itself').toBeNull();
        child.kill('SIGKILL');
        await gone;
        // The lease of what the dead process held ends.
        await sql`update push_sends set due_at = due_at - interval '31 seconds'`.execute(t.db);
      }
      const last = start();
      const counted = () => new Set(titles().filter((title) => title.startsWith('Told'))).size;
      await expect.poll(counted, { timeout: 30_000 }).toBe(told);
      await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
      last.kill('SIGKILL');
      await once(last, 'exit');
      const repeats = titles().length - told;
      // A process has at most four messages in transit to one host.
      expect(repeats).toBeLessThanOrEqual(4 * KILLS);
      for (const same of Map.groupBy(service.received, ({ endpoint }) => endpoint).values()) {
        expect(new Set(same.map(({ message }) => message.id)).size).toBe(1);
        expect(new Set(same.map(({ topic }) => topic)).size).toBe(1);
      }
      const { rows: planned } = await sql<{ n: number }>`
      select count(*)::int as n from push_notices where state = 'sent' and data->>'title' like 'Told%'`.execute(
        t.db,
      );
      expect(planned[0]?.n).toBe(told);
      sender = openPush({ ...t, metrics: ownMetrics() }, TELLERS, service);
    },
    120_000 + KILLS * 10_000,
  );
});

test('a tag names player, kind and subject', () => {
  const one = { player_id: 1, kind: 'my_week', subject: 'x' } as const;
  expect(tagOf(one)).not.toBe(tagOf({ ...one, player_id: 2 }));
  expect(tagOf(one)).not.toBe(tagOf({ ...one, kind: 'duel' }));
});
