import { z } from 'zod';
import { detailError } from '#contract/wire/errors.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { unavailable } from '../errors.ts';
import type { App } from './scope.ts';

const ok = z.object({ status: z.literal('ok') });

/** Whether the process runs (`live`) and can serve (`ready`) (P40). */
export function healthRoutes(
  app: App,
  { db, draining }: { db: Database; draining: () => boolean },
): void {
  const schema = (summary: string) => ({
    tags: ['health'],
    summary,
    response: { 200: ok, 421: detailError },
  });

  let asking: Promise<boolean> | undefined;
  /** Concurrent calls share one query. */
  const asked = () => {
    asking ??= isMigrated(db).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  app.get('/health/live', { schema: schema('Whether the process runs') }, async () => ({
    status: 'ok' as const,
  }));

  app.get(
    '/health/ready',
    {
      schema: {
        ...schema('Whether the process can serve requests'),
        response: { 200: ok, 421: detailError, 503: detailError },
      },
    },
    async (request) => {
      if (draining()) throw unavailable('Shutting down.');
      const migrated = await asked().catch((error: unknown) => {
        request.log.warn({ err: error }, 'not ready');
        throw unavailable('The database does not answer.');
      });
      if (!migrated) throw unavailable('The database is not migrated yet.');
      return { status: 'ok' as const };
    },
  );
}
