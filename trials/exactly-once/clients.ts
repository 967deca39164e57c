/**
 * Kills the clients in clients/ at random while they store games and send them to the real server.
 * At the end, every game that a client has stored (its `finish` returned) must be on the server
 * once, as it was played.
 *
 * node trials/exactly-once/clients.ts --kills 200
 *
 * `--keep` keeps data and queues.
 */
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machineKeyAnswer } from '#contract/wire/machines.ts';
import { type Client, findClients, Machine } from '#testing/machines.ts';
import { freePort } from '#testing/ports.ts';
import { readTables, timeOf } from '../recount.ts';
import { App, Children } from './app.ts';

const LIFE_MS = [20, 1_500] as const;
const PACE_MS = 40;
const FIRST_PAUSE_S = 0.05;
/** The queue must be empty within this time after the last kill. */
const DELIVER_MS = 120_000;
const SCORE_MOST = 900;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    keep: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-'));
const children = new Children(folder);

type Played = { player: string; played_at: string; score: number; stored: boolean };
type Journal = Map<string, Played>;

async function play(machine: Machine, players: string[], journal: Journal): Promise<void> {
  for (;;) {
    const started = await machine.begin(players[randomInt(players.length)] ?? '');
    if (started === null) return;
    const { id, player, played_at } = started.game;
    const game = { player, played_at, score: randomInt(SCORE_MOST), stored: false };
    journal.set(id, game);
    game.stored = await machine.finish(started.text, { score: game.score });
    if (!game.stored) return;
    await sleep(randomInt(PACE_MS));
  }
}

async function killAtRandom(client: Client, app: App, key: string) {
  const machine = new Machine(client, path.join(folder, `${client.name}.db`), FIRST_PAUSE_S);
  const players = await app.players();
  const journal: Journal = new Map();
  for (let kill = 0; kill < kills; kill += 1) {
    machine.start(app.url, key);
    const playing = play(machine, players, journal);
    await sleep(randomInt(...LIFE_MS));
    await machine.kill();
    await playing;
  }
  machine.start(app.url, key);
  const until = performance.now() + DELIVER_MS;
  while ((await machine.list()).waiting.length > 0 && performance.now() < until) await sleep(200);
  const { waiting, setAside } = await machine.list();
  await machine.kill();
  const rejected = machine.events.filter((line) => line.startsWith('rejected ')).length;
  return { journal, waiting: waiting.length, setAside: setAside.length, rejected };
}

async function run(): Promise<boolean> {
  const app = new App(children, await freePort());
  await app.start();
  const clients = findClients(folder);
  const wrong: string[] = [];
  for (const client of clients) {
    const begun = performance.now();
    const { id, key } = machineKeyAnswer.parse(await app.backboard('machine', 'add', client.name));
    const { journal, waiting, setAside, rejected } = await killAtRandom(client, app, key);
    const backup = path.join(folder, `${client.name}.gz`);
    await app.backboard('backup', backup);
    const tables = readTables(backup);
    const names = new Map((tables.get('players') ?? []).map((row) => [row.id, row.uuid]));
    const rows = (tables.get('games') ?? []).filter(({ machine_id }) => machine_id === id);
    const onServer = Map.groupBy(rows, (row) => String(row.id));
    const problems: string[] = [];
    for (const [game, { player, played_at, score, stored }] of journal) {
      const [row, ...more] = onServer.get(game) ?? [];
      if (row === undefined) {
        if (stored) problems.push(`${game} is lost`);
        continue;
      }
      if (more.length > 0) problems.push(`${game} is there twice`);
      const time = timeOf(row.played_at ?? null);
      if (names.get(row.player_id) !== player || Number(row.score) !== score)
        problems.push(`${game} is not as it was played`);
      else if (time !== Date.parse(played_at)) problems.push(`${game} has another time`);
    }
    for (const game of onServer.keys())
      if (!journal.has(game)) problems.push(`${game} was never played`);
    if (waiting > 0) problems.push(`${waiting} games still wait`);
    if (rejected > 0) problems.push(`${rejected} games were rejected`);
    const acknowledged = [...journal.values()].filter(({ stored }) => stored).length;
    console.log(
      [
        `client                             ${client.name}`,
        `killed                             ${kills} times`,
        `games whose finish returned        ${acknowledged}`,
        `on the server, each once           ${rows.length} (${setAside} set aside as held)`,
        `cut off before finish returned     ${rows.length - acknowledged} of these`,
        `seconds                            ${Math.round((performance.now() - begun) / 1000)}`,
        ...problems.map((problem) => `WRONG: ${problem}`),
        '',
      ].join('\n'),
    );
    wrong.push(...problems);
  }
  await app.kill('SIGTERM');
  return wrong.length === 0;
}

let holds = false;
try {
  holds = await run();
} catch (error) {
  console.error(error);
} finally {
  children.killAll();
  if (holds && !values.keep) fs.rmSync(folder, { recursive: true, force: true });
}
process.exit(holds ? 0 : 1);
