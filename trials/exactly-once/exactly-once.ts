/**
 * Simulated machines play against the real server, while the app is killed, the network is cut,
 * responses get lost, and machines are killed. At the end, every game that a machine had on disk
 * must be on the server exactly once, and every figure must equal a recount.
 *
 * node trials/exactly-once/exactly-once.ts --machines 20 --games 10000 --kills 20
 *
 * `--keep` keeps data and logs.
 */
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rebuildResult } from '#contract/wire/system.ts';
import { freePort } from '#testing/ports.ts';
import { readTables, recount, type Tables, timeOf } from '../recount.ts';
import { App, Children, exit } from './app.ts';
import { type FlakyLine, flakyLine } from './flaky-line.ts';

/** How many hours ago the machines' simulated time begins. */
const HOURS_AGO = 72;
/** Players per machine. If machines shared players, their overlapping games would be held. */
const PLAYERS_EACH = 2;
const RETRY_MS = 300;

const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: '20' },
    games: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    speed: { type: 'string', default: '300' },
    keep: { type: 'boolean', default: false },
  },
});
const machines = Number(values.machines);
const games = Number(values.games);
const kills = Number(values.kills);
const speed = Number(values.speed);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exactly-once-'));
const children = new Children(folder);

// --- A machine --------------------------------------------------------------------------------

type Logged = { id: string; player: string; score: number; played_at: string };

/** A simulated machine, restarted after each kill until its games are delivered. */
class Machine {
  readonly name: string;
  readonly #at: number;
  readonly #quota: number;
  readonly #begun = performance.now();
  #process: ChildProcess | undefined;
  #counted = { size: 0, lines: 0 };

  constructor(at: number, quota: number) {
    this.#at = at;
    this.name = `Court ${at}`;
    this.#quota = quota;
  }

  get #log(): string {
    return `machine-${this.#at}.games`;
  }

  stored(): number {
    const file = path.join(folder, this.#log);
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#counted.size)
      this.#counted = { size, lines: fs.readFileSync(file, 'utf8').split('\n').length - 1 };
    return this.#counted.lines;
  }

  /** The games stored by this machine, without a line that a kill has cut short. */
  games(): Logged[] {
    return children
      .read(this.#log)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  kill(): boolean {
    return this.#process?.kill('SIGKILL') ?? false;
  }

  /** Plays until all games are settled. Returns the number of rejected ones. */
  async run(url: string, players: number): Promise<number> {
    let rejected = 0;
    for (;;) {
      const passed = ((performance.now() - this.#begun) / 1000) * (speed / 3600);
      const child = children.start(
        'cabinet/arcade/arcade.ts',
        [
          ['--url', url, '--machines', '1', '--name', this.name],
          [
            '--players',
            String(PLAYERS_EACH),
            '--skip',
            String((this.#at * PLAYERS_EACH) % players),
          ],
          ['--speed', String(speed), '--hours-ago', String(Math.max(1, HOURS_AGO - passed))],
          ['--games', String(Math.max(0, this.#quota - this.stored()))],
          ['--log', path.join(folder, this.#log), '--seed', String(this.#at), '--json'],
        ].flat(),
        { DATA_DIR: path.join(folder, `machine-${this.#at}`) },
        `machine-${this.#at}.log`,
      );
      this.#process = child;
      let output = '';
      child.stdout?.on('data', (text) => {
        output += text;
      });
      const code = await exit(child);
      this.#process = undefined;
      const summary = code === 0 ? JSON.parse(output) : null;
      rejected += summary?.rejected ?? 0;
      if (summary?.waiting === 0 && this.stored() >= this.#quota) return rejected;
      await sleep(RETRY_MS);
    }
  }
}

// --- Faults -----------------------------------------------------------------------------------

/**
 * Causes a fault `times` times, spread over the games, each after a random delay. Returns how many
 * it caused before `ended`.
 */
async function faults(
  times: number,
  played: () => number,
  ended: AbortSignal,
  cause: () => Promise<void>,
): Promise<number> {
  for (let time = 0; time < times; time += 1) {
    while (played() < (games * (time + 0.5)) / times) {
      if (ended.aborted) return time;
      await sleep(20);
    }
    await sleep(Math.random() * 500);
    await cause();
  }
  return times;
}

const print = (text: string) => console.log(text);

async function run(): Promise<boolean> {
  const begun = performance.now();
  const app = new App(children, await freePort());
  await app.start();
  const { length: players } = await app.players();
  const network: FlakyLine = await flakyLine(Number(new URL(app.url).port));
  const url = `http://127.0.0.1:${network.port}`;
  const all = Array.from(
    { length: machines },
    (_, at) =>
      new Machine(
        at,
        Math.ceil((games * (at + 1)) / machines) - Math.ceil((games * at) / machines),
      ),
  );
  const played = () => all.reduce((total, machine) => total + machine.stored(), 0);
  print(`${machines} machines play ${games} games for ${players} players; data in ${folder}`);
  const progress = setInterval(() => print(`${played()} games on the machines' disks`), 10_000);

  const ended = new AbortController();
  const causingFaults = Promise.all([
    faults(kills, played, ended.signal, async () => {
      await app.kill('SIGKILL');
      await sleep(Math.random() * 500);
      await app.start();
    }),
    faults(kills, played, ended.signal, async () => {
      const ms = 200 + Math.random() * 1_500;
      await (Math.random() < 0.5 ? network.cut(ms) : network.loseResponses(ms));
    }),
    faults(kills, played, ended.signal, async () => {
      const [first = 0] = crypto.getRandomValues(new Uint32Array(1));
      for (let at = 0; at < machines; at += 1) if (all[(first + at) % machines]?.kill()) return;
    }),
  ]);
  const playing = Promise.all(all.map((machine) => machine.run(url, players))).finally(() =>
    ended.abort(),
  );
  const [rejected, [appKills, cuts, machineKills]] = await Promise.all([playing, causingFaults]);
  clearInterval(progress);

  const backup = path.join(folder, 'backup.gz');
  await app.backboard('backup', backup);
  const tables = readTables(backup);
  const wrong = compare(tables, all);
  const figures = recount(tables);
  const rebuilt = rebuildResult.parse(await app.backboard('rebuild'));
  const changed = Object.values(rebuilt.changed).reduce((total, rows) => total + rows, 0);
  await network.close();
  await app.kill('SIGTERM');

  const ours = new Set(all.map(({ name }) => machineIds(tables).get(`${name} 1`)));
  const reported = (tables.get('games') ?? []).filter(({ machine_id }) => ours.has(machine_id));
  const there = reported.length;
  const logged = played();
  const lost = rejected.reduce((total, count) => total + count, 0);
  if (lost > 0) wrong.push(`${lost} games were rejected`);
  if (there < logged || there > logged + machineKills)
    wrong.push(`${logged} games were stored on disks, ${there} are on the server`);
  wrong.push(...figures.wrong);
  if (changed !== 0) wrong.push(`rebuild changed ${changed} rows`);
  if (appKills + cuts + machineKills < 3 * kills) wrong.push('the games ended before the faults');
  const held = reported.filter(({ state }) => state === 'held').length;
  print(`stored on machines' disks          ${logged}`);
  print(`on the server, each once           ${there} (${held} held)`);
  print(
    `app killed                         ${appKills} times, ready within ${Math.round(app.slowestMs)} ms, ${app.failedStarts} starts repeated`,
  );
  print(`network cut or responses lost      ${cuts} times`);
  print(`machines killed                    ${machineKills} times`);
  print(
    `recounted and equal                ${figures.players} players, ${figures.weeks} league weeks`,
  );
  print(`changed by rebuild                 ${changed}`);
  print(`seconds                            ${Math.round((performance.now() - begun) / 1000)}`);
  for (const problem of wrong) print(`WRONG: ${problem}`);
  return wrong.length === 0;
}

const machineIds = (tables: Tables) =>
  new Map((tables.get('machines') ?? []).map(({ id, name }) => [name, id ?? null]));

function compare(tables: Tables, all: Machine[]): string[] {
  const rows = (table: string) => tables.get(table) ?? [];
  const machineOf = machineIds(tables);
  const playerIds = new Map(rows('players').map(({ id, uuid }) => [uuid, id]));
  const stored = Map.groupBy(rows('games'), ({ id }) => id);
  const wrong: string[] = [];
  for (const machine of all)
    for (const game of machine.games()) {
      const [row, ...more] = stored.get(game.id) ?? [];
      if (row === undefined) wrong.push(`${machine.name}: ${game.id} is lost`);
      else if (more.length > 0) wrong.push(`${machine.name}: ${game.id} is stored twice`);
      else if (
        row.machine_id !== machineOf.get(`${machine.name} 1`) ||
        row.player_id !== playerIds.get(game.player) ||
        Number(row.score) !== game.score ||
        timeOf(row.played_at ?? null) !== Date.parse(game.played_at)
      )
        wrong.push(`${machine.name}: ${game.id} differs from how it was played`);
    }
  return wrong;
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
