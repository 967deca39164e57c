import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withApp } from '#testing/app/test-app.ts';
import { onDatabase } from '#testing/app/test-database.ts';
import { openJobs } from '../db/jobs.ts';
import { createMail } from './mail.ts';
import type { Given } from './worker.child.ts';

const KILLS = 5;
const MAILS = 30;
/** Slow enough for kills to hit messages in transit. */
const TAKING_MS = 15;

const received = new Map<string, number>();
const arrivals = new EventEmitter();
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData: (stream, session, done) => {
    stream.resume();
    stream.on('end', () => {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      received.set(to, (received.get(to) ?? 0) + 1);
      arrivals.emit('mail');
      setTimeout(done, TAKING_MS);
    });
  },
});

const t = withApp();
beforeAll(async () => {
  sink.on('error', () => undefined);
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await new Promise<void>((done) => sink.close(done));
});

test(`REL-11: ${KILLS} kills of the worker lose no mail, and each resends at most one`, async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
  const connection = onDatabase(inject('connection'), rows[0]?.name ?? '');
  const { port } = sink.server.address() as AddressInfo;
  const { secret_keys, mail_from, public_url } = t.config;
  const config = { secret_keys, mail_from, public_url, smtp_url: `smtp://127.0.0.1:${port}` };
  const given: Given = { connection, config };
  const jobs = await openJobs({ connection, log: t.log });
  const isDeclined = () => Promise.resolve(true);
  const outbox = await createMail({
    config,
    jobs,
    db: t.db,
    clock: t.clock,
    log: t.log,
    isDeclined,
  });
  for (let n = 0; n < MAILS; n += 1)
    await outbox.enqueue(t.db, {
      to: `player${n}@example.com`,
      subject: 'Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
      valid_until: null,
    });

  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker: ChildProcess = spawn(
      process.execPath,
      [join(import.meta.dirname, 'worker.child.ts')],
      { env: { ...process.env, GIVEN: JSON.stringify(given) }, stdio: 'inherit' },
    );
    const gone = once(worker, 'exit');
    for (let some = 1 + (kill % 5); some > 0; some -= 1)
      await Promise.race([once(arrivals, 'mail'), gone]);
    expect(worker.exitCode, 'the worker must not end by itself').toBeNull();
    worker.kill('SIGKILL');
    await gone;
    // Move the start of each active job back, so that its worker counts as dead.
    await sql`update pgboss.job set started_on = started_on - interval '1 hour'
      where state = 'active'`.execute(t.db);
    // Make the queue due for supervision.
    await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(t.db);
    await jobs.boss.supervise('mail');
    await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(t.db);
  }

  await outbox.work();
  const open = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pgboss.job
      where name = 'mail' and state <> 'completed'`.execute(t.db);
    return rows[0]?.count;
  };
  await expect.poll(open, { timeout: 60_000 }).toBe(0);
  await outbox.stop();
  await jobs.stop();
  expect(received.size).toBe(MAILS);
  const twice = [...received.values()].reduce((sum, times) => sum + times - 1, 0);
  expect(twice).toBeLessThanOrEqual(KILLS);
}, 180_000);
