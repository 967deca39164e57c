import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { type Client, findClients, Machine } from '#testing/machines.ts';
import { judge } from './conformance.ts';
import { OPTIONAL, RULES, table, type Verdict } from './rules.ts';

const KEY = 'bbm_clients';
/** More games than fit into one batch. */
const BACKLOG = 510;
const HOUR_MS = 3_600_000;
/** Even halved by jitter, this pause exceeds `hammeringMs`. */
const FIRST_PAUSE_S = 0.45;
/** `patienceMs` exceeds a client's longest pause: 15 s after six failures, plus Retry-After. */
const OPTIONS = {
  port: 0,
  key: KEY,
  patienceMs: 30_000,
  quietMs: 1_500,
  stillMs: 4_000,
  retryAfterS: 3,
  hammeringMs: 200,
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/**
 * Stores BACKLOG games. They span more than two minutes, because the rule `order` tolerates a wrong
 * order within two minutes.
 */
async function pileUp(machine: Machine): Promise<void> {
  for (let score = 0; score < BACKLOG; score += 1) {
    const played_at = new Date(Date.now() - HOUR_MS + score * 5_000).toISOString();
    const started = { id: randomUUID(), player: randomUUID(), played_at };
    await machine.finish(JSON.stringify(started), { score });
  }
}

async function play(machine: Machine, games: number): Promise<void> {
  for (let score = 0; score < games; score += 1) {
    const started = await machine.begin(randomUUID());
    if (started !== null) await machine.finish(started.text, { score, duration_s: 45 });
  }
}

async function judgeClient(client: Client) {
  const machine = new Machine(client, path.join(folder, `${client.name}.db`), FIRST_PAUSE_S);
  machine.start();
  await pileUp(machine);
  await machine.kill();
  const played: Promise<void>[] = [];
  const verdicts = await judge({
    ...OPTIONS,
    ready: (url) => machine.start(url, KEY),
    play: (games) => played.push(play(machine, games)),
  });
  await Promise.all(played);
  const { waiting, setAside } = await machine.list();
  await machine.kill();
  return { verdicts, waiting, setAside, stopped: machine.events.at(-1) };
}

const clients = findClients(folder);

describe('a client in another language', () => {
  it.for(clients)(
    'tells scripts by its exit code whether the game is stored: $name',
    (client, { expect }) => {
      const [program = '', ...first] = client.command;
      const env = {
        ...process.env,
        BACKBOARD_QUEUE: path.join(folder, `${client.name}-script.db`),
      };
      const run = (...words: string[]) => {
        const { status, stdout } = spawnSync(program, [...first, ...words], { env });
        return [status, String(stdout).split(' ')[0]?.trim()];
      };
      const started = { id: randomUUID(), player: randomUUID(), played_at: '2027-01-04T18:00:00Z' };
      const finish = (numbers: object) =>
        run('finish', JSON.stringify(started), JSON.stringify(numbers));
      expect(finish({ score: 388 })).toEqual([0, 'stored']);
      expect(finish({ score: 388 }), 'repeated').toEqual([0, 'stored']);
      expect(finish({ score: 389 }), 'another game with the same id').toEqual([1, 'error']);
      expect(finish({ score: -1 })).toEqual([1, 'error']);
      expect(run('start', 'nobody')).toEqual([1, 'error']);
      expect(run('list')).toEqual([0, 'waiting']);
    },
  );

  it.concurrent.for(clients)('passes the conformance test: $name', async (client, { expect }) => {
    const { verdicts, waiting, setAside, stopped } = await judgeClient(client);
    const optional = ({ rule, passed }: Verdict) => passed === null && OPTIONAL.includes(rule);
    expect(table(verdicts.filter((one) => !one.passed && !optional(one)))).toBe('');
    expect(verdicts.map(({ rule }) => rule)).toEqual(Object.keys(RULES));
    // One game got 401, the other was played afterwards.
    expect(waiting).toHaveLength(2);
    expect(setAside).toHaveLength(1);
    expect(stopped).toMatch(/^stopped 401 ./);
  });
});
