import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
// The package's entry would load 80 unused modules (decision 042).
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import type { Config } from '../config.ts';
import { forbidden } from '../errors.ts';
import type { LimitDeps } from './limits.ts';
import { isLocal } from './local.ts';
import { countWrongKey, isOperator } from './operator-key.ts';
import type { App } from './scope.ts';
import { VERSION } from './version.ts';

/** Response times in seconds, up to a handler's limit (P38). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A process's metrics. `read` returns the text for all processes on the port. */
export type Metrics = { registry: Registry; read(): Promise<string> };

export function ownMetrics(): Metrics {
  const registry = new Registry();
  return { registry, read: () => registry.metrics() };
}

function measureProcess(registers: [Registry]): ReturnType<typeof monitorEventLoopDelay> {
  const gauge = (
    name: string,
    help: string,
    read: () => number,
    aggregator: 'sum' | 'min' = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage().rss);
  gauge(
    'nodejs_heap_size_used_bytes',
    'Memory of its objects.',
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    'nodejs_external_memory_bytes',
    'Memory of its buffers.',
    () => process.memoryUsage().external,
  );
  gauge(
    'process_start_time_seconds',
    'When the process began, in Unix time.',
    () => performance.timeOrigin / 1000,
    'min',
  );
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  new Gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'How late timers were since the last scrape.',
    labelNames: ['quantile'],
    registers,
    // Report the slowest of several processes.
    aggregator: 'max',
    collect() {
      this.set({ quantile: '0.5' }, seconds(delay.percentile(50)));
      this.set({ quantile: '0.99' }, seconds(delay.percentile(99)));
      this.set({ quantile: '1' }, seconds(delay.max));
      delay.reset();
    },
  });
  return delay;
}

type Counted = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
type Sources = {
  pool: Counted;
  anonymousPool: Counted;
  mail: { figures(): Promise<{ waiting: number; attempts: Record<string, number> }> };
  live: { count(): number };
};

function measureApp(registers: [Registry], { pool, anonymousPool, mail, live }: Sources): void {
  const pools = { signed_in: pool, anonymous: anonymousPool };
  new Gauge({
    name: 'backboard_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
    collect() {
      this.set({ version: VERSION }, 1);
    },
  });
  new Gauge({
    name: 'backboard_database_connections',
    help: 'Connections to the database, of signed-in callers and of all others.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [name, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool: name, state: 'busy' }, totalCount - idleCount);
        this.set({ pool: name, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'backboard_database_waiting',
    help: 'Calls that wait for a connection.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [name, { waitingCount }] of Object.entries(pools))
        this.set({ pool: name }, waitingCount);
    },
  });
  new Gauge({
    name: 'backboard_event_streams',
    help: 'Open event streams of players.',
    registers,
    collect() {
      this.set(live.count());
    },
  });

  let asked: ReturnType<Sources['mail']['figures']> | undefined;
  /** The outbox's figures, or null without the database. Two metrics share a query. */
  const mails = () => {
    asked ??= mail.figures().finally(() => {
      asked = undefined;
    });
    return asked.catch(() => null);
  };
  new Gauge({
    name: 'backboard_mails_waiting',
    help: 'Mails in the outbox of all processes.',
    registers,
    // Every process counts the same outbox.
    aggregator: 'max',
    async collect() {
      const figures = await mails();
      this.remove();
      if (figures) this.set(figures.waiting);
    },
  });
  new Counter({
    name: 'backboard_mails_total',
    help: 'Attempts to send a mail, by their outcome.',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const figures = await mails();
      if (!figures) return;
      this.reset();
      for (const [outcome, count] of Object.entries(figures.attempts)) this.inc({ outcome }, count);
    },
  });
}

/**
 * GET /metrics for callers on this machine and the operator (OPS-11). Register it before the routes
 * that it measures. Returns the counter of reported games.
 */
export function metricsRoutes(
  app: App,
  {
    metrics,
    limits,
    ...sources
  }: {
    metrics: Metrics;
    limits: LimitDeps & { config: Pick<Config, 'operator_key'> };
  } & Sources,
): { countGame: (status: string) => void } {
  const registers: [Registry] = [metrics.registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long answers took, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const delay = measureProcess(registers);
  measureApp(registers, sources);
  const games = new Counter({
    name: 'backboard_games_total',
    help: 'Games that machines have reported, by what became of them.',
    labelNames: ['status'],
    registers,
  });
  app.addHook('onReady', async () => void delay.enable());
  app.addHook('onClose', async () => void delay.disable());
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none', url } = request.routeOptions;
    const method = url === undefined ? 'none' : request.method;
    requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isLocal(request) && !isOperator(request, limits.config)) {
      if (request.headers.authorization !== undefined) await countWrongKey(limits, request);
      throw forbidden('Ask on the machine itself, or with the operator key.');
    }
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics.read());
  });
  return { countGame: (status) => games.inc({ status }) };
}
