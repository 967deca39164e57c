import { figure, type Measurement, median } from '../report.ts';
import type { Size } from './seed.ts';
import { type Path, perSecond, read, type TestBed } from './test-bed.ts';
import { type Part, withTestBed } from './turns.ts';

const MILLION: Size = { games: 4_000_000, players: 1_000_000, teams: 100_000 };

const JOIN_CODE = 'ABCDEF';
const BOARDS = ['all', 'venue', 'league'].flatMap((scope) =>
  ['all', 'week'].map((period) => `/api/leaderboards/?scope=${scope}&period=${period}`),
);
/** All reads of a signed-in player, except the event stream and the export. */
const READS = [
  '/api/users/profile/',
  '/api/users/profile/games/',
  '/api/users/sessions/',
  '/api/teams/request/',
  `/api/teams/join/${JOIN_CODE}/`,
  '/api/leaderboards/user-league-stats/',
  '/api/leaderboards/user-league-season/',
  '/api/leaderboards/user-league-last-week/',
  ...BOARDS,
  '/api/achievements/',
  '/api/achievements/user_achievements/',
];

type Cost = { databaseMs: number; p50: number; p99: number };

/**
 * Reads `path` over one connection, with pg_stat_statements. Times are in ms for one call. With few
 * players, pass `restMs`, so that none makes more calls than a player may (P39a).
 */
export async function costOf(bed: TestBed, path: Path, seconds: number, restMs = 0): Promise<Cost> {
  const total = async () => {
    const [row] = await bed.database.query<{ ms: number }>(
      `select coalesce(sum(total_exec_time), 0) as ms from pg_stat_statements
       where userid = 'backboard'::regrole`,
    );
    return row?.ms ?? Number.NaN;
  };
  const before = await total();
  const result = await read(bed, path, { connections: 1, seconds, restMs, warmUpSeconds: 0 });
  const calls = perSecond(result) * seconds;
  return {
    databaseMs: ((await total()) - before) / calls,
    p50: result.p50,
    p99: result.p99,
  };
}

/**
 * Measures all reads with a million players: PostgreSQL's time for each call and, for boards of all
 * players and of a venue, also the time of the whole call.
 */
export const million: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      await bed.database.query(
        'create extension pg_stat_statements',
        `update teams set join_code = '${JOIN_CODE}' where id = 1`,
      );
      for (const path of READS) await costOf(bed, path, 1);
      const costs = new Map<string, Cost[]>(READS.map((path) => [path, []]));
      for (let round = 1; round <= settings.rounds; round += 1)
        for (const path of READS) {
          await bed.refreshTokens();
          const cost = await costOf(bed, path, settings.seconds / 2);
          costs.get(path)?.push(cost);
          say(
            `round ${round} of ${settings.rounds}, ${path}: database ${figure(cost.databaseMs)} ms, p50 ${figure(cost.p50)} ms`,
          );
        }
      return [...costs].flatMap(([path, rounds]) => {
        const [p50, p99] = [rounds.map((one) => one.p50), rounds.map((one) => one.p99)];
        const database = rounds.map(({ databaseMs }) => databaseMs);
        const call = `whole call p50 ${figure(median(p50))}, p99 ${figure(median(p99))} ms`;
        const rest = { unit: 'ms', goal: { most: 5 } } as const;
        const measurements: Omit<Measurement, 'postgres'>[] = [
          {
            work: `A million players, database: ${path}`,
            figures: call,
            values: database,
            ...rest,
          },
        ];
        if (BOARDS.includes(path) && !path.includes('league'))
          measurements.push({
            work: `A million players, whole call: ${path}`,
            figures: call,
            values: p50,
            ...rest,
          });
        return measurements;
      });
    },
    { settings: { shared_preload_libraries: 'pg_stat_statements' } },
    MILLION,
  );
