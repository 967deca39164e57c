import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { forbidden } from '../errors.ts';
import { isLocal } from './local.ts';
import { isOperator } from './operator-key.ts';
import type { App } from './scope.ts';

/** The text format of Prometheus, version 0.0.4: a page of rules, so it is written here. */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
/** Upper ends in seconds: from a read out of memory to the time limit of a handler (P38). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Record<string, string>;

const escaped = (value: string) =>
  value.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`));

/** `{route="/api/",status="200"}`, or nothing. */
function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

type Sample = { value: number; labels?: Labels; suffix?: string };

/** One metric with its samples, as text. */
function metric(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: Sample[],
): string {
  const lines = samples.map(
    ({ value, labels = {}, suffix = '' }) => `${name}${suffix}${labelled(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** A sample for each word, with how often it was counted. */
const samplesOf = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([word, value]) => ({ value, labels: { [label]: word } }));

/** How long answers took, in seconds, for each set of labels. */
function durations() {
  const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>();
  return {
    add: (labels: Labels, seconds: number) => {
      const key = Object.values(labels).join(' ');
      const one = series.get(key) ?? { labels, counts: [...BUCKETS, 0].map(() => 0), sum: 0 };
      const at = BUCKETS.findIndex((most) => seconds <= most);
      const bucket = at === -1 ? BUCKETS.length : at;
      one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
      one.sum += seconds;
      series.set(key, one);
    },
    samples: (): Sample[] =>
      [...series.values()].flatMap(({ labels, counts, sum }) => {
        let count = 0;
        const buckets = counts.map((more, at) => {
          count += more;
          return {
            suffix: '_bucket',
            labels: { ...labels, le: String(BUCKETS[at] ?? '+Inf') },
            value: count,
          };
        });
        return [
          ...buckets,
          { suffix: '_sum', labels, value: sum },
          { suffix: '_count', labels, value: count },
        ];
      }),
  };
}

function eventLoop(delay: ReturnType<typeof monitorEventLoopDelay>): string {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const samples = [0.5, 0.99].map((quantile) => ({
    labels: { quantile: String(quantile) },
    value: seconds(delay.percentile(100 * quantile)),
  }));
  const max = { labels: { quantile: '1' }, value: seconds(delay.max) };
  delay.reset();
  return metric(
    'nodejs_eventloop_delay_seconds',
    'gauge',
    'How late timers were since the last look.',
    [...samples, max],
  );
}

function processFigures(): string {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    metric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [{ value: rss }]),
    metric('nodejs_heap_size_used_bytes', 'gauge', 'Memory of its objects.', [{ value: heapUsed }]),
    metric('nodejs_external_memory_bytes', 'gauge', 'Memory of its buffers.', [
      { value: external },
    ]),
    metric('process_cpu_seconds_total', 'counter', 'Processor time used.', [
      { value: (user + system) / 1e6 },
    ]),
    metric('process_start_time_seconds', 'gauge', 'When the process began, in Unix time.', [
      { value: performance.timeOrigin / 1000 },
    ]),
  ].join('');
}

/**
 * GET /metrics (contract 6), for callers on this machine and for the operator. Has to be registered
 * before the routes that it measures. Returns what counts the games that machines report.
 */
export function metricsRoutes(
  app: App,
  {
    config,
    pool,
    mail,
    live,
  }: {
    config: Pick<Config, 'operator_key'>;
    pool: pg.Pool;
    mail: { figures(): Promise<{ waiting: number; attempts: Record<string, number> }> };
    live: { count(): number };
  },
): { countGame: (status: string) => void } {
  const games: Record<string, number> = {};
  const requests = durations();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  app.addHook('onReady', async () => void delay.enable());
  app.addHook('onClose', async () => void delay.disable());
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none', url } = request.routeOptions;
    const method = url === undefined ? 'none' : request.method;
    requests.add({ method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isLocal(request) && !isOperator(request, config))
      throw forbidden('Ask on the machine itself, or with the operator key.');
    // Whoever watches wants an answer most of all when the database gives none.
    const mails = await mail.figures().catch(() => null);
    return reply.type(FORMAT).send(
      [
        metric(
          'http_request_duration_seconds',
          'histogram',
          'How long answers took, by route.',
          requests.samples(),
        ),
        eventLoop(delay),
        metric('backboard_database_connections', 'gauge', 'Connections to the database.', [
          { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
          { labels: { state: 'idle' }, value: pool.idleCount },
        ]),
        metric('backboard_database_waiting', 'gauge', 'Calls that wait for a connection.', [
          { value: pool.waitingCount },
        ]),
        metric('backboard_event_streams', 'gauge', 'Open event streams of players.', [
          { value: live.count() },
        ]),
        metric(
          'backboard_games_total',
          'counter',
          'Games that machines have reported, by what became of them.',
          samplesOf('status', games),
        ),
        mails &&
          metric('backboard_mails_waiting', 'gauge', 'Mails in the outbox of all processes.', [
            { value: mails.waiting },
          ]),
        mails &&
          metric(
            'backboard_mails_total',
            'counter',
            'Attempts to send a mail, by their outcome.',
            samplesOf('outcome', mails.attempts),
          ),
        processFigures(),
      ]
        .filter(Boolean)
        .join(''),
    );
  });
  return {
    countGame: (status) => {
      games[status] = (games[status] ?? 0) + 1;
    },
  };
}
