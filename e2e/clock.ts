import type { RunningServer } from '#testing/server.ts';

/**
 * Sets a server's clock `ms` ahead of this computer's. A server takes the time from its database.
 */
export async function setAhead(server: RunningServer, ms: number): Promise<void> {
  await server.sql('create schema if not exists ahead');
  await server.sql(`create or replace function ahead.clock_timestamp() returns timestamptz
    language sql return pg_catalog.clock_timestamp() + interval '${ms} ms'`);
  // `public` comes first, because new tables are created in the first schema.
  await server.sql('alter role backboard set search_path = public, ahead, pg_catalog');
  await server.kill('SIGTERM');
  await server.restart();
}
