import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { figure, median } from '../report.ts';
import { type Acknowledged, reportedGames } from './games.ts';
import { load } from './load.ts';
import { costOf } from './million.ts';
import { codeOf, keyOf } from './seed.ts';
import { CONNECTIONS, perSecond, type TestBed } from './test-bed.ts';
import { both, inTurns, type Part, ratios, withTestBed } from './turns.ts';

/*
 * Measures what seasons, contests and cups cost: a read of a final table, a report during a contest
 * and a cup, and how soon a television shows the game.
 */

const TEAMS = 200;
const SIDES = 64;

/** A running contest at the first venue, for everybody, and a running cup of 64 players there. */
const NIGHT = [
  `insert into contests (code, venue_id, name, starts_at, ends_at, scoring, n)
   values ('FRIDAY', 1, 'Friday', now() - interval '27 days', now() + interval '1 day', 'best3', 5)`,
  `insert into cups (venue_id, kind, name, best, "of", third, windows, created_at, began_at)
   values (1, 'players', 'Finals', 4, 8, true, 'hours', now(), now())`,
  `insert into cup_sides (cup_id, seed, player_id)
   select 1, n, n from generate_series(1, ${SIDES}) as n`,
  `insert into cup_players (cup_id, player_id, seed, from_round)
   select 1, n, n, 0 from generate_series(1, ${SIDES}) as n`,
  `insert into cup_pairings (cup_id, round, slot, starts_at, ends_at)
   select 1, round, slot, now() - interval '27 days' * (round = 0)::integer + interval '1 day' * round,
     now() + interval '1 day' * (round + 1)
   from generate_series(0, 5) as round, generate_series(0, 31) as slot
   where slot < 32 >> round`,
];

/** Resumes or ends the contest and the cup. */
const setNight = ({ database }: TestBed, runs: boolean) =>
  database.query(
    `update contests set cancelled_at = ${runs ? 'null' : 'now()'}`,
    `update cups set final_at = ${runs ? 'null' : 'now()'}`,
  );

const SCREEN = `bbs_${'s'.repeat(43)}`;
const GAMES_SHOWN = 20;

/**
 * Reports games one by one while a television of the venue reads its payload at each event.
 * Returns for each game the ms from the machine's answer to the payload that shows it.
 */
async function onTelevision({ app, database }: TestBed): Promise<number[]> {
  const token = createHash('sha256').update(SCREEN).digest('hex');
  await database.query(
    `insert into screens (venue_id, name, token_hash, slides, created_at)
     values (1, 'Wall', '\\x${token}', '[]', now())`,
  );
  const url = (path: string) => `http://127.0.0.1:${app.port}/api/${path}`;
  const headers = { authorization: `Bearer ${SCREEN}` };
  const ended = new AbortController();
  const stream = await fetch(url('screen/events/'), { headers, signal: ended.signal });
  const { body } = stream;
  if (!stream.ok || body === null) throw new Error(`the stream answered ${stream.status}`);
  const shown = new Map<number, number>();
  const watching = (async () => {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      if (!chunk.includes('change')) continue;
      const answer = await fetch(url('screen/'), { headers });
      const { tonight } = (await answer.json()) as ScreenAnswer;
      for (const { score } of tonight) if (!shown.has(score)) shown.set(score, performance.now());
    }
  })().catch((error) => {
    if (!ended.signal.aborted) throw error;
  });
  const times: number[] = [];
  for (let n = 1; n <= GAMES_SHOWN; n += 1) {
    const score = 700 + n;
    const played_at = new Date().toISOString();
    const game = { id: randomUUID(), player: codeOf(n), score, played_at };
    const answer = await fetch(url('machine/games/'), {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(1)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ games: [game] }),
    });
    const from = performance.now();
    if (!answer.ok) throw new Error(`the game was answered ${answer.status}`);
    while (!shown.has(score) && performance.now() - from < 30_000) await sleep(5);
    times.push((shown.get(score) ?? Number.POSITIVE_INFINITY) - from);
    await sleep(500);
  }
  ended.abort();
  await watching;
  return times;
}

/** Makes the first season final, with a table of 200 teams that every player may read. */
const FINAL_TABLE = [
  'update contests set cancelled_at = now()',
  'update cups set final_at = now()',
  'update players set team_id = 1',
  "update seasons set final_at = now(), last_week = starts_on + 63, ends = 'schedule' where id = 1",
  `insert into season_results (season_id, version, at, who, rows, weeks, best, awards)
   select 1, 1, now(), 'bench', jsonb_agg(jsonb_build_object(
     'team_id', n, 'team', 'Team ' || n, 'place', n, 'won', 200 - n, 'drawn', 0, 'lost', n,
     'total', 60000 - n, 'by', 'wins', 'note', null, 'withdrew', false)), '[]', '[]', '[]'
   from generate_series(1, ${TEAMS}) as n`,
];

export const evening: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      const acknowledged: Acknowledged = new Map();
      const next = reportedGames(bed.size, acknowledged, 1);
      await bed.database.query('create extension pg_stat_statements', ...NIGHT);
      const games = (runs: boolean) => async () => {
        await setNight(bed, runs);
        return perSecond(
          await load({ port: bed.app.port, connections: CONNECTIONS, next, ...settings }),
        );
      };
      const values = await inTurns(settings, say, { during: games(true), without: games(false) });

      await setNight(bed, true);
      const television = await onTelevision(bed);

      await bed.database.query(...FINAL_TABLE);
      const path = '/api/seasons/1/';
      const costs = [];
      for (let round = 0; round <= settings.rounds; round += 1) {
        await bed.refreshTokens();
        costs.push(await costOf(bed, path, settings.seconds / 2));
      }
      // The first round fills caches.
      const rounds = costs.slice(1);
      return [
        {
          work: 'A counted game while a contest of a venue and a cup of 64 run',
          figures: `${both('during', values.during, 'without', values.without)} games/s`,
          values: ratios(values.without, values.during),
          unit: '×',
          goal: { most: 1.05 },
        },
        {
          work: 'A counted game on a television that has both, after the answer',
          figures: `${television.length} games, slowest ${figure(Math.max(...television))} ms`,
          values: television,
          unit: 'ms',
          goal: { most: 2_000 },
        },
        {
          work: `Final table of ${TEAMS} teams, database`,
          figures: `whole call p50 ${figure(median(rounds.map(({ p50 }) => p50)))} ms`,
          values: rounds.map(({ databaseMs }) => databaseMs),
          unit: 'ms',
          goal: { most: 5 },
        },
      ];
    },
    { settings: { shared_preload_libraries: 'pg_stat_statements' } },
  );
