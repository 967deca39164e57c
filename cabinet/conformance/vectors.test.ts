import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, type ExpectStatic, expect, it, vi } from 'vitest';
import { errorBody } from '#contract/wire/errors.ts';
import { gameResult, type MachineGame, machineGame } from '#contract/wire/machines.ts';
import { findClients, Machine } from '#testing/machines.ts';
import { Cabinet } from '../client/client.ts';
import { Queue } from '../client/queue.ts';
import { RULES, type Rule } from './rules.ts';
import { startFakeServer } from './server.ts';
import { readVectors, type VectorCase } from './vectors.ts';

const KEY = 'bbm_vectors';
const PLAYER = '2f7b8cfd-fc93-4d5a-a7ec-576156cf4426';
const FIRST_PAUSE_MS = 50;
const ARRIVES_MS = 20_000;
/** A client that is silent for this long has no more games to send. */
const SILENCE_MS = 700;
const CLOCK_SLACK_MS = 5_000;
const SETTLED = ['recorded', 'duplicate', 'held', 'rejected'];

vi.setConfig({ maxConcurrency: 6 });
/** Statuses have no vectors, because they may come at any time. */
const RULE_NAMES = (Object.keys(RULES) as Rule[]).filter((rule) => rule !== 'status');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vectors-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

type Driven = {
  start(server?: { url: string; key: string }): void;
  stop(): Promise<void>;
  /** @throws when the client refuses the game. */
  finish(game: MachineGame): Promise<void>;
  /** Like `finish`, with the JSON texts that a machine's program writes. */
  finishWritten(written: { game: string; numbers: string }): Promise<void>;
  /** The first word of each line since the last call; null for a client without output. */
  said(): string[] | null;
  playedAt(): Promise<string>;
  /** The ids of the queued games, oldest first, and of the games for a person to look at. */
  holds(): Promise<{ queue: string[]; report: string[] }>;
};

function cabinetClient(queue: string): Driven {
  let cabinet: Cabinet | undefined;
  const reported: string[] = [];
  return {
    start: (server) => {
      cabinet = new Cabinet({
        url: '',
        key: '',
        ...server,
        folder: queue,
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: 60 * FIRST_PAUSE_MS,
        onEvent: (event) => {
          if (event.type !== 'answered') return;
          for (const { game, result } of event.results)
            if (['held', 'rejected'].includes(result.status)) reported.push(game.id);
        },
      });
      if (server) cabinet.start();
    },
    stop: async () => cabinet?.close(),
    finish: async ({ id, player, played_at, ...finished }) => {
      cabinet?.finish({ id, player, played_at }, finished);
    },
    finishWritten: async ({ game, numbers }) => {
      cabinet?.finish(JSON.parse(game), JSON.parse(numbers));
    },
    said: () => null,
    playedAt: async () => cabinet?.begin(PLAYER).played_at ?? '',
    holds: async () => {
      // Opening the queue itself could disturb the client.
      const copy = fs.mkdtempSync(`${queue}-copy-`);
      fs.cpSync(queue, copy, { recursive: true });
      const copied = new Queue(copy);
      const ids = copied.oldest(1_000).map(({ id }) => id);
      copied.close();
      return { queue: ids, report: reported };
    },
  };
}

function oneFileClient(machine: Machine): Driven {
  const ids = (games: MachineGame[]) => games.map(({ id }) => id);
  return {
    start: (server) => machine.start(server?.url, server?.key),
    stop: () => machine.kill(),
    finish: async ({ id, player, played_at, ...numbers }) => {
      await machine.finish(JSON.stringify({ id, player, played_at }), numbers);
    },
    finishWritten: async ({ game, numbers }) => {
      await machine.finish(game, numbers);
    },
    said: () => machine.events.splice(0).map((line) => line.split(' ', 1)[0] ?? ''),
    playedAt: async () => (await machine.begin(PLAYER))?.game.played_at ?? '',
    holds: async () => {
      const { waiting, setAside } = await machine.list();
      return { queue: ids(waiting), report: ids(setAside) };
    },
  };
}

async function replay({ steps }: VectorCase, client: Driven, expect: ExpectStatic): Promise<void> {
  const broken: string[] = [];
  const serve = (key: string) =>
    startFakeServer({ port: 0, key, aheadMs: 0, complain: (_, what) => broken.push(what) });
  let key = KEY;
  let server = await serve(key);
  let online = false;
  let answeredAt = 0;
  const connect = async () => {
    if (online) return;
    await client.stop();
    client.start({ url: server.url, key });
    online = true;
  };
  client.start();
  for (const step of steps) {
    if ('finish' in step) for (const game of step.finish) await client.finish(asGame(game));
    else if ('refuse' in step)
      await expect(client.finish(asGame(step.refuse)), JSON.stringify(step)).rejects.toThrow();
    else if ('finish_written' in step)
      for (const written of step.finish_written) await client.finishWritten(written);
    else if ('refuse_written' in step)
      await expect(client.finishWritten(step.refuse_written)).rejects.toThrow(step.says);
    else if ('restart' in step) {
      await client.stop();
      // Skip earlier batches.
      while ((await server.next(SILENCE_MS)) !== null);
      if (step.restart.key !== undefined) {
        key = step.restart.key;
        await server.close();
        server = await serve(key);
      }
      client.start({ url: server.url, key });
    } else if ('begin' in step) {
      const { machine_clock, played_at } = step.begin;
      const ahead = Date.parse(await client.playedAt()) - Date.now();
      const expected = Date.parse(played_at) - Date.parse(machine_clock);
      expect(Math.abs(ahead - expected)).toBeLessThan(CLOCK_SLACK_MS);
    } else if (step.request === null) {
      await connect();
      expect(await server.next(SILENCE_MS)).toBeNull();
      expect((await client.holds()).queue).toEqual(step.queue);
    } else {
      await connect();
      const post = await server.next(ARRIVES_MS);
      if (post === null) throw new Error('no batch was sent');
      // Compare as JSON, which has no negative zero.
      expect(JSON.parse(JSON.stringify(post.body))).toEqual(step.request.body);
      client.said();
      expect(post.headers).toMatchObject(step.request.headers);
      expect(post.at - answeredAt).toBeGreaterThanOrEqual(step.not_before_ms);
      for (const game of step.meanwhile) await client.finish(asGame(game));
      answeredAt = performance.now();
      if (step.answer === null) post.drop();
      else {
        const { status, headers, body } = step.answer;
        post.answer(status, inPresent(body, step.machine_clock), headers);
      }
      const { queue, report, says } = step;
      await expect.poll(() => client.holds()).toEqual({ queue, report });
      const said = client.said();
      if (says !== undefined && said !== null) expect(said).toEqual(says);
    }
  }
  const last = steps.at(-1);
  if (last !== undefined && 'queue' in last && last.queue.length === 0)
    expect(await server.next(SILENCE_MS)).toBeNull();
  await client.stop();
  await server.close();
  expect(broken).toEqual([]);
}

const asGame = (game: object) => game as MachineGame;

/** Shifts the body's `server_time`: it is then as far from now as it was from `machineClock`. */
function inPresent(body: object | string, machineClock: string | undefined): object | string {
  if (machineClock === undefined || typeof body === 'string' || !('server_time' in body))
    return body;
  const ahead = Date.parse(String(body.server_time)) - Date.parse(machineClock);
  return { ...body, server_time: new Date(Date.now() + ahead).toISOString() };
}

it.each(RULE_NAMES)('the vectors of %s have the form of the contract', (rule) => {
  for (const { steps } of readVectors(rule))
    for (const step of steps) {
      if ('finish' in step) for (const game of step.finish) machineGame.strict().parse(game);
      if ('refuse' in step) expect(machineGame.safeParse(step.refuse).success).toBe(false);
      if (!('answer' in step) || step.answer === null) continue;
      const { status, body } = step.answer;
      const { results, ...others } = body as { results?: { status: string }[] };
      for (const result of results ?? [])
        if (SETTLED.includes(result.status)) gameResult.parse(result);
      if (status >= 400 && typeof body === 'object' && !('server_time' in others))
        errorBody.parse(body);
    }
});

const clients: [name: string, client: (queue: string) => Driven][] = [
  ['cabinet', cabinetClient],
  ...findClients(folder).map((client): [string, (queue: string) => Driven] => [
    client.name,
    (queue) => oneFileClient(new Machine(client, queue, FIRST_PAUSE_MS / 1_000)),
  ]),
];

describe.each(clients)('the client %s', (name, client) => {
  it.concurrent.for(RULE_NAMES)(
    'sends and holds what the vectors of %s say',
    async (rule, { expect }) => {
      for (const [at, one] of readVectors(rule).entries())
        await replay(one, client(path.join(folder, `${name}-${rule}-${at}`)), expect).catch(
          (error: Error) => {
            error.message = `${one.title}: ${error.message}`;
            throw error;
          },
        );
    },
  );
});
