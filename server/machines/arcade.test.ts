import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MachineCard } from '#contract/wire/machines.ts';
import { operatorEnv, run } from '#testing/app/command-line.ts';
import { makePlayer } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { revokeMachine } from './machines.ts';
import { SILENT_MS } from './state.ts';

vi.setConfig({ testTimeout: 120_000 });

const PROGRAM = join(import.meta.dirname, '../../cabinet/arcade/arcade.ts');
const NOBODY = 'http://127.0.0.1:1';

const t = withApp();
let url: string;
let folder: string;
beforeAll(async () => {
  url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'backboard-arcade-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const arcade = (args: string, env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [PROGRAM, ...args.split(' ')], {
    env: operatorEnv(url, { DATA_DIR: folder, ...env }),
  });
const games = () =>
  t.db
    .selectFrom('games')
    .innerJoin('machines', 'machines.id', 'games.machine_id')
    .select(['machines.name', 'games.player_id', 'games.played_at', 'games.state'])
    .execute();
const keys = async () =>
  (await t.db.selectFrom('machine_keys').select('id').execute()).map(({ id }) => id).sort();

test('without players the arcade fails and names ./backboard demo', async () => {
  const ran = await arcade('--games 1');
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('./backboard demo')]);
});

test('the arcade adds its machines, and the server records every game', async () => {
  const players = [];
  for (let at = 0; at < 5; at += 1) players.push(await makePlayer(t));
  const none = await arcade('--games 1 --skip 500');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('leaves out everybody')]);
  const ran = await arcade('--machines 2 --players 4 --games 9 --speed 2000 --seed 7 --json');
  expect(ran).toMatchObject({ code: 0 });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    games: 9,
    recorded: 9,
    rejected: 0,
    waiting: 0,
    stopped: [],
  });
  const rows = await games();
  expect(rows).toHaveLength(9);
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['Arcade 1', 'Arcade 2']));
  expect(players.slice(0, 4).map(({ id }) => id)).toEqual(
    expect.arrayContaining([...new Set(rows.map(({ player_id }) => player_id))]),
  );
});

test('on a terminal the arcade draws the hall and restores the cursor', async () => {
  const line = `'${process.execPath}' '${PROGRAM}' --machines 1 --games 2 --speed 200`;
  const ran = await run('script', ['-qec', line, '/dev/null'], {
    env: operatorEnv(url, { DATA_DIR: folder }),
  });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/\[\?25l.*100 %.*Arcade 1.*\[\?25h.*played 2/s);
});

test('the next run uses the same keys, and replaces a lost key', async () => {
  const before = await keys();
  expect((await arcade('--machines 2 --games 1 --speed 2000')).code).toBe(0);
  expect(await keys()).toEqual(before);
  const elsewhere = await arcade('--machines 2 --games 1 --speed 2000', {
    DATA_DIR: join(folder, 'elsewhere'),
  });
  expect(elsewhere.code).toBe(0);
  expect(await keys()).toHaveLength(before.length + 2);
});

test('without a server the arcade plays with stored keys and players, and reports later', async () => {
  const first = await arcade(`--games 1 --url ${NOBODY}`);
  expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('npm start')]);

  // Keep the port, because the arcade stores keys by the server's address.
  const { port } = new URL(url);
  const before = (await games()).length;
  await t.app.server.close();
  t.app.server.closeAllConnections();
  const offline = await arcade('--machines 2 --games 3 --speed 2000 --json');
  expect(offline.code).toBe(0);
  const { waiting } = JSON.parse(offline.stdout);
  expect(waiting).toBe(3);
  expect(offline.stderr).toContain('Games wait on disk.');
  await new Promise<void>((listening) => t.app.server.listen(Number(port), '127.0.0.1', listening));
  const delivered = await arcade('--machines 2 --games 0 --json');
  expect(JSON.parse(delivered.stdout)).toMatchObject({ games: 0, recorded: waiting, waiting: 0 });
  expect(await games()).toHaveLength(before + waiting);
});

test('past games have the right times and durations', async () => {
  const before = (await games()).length;
  const ran = await arcade(
    '--machines 1 --name Past --games 4 --hours-ago 5 --speed 200 --seed 1 --json',
  );
  expect(ran.code).toBe(0);
  const played = (await games()).filter(({ name }) => name === 'Past 1');
  expect((await games()).length).toBe(before + 4);
  for (const { played_at } of played) {
    const age = t.clock.now().getTime() - played_at.getTime();
    expect(age).toBeGreaterThan(3 * 3_600_000);
    expect(age).toBeLessThan(5.1 * 3_600_000);
  }
});

/** A proxy that breaks off each report of games until `open` is called. */
async function gateToServer() {
  let closed = true;
  const gate = createServer((request, reply) => {
    if (closed && request.url === '/api/machine/games/') return request.socket.destroy();
    const { host } = new URL(url);
    const onward = httpRequest(
      new URL(request.url ?? '/', url),
      { method: request.method, headers: { ...request.headers, host } },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    onward.on('error', () => reply.destroy());
    request.pipe(onward);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    open: () => {
      closed = false;
    },
    close: () => {
      gate.closeAllConnections();
      gate.close();
    },
  };
}

// SIGSTOP stops a process, so the silent machine has its own process.
test('MACH-11 MACH-16: a stopped machine becomes silent at the limit, and its card keeps the length of its queue', async () => {
  for (let at = 0; at < 5; at += 1) await makePlayer(t);
  const gate = await gateToServer();
  const log = join(folder, 'cut.log');
  const start = (args: string) =>
    spawn(process.execPath, [PROGRAM, ...args.split(' ')], {
      env: operatorEnv(url, { DATA_DIR: folder }),
      stdio: 'ignore',
    });
  const well = start('--machines 3 --players 4 --name Well --speed 120');
  const cut = start(
    `--machines 1 --players 1 --skip 4 --name Cut --games 3 --speed 600 --url ${gate.url} --log ${log}`,
  );
  const cards = async (): Promise<MachineCard[]> => {
    const key = { as: { key: OPERATOR_KEY } };
    return (await t.call('GET', '/api/operator/tonight/', key)).body.machines;
  };
  const card = async (name = 'Cut 1') => (await cards()).find((one) => one.name === name);
  const states = async (wanted: string) =>
    (await cards()).filter(({ name }) => name.startsWith(wanted)).map(({ state }) => state);
  try {
    await expect.poll(async () => (await card())?.queued, { timeout: 60_000 }).toBe(3);
    const journal = (await readFile(log, 'utf8')).trimEnd().split('\n');
    expect(journal).toHaveLength(3);
    // The journal's first game counts as the oldest, even if a corrected clock gave the next one an
    // earlier time.
    const oldest = JSON.parse(journal[0] ?? '').played_at;
    const before = await card();
    expect(before?.oldest_played_at).toBe(oldest);
    await expect.poll(() => states('Well'), { timeout: 60_000 }).toHaveLength(3);

    cut.kill('SIGSTOP');
    const heard = (await card())?.heard_at ?? '';
    const goTo = (ms: number) => t.clock.advance(Date.parse(heard) + ms - t.clock.now().getTime());
    goTo(SILENT_MS - 20_000);
    expect(['idle', 'playing']).toContain((await card())?.state);
    goTo(SILENT_MS + 15_000);
    expect(await card()).toMatchObject({ state: 'silent', since: heard, queued: 3 });
    await expect
      .poll(async () => new Set(await states('Well')), { timeout: 90_000 })
      .not.toContain('silent');
    expect((await card())?.state).toBe('silent');
  } finally {
    cut.kill('SIGCONT');
    const ended = [well, cut].map((child) => child.exitCode ?? once(child, 'exit'));
    for (const child of [well, cut]) child.kill('SIGTERM');
    await Promise.all(ended);
  }
  gate.open();
  const rest = await arcade(
    `--machines 1 --players 1 --name Cut --games 0 --url ${gate.url} --json`,
  );
  gate.close();
  expect(JSON.parse(rest.stdout)).toMatchObject({ waiting: 0 });
  expect(await card()).toMatchObject({ queued: 0 });
  expect((await games()).filter(({ name }) => name === 'Cut 1')).toHaveLength(3);
});

test('a revoked machine stays revoked', async () => {
  await revokeMachine(t, 'Arcade 2');
  const ran = await arcade('--machines 2 --games 1 --speed 2000');
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('machine rotate "Arcade 2"')]);
});

test('without the operator key the arcade fails', async () => {
  const wrong = await arcade('--games 1', { BACKBOARD_OPERATOR_KEY: 'x'.repeat(40) });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('operator key')]);
  const none = await arcade('--games 1', { BACKBOARD_OPERATOR_KEY: '' });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('operator.key')]);
});

test.each(['--machines 0', '--loud', '--url court1'])('%s is wrong usage', async (args) => {
  const ran = await arcade(args);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('--help')]);
});

test('--help prints the usage', async () => {
  const ran = await arcade('--help');
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  for (const option of ['--machines', '--players', '--speed', '--hours-ago', '--log'])
    expect(ran.stdout).toContain(option);
});
