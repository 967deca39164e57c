import type { Restoring } from '../db/restoring.ts';

/** A restore brings back no friendship that has ended, and lifts no block (P99, P101). */
export const FRIENDS_RESTORED: Restoring[] = [
  {
    table: 'friendships',
    rows: { of: 'player_id' },
    kept: 'player_id friend_id n since',
    refers: { player_id: 'players', friend_id: 'players' },
  },
  {
    table: 'blocks',
    rows: { of: 'player_id' },
    kept: 'player_id blocked_id n at',
    refers: { player_id: 'players', blocked_id: 'players' },
  },
  { table: 'friend_codes', rows: 'emptied' },
];
