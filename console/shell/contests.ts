import { listContests, listCups } from '../api/calls.ts';
import { CONTESTS, useRead } from '../api/queries.ts';
import { useTurns } from './until.ts';

const windows = (rows: readonly { starts_at: string; ends_at: string }[] = []) =>
  rows.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]);

/** The contests of a venue, or of all; read again when one begins or ends. */
export function useContests(venue: string | null) {
  const read = useRead([...CONTESTS, venue], () => listContests(venue), ['contests', 'games']);
  useTurns(read, windows(read.data?.results));
  return read;
}

/** The cups of a venue and those at all venues, or all cups; read again when one begins or ends. */
export function useCups(venue: string | null) {
  const read = useRead([...CONTESTS, 'cups', venue], () => listCups(venue), ['contests']);
  useTurns(read, windows(read.data?.results));
  return read;
}
