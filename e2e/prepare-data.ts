import { PREPARED_DATA, startServer } from './server.ts';

/**
 * Playwright's global setup: a server prepares a data folder, of which each server of the tests
 * gets a copy. Otherwise each would take two seconds longer for its first start.
 */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer();
  await server.kill('SIGTERM');
  process.env[PREPARED_DATA] = server.dataDir;
  return server.close;
}
