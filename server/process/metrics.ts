import cluster, { type Worker } from 'node:cluster';
import AggregatorRegistry from 'prom-client/lib/cluster.js';
import Registry from 'prom-client/lib/registry.js';
import type { Metrics } from '../http/metrics.ts';

/** If a worker takes longer to answer, the primary uses the worker's previous metrics. */
const PATIENCE_MS = 2_000;

type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
/**
 * With `metrics:read`, a worker asks the primary for the metrics of all workers as text, and the
 * primary asks a worker for its own.
 */
type Message =
  | { type: 'metrics:read'; id: number }
  | { type: 'metrics:own'; id: number; snapshot: Snapshot }
  | { type: 'metrics:all'; id: number; text: string };

/** A worker's metrics. `read` returns the metrics of all workers as text. */
export function sharedMetrics(): Metrics {
  const registry = new Registry();
  const readings = new Map<number, (text: string) => void>();
  let count = 0;
  const send = (message: Message) => process.connected && process.send?.(message);
  process.on('message', async (message: Message) => {
    if (message.type === 'metrics:read')
      send({ type: 'metrics:own', id: message.id, snapshot: await registry.getMetricsAsJSON() });
    if (message.type === 'metrics:all') {
      readings.get(message.id)?.(message.text);
      readings.delete(message.id);
    }
  });
  return {
    registry,
    read: () =>
      new Promise((resolve) => {
        count += 1;
        readings.set(count, resolve);
        send({ type: 'metrics:read', id: count });
      }),
  };
}

/**
 * In the primary: answers workers with the sum of all workers' metrics. Dead workers count too,
 * because counters must not decrease.
 */
export function collectMetrics(): void {
  const listening = new Set<Worker>();
  const latest = new Map<Worker, Snapshot>();
  let departed: Snapshot[] = [];
  let count = 0;

  function readOne(worker: Worker): Promise<void> {
    count += 1;
    const id = count;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        worker.off('message', take).off('exit', end);
        resolve();
      };
      const take = (message: Message) => {
        if (message.type !== 'metrics:own' || message.id !== id) return;
        latest.set(worker, message.snapshot);
        end();
      };
      const timer = setTimeout(end, PATIENCE_MS);
      worker.on('message', take).on('exit', end);
      worker.send({ type: 'metrics:read', id } satisfies Message);
    });
  }

  async function readAll(): Promise<string> {
    await Promise.all([...listening].map(readOne));
    const before = departed;
    if (before.length > 1) {
      const sum = await AggregatorRegistry.aggregate(before).getMetricsAsJSON();
      departed = [sum, ...departed.slice(before.length)];
    }
    return AggregatorRegistry.aggregate([...latest.values(), ...departed]).metrics();
  }

  let reading: Promise<string> | undefined;
  cluster.on('listening', (worker) => listening.add(worker));
  cluster.on('exit', (worker) => {
    const last = latest.get(worker) ?? [];
    listening.delete(worker);
    latest.delete(worker);
    const counters = last.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    departed = [...departed, counters];
  });
  cluster.on('message', async (worker, message: Message) => {
    if (message.type !== 'metrics:read') return;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    const text = await reading;
    if (worker.isConnected())
      worker.send({ type: 'metrics:all', id: message.id, text } satisfies Message);
  });
}
