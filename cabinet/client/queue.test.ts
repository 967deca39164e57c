import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MachineGame } from '#contract/wire/machines.ts';
import { cutPowerAt, PowerCut } from '#testing/power-cut.ts';
import { Journal, JournalTaken } from './journal.ts';
import { Queue, readRejected } from './queue.ts';

/**
 * In memory if possible, because the tests sync thousands of times. They need no real disk:
 * `cutPowerAt` simulates what a disk loses.
 */
const PLACE = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(PLACE, 'queue-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const game = (score = 0): MachineGame => ({
  id: randomUUID(),
  player: randomUUID(),
  score,
  played_at: '2026-03-01T18:00:00.000Z',
});
const refusal = (refused: MachineGame) => ({
  game: refused,
  answer: { id: refused.id, status: 'rejected', reason: 'unknown_player' },
});
const ids = (games: MachineGame[]) => games.map(({ id }) => id);
function found(): { waiting: string[]; rejected: string[]; offset: number } {
  const queue = new Queue(folder);
  const waiting = ids(queue.oldest(100_000));
  queue.close();
  return {
    waiting,
    rejected: readRejected(folder).map((entry) => entry.game.id),
    offset: queue.clockOffset,
  };
}

describe('the queue', () => {
  it('keeps games in order of age across restarts, and removes settled ones', () => {
    const games = Array.from({ length: 5 }, (_, at) => game(at));
    const queue = new Queue(folder);
    for (const one of games) queue.add(one);
    expect(queue.oldest(2)).toEqual(games.slice(0, 2));
    queue.settle([games[1]?.id ?? '']);
    queue.close();
    expect(found().waiting).toEqual(ids(games.filter((_, at) => at !== 1)));
  });

  it('keeps a rejected game once, with its result, even after a crash between the two writes', () => {
    const one = game();
    const queue = new Queue(folder);
    queue.add(one);
    queue.reject(refusal(one));
    queue.close();
    expect(readRejected(folder)).toEqual([refusal(one)]);
    // As if the process had died before the second write.
    fs.writeFileSync(path.join(folder, 'games.journal'), '');
    const again = new Queue(folder);
    again.add(one);
    again.close();
    expect(found()).toEqual({ waiting: [], rejected: [one.id], offset: 0 });
  });

  it('cuts a torn file after its last complete game and continues from there', () => {
    const games = Array.from({ length: 6 }, (_, at) => game(at * 1111));
    const queue = new Queue(folder);
    const file = path.join(folder, 'games.journal');
    const ends = games.map((one) => {
      queue.add(one);
      return fs.statSync(file).size;
    });
    queue.close();
    const whole = fs.readFileSync(file);
    const later = game(7);
    for (let size = 0; size <= whole.length; size += 1) {
      fs.writeFileSync(file, whole.subarray(0, size));
      const left = ids(games).filter((_, at) => (ends[at] ?? 0) <= size);
      const opened = new Queue(folder);
      expect(opened.damaged).toBe(false);
      expect(ids(opened.oldest(10)), `cut at byte ${size}`).toEqual(left);
      opened.add(later);
      opened.close();
      expect(found().waiting).toEqual([...left, later.id]);
    }
  });

  it('loses no complete game when the torn end is garbage', () => {
    const kept = game();
    const file = path.join(folder, 'games.journal');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (garbage) => {
        fs.rmSync(file, { force: true });
        const queue = new Queue(folder);
        queue.add(kept);
        queue.close();
        fs.appendFileSync(file, garbage);
        expect(found().waiting).toEqual([kept.id]);
      }),
      { numRuns: 200 },
    );
  });

  it('behaves like a list in memory, whatever the operations and restarts', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('add' as const) },
      { weight: 2, arbitrary: fc.nat(4).map((count) => ({ settle: count })) },
      { weight: 1, arbitrary: fc.constant('reject' as const) },
      { weight: 1, arbitrary: fc.integer().map((offset) => ({ offset })) },
      { weight: 1, arbitrary: fc.constant('restart' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        fs.rmSync(folder, { recursive: true });
        let queue = new Queue(folder, { rewriteAt: 1_000 });
        let waiting: MachineGame[] = [];
        const rejected: string[] = [];
        let offset = 0;
        for (const what of steps) {
          if (what === 'add') {
            const one = game(waiting.length);
            queue.add(one);
            waiting.push(one);
          } else if (what === 'restart') {
            queue.close();
            queue = new Queue(folder, { rewriteAt: 1_000 });
          } else if (what === 'reject') {
            const [first, ...rest] = waiting;
            if (first === undefined) continue;
            queue.reject(refusal(first));
            rejected.push(first.id);
            waiting = rest;
          } else if ('offset' in what) {
            queue.setClockOffset(what.offset);
            offset = what.offset;
          } else {
            queue.settle(ids(waiting.slice(0, what.settle)));
            waiting = waiting.slice(what.settle);
          }
          expect(queue.oldest(100)).toEqual(waiting);
          expect(queue.size).toBe(waiting.length);
          expect(queue.clockOffset).toBe(offset);
        }
        queue.close();
        expect(found()).toEqual({ waiting: ids(waiting), rejected, offset });
      }),
      { numRuns: 60 },
    );
  });

  it('does not grow with settled games', () => {
    const queue = new Queue(folder, { rewriteAt: 2_000 });
    const stays = game();
    queue.add(stays);
    for (let round = 0; round < 200; round += 1) {
      const one = game(round);
      queue.add(one);
      queue.settle([one.id]);
    }
    queue.close();
    expect(fs.statSync(path.join(folder, 'games.journal')).size).toBeLessThan(2_500);
    expect(found().waiting).toEqual([stays.id]);
  });

  it('refuses to write when a second process uses the same folder', () => {
    const first = new Queue(folder);
    const second = new Queue(folder);
    second.add(game());
    expect(() => first.add(game())).toThrow(JournalTaken);
    second.settle(ids(second.oldest(1)));
    first.close();
    second.close();
  });
});

describe('the disk', () => {
  it('loses only the damaged record, and reports it', () => {
    const file = path.join(folder, 'records');
    const records = Array.from({ length: 5 }, (_, at) => ({ at, text: 'x'.repeat(at * 3) }));
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (where, flip) => {
        fs.rmSync(file, { force: true });
        const { journal } = Journal.open(file);
        for (const record of records) journal.append(record);
        journal.close();
        const bytes = fs.readFileSync(file);
        const at = where % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        fs.writeFileSync(file, bytes);
        const opened = Journal.open(file);
        expect(opened.records.length).toBeGreaterThanOrEqual(records.length - 1);
        expect(records).toEqual(expect.arrayContaining(opened.records));
        opened.journal.append('next');
        opened.journal.close();
        const again = Journal.open(file);
        expect(again.records).toEqual([...opened.records, 'next']);
        expect(again.damaged).toBe(false);
        again.journal.close();
      }),
      { numRuns: 300 },
    );
    const copies = fs.readdirSync(folder).filter((name) => name.startsWith('records.damaged-'));
    expect(copies.length).toBeGreaterThan(0);
  });

  it('refuses a game on a full disk, and stores the next one', () => {
    const queue = new Queue(folder);
    const [before, lost, after] = [game(1), game(2), game(3)];
    queue.add(before);
    const write = fs.writeSync;
    vi.spyOn(fs, 'writeSync').mockImplementationOnce((handle, bytes) => {
      write(handle, String(bytes).slice(0, 30), fs.fstatSync(handle).size);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    expect(() => queue.add(lost)).toThrow('no space left');
    expect(queue.size).toBe(1);
    queue.add(after);
    queue.close();
    expect(found().waiting).toEqual([before.id, after.id]);
  });

  it('refuses a game if the sync fails, even if the bytes were written', () => {
    const queue = new Queue(folder);
    vi.spyOn(fs, 'fsyncSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    });
    expect(() => queue.add(game(1))).toThrow('input/output');
    const after = game(2);
    queue.add(after);
    queue.close();
    expect(found().waiting).toEqual([after.id]);
  });

  it('loses no stored game and brings back no settled game after a power cut at any moment', () => {
    for (const tornShare of [0, 0.6, 1])
      for (let at = 1; ; at += 1) {
        fs.rmSync(folder, { recursive: true });
        fs.mkdirSync(folder);
        new Queue(folder).close();
        const started: string[] = [];
        const stored: string[] = [];
        const answered: string[] = [];
        const settled: string[] = [];
        const power = cutPowerAt(folder, at, tornShare);
        try {
          const queue = new Queue(folder, { rewriteAt: 1_200 });
          for (let round = 0; round < 12; round += 1) {
            const one = game(round);
            started.push(one.id);
            queue.add(one);
            stored.push(one.id);
            if (round % 4 !== 3) continue;
            const [first, ...rest] = queue.oldest(3);
            if (first === undefined) continue;
            answered.push(first.id, ...ids(rest));
            queue.reject(refusal(first));
            settled.push(first.id);
            queue.settle(ids(rest));
            settled.push(...ids(rest));
          }
          queue.close();
        } catch (error) {
          expect(error).toBeInstanceOf(PowerCut);
        }
        const happened = power.happened();
        power.end();
        const { waiting, rejected } = found();
        const open = stored.filter((id) => !answered.includes(id));
        expect(waiting, `cut at operation ${at}`).toEqual(expect.arrayContaining(open));
        expect(started).toEqual(expect.arrayContaining(waiting));
        expect(waiting.filter((id) => settled.includes(id))).toEqual([]);
        expect(new Set(rejected).size).toBe(rejected.length);
        if (!happened) break;
      }
  });
});

it('survives kill -9 at any moment', { timeout: 120_000 }, async () => {
  const started = new Set<string>();
  const stored = new Set<string>();
  const answered = new Set<string>();
  const settled = new Set<string>();
  const printed = { start: started, stored, answered, settled };
  for (let life = 0; life < 20; life += 1) {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'queue.child.ts'), folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const exited = new Promise((resolve) => child.on('exit', resolve));
    let left = 1 + Math.floor(Math.random() * 400);
    for await (const line of createInterface(child.stdout)) {
      const [what = '', id = ''] = line.split(' ');
      printed[what as keyof typeof printed].add(id);
      left -= 1;
      if (left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 3);
    }
    await exited;
    const { waiting, rejected } = found();
    const open = [...stored].filter((id) => !answered.has(id));
    expect(waiting).toEqual(expect.arrayContaining(open));
    expect([...started]).toEqual(expect.arrayContaining(waiting));
    expect(waiting.filter((id) => settled.has(id))).toEqual([]);
    expect(new Set(rejected).size).toBe(rejected.length);
  }
  expect(stored.size).toBeGreaterThan(100);
});
