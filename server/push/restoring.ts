import type { Restoring } from '../db/restoring.ts';

/**
 * A restore keeps the current switches and which browsers are off, so that it turns nothing on again
 * (P73). Devices subscribe again automatically, so neither they nor the key pair are in a backup.
 */
export const PUSH_RESTORED: Restoring[] = [
  { table: 'push_keys', rows: 'untouched' },
  {
    table: 'player_push',
    rows: { of: 'player_id' },
    kept: `player_id my_game my_week nudge duel passed asked ask_after last_sent_at sent_on sent
      place place_week place_league place_score`,
    refers: { player_id: 'players' },
  },
  {
    table: 'push_off',
    rows: { of: 'player_id' },
    kept: 'player_id endpoint_hash at',
    refers: { player_id: 'players' },
  },
  { table: 'push_devices', rows: 'emptied' },
  { table: 'push_notices', rows: 'emptied' },
  { table: 'push_sends', rows: 'emptied' },
];
