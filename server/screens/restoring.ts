import type { Restoring } from '../db/restoring.ts';

/**
 * A screen that was removed or got a new token does not get its old token back (P66), and a moved one
 * not its old venue, whose staff may no longer change it (STAFF-02).
 */
export const SCREENS_RESTORED: Restoring[] = [
  {
    table: 'screens',
    same: '',
    restored:
      'id name slides still width height created_at notice notice_from notice_until notice_weekly',
    kept: 'venue_id token_hash',
    refers: { venue_id: 'venues' },
    no_matter: 'last_seen_at',
    staysDeleted: true,
  },
  { table: 'screen_pairings', rows: 'emptied' },
];
