import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { CHANNEL } from './notices.ts';

/** Waiting times between two attempts to listen again, each with chance in it. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

export type Listener = {
  /** Resolves as soon as notices arrive. @throws what the database throws while it is away. */
  listening(): Promise<void>;
  /** Uses the connection: one that died without a word is found out by nothing else. */
  probe(): void;
  close(): Promise<void>;
};

/**
 * The one connection of this process that listens to the notices of all of them. It is opened at
 * the first `listening()`, and anew whenever it breaks. `onNotice` is given each payload; `onGap`
 * hears, once notices arrive again, that some may have been missed.
 */
export function openListener(
  { pool, log }: { pool: pg.Pool; log: Pick<FastifyBaseLogger, 'warn'> },
  { onNotice, onGap }: { onNotice: (payload: string) => void; onGap: () => void },
): Listener {
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let gap = false;
  let wait = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function lost(which: pg.Client, error?: Error): void {
    if (client !== which) return;
    client = null;
    log.warn({ err: error }, 'the connection that listens for changes broke');
    which.end().catch(() => undefined);
    tryLater();
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...pool.options,
      // Hidden from the spread by the driver, so that it is not logged with the options.
      password: pool.options.password,
      application_name: 'backboard-live',
    });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next));
    next.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      next.end().catch(() => undefined);
      tryLater();
      throw error;
    }
    if (closed) return next.end();
    client = next;
    wait = FIRST_WAIT_MS;
    if (gap) onGap();
    gap = false;
  }

  function listening(): Promise<void> {
    if (client !== null) return Promise.resolve();
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  function tryLater(): void {
    gap = true;
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        listening().catch((error: unknown) =>
          log.warn({ err: error }, 'changes cannot be listened for'),
        ),
      wait * (0.5 + Math.random() / 2),
    );
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }

  return {
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
