import { z } from 'zod';
import type { App, Deps } from './app.ts';
import { isMigrated } from './db/migrate.ts';
import { unavailable } from './errors.ts';

const ok = z.object({ status: z.literal('ok') });

/** P40: live says the process runs; ready says that it can serve. Neither tells a version. */
export function healthRoutes(app: App, { db, draining }: Pick<Deps, 'db' | 'draining'>): void {
  app.get('/health/live', { schema: { response: { 200: ok } } }, async () => ({
    status: 'ok' as const,
  }));

  app.get('/health/ready', { schema: { response: { 200: ok } } }, async (request) => {
    if (draining()) throw unavailable('Shutting down.');
    const migrated = await isMigrated(db).catch((error: unknown) => {
      request.log.warn({ err: error }, 'not ready');
      throw unavailable('The database does not answer.');
    });
    if (!migrated) throw unavailable('The database is not migrated yet.');
    return { status: 'ok' as const };
  });
}
