import type { Restoring } from '../db/restoring.ts';

/** A restore ends all sessions. */
export const ACCOUNTS_RESTORED: Restoring[] = [
  {
    table: 'identities',
    rows: { of: 'player_id' },
    kept: 'issuer subject player_id created_at authoritative',
    refers: { player_id: 'players' },
  },
  { table: 'sessions', rows: 'emptied' },
  { table: 'codes', rows: 'emptied' },
  { table: 'refresh_keys', rows: 'untouched' },
];
