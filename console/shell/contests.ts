import { listContests, listCups } from '../api/calls.ts';
import { CONTESTS, useRead } from '../api/queries.ts';
import { useTurns } from './until.ts';

const windows = (rows: readonly { starts_at: string; ends_at: string }[] = []) =>
  rows.flatMap(({ starts_at, ends_at }) => [starts_at, ends_at]);

/** Reads the contests of a venue, or of all venues, and again whenever one begins or ends. */
export function useContests(venue: string | null) {
  const read = useRead([...CONTESTS, venue], () => listContests(venue), ['contests', 'games']);
  useTurns(read, windows(read.data?.results));
  return read;
}

/** Reads all cups, or those at a venue and at all venues, and again whenever one begins or ends. */
export function useCups(venue: string | null) {
  const read = useRead([...CONTESTS, 'cups', venue], () => listCups(venue), ['contests']);
  useTurns(read, windows(read.data?.results));
  return read;
}
