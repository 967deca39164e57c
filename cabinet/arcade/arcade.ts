/** `npm run arcade`: an arcade full of players, against any server. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { originOf } from '#contract/rules/loopback.ts';
import { Cabinet } from '../client/client.ts';
import { Hall } from './hall.ts';
import { makePerson, seeded } from './people.ts';
import { arcadeFolder, CannotOpen, findOperatorKey, setUp } from './setup.ts';
import { showHall, tallyLine } from './terminal.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const HOUR_MS = 3_600_000;
const DELIVER_MS = 10_000;
const BEST_SHOWN = 5;
const SOFTWARE = 'arcade 1';

const HELP = `Simulates an arcade: people walk up to machines, scan, play, and rest.

  npm run arcade -- [options]

  --machines N     number of machines; missing ones are added as “Arcade 1” … (4)
  --players N      number of the server's players who come, oldest accounts first (40)
  --speed N        simulated seconds per second (1 is real time; default 60)
  --games N        stop after N games (0: only deliver games that wait on disk)
  --seconds N      stop after N seconds
  --hours-ago N    play as if the arcade had opened N hours ago, up to the present
  --seed N         repeat a run with the same people
  --skip N         leave out the first N players
  --name TEXT      name of the machines, before their number (Arcade)
  --log FILE       append a line of JSON for every game that is on disk
  --url URL        the server (BACKBOARD_URL, else http://127.0.0.1:3000)
  --json           print the summary as JSON

Without --games or --seconds it runs until Ctrl-C. The operator key is read from
BACKBOARD_OPERATOR_KEY or from operator.key in DATA_DIR. Queues are kept in DATA_DIR/arcade:
undelivered games are sent by the next run.`;

class WrongUsage extends Error {}

function readOptions() {
  const { values } = parseArgs({
    options: {
      machines: { type: 'string', default: '4' },
      players: { type: 'string', default: '40' },
      speed: { type: 'string', default: '60' },
      games: { type: 'string' },
      seconds: { type: 'string' },
      'hours-ago': { type: 'string' },
      seed: { type: 'string' },
      skip: { type: 'string', default: '0' },
      name: { type: 'string', default: 'Arcade' },
      log: { type: 'string' },
      url: { type: 'string', default: process.env.BACKBOARD_URL || 'http://127.0.0.1:3000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name: keyof typeof values, least: number, most: number, whole = true) => {
    const typed = values[name];
    if (typed === undefined) return null;
    const value = Number(typed);
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      throw new WrongUsage(
        `--${name} must be ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not “${typed}”.`,
      );
    return value;
  };
  if (!/^https?:\/\//.test(values.url) || !URL.canParse(values.url))
    throw new WrongUsage(`--url must be an http or https address, not “${values.url}”.`);
  return {
    machines: number('machines', 1, 200) ?? 1,
    players: number('players', 1, 1_000) ?? 1,
    speed: number('speed', 0.1, 10_000, false) ?? 1,
    games: number('games', 0, 10_000_000),
    seconds: number('seconds', 1, 1_000_000, false),
    hoursAgo: number('hours-ago', 0.01, 24 * 30, false),
    seed: number('seed', 0, 2 ** 32 - 1) ?? Math.floor(Math.random() * 2 ** 32),
    skip: number('skip', 0, 1_000) ?? 0,
    name: values.name,
    log: values.log,
    url: originOf(values.url),
    json: values.json,
    help: values.help,
  };
}
type Options = ReturnType<typeof readOptions>;

async function run(options: Options): Promise<number> {
  const { url, seed, speed, log } = options;
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR || 'data');
  const folder = arcadeFolder(dataDir, url);
  const { machines, players } = await setUp({
    url,
    operatorKey: findOperatorKey(dataDir, process.env.BACKBOARD_OPERATOR_KEY),
    folder,
    names: Array.from({ length: options.machines }, (_, at) => `${options.name} ${at + 1}`),
    players: options.players,
    skip: options.skip,
  });
  const random = seeded(seed);
  const ending = new AbortController();
  let shown: ReturnType<typeof showHall> | undefined;
  const hall = new Hall({
    people: players.map(({ uuid, username }) => makePerson(uuid, username, random)),
    random,
    speed,
    from: options.hoursAgo === null ? null : Date.now() - options.hoursAgo * HOUR_MS,
    games: options.games ?? Number.POSITIVE_INFINITY,
    signal: ending.signal,
    onNews: (line, kind) => shown?.news(line, kind),
    onStored: ({ name: machine }, game) => {
      if (log !== undefined) fs.appendFileSync(log, `${JSON.stringify({ machine, ...game })}\n`);
    },
  });
  for (const { name, key } of machines)
    hall.add(
      name,
      (onEvent) =>
        new Cabinet({ url, key, folder: path.join(folder, name), software: SOFTWARE, onEvent }),
    );

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  const impatient = new AbortController();
  const interrupt = () => (ending.signal.aborted ? impatient : ending).abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const timer = setTimeout(() => ending.abort(), (options.seconds ?? 2e6) * 1000);
  const { games, seconds } = options;
  shown = showHall(
    hall,
    `Arcade at ${url}: ${machines.length} machines, ${players.length} players, ${speed}×`,
    () => (games ? hall.tally.games / games : seconds ? Math.min(1, elapsed() / seconds) : null),
  );
  try {
    await hall.run();
    await deliver(hall, impatient.signal);
  } finally {
    clearTimeout(timer);
    shown.end();
    for (const { cabinet } of hall.stations) await cabinet.close();
  }
  console.log(options.json ? JSON.stringify(summary(hall, elapsed()), null, 2) : report(hall));
  return hall.stations.some(({ stopped }) => stopped) ? 1 : 0;
}

const waiting = (hall: Hall) =>
  hall.stations.reduce((sum, { cabinet }) => sum + cabinet.waiting, 0);

/** Waits up to DELIVER_MS for the machines to send. Unsent games stay for the next run. */
async function deliver(hall: Hall, signal: AbortSignal): Promise<void> {
  const until = performance.now() + DELIVER_MS;
  while (performance.now() < until && !signal.aborted) {
    if (hall.stations.every(({ cabinet, stopped }) => stopped || cabinet.waiting === 0)) return;
    await sleep(50);
  }
}

function summary(hall: Hall, seconds: number) {
  const { best, ...counts } = hall.tally;
  return {
    ...counts,
    waiting: waiting(hall),
    stopped: hall.stations.filter(({ stopped }) => stopped).map(({ name }) => name),
    best: [...best]
      .sort(([, a], [, b]) => b - a)
      .slice(0, BEST_SHOWN)
      .map(([player, score]) => ({ player, score })),
    seconds: Math.round(seconds * 10) / 10,
  };
}

function report(hall: Hall): string {
  const { personal_bests, achievements, best, stopped } = summary(hall, 0);
  const lines = [
    tallyLine(hall),
    `personal bests ${personal_bests} · achievements ${achievements}`,
    ...best.map(({ player, score }, at) => `${at + 1}. ${player} ${score}`),
  ];
  if (stopped.length > 0)
    lines.push(`Refused by the server: ${stopped.join(', ')}. See ./backboard machine list.`);
  if (waiting(hall) > 0) lines.push('Games that wait on disk are sent by the next run.');
  return lines.join('\n');
}

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else process.exitCode = await run(options);
} catch (error) {
  const usage =
    error instanceof WrongUsage || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (!usage && !(error instanceof CannotOpen)) throw error;
  console.error((error as Error).message);
  if (usage) console.error('Run with --help for usage.');
  process.exitCode = usage ? 2 : 1;
}
