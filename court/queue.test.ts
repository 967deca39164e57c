import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MachineGame } from '#contract/wire/machines.ts';
import { Sender } from '../cabinet/client/sender.ts';
import { type Change, CourtQueue, type Disk, type Kept } from './queue.ts';

/** `crash` breaks the next write before or after the change. */
function memoryDisk() {
  const kept: Kept = { games: [], clock_offset_ms: 0, key: null };
  const rejected: string[] = [];
  let crash: 'before' | 'after' | null = null;
  const apply = (change: Change) => {
    if ('add' in change) kept.games.push(change.add);
    if ('settled' in change)
      kept.games = kept.games.filter(({ id }) => !change.settled.includes(id));
    if ('rejected' in change) {
      kept.games = kept.games.filter(({ id }) => id !== change.rejected.game.id);
      rejected.push(change.rejected.game.id);
    }
    if ('clock_offset_ms' in change) kept.clock_offset_ms = change.clock_offset_ms;
  };
  const disk: Disk = {
    read: async () => ({ ...kept, games: [...kept.games] }),
    write: async (change) => {
      await null;
      const when = crash;
      crash = null;
      if (when === 'before') throw new Error('crashed before the write');
      apply(change);
      if (when === 'after') throw new Error('crashed after the write');
    },
  };
  return {
    disk,
    kept,
    rejected,
    crash: (when: 'before' | 'after') => {
      crash = when;
    },
  };
}

const game = (score: number): MachineGame => ({
  id: randomUUID(),
  player: randomUUID(),
  score,
  played_at: new Date().toISOString(),
});

test('MACH-20 the queue keeps games oldest first, even after the page is reloaded', async () => {
  const { disk } = memoryDisk();
  const queue = await CourtQueue.open(disk);
  const games = [game(1), game(2), game(3)];
  for (const one of games) await queue.add(one);
  await queue.settle([games[1]?.id ?? '']);
  await queue.setClockOffset(1234);
  const next = await CourtQueue.open(disk);
  expect(next.games).toEqual([games[0], games[2]]);
  expect(next.oldest(1)).toEqual([games[0]]);
  expect(next.clockOffset).toBe(1234);
});

test('MACH-20 a game that cannot be written is not in the queue', async () => {
  const { disk, crash } = memoryDisk();
  const queue = await CourtQueue.open(disk);
  crash('before');
  await expect(queue.add(game(1))).rejects.toThrow('before');
  expect(queue.games).toEqual([]);
});

type Luck = 'well' | 'request lost' | 'answer lost' | 'busy';
type Step =
  | { do: 'play' }
  | { do: 'luck'; luck: Luck }
  | { do: 'crash'; when: 'before' | 'after' }
  | { do: 'reload' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'play' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<Luck>('request lost', 'answer lost', 'busy', 'well')
      .map((luck): Step => ({ do: 'luck', luck })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('before' as const, 'after' as const)
      .map((when): Step => ({ do: 'crash', when })),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'reload' }) },
);

test('MACH-20 each finished game counts once, despite lost messages, crashes and reloads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const counted = new Map<string, number>();
      const turnedAway = new Set<string>();
      const luck: Luck[] = [];
      const server: typeof fetch = async (input, init) => {
        const fate = luck.shift() ?? 'well';
        if (fate === 'request lost') throw new TypeError('no network');
        if (fate === 'busy') return new Response('{"detail":"busy"}', { status: 503 });
        const games: MachineGame[] = init?.body ? (JSON.parse(String(init.body)).games ?? []) : [];
        const results = games.map(({ id, score }) => {
          if (score % 5 === 0) {
            turnedAway.add(id);
            return { id, status: 'rejected', reason: 'bad_score', detail: 'no' };
          }
          const seen = counted.has(id);
          if (!seen) counted.set(id, (counted.get(id) ?? 0) + 1);
          return { id, status: seen ? 'duplicate' : 'recorded' };
        });
        if (fate === 'answer lost') throw new TypeError('the connection broke');
        expect(String(input)).toContain('/api/machine/');
        return Response.json({ results, server_time: new Date().toISOString() });
      };
      const memory = memoryDisk();
      const finished: MachineGame[] = [];
      const settled: string[] = [];
      const open = async () => {
        const queue = await CourtQueue.open(memory.disk);
        const sender = new Sender({
          url: 'http://localhost',
          key: 'bbm_test',
          queue,
          firstPauseMs: 0,
          longestPauseMs: 1,
          fetch: server,
          onEvent: (event) => {
            if (event.type === 'answered') settled.push(...event.results.map((one) => one.game.id));
          },
        });
        sender.start();
        return { queue, sender };
      };
      let machine = await open();
      for (const [at, one] of steps.entries()) {
        if (one.do === 'luck') luck.push(one.luck);
        if (one.do === 'crash') memory.crash(one.when);
        if (one.do === 'play') {
          const played = game(at);
          // Even if `add` throws, the game may be on disk.
          await machine.queue.add(played).then(
            () => finished.push(played),
            () => undefined,
          );
          machine.sender.gameAdded(played);
        }
        if (one.do === 'reload') {
          await machine.sender.close();
          machine = await open();
        }
        await new Promise((done) => setImmediate(done));
      }
      await machine.sender.close();
      luck.length = 0;
      machine = await open();
      await expect.poll(() => memory.kept.games.length, { interval: 1 }).toBe(0);
      await machine.sender.close();
      for (const { id, score } of finished) {
        if (score % 5 === 0) expect(memory.rejected).toContain(id);
        else expect(counted.get(id)).toBe(1);
      }
      expect(new Set(memory.rejected)).toEqual(turnedAway);
      // The server counted or rejected every settled game.
      for (const id of settled) expect(counted.has(id) || turnedAway.has(id)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
