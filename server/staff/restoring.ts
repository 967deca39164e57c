import type { Restoring } from '../db/restoring.ts';

/** Nobody gets back a right that was taken away (P60), and no line of the audit is lost (P65). */
export const STAFF_RESTORED: Restoring[] = [
  {
    table: 'staff',
    same: 'handle',
    restored: 'id name handle created_at',
    kept: 'role everything removed_at joined_at',
  },
  {
    table: 'staff_venues',
    rows: { of: 'staff_id' },
    kept: 'staff_id venue_id',
    refers: { staff_id: 'staff', venue_id: 'venues' },
  },
  {
    table: 'staff_leagues',
    rows: { of: 'staff_id' },
    kept: 'staff_id league_id',
    refers: { staff_id: 'staff', league_id: 'leagues' },
  },
  {
    table: 'staff_passkeys',
    rows: { of: 'staff_id' },
    kept: 'id staff_id public_key counter transports name created_at last_used_at',
    refers: { staff_id: 'staff' },
  },
  {
    table: 'staff_alerts',
    rows: { of: 'staff_id' },
    kept: 'staff_id email',
    refers: { staff_id: 'staff' },
  },
  {
    table: 'audit',
    rows: 'added',
    kept: 'id at staff_id who area what venue_id venue before after player_id',
  },
  { table: 'staff_links', rows: 'emptied' },
  { table: 'staff_sessions', rows: 'emptied' },
  { table: 'staff_challenges', rows: 'emptied' },
];
