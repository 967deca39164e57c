import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, inject, test } from 'vitest';
import { makePlayer } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { onDatabase } from '#testing/app/test-database.ts';
import { type Jobs, openJobs } from '../db/jobs.ts';
import { serverLogger } from '../log.ts';
import { deletePlayer } from '../players/erase.ts';
import { createMail, type Message, type Outbox } from './mail.ts';

const CODE = '482913';
const message = (over: Partial<Message> = {}): Message => ({
  to: 'maya@example.com',
  subject: 'Your verification code',
  text: `Your verification code is ${CODE}`,
  html: `<p>${CODE}</p>`,
  valid_until: new Date(Date.now() + 600_000),
  ...over,
});

const t = withApp();
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await sql`delete from pgboss.job`.execute(t.db);
});

function watchedLog() {
  const lines: string[] = [];
  const arrivals = new EventEmitter();
  const log = serverLogger('info', {
    write: (line) => {
      lines.push(line);
      arrivals.emit('line');
    },
  });
  const logged = async (words: string) => {
    while (!lines.some((line) => line.includes(words))) await once(arrivals, 'line');
  };
  return { log, lines, logged };
}

type Setup = {
  smtp_url?: string | null;
  secret_keys?: [string, ...string[]];
  public_url?: string;
};

/** Timeouts for tests whose mail server hangs. */
const SHORT_TIMEOUTS = { connect: 300, total: 600 };

/** Another process's outbox, with its own queues and worker. */
async function openOutbox(
  over: Setup = {},
  timeouts = { connect: 10_000, total: 20_000 },
): Promise<Outbox & { jobs: Jobs; lines: string[]; logged: (words: string) => Promise<void> }> {
  const watched = watchedLog();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
  const connection = onDatabase(inject('connection'), rows[0]?.name ?? '');
  const jobs = await openJobs({ connection, log: watched.log });
  const outbox = await createMail({
    config: { ...t.config, ...over },
    jobs,
    db: t.db,
    clock: t.clock,
    log: watched.log,
    isDeclined: ({ team_id }) => Promise.resolve(team_id === 2),
    timeouts,
  });
  opened.push(() => outbox.stop().then(() => jobs.stop()));
  return { ...outbox, ...watched, jobs };
}

/** A mail server. `arrived(n)` waits for the n-th mail. */
async function openSink(options: SMTPServerOptions = {}, port = 0) {
  const mails: Email[] = [];
  const arrivals = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, callback) => {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => {
          mails.push(mail);
          callback();
          arrivals.emit('mail');
        }, callback);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  opened.push(() => new Promise<void>((done) => server.close(done)));
  const own = (server.server.address() as AddressInfo).port;
  const arrived = async (count: number) => {
    while (mails.length < count) await once(arrivals, 'mail');
  };
  return { mails, arrived, port: own, url: `smtp://127.0.0.1:${own}` };
}

const queued = async () => {
  const { rows } = await sql<{ state: string }>`
    select state::text as state from pgboss.job where name = 'mail'`.execute(t.db);
  return rows.map((row) => row.state);
};

test('OPS-32: EHLO has the host of PUBLIC_URL', async () => {
  const said: string[] = [];
  const sink = await openSink({
    onMailFrom: (_address, { hostNameAppearsAs }, callback) => {
      said.push(hostNameAppearsAs);
      callback();
    },
  });
  const public_url = 'https://play.example.com:8443';
  const outbox = await openOutbox({ smtp_url: sink.url, public_url });
  await outbox.work();
  await t.db.transaction().execute((trx) => outbox.enqueue(trx, message()));
  await sink.arrived(1);
  expect(said).toEqual(['play.example.com']);
});

test('P25: a mail is sent after the commit of its cause, as text and HTML, to one structured address', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await t.db.transaction().execute((trx) => outbox.enqueue(trx, message()));
  await sink.arrived(1);
  const [mail] = sink.mails;
  expect(mail).toMatchObject({
    from: { name: 'Backboard', address: 'no-reply@localhost' },
    to: [{ name: '', address: 'maya@example.com' }],
    subject: 'Your verification code',
    text: `Your verification code is ${CODE}\n`,
    html: expect.stringContaining(`<p>${CODE}</p>`),
  });
  expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
});

test('OPS-17: a mail about a declined request waits a minute, and is sent unless staff undo the answer', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await outbox.enqueue(t.db, message({ to: 'noor@example.com' }), { player_id: 1, team_id: 3 });
  await outbox.enqueue(t.db, message(), { player_id: 1, team_id: 2 });
  const { rows } = await sql<{ waits: number }>`
    select extract(epoch from start_after - created_on)::integer as waits
    from pgboss.job where name = 'mail'`.execute(t.db);
  expect(rows).toEqual([{ waits: 60 }, { waits: 60 }]);
  expect(await outbox.listWaiting(5)).toEqual([]);
  await outbox.enqueue(t.db, message({ subject: 'Of no decision' }));
  await sink.arrived(1);
  await sql`update pgboss.job set start_after = now() where name = 'mail'`.execute(t.db);
  await sink.arrived(2);
  await outbox.logged('the decision was changed');
  expect(sink.mails.map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual([
    ['maya@example.com', 'Of no decision'],
    ['maya@example.com', 'Your verification code'],
  ]);
});

test('P30e: a mail for a player who is deleted meanwhile is not sent', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  const [gone, here] = [await makePlayer(t), await makePlayer(t)];
  for (const { email: to, id: player_id } of [gone, here])
    await outbox.enqueue(t.db, message({ to, player_id }));
  await deletePlayer(t.db, gone.id, t.clock.now());
  await outbox.work();
  await outbox.logged('the account is deleted');
  await sink.arrived(1);
  expect(sink.mails.map(({ to }) => to?.[0]?.address)).toEqual([here.email]);
});

test('P25: a name in a subject is not decoded by the mail program', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  const subject = '=?utf-8?Q?Your=20bank?= is silent';
  await t.db.transaction().execute((trx) => outbox.enqueue(trx, { ...message(), subject }));
  await sink.arrived(1);
  expect(sink.mails[0]?.subject).toBe('= ?utf-8?Q?Your=20bank?= is silent');
});

test('P25: a change that is rolled back sends no mail', async () => {
  const outbox = await openOutbox();
  const failing = t.db.transaction().execute(async (trx) => {
    await outbox.enqueue(trx, message());
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await queued()).toEqual([]);
});

test('P25: a copy of the database reveals neither code nor address', async () => {
  const outbox = await openOutbox();
  await outbox.enqueue(t.db, message());
  const { rows } = await sql<{ job: string }>`
    select to_jsonb(job)::text as job from pgboss.job where name = 'mail'`.execute(t.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.job).not.toContain(CODE);
  expect(rows[0]?.job).not.toContain('maya');
});

test('P9: a mail encrypted with the previous secret is still sent', async () => {
  const sink = await openSink();
  const [old] = t.config.secret_keys;
  await (await openOutbox()).enqueue(t.db, message());
  const outbox = await openOutbox({
    smtp_url: sink.url,
    secret_keys: ['Xk2mW9qR5tY8uI1oP4aS7dF3gH6jK0lZ', old],
  });
  await outbox.work();
  await sink.arrived(1);
});

test('a mail that cannot be decrypted with any secret is dropped and logged', async () => {
  await (await openOutbox()).enqueue(t.db, message());
  const outbox = await openOutbox({ secret_keys: ['Xk2mW9qR5tY8uI1oP4aS7dF3gH6jK0lZ'] });
  await outbox.work();
  await outbox.logged('mail dropped: no key');
  expect(await t.mails()).toEqual([]);
});

test.each([
  { subject: 'Hi\r\nBcc: all@example.com' },
  { to: 'a@example.com,b@example.com' },
  { to: 'a@example.com\r\nBcc: b@example.com' },
  { to: 'Maya <maya@example.com>' },
])('the outbox refuses a mail with %j', async (over) => {
  const outbox = await openOutbox();
  await expect(outbox.enqueue(t.db, message(over))).rejects.toThrow();
  expect(await queued()).toEqual([]);
});

test('REL-11: the outbox waits while the mail server is down', async () => {
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const outbox = await openOutbox({ smtp_url: `smtp://127.0.0.1:${port}` });
  await outbox.work();
  await outbox.enqueue(t.db, message());
  await outbox.logged('mail not sent yet');
  const sink = await openSink({}, port);
  await sink.arrived(1);
  await outbox.logged('mail sent');
  expect(sink.mails).toHaveLength(1);
});

async function openHalfOpen(greeting: string): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(greeting);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  opened.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return server;
}

test.each(['', '220 hello\r\n'])(
  'P38: the outbox gives up on a server that sends only %j',
  async (greeting) => {
    const { port } = (await openHalfOpen(greeting)).address() as AddressInfo;
    const outbox = await openOutbox({ smtp_url: `smtp://127.0.0.1:${port}` }, SHORT_TIMEOUTS);
    await outbox.work();
    await outbox.enqueue(t.db, message());
    await outbox.logged('mail not sent yet');
  },
);

test('P38: the outbox gives up on a server that takes the message and never replies', async () => {
  const sink = await openSink({ onData: (stream) => stream.resume() });
  const outbox = await openOutbox({ smtp_url: sink.url }, SHORT_TIMEOUTS);
  await outbox.work();
  await outbox.enqueue(t.db, message());
  await outbox.logged('EABORT');
});

const smtpError = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode });

test('REL-11: the outbox retries after a temporary failure', async () => {
  let asked = 0;
  const sink = await openSink({
    onRcptTo: (_address, _session, callback) =>
      callback(asked++ === 0 ? smtpError(451, 'try later') : null),
  });
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await outbox.enqueue(t.db, message());
  await sink.arrived(1);
  expect(asked).toBe(2);
});

test('P42: the outbox drops a mail that the receiving server refuses, and logs no address', async () => {
  const sink = await openSink({
    onRcptTo: ({ address }, _session, callback) =>
      callback(smtpError(550, `no mailbox ${address}`)),
  });
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await outbox.enqueue(t.db, message());
  await outbox.logged('mail dropped: the receiving server refuses it');
  await expect.poll(queued).toEqual(['completed']);
  expect(outbox.lines.join()).toContain('m***@e…');
  expect(outbox.lines.join()).not.toContain('maya');
  const { rows } = await sql<{ job: string }>`
    select to_jsonb(job)::text as job from pgboss.job where name = 'mail'`.execute(t.db);
  expect(rows[0]?.job).not.toContain('maya');
});

test('the outbox keeps a mail whose sender is refused, because the settings are wrong', async () => {
  const sink = await openSink({
    onMailFrom: (_address, _session, callback) => callback(smtpError(550, 'relaying denied')),
  });
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await outbox.enqueue(t.db, message());
  await outbox.logged('mail not sent yet');
  await expect.poll(queued).toEqual(['retry']);
});

test('P25: the outbox drops an expired mail and logs it', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.enqueue(t.db, message({ valid_until: t.clock.now() }));
  await outbox.enqueue(t.db, message({ to: 'noor@example.com' }));
  await outbox.work();
  await outbox.logged('mail dropped: it could not be sent while it was of use');
  await sink.arrived(1);
  expect(sink.mails.map((mail) => mail.to?.[0]?.address)).toEqual(['noor@example.com']);
});

test('REL-11: several workers send each mail once', async () => {
  const sink = await openSink();
  const workers = [
    await openOutbox({ smtp_url: sink.url }),
    await openOutbox({ smtp_url: sink.url }),
  ] as const;
  const all = Array.from({ length: 40 }, (_, n) => `player${n}@example.com`);
  await Promise.all(all.map((to) => workers[0].enqueue(t.db, message({ to }))));
  for (const worker of workers) await worker.work();
  await sink.arrived(all.length);
  await expect.poll(queued).toEqual(all.map(() => 'completed'));
  expect(sink.mails.map((mail) => mail.to?.[0]?.address).sort()).toEqual([...all].sort());
});

test('P41: a stopping worker finishes the message in transit and leaves the others in the outbox', async () => {
  const data = new EventEmitter();
  let taken = 0;
  const sink = await openSink({
    onData: (stream, _session, callback) => {
      stream.resume();
      stream.on('end', () => {
        taken += 1;
        data.once('go on', () => callback());
        data.emit('taken');
      });
    },
  });
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.enqueue(t.db, message());
  const taking = once(data, 'taken');
  await outbox.work();
  await taking;
  const stopped = outbox.stop();
  await outbox.enqueue(t.db, message());
  data.emit('go on');
  await stopped;
  expect(taken).toBe(1);
  expect((await queued()).sort()).toEqual(['completed', 'created']);
});

test('REL-11: another worker sends the mail of a worker that died', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.enqueue(t.db, message());
  // A killed process leaves a job active.
  await outbox.jobs.boss.fetch('mail');
  expect(await queued()).toEqual(['active']);
  await sql`update pgboss.job set started_on = started_on - interval '1 minute'`.execute(t.db);
  await outbox.jobs.boss.supervise('mail');
  await outbox.work();
  await sink.arrived(1);
});

test('REL-11: the outbox continues after its database connections broke', async () => {
  const sink = await openSink();
  const outbox = await openOutbox({ smtp_url: sink.url });
  await outbox.work();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'backboard-jobs'`.execute(t.db);
  // The pool may still hold the broken connection.
  const stored = () => outbox.enqueue(t.db, message()).then(() => true, String);
  await expect.poll(stored, { timeout: 10_000 }).toBe(true);
  await sink.arrived(1);
});
