/**
 * Measures the inputs of docs/scale.md: the bytes of a row with its indexes, the memory of an event
 * stream, and the time to find a place in the middle of a large leaderboard.
 * node bench/load/sizes.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../processes.ts';
import { figure } from '../report.ts';
import { USUAL } from './seed.ts';
import { openStreams } from './streams.ts';
import { openTestBed } from './test-bed.ts';

const STREAMS = 2_000;
/** After this pause, the server has released the memory of a burst. */
const REST_MS = 5_000;

const bed = await openTestBed(USUAL, { name: 'sizes' });
await bed.refreshTokens();

const tables = await bed.database.query<{
  name: string;
  rows: number;
  bytes: number;
  indexes: number;
}>(
  'vacuum analyze',
  `select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes,
     pg_indexes_size(oid)::float8 as indexes
   from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 1000
   order by 3 desc`,
);
console.log('| Table | Rows | Bytes a row | Of that indexes |\n| --- | --- | --- | --- |');
for (const { name, rows, bytes, indexes } of tables)
  console.log(
    `| ${name} | ${figure(rows)} | ${figure(bytes / rows)} | ${figure(indexes / rows)} |`,
  );

await sleep(REST_MS);
const before = memoryOf(bed.app.pid);
const streams = await openStreams(bed, STREAMS);
await sleep(REST_MS);
const after = memoryOf(bed.app.pid);
console.log(
  `\nA stream: ${figure(((after - before) * 1024) / STREAMS)} kB, of ${STREAMS} open ones.`,
);
for (const socket of streams) socket.destroy();

// Count the rows above the middle, with an index like the leaderboards'.
for (const players of [100_000, 1_000_000]) {
  await bed.database.query(
    'drop table if exists board',
    `create unlogged table board as select 0 as venue_id, date '-infinity' as week,
       hashint8(n) % 5000 + 5000 as score, n as player_id from generate_series(1::bigint, ${players}) n`,
    'create index on board (venue_id, week, score, player_id)',
    'vacuum analyze board',
  );
  const count = () =>
    bed.database.query(
      "select count(*) from board where venue_id = 0 and week = '-infinity' and (score, player_id) > (5000, 0)",
    );
  await count();
  const begun = performance.now();
  await count();
  console.log(
    `Place in the middle of ${figure(players)}: ${figure(performance.now() - begun)} ms.`,
  );
}
await bed.stop();
