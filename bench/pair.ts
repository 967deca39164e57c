/**
 * Measures this checkout and another one in turn, so that other work of the computer affects both
 * alike:
 * node bench/pair.ts --before ../backboard-before profile league season boards live games batch refresh login
 * `live` reports games just played, `games` those of the last four weeks, most of them late.
 * `--rounds 8`: turns of each checkout. `--seconds 2`: the length of a turn.
 * Each checkout needs its packages, fills its own database and starts its own server; both get the
 * requests of this checkout. For each part, prints the requests per second and the CPU time of a
 * request: the values of both checkouts, and their ratio after : before with its quartiles.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { reportedGames } from './load/games.ts';
import { load } from './load/load.ts';
import { rotations, signIns } from './load/parts.ts';
import { USUAL } from './load/seed.ts';
import { LOAD_CORE, perSecond, read } from './load/test-bed.ts';
import { cpuMsOf, otherLoad, ROOT } from './processes.ts';
import { figure, median } from './report.ts';

const READS = {
  profile: '/api/users/profile/',
  league: '/api/leaderboards/user-league-stats/',
  season: '/api/leaderboards/user-league-season/',
  boards: '/api/leaderboards/',
};
type Read = keyof typeof READS;
type Part = Read | 'live' | 'games' | 'batch' | 'refresh' | 'login';
const PARTS: readonly Part[] = [
  'profile',
  'league',
  'season',
  'boards',
  'live',
  'games',
  'batch',
  'refresh',
  'login',
];
const isRead = (part: Part): part is Read => part in READS;
type Turn = { perSecond: number; cpuMs: number };
const REPORTERS = 50;
/** Concurrent sign-ins. More would only wait for the hashes. */
const VISITORS = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
  },
});
const parts = positionals.length > 0 ? positionals : PARTS;
const isPart = (name: string): name is Part => PARTS.some((part) => part === name);
if (values.before === undefined || !parts.every(isPart)) {
  console.error(`Usage: node bench/pair.ts --before FOLDER [${PARTS.join(' ')}]`);
  process.exit(2);
}

/** Opens a test bed in the checkout `tree`. */
async function openSide(tree: string, name: string) {
  const own = <T>(file: string): Promise<T> =>
    import(pathToFileURL(resolve(tree, 'bench/load', file)).href);
  const { openTestBed } = await own<typeof import('./load/test-bed.ts')>('test-bed.ts');
  const bed = await openTestBed(USUAL, { name });
  const acknowledged = new Map();
  const next = {
    live: reportedGames(bed.size, acknowledged, 1, true),
    games: reportedGames(bed.size, acknowledged, 1),
    batch: reportedGames(bed.size, acknowledged, 100),
    refresh: rotations(bed.size),
    login: signIns(bed.size),
  };
  return {
    postgres: bed.postgres,
    stop: () => bed.stop(),
    /**
     * Requests per second, and the CPU time of server and database for each.
     * @throws Error if a read failed
     */
    run: async (part: Part, seconds: number): Promise<Turn> => {
      if (isRead(part)) await bed.refreshTokens();
      const used = () => cpuMsOf(bed.app.pid) + cpuMsOf(bed.database.pid);
      const before = used();
      const rate = await requestsPerSecond(part, { seconds, warmUpSeconds: 0 });
      return { perSecond: rate, cpuMs: (used() - before) / (rate * seconds) };
    },
  };
  async function requestsPerSecond(
    part: Part,
    timing: { seconds: number; warmUpSeconds: number },
  ): Promise<number> {
    if (isRead(part)) return perSecond(await read(bed, READS[part], timing));
    const { port } = bed.app;
    const connections = part === 'login' ? VISITORS : REPORTERS;
    const options = { port, connections, next: next[part], ...timing };
    // Ignore refusals: the server may ask the sender of 100 games to retry later.
    return (await load(options)).perSecond;
  }
}

function compared(turns: Record<'before' | 'after', Turn[]>, of: (turn: Turn) => number): string {
  const [a, b] = [turns.before.map(of), turns.after.map(of)];
  const ratios = b
    .map((value, round) => value / (a[round] ?? Number.NaN))
    .toSorted((one, other) => one - other);
  const quartile = (share: number) =>
    (ratios[Math.round((ratios.length - 1) * share)] ?? Number.NaN).toFixed(2);
  return `before ${figure(median(a))}, after ${figure(median(b))}, ratio ${median(ratios).toFixed(2)} (quartiles ${quartile(0.25)} to ${quartile(0.75)})`;
}

execFileSync('taskset', ['-cp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
const before = await openSide(values.before, 'pair-before');
const after = await openSide(ROOT, 'pair-after');
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
for (const part of parts.filter(isPart)) {
  const others = otherLoad();
  const turns = { before: [] as Turn[], after: [] as Turn[] };
  for (let round = 0; round < rounds; round += 1)
    for (const side of round % 2 === 0
      ? (['before', 'after'] as const)
      : (['after', 'before'] as const))
      turns[side].push(await (side === 'before' ? before : after).run(part, seconds));
  console.log(`${part} (${after.postgres}, other load ${others().toFixed(1)})`);
  console.log(`  requests a second: ${compared(turns, ({ perSecond }) => perSecond)}`);
  console.log(`  CPU a request, ms: ${compared(turns, ({ cpuMs }) => cpuMs)}`);
}
await Promise.all([before.stop(), after.stop()]);
process.exit(0);
