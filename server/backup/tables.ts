import { ACCOUNTS_RESTORED } from '../accounts/restoring.ts';
import { CONTESTS_RESTORED } from '../contests/restoring.ts';
import { CUPS_RESTORED } from '../cups/restoring.ts';
import type { Restoring } from '../db/restoring.ts';
import { DUELS_RESTORED } from '../duels/restoring.ts';
import { FRIENDS_RESTORED } from '../friends/restoring.ts';
import { GAMES_RESTORED } from '../games/restoring.ts';
import { LEAGUES_RESTORED, ROSTERS_RESTORED } from '../leagues/restoring.ts';
import { MACHINES_RESTORED } from '../machines/restoring.ts';
import { NUDGES_RESTORED } from '../nudges/restoring.ts';
import { PLAYERS_RESTORED } from '../players/restoring.ts';
import { PUSH_RESTORED } from '../push/restoring.ts';
import { SCREENS_RESTORED } from '../screens/restoring.ts';
import { STAFF_RESTORED } from '../staff/restoring.ts';
import { VENUES_RESTORED } from '../venues/restoring.ts';
import { WEEKS_RESTORED } from '../weeks/restoring.ts';

/** What a restore does with each table. A table comes after those that it references. */
export const TABLES: readonly Restoring[] = [
  ...VENUES_RESTORED,
  ...LEAGUES_RESTORED,
  ...PLAYERS_RESTORED,
  ...ACCOUNTS_RESTORED,
  ...ROSTERS_RESTORED,
  ...MACHINES_RESTORED,
  ...GAMES_RESTORED,
  ...STAFF_RESTORED,
  ...SCREENS_RESTORED,
  ...CONTESTS_RESTORED,
  ...CUPS_RESTORED,
  ...PUSH_RESTORED,
  ...FRIENDS_RESTORED,
  ...DUELS_RESTORED,
  ...NUDGES_RESTORED,
  ...WEEKS_RESTORED,
  // A restore does not delete backup files, so their rows stay.
  { table: 'backups', rows: 'added', kept: 'at who bytes' },
  { table: 'limits', rows: 'untouched' },
  { table: 'kept_mails', rows: 'untouched' },
  { table: 'migrations', rows: 'untouched' },
];

const tables = (which: (one: Restoring) => boolean) =>
  TABLES.filter(which).map(({ table }) => table);

/**
 * Tables that a backup omits and a restore empties: secrets, or rows that are valid for minutes.
 */
export const EMPTIED = tables(({ rows }) => rows === 'emptied');
/** Tables that a backup omits and a restore leaves unchanged. */
export const UNTOUCHED = tables(({ rows }) => rows === 'untouched');
export const BACKED_UP = tables(({ rows }) => rows !== 'emptied' && rows !== 'untouched');
