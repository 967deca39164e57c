import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { NEWEST_FIRST } from './keys.ts';
import { GAMES_HERE, lastHere, type Machine } from './machines.ts';
import { type Facts, type State, stateOf } from './state.ts';

export type MachineView = Machine &
  Facts &
  State & {
    repair_by: string | null;
    repair_why: string | null;
    /** When the last status arrived (MACH-10). */
    reported_at: Date | null;
    queued: number | null;
    oldest_played_at: Date | null;
    rejected: number | null;
    software: string | null;
    rejected_at: Date | null;
    /** Who was greeted last; null also for a deleted account. */
    greeted_player: number | null;
    last_player_id: number | null;
    last_score: number | null;
    /** When the newest key was made. */
    key_created_at: Date | null;
    /** When the newest key was last used. */
    key_used_at: Date | null;
    old_key_ends_at: Date | null;
    /** The last mail about the machine's alerts. */
    mailed_at: Date | null;
  };

type Row = Omit<MachineView, 'opening' | 'state' | 'since' | 'until'> & {
  timezone: string;
  hours: string | null;
};

/** The machines `m` for which `where` is true, with their states, by name. */
export async function viewMachines(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<MachineView[]> {
  const now = clock.now();
  return (await readRows(db, now, where)).map(({ timezone, hours, ...row }) => {
    const facts = { ...row, opening: { timezone, hours } };
    const state = stateOf(facts, now);
    // When the old key expires, the machine may be left without a working key (MACH-22).
    const ends = row.old_key_ends_at !== null && row.old_key_ends_at > now;
    const times = [state.until, ends ? row.old_key_ends_at : null].filter((at) => at !== null);
    const until = times.length === 0 ? null : new Date(Math.min(...times.map(Number)));
    return { ...facts, ...state, until };
  });
}

async function readRows(db: Database, now: Date, where: RawBuilder<boolean>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.id, m.name, m.venue_id, v.name as venue, coalesce(v.timezone, 'UTC') as timezone,
      v.hours, m.created_at, m.revoked_at, m.repair_at, m.repair_by, m.repair_why,
      m.clock_error_ms,
      greatest(m.last_seen_at, s.reported_at, s.greeted_at) as heard_at,
      s.refused_at, s.reported_at, s.queued, s.oldest_played_at, s.rejected, s.software,
      s.rejected_at, coalesce(s.playing, false) as playing, s.greeted_at, s.greeted_player,
      s.mailed_at, g.played_at as last_played_at, g.player_id as last_player_id,
      g.score as last_score, k.created_at as key_created_at, k.last_used_at as key_used_at,
      o.expires_at as old_key_ends_at, u.used_key_ended_at
    from machines m
    left join venues v on v.id = m.venue_id
    left join machine_status s on s.machine_id = m.id
    left join lateral ${lastHere(1)} g on true
    left join lateral (
      select id, created_at, last_used_at from machine_keys
      where machine_id = m.id order by ${NEWEST_FIRST} limit 1
    ) k on true
    left join lateral (
      select expires_at from machine_keys
      where machine_id = m.id and id <> k.id order by ${NEWEST_FIRST} limit 1
    ) o on true
    left join lateral (
      select case when bool_and(coalesce(expires_at <= ${now}, false)) then max(expires_at) end
        as used_key_ended_at
      from machine_keys where machine_id = m.id and last_used_at is not null
    ) u on true
    where ${where}
    order by lower(m.name)`.execute(db);
  return rows;
}

export type MachineState = Pick<
  MachineView,
  | 'id'
  | 'name'
  | 'venue_id'
  | 'venue'
  | 'heard_at'
  | 'clock_error_ms'
  | 'state'
  | 'repair_by'
  | 'repair_why'
> & {
  /** Played and received since midnight UTC. */
  games_today: number;
  revoked: boolean;
  /** The newest key is older than a year (P31a). */
  key_due: boolean;
};

/**
 * Keys older than this should be rotated (P31a). They still work, because a machine cannot ask for
 * a new key.
 */
export const KEY_DUE_MS = 365 * 24 * 3_600_000;

/** The machines `m` for which `where` is true, by name. */
export async function listMachines(
  deps: Pick<Deps, 'db' | 'clock'>,
  where?: RawBuilder<boolean>,
): Promise<MachineState[]> {
  const views = await viewMachines(deps, where);
  const now = deps.clock.now();
  const midnight = new Date(now);
  midnight.setUTCHours(0, 0, 0, 0);
  const { rows } = await sql<{ machine_id: number; games: number }>`
    select m.id as machine_id, count(*) as games from machines m cross join lateral ${GAMES_HERE} g
    where g.received_at >= ${midnight} and g.played_at >= ${midnight}
      and g.state in ('counted', 'held') and m.id = any(${views.map(({ id }) => id)}::integer[])
    group by m.id`.execute(deps.db);
  const games = new Map(rows.map((row) => [row.machine_id, row.games]));
  return views.map((view) => ({
    ...view,
    games_today: games.get(view.id) ?? 0,
    revoked: view.revoked_at !== null,
    key_due:
      view.revoked_at === null &&
      (view.key_created_at?.getTime() ?? 0) <= now.getTime() - KEY_DUE_MS,
  }));
}
