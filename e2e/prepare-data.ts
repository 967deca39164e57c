import { PREPARED_DATA, startServer } from '#testing/server.ts';

/**
 * Playwright's global setup: a server prepares a data folder, and each server of the tests gets a
 * copy of it. Otherwise the first start of each server would take two seconds longer.
 */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer();
  await server.kill('SIGTERM');
  process.env[PREPARED_DATA] = server.dataDir;
  return server.close;
}
