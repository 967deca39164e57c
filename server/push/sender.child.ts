import { everyNameHere, PUSH_CA } from '#testing/push-service.ts';
import { databaseClock } from '../clock.ts';
import { type Config, readSettings } from '../config.ts';
import { type Connection, openDatabase, openPool } from '../db/database.ts';
import { ownMetrics } from '../http/metrics.ts';
import { serverLogger } from '../log.ts';
import type { Teller } from './planner.ts';
import { openPush } from './sender.ts';

export type Given = {
  connection: Connection;
  config: Pick<Config, 'secret_keys' | 'public_url'>;
  port: number;
  ahead_ms: number;
};

/** The teller of the kinds of notices that this test does not cause. */
const NOTHING_TO_TELL: Teller = { rank: () => 0, words: async () => null };

const { connection, config, port, ahead_ms }: Given = JSON.parse(process.env.GIVEN ?? '{}');
const pool = openPool(connection, 6, () => undefined);
const clock = await databaseClock(pool);
openPush(
  {
    config: { ...readSettings({}), operator_key: '', ...config },
    db: openDatabase(pool),
    clock: { now: () => new Date(clock.now().getTime() + ahead_ms) },
    log: serverLogger('silent'),
    metrics: ownMetrics(),
  },
  {
    my_game: NOTHING_TO_TELL,
    my_week: {
      rank: () => 1,
      words: async (_, { data }) => ({ title: data.title, body: 'Week', path: '/week' }),
    },
    nudge: NOTHING_TO_TELL,
    duel: NOTHING_TO_TELL,
    passed: NOTHING_TO_TELL,
  },
  { lookup: everyNameHere, port, ca: PUSH_CA },
).work();

// No port is open here, so only a timer keeps the process alive while the database is away.
setInterval(() => undefined, 60_000);
