import { figure, median } from '../report.ts';
import { costOf } from './million.ts';
import type { Size } from './seed.ts';
import { type Part, withTestBed } from './turns.ts';

/** Two players. `RECENT` leaves each of them 100,000 games, in the last 40 days twenty a day. */
const PAIR: Size = { games: 252_000, players: 2, teams: 2 };
const RECENT = "delete from games where played_at > now() - interval '40 days' and seq % 35 <> 0";
const DECIDED = 400;
const REST_MS = 60;

/**
 * The players' decided duels. Those that ended in the last 31 days have no stored results: the
 * server reads their games. Three of these run at a time, the most allowed.
 */
const DUELS = `
  insert into duels (offerer_id, rival_id, state, told, offered_at, accept_until, accepted_at,
    ends_at, changed_at)
  select 1 + n % 2, 2 - n % 2, 'decided', 'none', at - interval '9 days', at - interval '7 days',
    at - interval '8 days', at, at
  from (
    select n, now() - interval '1 day' * case when n <= 12 then 2.5 * n else n + 19 end as at
    from generate_series(1, ${DECIDED}) n
  ) ended`;
const FINAL = `
  update duels set final_at = now(), best_offerer = best, best_rival = best
  from (select jsonb_build_object('score', 300, 'played_at', now(), 'machine', 'Court 1',
    'game', '1', 'games', 12) as best) stored where ends_at <= now() - interval '31 days'`;

/** Measures the duel list of players with many duels and games (PUSH-T11). */
export const duels: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      await bed.database.query(
        'create extension pg_stat_statements',
        RECENT,
        DUELS,
        FINAL,
        'insert into duel_tallies select id, 150, 150, 88 from players',
        'vacuum analyze duels',
        'vacuum full analyze games',
      );
      const path = '/api/users/duels/';
      const costs = [];
      for (let round = 0; round <= settings.rounds; round += 1) {
        await bed.refreshTokens();
        const cost = await costOf(bed, path, settings.seconds / 2, REST_MS);
        say(`round ${round} of ${settings.rounds}: database ${figure(cost.databaseMs)} ms`);
        costs.push(cost);
      }
      // The first round fills caches.
      const rounds = costs.slice(1);
      return [
        {
          work: `GET duels with ${DECIDED} decided ones and 100,000 games, database`,
          figures: `whole call p50 ${figure(median(rounds.map(({ p50 }) => p50)))}, p99 ${figure(median(rounds.map(({ p99 }) => p99)))} ms`,
          values: rounds.map(({ databaseMs }) => databaseMs),
          unit: 'ms',
          goal: { most: 5 },
        },
      ];
    },
    { settings: { shared_preload_libraries: 'pg_stat_statements' } },
    PAIR,
  );
