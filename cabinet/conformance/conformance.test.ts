import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { MachineGame } from '#contract/wire/machines.ts';
import { Cabinet } from '../client/client.ts';
import { judge } from './conformance.ts';
import { Findings, OPTIONAL, RULES, type Rule, table, type Verdict } from './rules.ts';

const KEY = 'bbm_conformance';
/** Mostly shorter than for a real machine, but far enough apart for a slow computer. */
const IMPATIENT = {
  port: 0,
  key: KEY,
  patienceMs: 12_000,
  quietMs: 1_500,
  stillMs: 4_000,
  retryAfterS: 3,
  hammeringMs: 600,
};
/** A good machine pauses at least this long before a retry. */
const PAUSE_MS = 650;
// These tests mostly wait.
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 20 });
/** More games than fit into one batch. */
const BACKLOG = 510;

const broken = (verdicts: Verdict[]) =>
  verdicts.filter(({ passed }) => passed !== true).map(({ rule }) => rule);

it.concurrent('our own client passes the conformance test', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-'));
  const options = {
    url: 'http://localhost:1',
    key: KEY,
    folder,
    firstPauseMs: 2 * PAUSE_MS,
    longestPauseMs: 2 * PAUSE_MS + 100,
  };
  const before = new Cabinet(options);
  for (let score = 0; score < BACKLOG; score += 1)
    before.finish(before.begin(randomUUID()), { score });
  await before.close();
  let machine: Cabinet | undefined;
  const verdicts = await judge({
    ...IMPATIENT,
    ready: (url) => {
      machine = new Cabinet({ ...options, url });
      machine.start();
    },
    play: (games) => {
      for (let game = 0; game < games; game += 1)
        machine?.finish(machine.begin(randomUUID()), { score: game });
    },
  });
  // One game got 401, the other was played afterwards.
  expect(machine?.waiting).toBe(2);
  await machine?.close();
  fs.rmSync(folder, { recursive: true });
  expect(table(verdicts.filter(({ passed }) => passed !== true))).toBe('');
  expect(verdicts.map(({ rule }) => rule)).toEqual(Object.keys(RULES));
});

type Fault =
  | 'one by one'
  | 'wrong key'
  | 'no slash'
  | 'form'
  | 'new ids'
  | 'one id for equal games'
  | 'changing content'
  | 'big batches'
  | 'newest first'
  | 'drops on 503'
  | 'hammers'
  | 'ignores Retry-After'
  | 'drops what was lost'
  | 'believes anybody'
  | 'sends twice'
  | 'sends rejected again'
  | 'gives up after a rejected one'
  | 'own clock'
  | 'ignores 401'
  | 'hides its queue'
  | 'status in words';

/** A second implementation of a machine: a list in memory, one loop, at most one fault. */
function otherMachine(fault: Fault | null, equalGames = fault === 'one id for equal games') {
  let queue: MachineGame[] = [];
  let offset = 0;
  let ended = false;
  let answers = 0;
  const onePlayer = randomUUID();
  const play = (games: number, at = Date.now() + offset) => {
    for (let game = 0; game < games; game += 1)
      queue.push({
        id:
          fault === 'form'
            ? `game-${queue.length}`
            : fault === 'one id for equal games'
              ? onePlayer
              : randomUUID(),
        player: equalGames ? onePlayer : randomUUID(),
        score: equalGames ? 300 : game,
        played_at: new Date(at).toISOString(),
      });
  };
  const run = async (url: string) => {
    const queued = { 'hides its queue': 0, 'status in words': 'many' };
    await fetch(`${url}/api/machine/status/`, {
      method: 'PUT',
      headers: {
        authorization: fault === 'wrong key' ? 'Bearer none' : `Bearer ${KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ queued: queued[fault as keyof typeof queued] ?? queue.length }),
    });
    while (!ended) {
      await sleep(20);
      if (fault === 'newest first') queue.reverse();
      const most = { 'big batches': 10_000, 'one by one': 1 };
      const games = queue.slice(0, most[fault as keyof typeof most] ?? 500);
      if (fault === 'newest first') queue.reverse();
      if (games.length === 0) continue;
      if (fault === 'new ids') for (const game of games) game.id = randomUUID();
      if (fault === 'changing content') for (const game of games) game.score += 1;
      const drop = (ids: unknown[]) => {
        queue = queue.filter(({ id }) => !ids.includes(id));
      };
      const all = games.map(({ id }) => id);
      const response = await fetch(`${url}/api/machine/games${fault === 'no slash' ? '' : '/'}`, {
        method: 'POST',
        headers: {
          authorization: fault === 'wrong key' ? 'Bearer none' : `Bearer ${KEY}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ games }),
      }).catch(() => null);
      if (response === null) {
        if (fault === 'drops what was lost') drop(all);
        await sleep(PAUSE_MS);
      } else if (response.status === 401 && fault !== 'ignores 401') {
        return;
      } else if (response.status !== 200) {
        if (fault === 'drops on 503' && response.status === 503) drop(all);
        const retryAfter = Number(response.headers.get('retry-after') ?? 0);
        if (fault !== 'hammers') await sleep(PAUSE_MS);
        if (fault !== 'ignores Retry-After') await sleep(retryAfter * 1000);
      } else {
        const body = JSON.parse((await response.text()).replace(/^<.*/, 'null'));
        if (body === null) {
          if (fault === 'believes anybody') drop(all);
          await sleep(PAUSE_MS);
          continue;
        }
        if (fault !== 'own clock') offset = Date.parse(body.server_time) - Date.now();
        const done = body.results.filter(
          ({ status }: { status: string }) =>
            status !== 'rejected' || fault !== 'sends rejected again',
        );
        if (
          fault === 'gives up after a rejected one' &&
          done.some(({ status }: { status: string }) => status === 'rejected')
        )
          return;
        answers += 1;
        if (fault !== 'sends twice' || answers % 2 === 0)
          drop(done.map(({ id }: { id: string }) => id));
      }
    }
  };
  return {
    play,
    run,
    end: () => {
      ended = true;
    },
  };
}

async function judgeOther(fault: Fault | null, equalGames?: boolean): Promise<Verdict[]> {
  const machine = otherMachine(fault, equalGames);
  const hourAgo = Date.now() - 3_600_000;
  const backlog = fault === 'one by one' ? 10 : BACKLOG;
  for (let game = 0; game < backlog; game += 1)
    machine.play(1, equalGames ? hourAgo : hourAgo + game * 5_000);
  let running: Promise<void> | undefined;
  const verdicts = await judge({
    ...IMPATIENT,
    play: machine.play,
    ready: (url) => {
      running = machine.run(url);
    },
  });
  machine.end();
  await running;
  return verdicts;
}

const FAULTS: [Fault, Rule][] = [
  ['wrong key', 'key'],
  ['no slash', 'call'],
  ['form', 'form'],
  ['new ids', 'ids'],
  ['new ids', 'lost_answer'],
  ['one id for equal games', 'ids'],
  ['changing content', 'ids'],
  ['big batches', 'batch'],
  ['newest first', 'order'],
  ['drops on 503', 'busy'],
  ['hammers', 'busy'],
  ['ignores Retry-After', 'retry_after'],
  ['drops what was lost', 'lost_answer'],
  ['believes anybody', 'stranger'],
  ['sends twice', 'done'],
  ['sends rejected again', 'rejected'],
  ['gives up after a rejected one', 'rejected'],
  ['own clock', 'clock'],
  ['ignores 401', 'stop'],
  ['hides its queue', 'status'],
  ['status in words', 'status'],
];

it('each rule has a fault that breaks it', () => {
  expect(new Set(FAULTS.map(([, rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
});

describe.concurrent('a machine of another implementation', () => {
  it('passes without a fault', async () => {
    expect(table((await judgeOther(null)).filter(({ passed }) => passed !== true))).toBe('');
  });

  it('passes when all games of its backlog are equal except for their ids', async () => {
    const verdicts = await judgeOther(null, true);
    expect(table(verdicts.filter(({ passed }) => passed !== true))).toBe('');
  });

  it('need not send a status', () => {
    const findings = new Findings(() => {});
    findings.inspectStatuses([], 1);
    expect(findings.verdicts().find(({ rule }) => rule === 'status')?.passed).toBeNull();
    expect(OPTIONAL).toEqual(['status']);
  });

  it('is not judged on batches if it sends one game at a time', async () => {
    expect((await judgeOther('one by one')).filter(({ passed }) => passed !== true)).toEqual([
      { rule: 'batch', passed: null, why: 'not seen in this run' },
    ]);
  });

  it.each(FAULTS)('the fault "%s" breaks the rule "%s"', async (fault, rule) => {
    const verdicts = await judgeOther(fault);
    expect(broken(verdicts)).toContain(rule);
    expect(verdicts.find((verdict) => verdict.rule === rule)?.passed).toBe(false);
  });
});

describe.concurrent('the command', () => {
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [
      path.join(import.meta.dirname, 'conformance.ts'),
      ...args,
    ]);
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
    return { child, exit, output: () => output };
  };

  it('prints its usage', async () => {
    const help = run('--help');
    expect(await help.exit).toBe(0);
    expect(help.output()).toContain('--port');
    const wrong = run('--port', 'x');
    expect(await wrong.exit).toBe(2);
    const unknown = run('--loud');
    expect(await unknown.exit).toBe(2);
  });
});
