import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { CHANNEL } from './notifications.ts';

const BACKOFF_MIN_MS = 200;
const BACKOFF_MAX_MS = 5_000;

/** `onGap` is called after a reconnect, as notifications may be lost. */
type Subscriber = { onNotification: (payload: string) => void; onGap: () => void };

export type Listener = {
  subscribe(subscriber: Subscriber): void;
  /** Resolves when the connection listens. @throws an unavailable database's error. */
  listening(): Promise<void>;
  /** Detects a connection that died silently. */
  probe(): void;
  close(): Promise<void>;
};

/**
 * This process's connection for notifications. It opens at the first `listening()`, and reconnects.
 * @param name the connection's application name
 */
export function openListener(
  { pool, log }: { pool: pg.Pool; log: Pick<FastifyBaseLogger, 'warn'> },
  { channel = CHANNEL, name = 'backboard-live' } = {},
): Listener {
  const subscribers: Subscriber[] = [];
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let gap = false;
  let backoff = BACKOFF_MIN_MS;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function lost(which: pg.Client, error?: Error): void {
    if (client !== which) return;
    client = null;
    log.warn({ err: error }, 'the connection that receives notifications broke');
    which.end().catch(() => undefined);
    reconnectLater();
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...pool.options,
      // The driver hides the password from the spread.
      password: pool.options.password,
      application_name: name,
    });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next));
    next.on('notification', ({ payload = '' }) => {
      for (const { onNotification } of subscribers) onNotification(payload);
    });
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => undefined);
      reconnectLater();
      throw error;
    }
    if (closed) return next.end();
    client = next;
    backoff = BACKOFF_MIN_MS;
    if (gap) for (const { onGap } of subscribers) onGap();
    gap = false;
  }

  function listening(): Promise<void> {
    if (client !== null) return Promise.resolve();
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  function reconnectLater(): void {
    gap = true;
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        listening().catch((error: unknown) =>
          log.warn({ err: error }, 'cannot reconnect to receive notifications'),
        ),
      backoff * (0.5 + Math.random() / 2),
    );
    backoff = Math.min(2 * backoff, BACKOFF_MAX_MS);
  }

  return {
    subscribe: (subscriber) => void subscribers.push(subscriber),
    listening,
    probe: () => {
      const probed = client;
      probed?.query('select 1').catch((error: Error) => lost(probed, error));
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = null;
      await last?.end();
    },
  };
}
