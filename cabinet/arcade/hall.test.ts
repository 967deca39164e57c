import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Cabinet } from '../client/client.ts';
import {
  type FakeServer,
  recorded,
  type SentGame,
  startFakeServer,
} from '../conformance/server.ts';
import { Hall, type HallOptions } from './hall.ts';
import { makePerson, seeded } from './people.ts';
import { tallyLine } from './terminal.ts';

const KEY = 'bbm_hall';
const HOUR_MS = 3_600_000;
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let server: FakeServer;
let sent: SentGame[];
let verdict: Parameters<typeof recorded>[2];
let status: number;
let serving: Promise<void>;
let ended: boolean;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hall-'));
  server = await startFakeServer({ port: 0, key: KEY, aheadMs: 0, complain: () => undefined });
  sent = [];
  verdict = () => null;
  status = 200;
  ended = false;
  const serve = async () => {
    while (!ended) {
      const post = await server.next(20);
      if (post === null) continue;
      if (status !== 200) post.answer(status, { detail: 'This machine key is not known.' });
      else {
        sent.push(...post.games);
        post.answer(200, recorded(post.games, server.now(), verdict));
      }
    }
  };
  serving = serve();
});
afterEach(async () => {
  ended = true;
  await serving;
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

async function play(machines: number, players: number, options: Partial<HallOptions> = {}) {
  const random = seeded(1);
  const news: string[] = [];
  const hall = new Hall({
    people: Array.from({ length: players }, (_, at) =>
      makePerson(randomUUID(), `Player ${at}`, random),
    ),
    random,
    speed: 5_000,
    from: null,
    games: 40,
    signal: AbortSignal.timeout(20_000),
    onNews: (line) => news.push(line),
    ...options,
  });
  for (let at = 1; at <= machines; at += 1)
    hall.add(`Court ${at}`, (onEvent) => {
      const cabinet = { url: server.url, key: KEY, folder: path.join(folder, String(at)), onEvent };
      return new Cabinet(cabinet);
    });
  await hall.run();
  const deadline = performance.now() + 30_000;
  while (
    performance.now() < deadline &&
    hall.stations.some(({ cabinet, stopped }) => !stopped && cabinet.waiting > 0)
  )
    await new Promise((resolve) => setTimeout(resolve, 10));
  for (const { cabinet } of hall.stations) await cabinet.close();
  return { hall, news };
}

it('plays the given number of games, and the server records each game', async () => {
  const { hall } = await play(3, 10);
  expect(hall.tally).toMatchObject({ games: 40, recorded: 40, held: 0, rejected: 0 });
  expect(new Set(sent.map(({ id }) => id)).size).toBe(40);
  expect(tallyLine(hall)).toBe('played 40 · on the server 40 · waiting on disk 0');
  // The fake server greets every player as Dunk_Dee.
  expect([...hall.tally.best.keys()]).toEqual(['Dunk_Dee']);
});

it('never lets a player play on two machines at the same time', async () => {
  await play(4, 6, { games: 24, speed: 150 });
  const byPlayer = Map.groupBy(sent, ({ player }) => player);
  for (const games of byPlayer.values()) {
    const spans = games
      .map(({ played_at, duration_s }) => {
        const from = Date.parse(String(played_at));
        return { from, to: from + Number(duration_s) * 1000 };
      })
      .sort((a, b) => a.from - b.from);
    for (const [at, { from }] of spans.entries())
      expect(from).toBeGreaterThanOrEqual(spans[at - 1]?.to ?? 0);
  }
});

it('lets no player exceed the hourly limit by more than the games of one visit', async () => {
  // Start early, otherwise simulated time could reach the present before 30 games.
  const from = Date.now() - 100 * HOUR_MS;
  const { hall } = await play(2, 1, { from, hourGames: 10, speed: 20_000, games: 30 });
  expect(hall.tally.games).toBeGreaterThan(10);
  const begun = sent.map(({ played_at }) => Date.parse(String(played_at)));
  for (const one of begun) {
    const inTheHour = begun.filter((at) => at >= one && at < one + HOUR_MS);
    expect(inTheHour.length).toBeLessThanOrEqual(10 + 3);
  }
});

it('dates its games from the given past time until the present', async () => {
  const from = Date.now() - 3_600_000;
  const { hall } = await play(2, 8, { from, games: 10_000, speed: 1_500 });
  expect(hall.tally.games).toBeGreaterThan(0);
  for (const { played_at, duration_s } of sent) {
    expect(Date.parse(String(played_at))).toBeGreaterThanOrEqual(from);
    expect(Date.parse(String(played_at))).toBeLessThan(Date.now());
    expect(duration_s).toBe(45);
  }
});

it('reports held and rejected games, personal bests and achievements', async () => {
  let at = 0;
  verdict = ({ id }) => {
    at += 1;
    const game = String(id);
    if (at === 1) return { id: game, status: 'held', reason: 'too_many_games' };
    if (at === 2)
      return { id: game, status: 'rejected', reason: 'unknown_player', detail: 'No player.' };
    const counts = 'league' as const;
    return { id: game, status: 'recorded', counts, personal_best: true, achievements: ['first'] };
  };
  const { hall, news } = await play(1, 3, { games: 5 });
  expect(hall.tally).toMatchObject({
    games: 5,
    recorded: 3,
    held: 1,
    rejected: 1,
    personal_bests: 3,
    achievements: 3,
  });
  expect(news).toEqual(
    expect.arrayContaining([
      'A game of Dunk_Dee was rejected: unknown_player',
      'Dunk_Dee won first',
      expect.stringMatching(/^Dunk_Dee: personal best \d+$/),
    ]),
  );
});

it('stops a machine whose key is refused', async () => {
  status = 401;
  const { hall, news } = await play(1, 3, { games: 1_000 });
  expect(hall.stations[0]?.stopped).toBe(true);
  expect(hall.stations[0]?.cabinet.waiting).toBeGreaterThan(0);
  expect(news).toEqual(['Court 1 was refused (401): This machine key is not known.']);
});

it('stops immediately on its abort signal, and drops unfinished games', async () => {
  const ending = new AbortController();
  const { hall } = await play(2, 4, {
    speed: 1,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(300)]),
  });
  expect(hall.tally.games).toBe(0);
  expect(sent).toEqual([]);
});
