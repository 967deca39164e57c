/**
 * What a row takes on disk with all its indexes, and an open event stream in memory: the sizes that
 * docs/scale.md works with.
 *
 *     node bench/sizes.ts
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './load.ts';
import { memoryOf } from './processes.ts';
import { figure } from './report.ts';
import { USUAL } from './seed.ts';
import { openWorld } from './world.ts';

const STREAMS = 2_000;
/** Until memory that a burst of requests took is given back. */
const REST_MS = 5_000;

const world = await openWorld(USUAL, { name: 'sizes' });
await world.renewTokens();

const tables = await world.database.query<{
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
const before = memoryOf(world.app.pid);
const streams = await Promise.all(
  Array.from(
    { length: STREAMS },
    () =>
      new Promise<Socket>((open, fail) => {
        const socket = connect(world.app.port, '127.0.0.1');
        const headers = { authorization: `Bearer ${world.token()}` };
        socket.write(request('GET', '/api/users/profile/events/', headers));
        socket.once('error', fail);
        socket.once('data', (head) =>
          /^HTTP\/1.1 200/.test(String(head)) ? open(socket) : fail(new Error(String(head))),
        );
      }),
  ),
);
await sleep(REST_MS);
const after = memoryOf(world.app.pid);
console.log(
  `\nA stream: ${figure(((after - before) * 1024) / STREAMS)} kB, of ${STREAMS} open ones.`,
);
for (const socket of streams) socket.destroy();
await world.stop();
