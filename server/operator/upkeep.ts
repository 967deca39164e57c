import { PassThrough, pipeline } from 'node:stream';
import { z } from 'zod';
import {
  backupHeader,
  checkLine,
  PART_BYTES,
  partAnswer,
  partParams,
  restoreLine,
  uploadAnswer,
  uploadParams,
} from '#contract/wire/backups.ts';
import { demoBody, demoLine, rebuildLine } from '#contract/wire/system.ts';
import { backupStream, STALL_MS } from '../backup/backup.ts';
import { LONG_MS, type OnProgress, streamProgress, untimedPool } from '../backup/long-work.ts';
import { checkBackup, restoreBackup } from '../backup/restore.ts';
import { uploads } from '../backup/uploads.ts';
import { openDatabase } from '../db/database.ts';
import { newerMigrations } from '../db/migrate.ts';
import { fillDemo, lockDemoAccount } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import { rebuild } from '../games/rebuild.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { audit, BACKUP_MADE, type Facts } from '../staff/audit.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The responses of a route that streams lines of `schema`. */
const lines = (schema: z.ZodType) => ({
  ...refusals,
  200: {
    description: 'One JSON object per line: progress, then the result or an error.',
    content: { 'application/x-ndjson': { schema } },
  },
});

/** Rebuild, backup, restore and demo, which take longer than players' requests (OPS-08). */
export function upkeepCommands(
  app: App,
  deps: Pick<Deps, 'config' | 'pool' | 'clock' | 'log'>,
): void {
  const pool = untimedPool(deps.pool, (error) =>
    deps.log.warn({ err: error }, 'a database connection of a long command broke'),
  );
  const db = openDatabase(pool);
  /** Writes the audit line of a long task after it, because the task has its own transactions. */
  const told = (what: string, after: Facts) =>
    audit(deps, db, { kind: 'key' }, { area: 'system', what, after });
  const rebuildAll = (onProgress: OnProgress) =>
    rebuild({ db, clock: deps.clock }, (done, total) =>
      onProgress({ step: 'rebuilding', done, total }),
    );
  /** This version would leave out what a newer one has added. @throws Refusal 503 */
  const refuseNewerDatabase = async () => {
    if ((await newerMigrations(db)).length > 0)
      throw unavailable(
        'A newer version of Backboard has upgraded the database. Upgrade this server too, then try again.',
      );
  };
  const files = uploads();
  app.addHook('onClose', async () => {
    await files.closeAll();
    await pool.end();
  });
  app.post(
    '/api/operator/rebuild/',
    {
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema('Rebuild statistics, weeks and achievements from the games', {
          role: 'key',
        }),
        response: lines(rebuildLine),
      },
    },
    async (request, reply) =>
      reply.type('application/x-ndjson').send(
        streamProgress(rebuildLine, request.log, async (onProgress) => {
          await refuseNewerDatabase();
          const result = await rebuildAll(onProgress);
          await told('Rebuilt all figures', { games: result.games, ...result.changed });
          return result;
        }),
      ),
  );

  app.post(
    '/api/operator/demo/',
    {
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema('Fill the database with a demo league', { role: 'key' }),
        body: demoBody,
        response: lines(demoLine),
      },
    },
    async (request, reply) => {
      const { beside } = request.body;
      return reply.type('application/x-ndjson').send(
        streamProgress(demoLine, request.log, async (onProgress) => {
          const result = await fillDemo({ ...deps, db }, { beside, onProgress });
          await told('Filled in the demo league', {});
          return result;
        }),
      );
    },
  );

  app.get(
    '/api/operator/backup/',
    {
      // HEAD would make a whole backup.
      exposeHeadRoute: false,
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema('Download a backup of the whole database', { role: 'key' }),
        response: {
          ...refusals,
          200: {
            description: `A gzipped backup; its first line: ${Object.keys(backupHeader.shape).join(', ')}.`,
            content: { 'application/gzip': { schema: z.unknown() } },
          },
        },
      },
    },
    async (request, reply) => {
      await refuseNewerDatabase();
      logSecurity(request, 'backup', { actor: 'operator' });
      reply.raw.setTimeout(STALL_MS, () => reply.raw.destroy());
      const stream = backupStream(pool, deps.clock);
      stream.on('error', (error) => request.log.error({ err: error }, 'the backup broke off'));
      let bytes = 0;
      const counted = new PassThrough({
        transform: (chunk: Buffer, _encoding, done) => {
          bytes += chunk.length;
          done(null, chunk);
        },
        // Write the audit line before the last bytes, so that every complete file has a line.
        flush: (done) => void told(BACKUP_MADE, { bytes }).then(() => done(), done),
      });
      pipeline(stream, counted, () => undefined);
      return reply.type('application/gzip').send(counted);
    },
  );

  app.post(
    '/api/operator/restores/',
    {
      schema: {
        ...operatorSchema('Start the upload of a backup', { role: 'key' }),
        response: { ...refusals, 200: uploadAnswer },
      },
    },
    async () => ({ id: await files.begin() }),
  );

  // A scope of its own, so that no other route takes bytes (P36).
  app.register(async (parts: App) => {
    parts.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: PART_BYTES },
      (_request, body, done) => done(null, body),
    );
    parts.put(
      '/api/operator/restores/:id/parts/:part/',
      {
        bodyLimit: PART_BYTES,
        schema: {
          ...operatorSchema('Upload the next part of a backup', { role: 'key' }),
          params: partParams,
          response: { ...refusals, 200: partAnswer },
        },
      },
      async (request) => {
        const { id, part } = request.params;
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await files.append(id, part, bytes);
        return { bytes: bytes.length };
      },
    );
  });

  app.post(
    '/api/operator/restores/:id/check/',
    {
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema('Check an uploaded backup', { role: 'key' }),
        params: uploadParams,
        response: lines(checkLine),
      },
    },
    async (request, reply) => {
      const path = files.path(request.params.id);
      return reply
        .type('application/x-ndjson')
        .send(
          streamProgress(checkLine, request.log, (onProgress) => checkBackup(path, onProgress)),
        );
    },
  );

  app.post(
    '/api/operator/restores/:id/run/',
    {
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema('Replace the whole database by an uploaded backup', { role: 'key' }),
        params: uploadParams,
        response: lines(restoreLine),
      },
    },
    async (request, reply) => {
      const path = files.path(request.params.id);
      logSecurity(request, 'restore', { actor: 'operator' });
      return reply.type('application/x-ndjson').send(
        streamProgress(restoreLine, request.log, async (onProgress) => {
          await refuseNewerDatabase();
          const { older, ...result } = await restoreBackup(pool, path, onProgress);
          // An older backup may lack rows that this version computes from the games.
          if (older) await rebuildAll(onProgress);
          if (deps.config.production) await lockDemoAccount(db);
          await told('Restored a backup', {
            'made at': result.made_at,
            rows: result.rows,
          });
          return result;
        }),
      );
    },
  );

  app.delete(
    '/api/operator/restores/:id/',
    {
      schema: {
        ...operatorSchema('Delete an uploaded backup', { role: 'key' }),
        params: uploadParams,
        response: { ...refusals, 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await files.drop(request.params.id);
      return reply.code(204).send();
    },
  );
}
