import { type ChildProcess, spawn } from 'node:child_process';
import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { makeGames, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { onDatabase } from '#testing/app/test-database.ts';
import {
  checkToken,
  decrypt,
  type PushReceiver,
  type PushService,
  receiverOf,
  startPushService,
} from '#testing/push-service.ts';
import {
  discardGame,
  releaseGame,
  restoreGame,
  returnGame,
  voidGame,
} from '../games/corrections.ts';
import { gameTeller } from '../games/notices.ts';
import { reopenReport, settleReport } from '../games/reports.ts';
import { ownMetrics } from '../http/metrics.ts';
import { serverLogger } from '../log.ts';
import { authorizer, currentPair } from './keys.ts';
import { encryptFor, encryptWith, messageOf, shortName, tagOf } from './message.ts';
import { plan } from './notices.ts';
import type { Teller, Tellers } from './planner.ts';
import type { Given } from './sender.child.ts';
import { openPush, type PushSender, retryAfterMs } from './sender.ts';

const t = withApp();
let service: PushService;
let sender: PushSender;
/** The teller of the kinds of notices that this test does not cause. */
const NOTHING_TO_TELL: Teller = { rank: () => 0, words: async () => null };
const TITLE: Teller = {
  rank: () => 1,
  words: async (_, { data }) => {
    if (data.title === BROKEN) throw new Error('These words cannot be made.');
    return { title: data.title, body: 'Week', path: '/week' };
  },
};
const BROKEN = 'A notice whose words throw';
const TELLERS: Tellers = {
  my_game: gameTeller,
  my_week: TITLE,
  nudge: NOTHING_TO_TELL,
  duel: NOTHING_TO_TELL,
  passed: TITLE,
};
let metrics = ownMetrics();
/** The most rows that one statement of the sender has read. */
let mostRows = 0;
const logged: string[] = [];
const log = serverLogger('info', { write: (line) => void logged.push(line) });

function startSender() {
  metrics = ownMetrics();
  const db = t.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      mostRows = Math.max(mostRows, result.rows.length);
      return result;
    },
  });
  sender = openPush({ ...t, db, log, metrics }, TELLERS, service);
  sender.work();
}

beforeAll(async () => {
  service = await startPushService(() => t.clock.now().getTime());
  startSender();
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

/** Moves to the next noon in UTC: outside the quiet hours, and a new day for the daily limit. */
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

const tell = (
  player: { id: number },
  title: string,
  hours = 24,
  kind: 'my_week' | 'passed' = 'my_week',
) =>
  plan(
    t.db,
    [
      {
        player_id: player.id,
        kind,
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

test('PUSH-44, PUSH-T1: the encryption equals the test vector of RFC 8291, appendix A', async () => {
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

/** For more messages, run `PUSH_MESSAGES=1000 vitest run server/push/sender.test.ts`. */
const MESSAGES = Number(process.env.PUSH_MESSAGES ?? 100);

test('PUSH-43, PUSH-44, PUSH-T1: WebCrypto decrypts random messages, which all have one length', async () => {
  const lengths = new Set<number>();
  for (let n = 0; n < MESSAGES; n += 1) {
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

test('PUSH-43, PUSH-T1: a token is for one origin, is valid 12 hours, and is renewed after 11', async () => {
  const { id, public_key } = await currentPair(t);
  const authorize = authorizer(t);
  const origin = 'https://fcm.googleapis.com';
  const made = t.clock.now().getTime();
  const token = await authorize(id, origin, 'mailto:a@b.test');
  const checked = await checkToken(token ?? '', origin, made);
  expect(checked).toEqual({ sub: 'mailto:a@b.test', key: public_key.toString('base64url') });
  const atMost = made + 12 * 3_600_000 + 1_000;
  await expect(checkToken(token ?? '', origin, atMost)).rejects.toThrow('not valid');
  await expect(checkToken(token ?? '', 'https://web.push.apple.com', made)).rejects.toThrow();
  t.clock.advance(10.9 * 3_600_000);
  expect(await authorize(id, origin, 'mailto:a@b.test')).toBe(token);
  t.clock.advance(0.2 * 3_600_000);
  expect(await authorize(id, origin, 'mailto:a@b.test')).not.toBe(token);
});

test('PUSH-43: a notice of a lost place has low urgency, and a message lives at least a minute', async () => {
  const { player } = await makeDevice();
  await sql`update player_push set passed = true where player_id = ${player.id}`.execute(t.db);
  await tell(player, 'Place 2 this week', 30 / 3600, 'passed');
  await expect.poll(() => service.received).toMatchObject([{ urgency: 'low', ttl: 60 }]);
});

test('PUSH-41: names are cut at 24 characters, title and body at 120, never inside a character', () => {
  expect(shortName('x'.repeat(24))).toBe('x'.repeat(24));
  expect(shortName('x'.repeat(25))).toBe(`${'x'.repeat(23)}…`);
  expect(shortName(`${'x'.repeat(20)}👩‍👩‍👧‍👦yyy`)).toBe(`${'x'.repeat(20)}…`);
  const notice = { id: 'x', player_id: 1, kind: 'my_week', subject: 'x', data: {} } as const;
  const longest = { title: '字'.repeat(500), body: '👩‍👩‍👧‍👦'.repeat(100), path: '/leaderboard' };
  const worth_until = t.clock.now();
  const bytes = messageOf(t.config.public_url, { ...notice, worth_until }, longest);
  const { title, body } = JSON.parse(bytes.toString()).notification;
  expect(title).toBe(`${'字'.repeat(119)}…`);
  expect(body).toBe(`${'👩‍👩‍👧‍👦'.repeat(10)}…`);
  expect(bytes.length).toBeLessThanOrEqual(2_000);
});

test('PUSH-41, P71: a name with wide letters, header words or control characters changes only the text', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  const name = `\u202e=?utf-8?B?eA==?=${'字'.repeat(30)}`;
  await sql`update machines set name = ${name} where id = ${machine.id}`.execute(t.db);
  const played_at = new Date(t.clock.now().getTime() - 2 * 3_600_000);
  await makeGames(t, machine, player, [{ score: 388, played_at }]);
  await expect.poll(() => service.received.length).toBe(1);
  expect(service.wrong).toEqual([]);
  const { message, topic } = service.received[0] ?? {};
  expect(topic).toBe(message.notification.tag);
  expect(message.notification.body).toContain(` on ${name.slice(0, 23)}…. It counts`);
  const { title, body, tag, navigate, ...rest } = message.notification;
  expect(rest).toEqual({ lang: 'en', dir: 'ltr', silent: false });
});

test('PUSH-13: each kind of notice about a game is worth sending for its own number of hours', async () => {
  const { player, as } = await makeDevice();
  const machine = await makeMachine(t);
  const play = async (score: number, minutesAgo: number) => {
    const played_at = new Date(t.clock.now().getTime() - minutesAgo * 60_000);
    const [game] = await makeGames(t, machine, player, [{ score, played_at }]);
    return game ?? { seq: 0, id: '' };
  };
  const hours: Record<string, number> = {};
  /** Records the newest notice. */
  const note = async () => {
    const { rows } = await sql<{ what: string; hours: number }>`
      select data->>'what' as what, extract(epoch from worth_until - caused_at)::int / 3600 as hours
      from push_notices where player_id = ${player.id} order by caused_at desc limit 1`.execute(
      t.db,
    );
    t.clock.advance(1_000);
    hours[rows[0]?.what ?? ''] = rows[0]?.hours ?? 0;
  };
  await play(300, 60);
  await note();
  const doubted = await play(99_999, 1);
  await note();
  await releaseGame(t, doubted.seq);
  await note();
  await discardGame(t, (await play(99_998, 2)).seq);
  await note();
  const plain = await play(200, 3);
  await voidGame(t, plain.seq);
  await note();
  await sql`update push_notices set state = 'sent', planned_at = ${t.clock.now()}
    where player_id = ${player.id} and data->>'what' = 'taken_out'`.execute(t.db);
  await restoreGame(t, plain.seq);
  await note();
  const path = `/api/users/profile/games/${plain.id}/report/`;
  const report = await t.call('POST', path, { as, body: { reason: 'not_mine' } });
  expect(report.status, JSON.stringify(report.body)).toBeLessThan(300);
  await settleReport(t, plain.seq, 'stands');
  await note();
  expect(hours).toEqual({
    ...{ late: 24, held: 24, released: 48, discarded: 48, taken_out: 48, restored: 48 },
    stands: 48,
  });
  expect((await t.call('POST', '/api/users/push/test/', { as })).status).toBe(204);
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from worth_until - caused_at)::int / 60 as minutes
    from push_notices where player_id = ${player.id} and kind = 'test'`.execute(t.db);
  expect(rows).toEqual([{ minutes: 5 }]);
});

test('PUSH-47: a change that is rolled back causes no notice', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  const [counted] = await makeGames(t, machine, player, [{ score: 100 }]);
  const played_at = new Date(t.clock.now().getTime() - 3_600_000);
  // The database refuses each change of a game at its commit, after all statements.
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(t.db);
  await sql`create constraint trigger refuse after insert or update on games
    deferrable initially deferred for each row execute function refuse()`.execute(t.db);
  try {
    await expect(makeGames(t, machine, player, [{ score: 200, played_at }])).rejects.toThrow(
      'refused',
    );
    await expect(voidGame(t, counted?.seq ?? 0)).rejects.toThrow('refused');
  } finally {
    await sql`drop trigger refuse on games`.execute(t.db);
  }
  const notices = async () =>
    (await sql`select from push_notices where player_id = ${player.id}`.execute(t.db)).rows.length;
  expect(await notices()).toBe(0);
  await makeGames(t, machine, player, [{ score: 200, played_at }]);
  expect(await notices()).toBe(1);
});

test('PUSH-51, P69: the log and the metrics have kind, host and outcome, but no address, key, word or name', async () => {
  const { player, receiver, id } = await makeDevice();
  logged.length = 0;
  await tell(player, 'Secret words');
  const line = () => logged.find((one) => one.includes(`"device":${id},`));
  await expect.poll(line).toBeDefined();
  const { level: _, time: __, ms, ...rest } = JSON.parse(line() ?? '{}');
  expect(ms).toBeTypeOf('number');
  expect(rest).toEqual({
    kind: 'my_week',
    device: Number(id),
    host: 'fcm.googleapis.com',
    status: 201,
    outcome: 'sent',
    msg: 'notification',
  });
  const words = ['Secret words', String(player.username)];
  for (const secret of [receiver.endpoint, receiver.p256dh, receiver.auth, ...words])
    expect(logged.join()).not.toContain(secret);
  const exposed = await metrics.registry.metrics();
  expect(exposed).toMatch(/backboard_push_total\{kind="my_week",outcome="sent"\} \d/);
  // Messages of other tests may wait for their next try.
  expect(exposed).toMatch(/^backboard_push_waiting \d+$/m);
  for (const secret of [receiver.endpoint, String(player.username), 'Secret words'])
    expect(exposed).not.toContain(secret);
  const { rows } = await sql<{ row: string }>`
    select d::text as row from push_devices d where id = ${Number(id)}`.execute(t.db);
  for (const secret of ['/push/', receiver.p256dh, receiver.auth])
    expect(rows[0]?.row).not.toContain(secret);
});

test('PUSH-51: delivery time is measured from the cause, or from the first moment that allows the notice', async () => {
  const read = async () => {
    const values = (await metrics.registry.getSingleMetric('backboard_push_seconds')?.get())
      ?.values;
    const of = (name: string) =>
      values?.find((one) => 'metricName' in one && one.metricName === name)?.value ?? 0;
    return { count: of('backboard_push_seconds_count'), sum: of('backboard_push_seconds_sum') };
  };
  // Delete the notices of other tests.
  await sql`delete from push_notices where state = 'waiting'`.execute(t.db);
  const start = await read();
  const failed = await makeDevice();
  service.reply = (_, nth) => (nth === 1 ? 503 : 201);
  await tell(failed.player, 'At the second try');
  await expect
    .poll(async () => (await sql`select from push_sends where retrying`.execute(t.db)).rows.length)
    .toBe(1);
  t.clock.advance(0.5 * 3_600_000);
  await expect.poll(waiting).toBe(0);
  const late = await read();
  expect(late.count).toBe(start.count + 1);
  expect(late.sum - start.sum).toBeGreaterThan(1_800);

  const asleep = await makeDevice();
  service.reply = () => 201;
  // Move from 12:30 to 23:00, into the quiet hours.
  t.clock.advance(10.5 * 3_600_000);
  await tell(asleep.player, 'In the morning');
  const delayed = () =>
    sql`select from push_notices where player_id = ${asleep.player.id} and due_at > caused_at`.execute(
      t.db,
    );
  await expect.poll(async () => (await delayed()).rows.length).toBe(1);
  t.clock.advance(10 * 3_600_000);
  await expect.poll(titles).toContain('In the morning');
  await expect.poll(waiting).toBe(0);
  const morning = await read();
  expect(morning.count).toBe(late.count + 1);
  expect(morning.sum - late.sum).toBeLessThan(3_600);
});

test('PUSH-01, PUSH-40, PUSH-43, P70, P71: a late game sends each device an encrypted and signed message', async () => {
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

test('PUSH-01, PUSH-52: an ordinary game gives no notice, and several late games give one', async () => {
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

test('PUSH-16: a decision that staff take back within the minute gives no notice', async () => {
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

test('GAME-14, OPS-17: a game that was voided with others and is restored is told only to whoever was told of it', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  const games = await makeGames(t, machine, player, [
    { score: 100, played_at: ago(20) },
    { score: 200, played_at: ago(10) },
  ]);
  const body = {
    machine: machine.name,
    from: ago(25).toISOString(),
    to: ago(5).toISOString(),
  };
  const operate = (path: string, sent: object) =>
    t.call('POST', `/api/operator/games/${path}/`, { as: { key: OPERATOR_KEY }, body: sent });
  const voidAll = async () =>
    expect((await operate('void-many', body)).body).toEqual({ games: 2, players: 1, left: 0 });
  const restoreAll = async () => {
    for (const { seq } of games)
      expect((await operate('restore', { game: String(seq) })).status).toBe(200);
  };
  const landed = async () => {
    const { rows } = await sql<{ landed_at: Date | null }>`
      select landed_at from games where player_id = ${player.id} order by score`.execute(t.db);
    return rows.map(({ landed_at }) => landed_at !== null);
  };
  await voidAll();
  t.clock.advance(20_000);
  await restoreAll();
  expect(await landed()).toEqual([true, true]);
  const waitingNotices = async () => {
    const { rows } = await sql`
      select from push_notices where player_id = ${player.id} and state = 'waiting'`.execute(t.db);
    return rows.length;
  };
  t.clock.advance(61_000);
  await expect.poll(waitingNotices).toBe(0);
  expect(titles()).toEqual([]);

  await voidAll();
  t.clock.advance(61_000);
  await expect.poll(titles).toEqual(['A game was taken out']);
  await restoreAll();
  t.clock.advance(301_000);
  await expect.poll(titles).toEqual(['A game was taken out', 'A game counts again: 200']);
});

test('PUSH-14, OPS-17: a held game that staff release and hold again in the night is told as held, once', async () => {
  const { player } = await makeDevice();
  const machine = await makeMachine(t);
  t.clock.advance(10 * 3_600_000);
  const [game] = await makeGames(t, machine, player, [{ score: 20_000 }]);
  const releaseAndUndo = async () => {
    await releaseGame(t, game?.seq ?? 0);
    await returnGame(t, game?.seq ?? 0);
  };
  await releaseAndUndo();
  t.clock.advance(14 * 3_600_000);
  await expect.poll(titles).toEqual(['Your game is held']);
  await releaseAndUndo();
  const states = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from push_notices where player_id = ${player.id}`.execute(t.db);
    return rows.map(({ state }) => state).sort();
  };
  t.clock.advance(301_000);
  await expect.poll(states).toEqual(['dropped', 'sent']);
  // The decision was told before it was undone.
  await releaseGame(t, game?.seq ?? 0);
  t.clock.advance(301_000);
  await expect.poll(titles).toEqual(['Your game is held', expect.stringContaining('counts')]);
  await returnGame(t, game?.seq ?? 0);
  t.clock.advance(3_600_000);
  await expect.poll(titles).toHaveLength(3);
  expect(titles().at(-1)).toBe('Your game is held');
});

test('PUSH-16, OPS-17: a report that staff settle and open again within the minute gives no notice', async () => {
  const { player, as } = await makeDevice();
  const machine = await makeMachine(t);
  const [game] = await makeGames(t, machine, player, [{ score: 100 }]);
  const path = `/api/users/profile/games/${game?.id}/report/`;
  await t.call('POST', path, { as, body: { reason: 'not_mine' } });
  await settleReport(t, game?.seq ?? 0, 'stands');
  await reopenReport(t, game?.seq ?? 0);
  t.clock.advance(61_000);
  const outcome = async () =>
    (
      await sql<{ state: string; why: string }>`
        select state, why from push_notices where player_id = ${player.id}`.execute(t.db)
    ).rows[0];
  await expect.poll(outcome).toEqual({ state: 'dropped', why: 'no longer true' });
  await settleReport(t, game?.seq ?? 0, 'stands');
  t.clock.advance(61_000);
  await expect.poll(titles).toEqual(['Checked: it counts']);
});

test('PUSH-06: a test notice goes at once, even at night, at most five times an hour', async () => {
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

test('PUSH-48: a notice whose words throw delays no other player, and is tried again after 5 minutes', async () => {
  const [broken, other] = [await makeDevice(), await makeDevice()];
  await tell(broken.player, BROKEN);
  await tell(other.player, 'Their week');
  await expect.poll(titles).toEqual(['Their week']);
  const errors = () => logged.filter((line) => line.includes('cannot be planned')).length;
  expect(errors()).toBe(1);
  await sql`update push_notices set data = '{"title": "Mended"}'
    where player_id = ${broken.player.id}`.execute(t.db);
  t.clock.advance(5 * 60_000);
  await expect.poll(titles).toEqual(['Their week', 'Mended']);
});

describe('answers of a push service (PUSH-49, P78)', () => {
  test('2xx counts as sent; 404 and 410 remove the device; 400, 413 and a redirect drop the message', async () => {
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

  /** Waits until each failure is stored and nothing is due. */
  const settled = () =>
    expect
      .poll(async () => {
        const { rows } = await sql`
          select from push_sends where not retrying or due_at <= ${t.clock.now()}`.execute(t.db);
        return rows.length;
      })
      .toBe(0);

  test('PUSH-49, P74: after 429 or 5xx a message is resent after Retry-After with the same id, topic and tag', async () => {
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

  test('PUSH-10: a message that has to be sent again waits for the end of the quiet hours', async () => {
    // Move from 12:00 to 20:30.
    t.clock.advance(8.5 * 3_600_000);
    const { player } = await makeDevice();
    service.reply = (_, nth) => (nth === 1 ? 503 : 201);
    await tell(player, 'At night');
    await expect.poll(() => service.received.length).toBe(1);
    await settled();
    t.clock.advance(5.5 * 3_600_000);
    const hoursLeft = async () => {
      const { rows } = await sql<{ due_at: Date }>`select due_at from push_sends`.execute(t.db);
      return Math.round(((rows[0]?.due_at.getTime() ?? 0) - t.clock.now().getTime()) / 3_600_000);
    };
    await expect.poll(hoursLeft).toBe(7);
    expect(service.received).toHaveLength(1);
    t.clock.advance(7 * 3_600_000);
    await expect.poll(() => service.received.length).toBe(2);
    await expect.poll(waiting).toBe(0);
  });

  test('a service that sends 100 MB, resets or hangs delays no other service', async () => {
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
    // At most four connections wait for the slow service, and its messages stay.
    await expect.poll(() => titles().filter((title) => title === 'Slow').length).toBe(4);
    await expect.poll(waiting).toBe(6);
    // 4 KiB are read; the rest fits into the sockets' buffers.
    expect(service.flooded).toBeLessThan(50 * 1024 * 1024);
    service.reply = () => 201;
  });

  test('PUSH-49: a message that gets 401 or 403 is dropped, and its host is logged once an hour', async () => {
    logged.length = 0;
    for (const status of [403, 401]) {
      const { player } = await makeDevice('updates.push.services.mozilla.com');
      service.reply = () => status;
      await tell(player, `Refused ${status}`);
      await expect.poll(titles).toContain(`Refused ${status}`);
      await expect.poll(waiting).toBe(0);
    }
    expect(service.received).toHaveLength(2);
    const errors = logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors).toMatchObject([{ host: 'updates.push.services.mozilla.com', status: 403 }]);
  });

  test('PUSH-49, PUSH-T13: two minutes after an outage of two hours, all messages worth sending have arrived', async () => {
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

  test('PUSH-49, PUSH-T13: a process holds at most 16 messages, however many wait for services that are down', async () => {
    const PLAYERS = 500;
    const hosts = ['fcm.googleapis.com', 'web.push.apple.com', 'slow.push.apple.com'];
    const templates = await Promise.all(
      [...hosts, 'updates.push.services.mozilla.com'].map((host) => makeDevice(host)),
    );
    // Delete the notices of other tests.
    await sql`delete from push_notices where state = 'waiting'`.execute(t.db);
    const { rows: players } = await sql<{ id: number }>`
      with made as (
        insert into players (email, email_verified_at, username, date_of_birth, created_at)
        select 'waits' || n || '@example.com', ${t.clock.now()}, 'waits-' || n, '2000-01-31', ${t.clock.now()}
        from generate_series(1, ${PLAYERS}) n returning id
      ), switches as (
        insert into player_push (player_id, my_game, my_week, nudge, duel, passed)
        select id, true, true, true, true, true from made
      ), devices as (
        insert into push_devices
          (player_id, endpoint_hash, sealed, host, locale, zone, client, key_id, since, seen_at)
        select made.id, sha256((made.id || d.host)::bytea), d.sealed, d.host, d.locale, d.zone,
          d.client, d.key_id, d.since, d.seen_at
        from made cross join push_devices d where d.id = any(${templates.map(({ id }) => Number(id))})
      ) select id from made`.execute(t.db);
    const unanswered: ServerResponse[] = [];
    service.reply = () => (answer) => void unanswered.push(answer);
    mostRows = 0;
    const worth_until = new Date(t.clock.now().getTime() + 3_600_000);
    const notice = { kind: 'my_week', subject: 'Waits', data: { title: 'Waits' } } as const;
    await plan(
      t.db,
      players.map(({ id }) => ({ ...notice, player_id: id, worth_until })),
      t.clock.now(),
    );
    await expect.poll(waiting, { timeout: 60_000 }).toBe(PLAYERS * templates.length);
    /** How many messages the sender has taken and neither sent nor put back. */
    const held = async () =>
      (await sql`select from push_sends where tries > 0 and not retrying`.execute(t.db)).rows
        .length;
    for (let tried = 0; tried < 100; ) {
      await expect.poll(() => unanswered.length).toBeGreaterThan(0);
      expect(await held()).toBeLessThanOrEqual(16);
      const answers = unanswered.splice(0);
      for (const answer of answers) answer.writeHead(503).end();
      tried += answers.length;
    }
    expect(mostRows).toBeLessThanOrEqual(16);
    expect(await waiting()).toBe(PLAYERS * templates.length);
    // Leave the next test no messages in transit and none of these devices.
    service.reply = () => 201;
    for (const answer of unanswered) answer.writeHead(201).end();
    await sender.stop();
    await sql`delete from players where username like 'waits-%'`.execute(t.db);
    startSender();
  });

  test('the operator sees what is waiting, what was sent, and the last error of each host', async () => {
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

  test('Retry-After is read as seconds or a date, up to an hour', () => {
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

describe('killed processes', () => {
  const KILLS = Number(process.env.PUSH_KILLS ?? 2);
  const CAUSES = Math.max(8, 3 * KILLS);

  test(
    `PUSH-48, PUSH-T3: ${KILLS} kills of the sender lose nothing and repeat only what was in transit`,
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
        // Ends the leases of the dead process's messages.
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
      startSender();
    },
    120_000 + KILLS * 10_000,
  );
});

test('a tag names player, kind and subject', () => {
  const one = { player_id: 1, kind: 'my_week', subject: 'x' } as const;
  expect(tagOf(one)).not.toBe(tagOf({ ...one, player_id: 2 }));
  expect(tagOf(one)).not.toBe(tagOf({ ...one, kind: 'duel' }));
});
