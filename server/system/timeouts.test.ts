import { connect } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import { allowSlowTests } from '#testing/app/server-process.ts';
import { type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { TIMEOUT_S } from '../accounts/openid-provider.ts';
import { LOAD_MAX } from '../app.ts';
import { HANDLER_TIMEOUT_MS } from '../http/handler-timeout.ts';
import { SMTP_TIMEOUTS_MS } from '../mail/mail.ts';

allowSlowTests();

const t = withApp();
let port: number;
let player: { id: number };
let as: { access: string };
beforeAll(async () => {
  port = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port);
  player = await makePlayer(t);
  as = await makeSession(t, player);
});

/** Sends `text` unchanged. Returns everything received until the connection closes. */
function answerTo(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', () => resolve(answer));
  });
}

const patch = (app: TestApp, jersey_number: string) =>
  app.call('PATCH', '/api/users/profile/', { as, body: { jersey_number } });
const expectBusy = (answer: Awaited<ReturnType<TestApp['call']>>) => {
  expect(answer.status).toBe(503);
  expect(Object.keys(answer.body)).toEqual(['detail']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
};

test('P38: each timeout has the value of the policy', async () => {
  const { server } = t.app;
  expect(server.headersTimeout).toBe(10_000);
  expect(server.requestTimeout).toBe(15_000);
  expect(server.keepAliveTimeout).toBe(72_000);
  expect(HANDLER_TIMEOUT_MS).toBe(10_000);
  // Clients that read no answer lose their connection.
  expect(server.timeout).toBe(60_000);
  expect(t.pool.options).toMatchObject({ connectionTimeoutMillis: 2_000 });
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in
      ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(t.db);
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: '5000',
    lock_timeout: '2000',
    idle_in_transaction_session_timeout: '10000',
  });
  expect(SMTP_TIMEOUTS_MS).toEqual({ connect: 10_000, total: 20_000 });
  expect(TIMEOUT_S).toBe(5);
});

test('P39: a process sheds load at 500 ms of delay, 98 % of its time or 1 GiB', () => {
  expect(LOAD_MAX).toEqual({
    maxEventLoopDelay: 500,
    maxEventLoopUtilization: 0.98,
    maxRssBytes: 1_073_741_824,
  });
});

test('P39: a connection with more than 20 unanswered requests is closed', async () => {
  const request = 'GET /api/docs/docs.css HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
  const answers = async (text: string) => (await answerTo(text)).split('HTTP/1.1 200 ').length - 1;
  expect(await answers(request.repeat(19) + last)).toBe(20);
  expect(await answers(request.repeat(60) + last)).toBeLessThan(20);
});

/** The tests run concurrently, because each waits for a timeout. */
describe.concurrent('P38: every wait has a timeout', () => {
  test('a request whose headers do not end gets a 408', async () => {
    expect(await answerTo('GET /api/config/ HTTP/1.1\r\nhost: localhost\r\nx-slow: ')).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*\{"detail":"The request took too long to arrive\."\}$/,
    );
  });

  test('a request whose body does not end gets an error', async () => {
    const head =
      'POST /api/users/auth/login/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json';
    const answer = await answerTo(`${head}\r\ncontent-length: 100\r\n\r\n{"email":`);
    expect(answer).toMatch(/^HTTP\/1\.1 (408|503) [\s\S]*\{"detail":"[^"]+"\}$/);
    // Exactly one response, then the end.
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
  });

  test('a request whose work does not end gets a 503, also over a socket', async () => {
    const stuck = await testApp();
    const address = await stuck.app.listen({ port: 0, host: '127.0.0.1' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    stuck.mail.enqueue = () => held;
    const path = '/api/users/auth/register/';
    const [inside, outside] = await Promise.all([
      stuck.call('POST', path, { body: { email: 'ann@example.com' } }),
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'bea@example.com' }),
      }),
    ]);
    expectBusy(inside);
    const { status, headers } = outside;
    expectBusy({ status, body: await outside.json(), headers: Object.fromEntries(headers) });
    letGo();
    await stuck.close();
  });

  test('a slow statement gets a 503', async () => {
    await sql`create function dawdle() returns trigger language plpgsql as
      $$ begin if new.jersey_number = '66' then perform pg_sleep(60); end if; return new; end $$`.execute(
      t.db,
    );
    await sql`create trigger dawdle before update on players for each row execute function dawdle()`.execute(
      t.db,
    );
    expectBusy(await patch(t, '66'));
  });

  test('a locked row gets a 503, and the idle transaction that holds it is ended', async () => {
    const other = await makePlayer(t);
    const session = await makeSession(t, other);
    const holder = await t.pool.connect();
    const dropped = new Promise<string>((resolve) =>
      holder.on('error', (error) => resolve(error.message)),
    );
    await holder.query('begin');
    await holder.query('select 1 from players where id = $1 for update', [other.id]);
    expectBusy(
      await t.call('PATCH', '/api/users/profile/', { as: session, body: { jersey_number: '9' } }),
    );
    expect(await dropped).toContain('idle-in-transaction timeout');
    holder.release(true);
    const after = await t.call('PATCH', '/api/users/profile/', {
      as: session,
      body: { jersey_number: '9' },
    });
    expect(after.status).toBe(200);
  });

  test('P39: an exhausted pool gets a 503, and recovers when connections are released', async () => {
    const full = await testApp();
    const owner = await makeSession(full, await makePlayer(full));
    const held = await Promise.all(
      Array.from({ length: full.pool.options.max }, () => full.pool.connect()),
    );
    const call = () => full.call('GET', '/api/users/profile/', { as: owner });
    for (const answer of await Promise.all(Array.from({ length: 40 }, call))) expectBusy(answer);
    expect((await full.call('GET', '/health/live')).status).toBe(200);
    for (const client of held) client.release();
    expect((await call()).status).toBe(200);
    await full.close();
  });
});
