import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeServer, type Post, recorded, startFakeServer } from '../conformance/server.ts';
import { Cabinet, type CabinetEvent, type CabinetOptions } from './client.ts';
import { Queue, readRejected } from './queue.ts';

const KEY = 'bbm_test';
const AHEAD_MS = 7 * 60_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

let folder: string;
let server: FakeServer;
let open: Cabinet[];
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cabinet-'));
  server = await startFakeServer({
    port: 0,
    key: KEY,
    aheadMs: AHEAD_MS,
    complain: (rule, what) => {
      throw new Error(`${rule}: ${what}`);
    },
  });
  open = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cabinet of open) await cabinet.close();
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

function cabinet(options: Partial<CabinetOptions> = {}): { it: Cabinet; events: CabinetEvent[] } {
  const events: CabinetEvent[] = [];
  const it = new Cabinet({
    url: server.url,
    key: KEY,
    folder,
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    onEvent: (event) => events.push(event),
    ...options,
  });
  open.push(it);
  return { it, events };
}

const play = (cabinet: Cabinet, score = 10) =>
  cabinet.finish(cabinet.begin(randomUUID()), { score });
async function next(): Promise<Post> {
  const post = await server.next(5_000);
  if (post === null) throw new Error('no batch came');
  return post;
}
const accept = (post: Post) =>
  post.answer(
    200,
    recorded(post.games, server.now(), () => null),
  );
const ids = (games: { id?: unknown }[]) => games.map((game) => game.id);
const emptied = (cabinet: Cabinet) => expect.poll(() => cabinet.waiting).toBe(0);

it('sends a finished game immediately and removes it once the server has recorded it', async () => {
  const { it: machine, events } = cabinet();
  machine.start();
  const started = machine.begin(randomUUID());
  const game = machine.finish(started, { score: 71, duration_s: 45, shots_made: 30 });
  expect(game).toEqual({ ...started, score: 71, duration_s: 45, shots_made: 30 });
  const post = await next();
  expect(post.body).toEqual({ games: [game] });
  expect(machine.waiting).toBe(1);
  accept(post);
  await emptied(machine);
  expect(events).toMatchObject([
    { type: 'answered', results: [{ game, result: { id: game.id, status: 'recorded' } }] },
  ]);
});

it('reports a damaged queue once and sends the rest', async () => {
  const before = cabinet().it;
  const games = [play(before), play(before), play(before)];
  await before.close();
  const file = path.join(folder, 'games.journal');
  const bytes = fs.readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  fs.writeFileSync(file, bytes);
  const { it: machine, events } = cabinet();
  machine.start();
  machine.start();
  const post = await next();
  expect(ids(post.games)).toEqual(ids([games[0], games[2]].flatMap((game) => game ?? [])));
  accept(post);
  await emptied(machine);
  expect(events.map(({ type }) => type)).toEqual(['damaged', 'answered']);
});

it('sends waiting games after a restart, the oldest 500 first', async () => {
  const before = cabinet().it;
  const games = Array.from({ length: 501 }, (_, at) => play(before, at));
  await before.close();
  const { it: machine } = cabinet();
  expect(machine.waiting).toBe(501);
  machine.start();
  const first = await next();
  expect(ids(first.games)).toEqual(ids(games.slice(0, 500)));
  accept(first);
  const second = await next();
  expect(ids(second.games)).toEqual(ids(games.slice(500)));
  accept(second);
  await emptied(machine);
});

it('doubles the pause with each failure, adds jitter, and resets the pause on success', async () => {
  const { it: machine, events } = cabinet();
  play(machine);
  machine.start();
  for (let failure = 0; failure < 5; failure += 1)
    (await next()).answer(503, { detail: 'The service is busy.' });
  accept(await next());
  await emptied(machine);
  play(machine);
  (await next()).drop();
  accept(await next());
  await emptied(machine);
  const waits = events.filter((event) => event.type === 'waiting');
  expect(waits.map(({ why }) => why)).toEqual([
    ...Array(5).fill('The server answered 503: The service is busy.'),
    'The server cannot be reached.',
  ]);
  for (const [at, whole] of [20, 40, 80, 100, 100, 20].entries()) {
    expect(waits[at]?.pause_ms).toBeGreaterThanOrEqual(whole / 2);
    expect(waits[at]?.pause_ms).toBeLessThanOrEqual(whole);
  }
});

it.each([
  ['in seconds', () => '1'],
  ['as a date', () => new Date(Date.now() + 2_000).toUTCString()],
])('waits as long as Retry-After says, %s', async (_, header) => {
  const { it: machine } = cabinet();
  play(machine);
  machine.start();
  const refused = await next();
  refused.answer(429, { detail: 'Too many.' }, { 'retry-after': header() });
  const again = await next();
  expect(again.at - refused.at).toBeGreaterThan(950);
  expect(again.body).toEqual(refused.body);
  accept(again);
});

it('stops on 401, keeps its games, and sends them with the next key', async () => {
  const { it: machine, events } = cabinet();
  const first = play(machine);
  machine.start();
  (await next()).answer(401, { detail: 'This machine key is revoked.' });
  await expect
    .poll(() => events)
    .toEqual([{ type: 'stopped', status: 401, detail: 'This machine key is revoked.' }]);
  const second = play(machine);
  expect(await machine.greet(randomUUID())).toEqual({ status: 'offline' });
  expect(await server.next(5 * LONGEST_PAUSE_MS)).toBeNull();
  await machine.close();
  cabinet().it.start();
  const post = await next();
  expect(ids(post.games)).toEqual([first.id, second.id]);
  accept(post);
});

it('sends smaller batches after a 413', async () => {
  const { it: machine } = cabinet();
  const games = Array.from({ length: 5 }, () => play(machine));
  machine.start();
  (await next()).answer(413, { detail: 'The body is too large.' });
  const half = await next();
  expect(ids(half.games)).toEqual(ids(games.slice(0, 2)));
  accept(half);
  for (const size of [2, 1]) {
    const post = await next();
    expect(post.games).toHaveLength(size);
    accept(post);
  }
  await emptied(machine);
});

it.each([
  ['400', 400, { detail: 'The body is no batch.' }],
  ['404', 404, { detail: 'There is nothing here.' }],
  ['a sign-in page', 200, '<!doctype html>'],
  ['no results', 200, {}],
  ['results of other games', 200, { results: [{ id: randomUUID(), status: 'recorded' }] }],
  ['an unknown status', 200, { results: [{ id: null, status: 'perhaps' }] }],
])('keeps the game after %s', async (_, status, body) => {
  const { it: machine } = cabinet();
  const game = play(machine);
  machine.start();
  (await next()).answer(status, body);
  const again = await next();
  expect(ids(again.games)).toEqual([game.id]);
  accept(again);
  await emptied(machine);
});

it('settles the games that got a result, and sends the others again', async () => {
  const { it: machine } = cabinet();
  const games = [play(machine), play(machine), play(machine)];
  machine.start();
  const post = await next();
  const [one, two] = ids(games).map(String);
  post.answer(200, {
    results: [
      { id: one, status: 'held', reason: 'a reason of next year' },
      { id: two, status: 'perhaps' },
    ],
  });
  const again = await next();
  expect(ids(again.games)).toEqual(ids(games.slice(1)));
  accept(again);
  await emptied(machine);
});

it('moves a rejected game aside with its result, and continues', async () => {
  const { it: machine } = cabinet();
  const games = [play(machine), play(machine), play(machine)];
  machine.start();
  const post = await next();
  const answer = {
    id: String(games[1]?.id),
    status: 'rejected' as const,
    reason: 'unknown_player' as const,
    detail: 'No player has this code.',
  };
  post.answer(
    200,
    recorded(post.games, server.now(), (game) => (game.id === answer.id ? answer : null)),
  );
  await emptied(machine);
  expect(readRejected(folder)).toEqual([{ game: games[1], answer }]);
  expect(await server.next(3 * FIRST_PAUSE_MS)).toBeNull();
});

it('stamps later games with the server’s time, even after a restart without a server', async () => {
  const { it: machine } = cabinet();
  const before = play(machine);
  machine.start();
  accept(await next());
  await emptied(machine);
  const after = play(machine);
  accept(await next());
  await machine.close();
  const offline = play(cabinet({ url: 'http://localhost:1' }).it);
  const ahead = (played_at: string) => Math.abs(Date.parse(played_at) - server.now());
  expect(ahead(before.played_at)).toBeGreaterThan(AHEAD_MS / 2);
  expect(ahead(after.played_at)).toBeLessThan(AHEAD_MS / 2);
  expect(ahead(offline.played_at)).toBeLessThan(AHEAD_MS / 2);
});

it('greets a player, and distinguishes an unknown code from an unreachable server', async () => {
  const { it: machine } = cabinet();
  expect(await machine.greet(randomUUID())).toMatchObject({
    status: 'player',
    greeting: { username: 'Dunk_Dee', league_games_left: 5 },
  });
  expect(await machine.greet('https://example.com/menu')).toEqual({ status: 'unknown' });
  const away = cabinet({ url: 'http://localhost:1', folder: path.join(folder, 'away') }).it;
  expect(await away.greet(randomUUID())).toEqual({ status: 'offline' });
  const nobody = createServer((_, response) => response.writeHead(404).end('{"detail":"No."}'));
  await new Promise<void>((resolve) => nobody.listen(0, resolve));
  const url = `http://localhost:${(nobody.address() as AddressInfo).port}`;
  const stranger = cabinet({ url, folder: path.join(folder, 'stranger') }).it;
  expect(await stranger.greet(randomUUID())).toEqual({ status: 'unknown' });
  nobody.close();
});

it('sends its key only to its own server', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(String(request.headers.authorization));
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => other.listen(0, resolve));
  const { it: machine } = cabinet();
  const game = play(machine);
  machine.start();
  const location = `http://localhost:${(other.address() as AddressInfo).port}/api/machine/games/`;
  (await next()).answer(307, {}, { location });
  const again = await next();
  expect(ids(again.games)).toEqual([game.id]);
  expect(asked).toEqual([]);
  accept(again);
  other.close();
});

it('refuses an invalid game before it is stored', () => {
  const { it: machine } = cabinet();
  const started = machine.begin(randomUUID());
  for (const score of [-1, 1.5, Number.NaN, 2 ** 31])
    expect(() => machine.finish(started, { score })).toThrow();
  expect(() => machine.finish(machine.begin('not a code'), { score: 1 })).toThrow();
  expect(machine.waiting).toBe(0);
});

it('resends games that it could not remove from the queue', async () => {
  const { it: machine, events } = cabinet();
  const game = play(machine);
  machine.start();
  const post = await next();
  vi.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
    throw new Error('no space left on device');
  });
  accept(post);
  const again = await next();
  expect(ids(again.games)).toEqual([game.id]);
  accept(again);
  await emptied(machine);
  expect(events[0]).toMatchObject({ type: 'waiting', why: expect.stringContaining('no space') });
});

it('delivers every game exactly once through any mix of failures and restarts', async () => {
  const outcome = fc.constantFrom('ok', 'lost', 'unheard', 'busy', 'stranger', 'reject', 'restart');
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { maxLength: 25 }), async (outcomes) => {
      fs.rmSync(folder, { recursive: true });
      const taken = new Map<string, number>();
      const refused = new Set<string>();
      const played: string[] = [];
      let machine = cabinet({ firstPauseMs: 1, longestPauseMs: 2 }).it;
      machine.start();
      for (const what of outcomes) {
        for (let game = 0; game < 3; game += 1) played.push(play(machine).id);
        const post = await next();
        const results = recorded(post.games, server.now(), ({ id }) => {
          const key = String(id);
          if (what === 'reject' && id === post.games[0]?.id && !taken.has(key)) refused.add(key);
          if (refused.has(key))
            return { id: key, status: 'rejected', reason: 'unknown_player', detail: '' };
          if (!['ok', 'reject', 'lost'].includes(what)) return null;
          const times = taken.get(key);
          taken.set(key, 1);
          return times === undefined ? null : { id: key, status: 'duplicate' };
        });
        if (what === 'ok' || what === 'reject') post.answer(200, results);
        else if (what === 'busy') post.answer(503, { detail: 'Busy.' });
        else if (what === 'stranger') post.answer(200, '<!doctype html>');
        else post.drop();
        if (what !== 'restart') continue;
        await machine.close();
        machine = cabinet({ firstPauseMs: 1, longestPauseMs: 2 }).it;
        machine.start();
      }
      while (machine.waiting > 0) {
        const post = await server.next(50);
        if (post === null) continue;
        for (const game of post.games) taken.set(String(game.id), 1);
        accept(post);
        await expect.poll(() => machine.waiting).toBe(0);
      }
      await machine.close();
      expect([...taken.keys(), ...refused].sort()).toEqual(played.sort());
      expect(new Set(readRejected(folder).map(({ game }) => game.id))).toEqual(refused);
      const left = new Queue(folder);
      expect(left.size).toBe(0);
      left.close();
    }),
    { numRuns: 25 },
  );
});

it('MACH-10: sends its status at the start, and when a game begins, ends and is settled', async () => {
  const { it: machine } = cabinet({ software: '1.4.2' });
  machine.start();
  const told = (status: object) =>
    expect
      .poll(() => server.statuses.at(-1))
      .toEqual({
        oldest_played_at: null,
        rejected: 0,
        software: '1.4.2',
        ...status,
      });
  await told({ queued: 0, playing: false });
  const started = machine.begin(randomUUID());
  await told({ queued: 0, playing: true });
  machine.finish(started, { score: 7 });
  await told({ queued: 1, playing: false, oldest_played_at: started.played_at });
  accept(await next());
  await told({ queued: 0, playing: false });
  const broken = machine.begin(randomUUID());
  await told({ queued: 0, playing: true });
  machine.abandon(broken);
  await told({ queued: 0, playing: false });
  play(machine);
  const post = await next();
  post.answer(
    200,
    recorded(post.games, server.now(), ({ id }) => ({
      id: String(id),
      status: 'rejected',
      reason: 'bad_time',
      detail: 'too old',
    })),
  );
  await told({ queued: 0, playing: false, rejected: 1 });
  await machine.close();
  const { it: later } = cabinet();
  later.start();
  await told({ queued: 0, playing: false, rejected: 1, software: null });
});
