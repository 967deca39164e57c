import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectRecordedOnce, startBusyMachine } from '#testing/app/busy-machine.ts';
import { aGame, makeIp, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import {
  allowSlowTests,
  killServers,
  openSharedDatabase,
  type ServerProcess,
  type Shared,
  slowPoll,
  startServer,
} from '#testing/app/server-process.ts';
import { SECRET } from '#testing/app/test-app.ts';
import { freePort } from '#testing/ports.ts';

allowSlowTests();

const RETRY_MS = 20;
/** The pause between a client's calls, so that processes can start. */
const THINK_MS = 10;
/** Keeps a session within 20 reads a second (P39a). */
const LOOK_EVERY_MS = 60;
const FAULTS = join(import.meta.dirname, '../../testing/app/fault.child.ts');

/** What a process that sheds load answers. */
const BUSY = 'The service is busy. Please try again.';

let shared: Shared;
let player: { id: number; uuid: string };
/** With this many sessions, a loop stays within each session's rate (P39a). */
const SESSIONS = 100;
const sessions: { access: string; refresh: string }[] = [];
let turns = 0;
function nextSession() {
  turns += 1;
  return sessions[turns % sessions.length] as { access: string; refresh: string };
}
let key: string;
beforeAll(async () => {
  shared = await openSharedDatabase();
  player = await makePlayer(shared);
  for (let n = 0; n < SESSIONS; n += 1)
    sessions.push(await makeSession(shared, await makePlayer(shared)));
  ({ key } = await makeMachine(shared));
});
afterEach(killServers);
afterAll(() => shared.close());

async function start(
  environment: Record<string, string> = {},
  options: { preload?: string; port?: number } = {},
): Promise<ServerProcess> {
  const { port = await freePort(), ...rest } = options;
  const server = startServer(port, { ...shared.environment, ...environment }, rest);
  await server.ready();
  return server;
}

type Sent = { begun: number; status: number | string };

/** Sends one request after another on a kept-alive connection until `done`; adds them to `sent`. */
function keepAsking({ url }: ServerProcess, path: string, sent: Sent[], done: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () =>
    new Promise<number | string>((resolve) => {
      const headers = { authorization: `Bearer ${nextSession().access}` };
      request(`${url}${path}`, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
        .end();
    });
  return (async () => {
    while (!done()) {
      const begun = performance.now();
      const status = await once();
      sent.push({ begun, status });
      if (typeof status === 'string') await sleep(5);
    }
    agent.destroy();
  })();
}

function pipeline({ url }: ServerProcess): Promise<number> {
  const { hostname, port } = new URL(url);
  const one = `GET /api/users/profile/ HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${nextSession().access}\r\n`;
  const socket = connect(Number(port), hostname);
  socket.write(`${`${one}\r\n`.repeat(4)}${one}connection: close\r\n\r\n`);
  let answers = '';
  return new Promise((resolve) => {
    const end = () => resolve(answers.split('HTTP/1.1 200').length - 1);
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    socket.on('close', end).on('error', end);
  });
}

/** Sends half of a report. `finish` sends the rest and returns the status. */
async function halfABatch({ url }: ServerProcess) {
  const body = JSON.stringify({ games: [aGame(shared, player)] });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const post = request(`${url}/api/machine/games/`, { method: 'POST', headers });
  const status = new Promise<number | string>((resolve) => {
    post.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    post.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
  });
  await new Promise((sent) => post.write(body.slice(0, 20), sent));
  return {
    finish: () => {
      post.end(body.slice(20));
      return status;
    },
  };
}

test('REL-05: SIGTERM under load: requests in flight are answered, ready turns 503, the port closes later', async () => {
  const DRAIN_S = 3;
  const server = await start({ DRAIN_SECONDS: String(DRAIN_S) });
  const sent: Sent[] = [];
  let over = false;
  const clients = Array.from({ length: 8 }, () =>
    keepAsking(server, '/api/users/profile/', sent, () => over),
  );
  const ready: Sent[] = [];
  const watcher = keepAsking(server, '/health/ready', ready, () => over);
  await expect.poll(() => sent.length, slowPoll).toBeGreaterThan(100);
  const slow = await Promise.all(Array.from({ length: 5 }, () => halfABatch(server)));
  const pipelined = Array.from({ length: 5 }, () => pipeline(server));

  const signalled = performance.now();
  server.child.kill('SIGTERM');
  await expect.poll(() => ready.some(({ status }) => status === 503), slowPoll).toBe(true);
  expect(await Promise.all(slow.map(({ finish }) => finish()))).toEqual(Array(5).fill(200));
  expect(await Promise.all(pipelined)).toEqual(Array(5).fill(5));
  expect(await server.ended).toBe(0);
  over = true;
  await Promise.all([...clients, watcher]);

  const before = sent.filter(({ begun }) => begun < signalled);
  expect(before.filter(({ status }) => status !== 200)).toEqual([]);
  // Calls succeed until the load balancer has seen the 503.
  const red = ready.find(({ status }) => status === 503);
  const during = sent.filter(({ begun }) => begun < (red?.begun ?? 0) + DRAIN_S * 500);
  expect(during.length).toBeGreaterThan(before.length);
  expect(during.filter(({ status }) => status !== 200)).toEqual([]);
  const afterRed = ready.filter(({ begun }) => begun > (red?.begun ?? 0));
  expect(afterRed.filter(({ status }) => status === 200)).toEqual([]);
  const closed = Math.min(
    ...sent.filter(({ status }) => typeof status === 'string').map(({ begun }) => begun),
  );
  // Half of the pause, because a slow computer may refuse requests near its end.
  expect(closed - signalled).toBeGreaterThan(DRAIN_S * 500);
});

test('REL-06: two processes are replaced one by one, and no request fails twice', async () => {
  const servers = [await start({ DRAIN_SECONDS: '1' }), await start({ DRAIN_SECONDS: '1' })];
  const machine = startBusyMachine(shared, servers, key, player);
  const failed: unknown[] = [];
  let over = false;
  const call = (turn: number) =>
    servers[turn % servers.length]
      ?.call('GET', '/api/users/profile/', { as: nextSession() })
      .then(({ status }) => status)
      .catch((error: Error) => String(error.cause));
  const ask = async () => {
    for (let turn = 0; !over; turn += 1) {
      const first = await call(turn);
      const second = first === 200 ? 200 : await call(turn + 1);
      if (second !== 200) failed.push([first, second]);
      await sleep(THINK_MS);
    }
  };
  const clients = [ask(), ask(), ask()];
  for (const at of [0, 1]) {
    const old = servers[at];
    const port = Number(new URL(old?.url ?? '').port);
    old?.child.kill('SIGTERM');
    expect(await old?.ended).toBe(0);
    servers[at] = await start({ DRAIN_SECONDS: '1' }, { port });
  }
  over = true;
  await Promise.all(clients);
  await machine.stop();
  expect(failed).toEqual([]);
  await expectRecordedOnce(shared, player, machine);
});

test('P9: the secret is rotated on two processes under load, and nobody is signed out', async () => {
  const [older, newer] = [SECRET, 'pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3'];
  const withKeys = (...keys: string[]) => ({ SECRET_KEY: keys.join(',') });
  const servers = [await start(withKeys(older)), await start(withKeys(older))];
  const machine = startBusyMachine(shared, servers, key, player);
  const failed: unknown[] = [];
  const answered = new Map<number, number>();
  let over = false;
  let refreshes = 0;

  /** If a process does not respond, calls the next, as a load balancer does. */
  const call = async (turn: number, ...args: Parameters<ServerProcess['call']>) => {
    for (let at = turn; ; at += 1) {
      const answer = await servers[at % servers.length]?.call(...args).catch(() => null);
      if (answer) return answer;
      if (at > turn + 200) throw new Error('no process answers');
      await sleep(RETRY_MS);
    }
  };
  const look = async () => {
    let tokens = await makeSession(shared, await makePlayer(shared));
    for (let turn = 0; !over; turn += 1) {
      const page = await call(turn, 'GET', '/api/users/profile/', { as: tokens });
      if (page.status !== 200) failed.push(['profile', page.status]);
      answered.set(page.status, (answered.get(page.status) ?? 0) + 1);
      await sleep(LOOK_EVERY_MS);
      if (turn % 5 > 0) continue;
      const body = { refresh: tokens.refresh, rotate: true };
      const refreshed = await call(turn, 'POST', '/api/users/auth/token/refresh/', { body });
      if (refreshed.status !== 200) failed.push(['refresh', refreshed.status]);
      else tokens = refreshed.body;
      refreshes += 1;
    }
  };
  const pages = [look(), look(), look()];
  const replaceBoth = async (...keys: string[]) => {
    const fresh = await Promise.all([start(withKeys(...keys)), start(withKeys(...keys))]);
    for (const old of servers.splice(0, 2, ...fresh)) {
      old.child.kill('SIGTERM');
      expect(await old.ended).toBe(0);
    }
    // First, every client must refresh its token under these keys (docs/operating.md).
    const enough = refreshes + 5 * pages.length;
    await expect.poll(() => refreshes, slowPoll).toBeGreaterThan(enough);
  };
  await replaceBoth(older, newer);
  await replaceBoth(newer, older);
  await replaceBoth(newer);
  over = true;
  await Promise.all(pages);
  await machine.stop();
  expect(failed).toEqual([]);
  expect(answered.get(200)).toBeGreaterThan(100);
  await expectRecordedOnce(shared, player, machine);
  const stale = await servers[0]?.call('GET', '/api/users/profile/', { as: nextSession() });
  expect(stale?.status).toBe(401);
});

describe.each(['throw', 'reject'])('REL-19: an uncaught error (%s)', (FAULT) => {
  test('is logged, ends the process with exit code 1, and loses no game', async () => {
    const server = await start({ FAULT }, { preload: FAULTS });
    const machines = Array.from({ length: 4 }, () =>
      startBusyMachine(shared, [server], key, player),
    );
    const stored = () => machines.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    await expect.poll(stored, slowPoll).toBeGreaterThan(20);
    server.child.kill('SIGUSR2');
    expect(await server.ended).toBe(1);
    const [fatal] = server
      .output()
      .split('\n')
      .filter((line) => line.includes('a fault of the test'))
      .map((line) => JSON.parse(line));
    expect(fatal).toMatchObject({ level: 60, err: { message: 'a fault of the test' } });
    await start({}, { port: Number(new URL(server.url).port) });
    const before = stored();
    await expect.poll(stored, slowPoll).toBeGreaterThan(before + 10);
    await Promise.all(machines.map((machine) => machine.stop()));
    // Four senders with one key may exceed its rate (P31g), or time out.
    for (const { refusals } of machines)
      expect([...refusals].filter((status) => status !== 429 && status !== 503)).toEqual([]);
    await expectRecordedOnce(shared, player, ...machines);
  });
});

test('REL-07: an uncaught error of a connection is logged and ends no process', async () => {
  const server = await start({ FAULT: 'disconnect' }, { preload: FAULTS });
  server.child.kill('SIGUSR2');
  await expect.poll(() => server.output(), slowPoll).toContain('a connection broke');
  expect((await server.call('GET', '/health/ready')).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test.each(['burn', 'stall', 'hoard'])(
  'P39: an overloaded process (%s) answers 503, except to health checks and token refreshes',
  async (FAULT) => {
    const server = await start({ FAULT, SHED: '1' }, { preload: FAULTS });
    const config = async () => (await server.call('GET', '/api/config/')).status;
    // Its start alone can overload a slow computer.
    await expect.poll(config, slowPoll).toBe(200);
    server.child.kill('SIGUSR2');
    await expect.poll(config, slowPoll).toBe(503);
    const shed = await server.call('GET', '/api/users/profile/', { as: nextSession() });
    expect([shed.status, shed.body]).toEqual([503, { detail: BUSY }]);
    expect(Number(shed.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await server.call('GET', '/health/live')).status).toBe(200);
    const ready = () => server.call('GET', '/health/ready');
    const refresh = () =>
      server.call('POST', '/api/users/auth/token/refresh/', {
        body: { refresh: nextSession().refresh },
      });
    for (const call of [ready, refresh])
      if (FAULT === 'stall')
        // A stalled process is too slow for a new connection to its database, but it does not shed.
        expect((await call()).body.detail).not.toBe(BUSY);
      else await expect.poll(async () => (await call()).status, slowPoll).toBe(200);
    if (FAULT === 'hoard') return; // The garbage collector may free the memory at any time.
    server.child.kill('SIGUSR2');
    await expect.poll(config, slowPoll).toBe(200);
  },
);

test.runIf(process.platform === 'linux')(
  'REL-17: a process leaks neither files nor memory over many requests',
  async () => {
    const server = await start();
    const { pid } = server.child;
    const round = async () => {
      for (let n = 0; n < 40; n += 1)
        await Promise.all([
          server.call('GET', '/api/users/profile/', { as: nextSession() }),
          server.call('GET', '/api/leaderboards/', { as: nextSession() }),
          server.call('GET', '/api/users/profile/', { as: { access: 'wrong' } }),
          server.call('POST', '/api/users/auth/login/', { body: '{', ip: makeIp() }),
          server.call('POST', '/api/users/auth/check-email/', {
            body: { email: `soak${n}@example.com` },
            ip: makeIp(),
          }),
          server.call('POST', '/api/machine/games/', {
            as: { key },
            body: { games: [aGame(shared, player)] },
          }),
          server.call('GET', '/no/such/page'),
        ]);
    };
    const held = () => ({
      files: readdirSync(`/proc/${pid}/fd`).length,
      mebibytes:
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    });
    // Warm up: memory grows until the first garbage collections, and some files stay open from
    // their first use.
    for (let warm = 0; warm < 3; warm += 1) await round();
    const before = held();
    for (let n = 0; n < 6; n += 1) await round();
    const after = held();
    expect(after.files - before.files).toBeLessThan(20);
    expect(after.mebibytes - before.mebibytes).toBeLessThan(96);
  },
);
