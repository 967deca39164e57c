/**
 * Measures this checkout against another one in turns, round by round, so that whatever else the
 * computer does disturbs both alike:
 *
 *     node bench/pair.ts --before ../backboard-before profile league games batch refresh
 *
 * `--rounds 8`, `--seconds 2`: how many turns each side gets, and how long a turn is. Each checkout
 * is loaded by its own `bench/load`, and needs its packages installed. Prints for each part the
 * requests per second of both, and the ratio after : before with its quartiles.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { LOAD_CORE } from './load/test-bed.ts';
import { ROOT } from './processes.ts';
import { figure, median } from './report.ts';

const PARTS = ['profile', 'league', 'games', 'batch', 'refresh'] as const;
type Part = (typeof PARTS)[number];
const WARM_UP_S = 0.3;
const REPORTERS = 50;

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

/** Opens a test bed in the checkout `tree`, and returns how to run a part of it. */
async function openSide(tree: string, name: string) {
  const load = <T>(file: string): Promise<T> =>
    import(pathToFileURL(resolve(tree, 'bench/load', file)).href);
  const bench = await load<typeof import('./load/test-bed.ts')>('test-bed.ts');
  const seeds = await load<typeof import('./load/seed.ts')>('seed.ts');
  const games = await load<typeof import('./load/games.ts')>('games.ts');
  const loads = await load<typeof import('./load/load.ts')>('load.ts');
  const bed = await bench.openTestBed(seeds.USUAL, { name });
  const acknowledged = new Map();
  const tokens = Array.from({ length: bed.size.players }, (_, at) => seeds.refreshOf(at + 1));
  let turn = 0;
  const rotate = () => {
    const at = turn % tokens.length;
    turn += 1;
    return {
      text: bench.refresh(tokens[at] ?? '', true),
      answered: (status: number, body: string) => {
        if (status === 200) tokens[at] = JSON.parse(body).refresh;
      },
    };
  };
  const next = {
    games: games.reportedGames(bed.size, acknowledged, 1),
    batch: games.reportedGames(bed.size, acknowledged, 100),
    refresh: rotate,
  };
  const paths = {
    profile: '/api/users/profile/',
    league: '/api/leaderboards/user-league-stats/',
  };
  return {
    stop: () => bed.stop(),
    /** Requests per second. @throws Error if a read failed, because the figure would mean nothing. */
    run: async (part: Part, seconds: number): Promise<number> => {
      const timing = { seconds, warmUpSeconds: WARM_UP_S };
      if (part === 'profile' || part === 'league') {
        await bed.refreshTokens();
        return bench.perSecond(await bench.read(bed, paths[part], timing));
      }
      const { port } = bed.app;
      const options = { port, connections: REPORTERS, next: next[part], ...timing };
      // A machine that is asked to wait is part of what 100 games a call measure.
      return (await loads.load(options)).perSecond;
    },
  };
}

execFileSync('taskset', ['-cp', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
const before = await openSide(values.before, 'pair-before');
const after = await openSide(ROOT, 'pair-after');
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
for (const part of parts.filter(isPart)) {
  const turns = { before: [] as number[], after: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    // The sides take turns in going first.
    for (const side of round % 2 === 0
      ? (['before', 'after'] as const)
      : (['after', 'before'] as const))
      turns[side].push(await (side === 'before' ? before : after).run(part, seconds));
  const ratios = turns.after
    .map((value, round) => value / (turns.before[round] ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const quartile = (share: number) => ratios[Math.round((ratios.length - 1) * share)] ?? Number.NaN;
  console.log(
    `${part}: before ${figure(median(turns.before))}, after ${figure(median(turns.after))} /s, ` +
      `ratio ${median(ratios).toFixed(2)} (quartiles ${quartile(0.25).toFixed(2)} to ${quartile(0.75).toFixed(2)})`,
  );
}
await Promise.all([before.stop(), after.stop()]);
process.exit(0);
