/**
 * A hundred machines reconnect together, each with 10,000 queued games, while players read
 * (REL-13). Checks that all games are stored once, and measures the reads.
 *
 * node trials/faults/backlog.ts [--machines 100] [--games 10000]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Acknowledged,
  GAMES_PATH,
  gamesMaker,
  note,
  proveExactlyOnce,
} from '../../bench/load/games.ts';
import { keyOf, USUAL } from '../../bench/load/seed.ts';
import { openTestBed } from '../../bench/load/test-bed.ts';
import { figure } from '../../bench/report.ts';

const BATCH = 500;
const LOOK_EVERY_MS = 50;
const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: '100' },
    games: { type: 'string', default: '10000' },
  },
});
const machines = Number(values.machines);
const batches = Math.ceil(Number(values.games) / BATCH);

const bed = await openTestBed(USUAL, { name: 'backlog', cpus: null });
await bed.refreshTokens();
const since = new Date();
const url = `http://127.0.0.1:${bed.app.port}`;
const make = gamesMaker(USUAL);
const acknowledged: Acknowledged = new Map();
const toldToWait = new Map<number, number>();
const waits: number[] = [];
let over = false;

/** Sends a machine's queued games in reports. Repeats each report until it is answered 200. */
async function comeBack(machine: number): Promise<void> {
  for (let nth = 0; nth < batches; nth += 1) {
    const { body } = make(BATCH);
    for (;;) {
      const answer = await fetch(`${url}${GAMES_PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyOf(machine)}`, 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      // Accept duplicates: an attempt that got a 503 may have stored the games.
      if (answer.status === 200) {
        note(acknowledged, text, true);
        break;
      }
      if (answer.status !== 503 && answer.status !== 429)
        throw new Error(`${answer.status} ${text}`);
      toldToWait.set(answer.status, (toldToWait.get(answer.status) ?? 0) + 1);
      await sleep(Number(answer.headers.get('retry-after')) * 1000 * (1 + Math.random()));
    }
  }
}

async function look(): Promise<void> {
  while (!over) {
    const begun = performance.now();
    const answer = await fetch(`${url}/api/users/profile/`, {
      headers: { authorization: `Bearer ${bed.token()}` },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`A profile read was answered ${answer.status}.`);
    waits.push(performance.now() - begun);
    await sleep(LOOK_EVERY_MS);
  }
}

const begun = performance.now();
const progress = setInterval(() => {
  const done = `${figure(acknowledged.size)} of ${figure(machines * batches * BATCH)} games`;
  console.error(`  ${done}, ${figure((performance.now() - begun) / 1000)} s`);
}, 5_000);
const players = [look(), look()];
await Promise.all(Array.from({ length: machines }, (_, at) => comeBack(at + 1)));
const seconds = (performance.now() - begun) / 1000;
over = true;
await Promise.all(players);
clearInterval(progress);
const sorted = waits.toSorted((a, b) => a - b);
const within = (part: number) => `${figure(sorted[Math.floor(sorted.length * part)] ?? 0)} ms`;
console.log(`${machines} machines with ${batches * BATCH} games each, in batches of ${BATCH}`);
console.log(`Stored in ${figure(seconds)} s, ${figure(acknowledged.size / seconds)} games/s`);
console.log(
  `Told to wait: ${[...toldToWait].map(([status, times]) => `${status} ${times} times`).join(', ') || 'never'}`,
);
console.log(
  `${sorted.length} profile reads meanwhile: p50 ${within(0.5)}, p99 ${within(0.99)}, longest ${within(0.999999)}`,
);
console.log(await proveExactlyOnce(bed.database, since, acknowledged));
await bed.stop();
