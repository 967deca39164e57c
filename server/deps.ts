import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ReplicaRead } from './db/replica.ts';
import type { Metrics } from './http/metrics.ts';
import type { Mail } from './mail/mail.ts';

/** What the process opens once. Functions `Pick` the parts they use. */
export type Deps = {
  config: Config;
  db: Database;
  /** A small pool for callers without a session: they cannot take all connections (P17). */
  anonymous: Database;
  anonymousPool: pg.Pool;
  /** Reads that may be stale go to the replica while it is healthy. */
  fromReplica: ReplicaRead;
  /** The pool of `db`, for LISTEN and COPY. */
  pool: pg.Pool;
  clock: Clock;
  mail: Mail;
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** Whether the process is shutting down (P41). */
  draining: () => boolean;
  /** Whether the process sheds requests when overloaded (P39). */
  shed: boolean;
};
