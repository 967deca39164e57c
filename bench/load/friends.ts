import { figure, median } from '../report.ts';
import { costOf } from './million.ts';
import type { Size } from './seed.ts';
import { type Part, withTestBed } from './turns.ts';

/** Each player is a friend of all 100 others, the most allowed, and has 4,000 games in 26 weeks. */
const CROWD: Size = { games: 404_000, players: 101, teams: 10 };
const FRIENDSHIPS = `
  insert into friendships (player_id, friend_id, since)
  select p.id, f.id, now() from players p join players f on f.id <> p.id`;

/** Measures the friends' board and the comparison, for players with many friends and games. */
export const friends: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      await bed.database.query('create extension pg_stat_statements', FRIENDSHIPS);
      await bed.database.query('vacuum analyze friendships');
      const rows = await bed.database.query<{ player: number; n: number }>(
        'select player_id::float8 as player, max(n)::float8 as n from friendships group by 1',
      );
      const numbers = new Map(rows.map(({ player, n }) => [player, n]));
      const reads = {
        "Friends' board of 100": '/api/friends/',
        'Comparison with a friend': (player: number) => `/api/friends/${numbers.get(player)}/`,
      };
      const measurements = [];
      for (const [work, path] of Object.entries(reads)) {
        const costs = [];
        for (let round = 0; round <= settings.rounds; round += 1) {
          await bed.refreshTokens();
          const cost = await costOf(bed, path, settings.seconds / 2);
          say(`${work}, round ${round} of ${settings.rounds}: ${figure(cost.databaseMs)} ms`);
          costs.push(cost);
        }
        // The first round fills caches.
        const rounds = costs.slice(1);
        measurements.push({
          work: `${work}, database`,
          figures: `whole call p50 ${figure(median(rounds.map(({ p50 }) => p50)))}, p99 ${figure(median(rounds.map(({ p99 }) => p99)))} ms`,
          values: rounds.map(({ databaseMs }) => databaseMs),
          unit: 'ms',
          goal: { most: 5 },
        } as const);
      }
      return measurements;
    },
    { settings: { shared_preload_libraries: 'pg_stat_statements' } },
    CROWD,
  );
