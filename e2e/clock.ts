import type { RunningServer } from '#testing/server.ts';

/** Moves the clock of a server, which follows its database's, to `ms` ahead of this computer's. */
export async function setAhead(server: RunningServer, ms: number): Promise<void> {
  await server.sql('create schema if not exists ahead');
  await server.sql(`create or replace function ahead.clock_timestamp() returns timestamptz
    language sql return pg_catalog.clock_timestamp() + interval '${ms} ms'`);
  // New tables belong to the first one.
  await server.sql('alter role backboard set search_path = public, ahead, pg_catalog');
  await server.kill('SIGTERM');
  await server.restart();
}
