import { PassThrough, pipeline } from 'node:stream';
import { z } from 'zod';
import { backupHeader, PART_BYTES } from '#contract/wire/backups.ts';
import { type Call, calls, type Row } from '#contract/wire/calls.ts';
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
import { type CallRequest, route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { audit, authorOf, type Facts } from '../staff/audit.ts';
import { operatorSchema, refusals } from './command.ts';

type Ground = Pick<Deps, 'config' | 'pool' | 'clock' | 'log'>;

/** What long commands use: connections without a time limit, and uploaded backups. */
function openUpkeep({ pool: shared, clock, log }: Ground) {
  const pool = untimedPool(shared, (error) =>
    log.warn({ err: error }, 'a database connection of a long command broke'),
  );
  const db = openDatabase(pool);
  return {
    pool,
    db,
    files: uploads(),
    /** Writes the audit line of a long task after the task, which has its own transactions. */
    told: (what: string, after: Facts) =>
      audit({ clock }, db, { kind: 'key' }, { area: 'system', what, after }),
    /**
     * Refuses if a newer version has upgraded the database, because this version would leave out
     * what the newer one has added.
     * @throws Refusal 503
     */
    refuseNewerDatabase: async () => {
      if ((await newerMigrations(db)).length > 0)
        throw unavailable(
          'A newer version of Backboard has upgraded the database. Upgrade this server too, then try again.',
        );
    },
    rebuildAll: (onProgress: OnProgress) =>
      rebuild({ db, clock }, (done, total) => onProgress({ step: 'rebuilding', done, total })),
  };
}
type Upkeep = ReturnType<typeof openUpkeep>;

/** Rebuild, backup, restore and demo, which take longer than players' requests (OPS-08). */
export function upkeepRoutes(app: App, deps: Ground): void {
  const upkeep = openUpkeep(deps);
  app.addHook('onClose', async () => {
    await upkeep.files.closeAll();
    await upkeep.pool.end();
  });
  rebuildRoutes(app, deps, upkeep);
  backupRoute(app, deps, upkeep);
  uploadRoutes(app, upkeep);
  restoreRoutes(app, deps, upkeep);
}

type LongCall = Extract<
  Call,
  `POST /api/operator/${'rebuild' | 'demo' | `restores/:id/${string}`}/`
>;

/**
 * A route that answers with the error that `prepare` throws, or with lines of progress and then the
 * result or an error.
 */
function long<C extends LongCall, Result>(
  app: App,
  call: C,
  summary: string,
  prepare: (request: CallRequest<C>) => (onProgress: OnProgress) => Promise<Result>,
): void {
  const { params, body, lines } = calls[call] as Row;
  if (lines === undefined) throw new Error(`${call} answers no lines`);
  app.post(
    call.slice('POST '.length),
    {
      handlerTimeout: LONG_MS,
      schema: {
        ...operatorSchema(summary, { role: 'key' }),
        ...(params && { params }),
        ...(body && { body }),
        response: {
          ...refusals,
          200: {
            description: 'One JSON object per line: progress, then the result or an error.',
            content: { 'application/x-ndjson': { schema: lines } },
          },
        },
      },
    },
    async (request, reply) =>
      reply
        .type('application/x-ndjson')
        .send(streamProgress(lines, request.log, prepare(request as CallRequest<C>))),
  );
}

function rebuildRoutes(app: App, deps: Ground, upkeep: Upkeep): void {
  const { db, told, rebuildAll, refuseNewerDatabase } = upkeep;
  long(
    app,
    'POST /api/operator/rebuild/',
    'Rebuild statistics, weeks and achievements from the games',
    () => async (onProgress) => {
      await refuseNewerDatabase();
      const result = await rebuildAll(onProgress);
      await told('Rebuilt all figures', { games: result.games, ...result.changed });
      return result;
    },
  );

  long(
    app,
    'POST /api/operator/demo/',
    'Fill the database with a demo league',
    ({ body: { beside } }) =>
      async (onProgress) => {
        const result = await fillDemo({ ...deps, db }, { beside, onProgress });
        await told('Filled in the demo league', {});
        return result;
      },
  );
}

function backupRoute(
  app: App,
  { clock }: Ground,
  { pool, db, told, refuseNewerDatabase }: Upkeep,
): void {
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
      const stream = backupStream(pool, clock);
      stream.on('error', (error) => request.log.error({ err: error }, 'the backup broke off'));
      const noted = async (bytes: number) => {
        const { who } = authorOf({ kind: 'key' });
        await db.insertInto('backups').values({ at: clock.now(), who, bytes }).execute();
        await told('Made a backup', { bytes });
      };
      let bytes = 0;
      const counted = new PassThrough({
        transform: (chunk: Buffer, _encoding, done) => {
          bytes += chunk.length;
          done(null, chunk);
        },
        // Stores the backup's row before the last bytes are sent. Every complete file then has a
        // row.
        flush: (done) => void noted(bytes).then(() => done(), done),
      });
      pipeline(stream, counted, () => undefined);
      return reply.type('application/gzip').send(counted);
    },
  );
}

const key = (summary: string) => ({ ...operatorSchema(summary, { role: 'key' }), refusals });

function uploadRoutes(app: App, { files }: Upkeep): void {
  route(app, 'POST /api/operator/restores/', key('Start the upload of a backup'), async () => ({
    id: await files.begin(),
  }));

  // This has a scope of its own, so that no other route takes bytes (P36).
  app.register(async (parts: App) => {
    parts.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: PART_BYTES },
      (_request, body, done) => done(null, body),
    );
    route(
      parts,
      'PUT /api/operator/restores/:id/parts/:part/',
      { ...key('Upload the next part of a backup'), options: { bodyLimit: PART_BYTES } },
      async ({ params: { id, part }, body }) => {
        const bytes: unknown = body;
        const sent = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
        await files.append(id, part, sent);
        return { bytes: sent.length };
      },
    );
  });

  route(
    app,
    'DELETE /api/operator/restores/:id/',
    key('Delete an uploaded backup'),
    ({ params: { id } }) => files.drop(id),
  );
}

function restoreRoutes(
  app: App,
  deps: Ground,
  { pool, db, files, told, rebuildAll, refuseNewerDatabase }: Upkeep,
): void {
  long(
    app,
    'POST /api/operator/restores/:id/check/',
    'Check an uploaded backup',
    ({ params: { id } }) => {
      const path = files.path(id);
      return (onProgress) => checkBackup(path, onProgress);
    },
  );

  long(
    app,
    'POST /api/operator/restores/:id/run/',
    'Replace the whole database by an uploaded backup',
    (request) => {
      const path = files.path(request.params.id);
      logSecurity(request, 'restore', { actor: 'operator' });
      return async (onProgress) => {
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
      };
    },
  );
}
