import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { BadConfiguration, type Config, readSettings, type Settings } from './config.ts';
import { isDatabaseAway } from './errors.ts';
import { serverLogger } from './log.ts';
import { openEmbedded } from './postgres/embedded.ts';
import { EmbeddedDatabaseError } from './postgres/errors.ts';
import { checkPort } from './process/port.ts';
import type { Prepared } from './process/prepare.ts';
import { closeAll, isDraining, opened, StartProblem, shutDown } from './process/shutdown.ts';
import { isWorker, onStop, receivePayload } from './process/workers.ts';

function readAll(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof BadConfiguration) throw new StartProblem(error.message);
    throw error;
  }
}

/** Opens the database. Calls `launched` when PostgreSQL has started, before it is ready. */
async function openData(settings: Settings, log: FastifyBaseLogger, launched: () => void) {
  if (settings.database_url !== null) return { connectionString: settings.database_url };
  const embedded = await openEmbedded({
    dataDir: settings.data_dir,
    log: (line) => log.info({ from: 'database' }, line),
    launched,
  }).catch((error: unknown) => {
    throw error instanceof EmbeddedDatabaseError ? new StartProblem(error.message) : error;
  });
  opened.push({ name: 'database', close: () => embedded.stop() });
  return embedded.connection;
}

/** The stand-in's only client. The secret protects nothing. */
const STAND_IN_CLIENT = { client_id: 'backboard', client_secret: 'stand-in' };

/**
 * Google's settings; outside production by default those of a local stand-in (ACC-21, OPS-10). The
 * stand-in prefers a fixed port, because the port is part of the issuer, which is stored with each
 * identity.
 */
async function openGoogle(given: Settings): Promise<Config['google']> {
  if (given.google !== null || given.production) return given.google;
  const { startStandIn } = await import('../standin/provider.ts');
  const options = { ...STAND_IN_CLIENT, redirect_uri: `${given.public_url}/auth/google/callback` };
  const standIn = await startStandIn({ ...options, port: given.port + 2 }).catch(() =>
    startStandIn({ ...options, port: 0 }),
  );
  opened.push({ name: 'stand-in for Google', close: () => standIn.stop() });
  return { ...STAND_IN_CLIENT, issuer: standIn.issuer };
}

async function start(): Promise<void> {
  const settings = readAll();
  const given = { ...settings, data_dir: resolve(settings.data_dir) };
  const log = serverLogger(given.log_level);
  const many = given.web_processes > 1;
  const drainMs = many && !isWorker ? 0 : given.drain_ms;
  const stop = (signal: string) => void shutDown(log, drainMs, signal, 0);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      // A broken connection affects only the work on it (REL-07).
      if (isDatabaseAway(error)) {
        log.error({ err: error }, `${event}: a connection broke`);
        return;
      }
      log.fatal({ err: error }, event);
      void shutDown(log, 0, event, 1);
    });

  if (isWorker) {
    // A worker may get the signal before the primary process's message.
    onStop(() => isDraining() || stop('the primary process stops'));
    const [prepared, { serve }] = await Promise.all([
      receivePayload<Prepared>(),
      import('./process/serve.ts'),
    ]);
    return serve(prepared, log);
  }
  await checkPort(given);
  for (const warning of given.warnings) log.warn(warning);
  // Loading modules while the database starts saves 0.2 s.
  const { promise: launched, resolve: isLaunched } = Promise.withResolvers<void>();
  const data = openData(given, log, isLaunched);
  await Promise.race([launched, data]);
  const [connection, google, { open }] = await Promise.all([
    data,
    openGoogle(given),
    import('./process/serve.ts'),
  ]);
  await open(connection, google, given, log);
}

try {
  await start();
} catch (error) {
  if (!isDraining()) {
    console.error(error instanceof StartProblem ? error.message : error);
    await closeAll(undefined);
    process.exit(1);
  }
}
