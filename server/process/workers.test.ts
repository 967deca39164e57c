import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aGame, makeIp, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import {
  allowSlowTests,
  openSharedDatabase,
  type ServerProcess,
  type Shared,
  slowPoll,
  startServer,
} from '#testing/app/server-process.ts';
import { openEvents } from '#testing/event-stream.ts';
import { freePort } from '#testing/ports.ts';
import { hashPassword } from '../accounts/passwords.ts';

allowSlowTests();

describe.each([2, 4])('%i processes behind one port', (count) => {
  let t: Shared;
  let server: ServerProcess;
  beforeAll(async () => {
    t = await openSharedDatabase();
    server = startServer(await freePort(), { ...t.environment, WEB_PROCESSES: String(count) });
    await server.ready();
  });
  afterAll(() => t.close());

  function serving(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']).toString().split('\n');
    return lines.flatMap((line) => {
      const [pid, parent, state = '', ...args] = line.trim().split(/\s+/);
      const ours = Number(parent) === server.child.pid && !state.startsWith('Z');
      return ours && args.some((arg) => arg.endsWith('main.ts')) ? [Number(pid)] : [];
    });
  }

  async function readMetrics(): Promise<(sample: string) => number> {
    const { body } = await server.call('GET', '/metrics');
    const lines = String(body).split('\n');
    return (sample) =>
      Number(lines.find((line) => line.startsWith(`${sample} `))?.slice(sample.length) ?? 0);
  }

  test('each process serves', async () => {
    await expect.poll(serving, slowPoll).toHaveLength(count);
  });

  test('PUSH-45: at their start the processes make one key pair of notifications', async () => {
    const keys = await t.db.selectFrom('push_keys').select('retired_at').execute();
    expect(keys).toEqual([{ retired_at: null }]);
  });

  test('an event of one process reaches the streams of all processes', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    // Processes take turns, so each gets two streams.
    const streams = [];
    for (let n = 0; n < 2 * count; n += 1)
      streams.push(await openEvents(server.url, (await makeSession(t, player)).access));
    const answer = await server.call('POST', '/api/machine/games/', {
      as: machine,
      body: { games: [aGame(t, player)] },
    });
    expect(answer.body.results).toMatchObject([{ status: 'recorded' }]);
    for (const stream of streams) {
      expect(await stream.next()).toBe('game');
      stream.close();
    }
  });

  test('/metrics adds up all processes, whichever process answers', async () => {
    const health =
      'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}';
    const recorded = 'backboard_games_total{status="recorded"}';
    const earlier = await readMetrics();
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const streams = [];
    for (let n = 0; n < 3 * count; n += 1) {
      streams.push(await openEvents(server.url, (await makeSession(t, player)).access));
      await server.call('GET', '/health/live');
      await server.call('POST', '/api/machine/games/', {
        as: machine,
        body: { games: [aGame(t, player)] },
      });
    }
    for (const later of await Promise.all(Array.from({ length: 2 * count }, readMetrics))) {
      expect(later(recorded) - earlier(recorded)).toBe(3 * count);
      expect(later(health) - earlier(health)).toBe(3 * count);
      expect(later('backboard_event_streams')).toBe(3 * count);
      expect(later('process_start_time_seconds')).toBe(earlier('process_start_time_seconds'));
      expect(later('process_resident_memory_bytes')).toBeGreaterThan(count * 30e6);
    }
    for (const stream of streams) stream.close();
    await expect
      .poll(async () => (await readMetrics())('backboard_event_streams'), slowPoll)
      .toBe(0);
  });

  test('a game sent to all processes counts once', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const body = { games: [aGame(t, player)] };
    const answers = await Promise.all(
      Array.from({ length: 4 * count }, () =>
        server.call('POST', '/api/machine/games/', { as: machine, body }),
      ),
    );
    const statuses = answers.map(({ body }) => body.results[0].status);
    expect(statuses.toSorted()).toEqual([...Array(4 * count - 1).fill('duplicate'), 'recorded']);
  });

  test('a link is mailed once, and works once', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword('quiet orange kite') });
    await server.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email: player.email },
    });
    const mails = () => t.mails(player.email);
    await expect.poll(mails, slowPoll).toHaveLength(1);
    const [mail] = await mails();
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    const answers = await Promise.all(
      Array.from({ length: 4 * count }, (_, n) =>
        server.call('POST', '/api/users/auth/reset-password/', {
          body: { email: player.email, token, password: `a brand new passphrase ${n}` },
          ip: makeIp(),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // One mail has the link; the other says that the password was changed.
    await expect.poll(mails, slowPoll).toHaveLength(2);
  });

  test('P16 failures are counted across all processes', async () => {
    const ip = makeIp();
    const fail = (n: number) =>
      server.call('POST', '/api/users/auth/login/', {
        body: { email: `nobody${n}@example.com`, password: 'wrong but long enough' },
        ip,
      });
    const statuses: number[] = [];
    // More than three at once would wait too long for a hash (P15).
    for (let n = 0; n < 30; n += 3)
      for (const { status } of await Promise.all([fail(n), fail(n + 1), fail(n + 2)]))
        statuses.push(status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);
  });

  test('P3: only one of many parallel refreshes replaces the token', async () => {
    const { refresh } = await makeSession(t, await makePlayer(t));
    const answers = await Promise.all(
      Array.from({ length: 4 * count }, () =>
        server.call('POST', '/api/users/auth/token/refresh/', { body: { refresh, rotate: true } }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.refresh)).size).toBe(1);
  });

  test('REL-19 a process that dies is replaced', async () => {
    const recorded = 'backboard_games_total{status="recorded"}';
    const earlier = await readMetrics();
    const [first] = serving();
    process.kill(first ?? 0, 'SIGKILL');
    await expect.poll(() => serving().filter((pid) => pid !== first), slowPoll).toHaveLength(count);
    await server.ready();
    const later = await readMetrics();
    expect(later(recorded)).toBe(earlier(recorded));
  });

  test('P41 one signal shuts all processes down in order', async () => {
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(serving()).toEqual([]);
  });
});

test('P41 a signal during the start ends the processes before their database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backboard-workers-'));
  const server = startServer(await freePort(), {
    DATA_DIR: folder,
    WEB_PROCESSES: '2',
    LOG_LEVEL: 'info',
  });
  const workers = () => {
    const lines = execFileSync('ps', ['-A', '-o', 'ppid=,args=']).toString().split('\n');
    return lines.filter((line) => {
      const [parent, ...args] = line.trim().split(/\s+/);
      return Number(parent) === server.child.pid && args.some((arg) => arg.endsWith('main.ts'));
    });
  };
  await expect.poll(workers, slowPoll).not.toEqual([]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.output()).not.toMatch(/"level":[56]0|Error/);
  expect(workers()).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});
