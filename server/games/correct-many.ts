import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Schema } from '../db/schema.ts';
import { duelistsOf } from '../duels/running.ts';
import { planDecidedOf } from './notices.ts';
import { lockCorrections, recount } from './rebuild.ts';

type State = Schema['games']['state'];

/** What one call changes. */
type Many = {
  machine_id: number;
  from: State;
  to: State;
  /** Only games that were played from `since` and before `until`; null: no limit. */
  since: Date | null;
  until: Date | null;
  /** A condition on rows `g` of games. */
  reached: RawBuilder<boolean>;
};
type ManyCorrected = { games: number; players: number; left: number };

/** A call changes the games of at most this many players, whose new games wait for its end. */
const PLAYERS_MAX = 100;
/** What players are told about their newest changed game (PUSH-01). */
const WHAT: Partial<Record<State, 'taken_out' | 'discarded'>> = {
  void: 'taken_out',
  discarded: 'discarded',
};
/** The limit of players if nothing is recounted. */
const PLAYERS_MAX_UNCOUNTED = 10_000;

/**
 * Changes the state of a machine's games, player by player, and recounts each player once
 * (GAME-14). Call it again while `left`, the number of matching games that are not yet changed, is
 * above 0.
 */
export async function correctMany(
  trx: Database,
  { machine_id, from, to, since, until, reached }: Many,
  now: Date,
): Promise<ManyCorrected> {
  await lockCorrections(trx);
  const counts = from === 'counted' || to === 'counted';
  const fits = sql`g.machine_id = ${machine_id} and g.state = ${from}
    and (${since}::timestamptz is null or g.played_at >= ${since})
    and (${until}::timestamptz is null or g.played_at < ${until}) and ${reached}`;
  type Changed = {
    player_id: number;
    games: number;
    newest: { machine_id: number; id: string };
    venues: (number | null)[];
    leagues: number[];
    weeks: { team_id: number; week: string }[];
  };
  const { rows: changed } = await sql<Changed>`
    with chosen as materialized (
      select distinct g.player_id from games g
      where ${fits} order by g.player_id
      limit ${counts ? PLAYERS_MAX : PLAYERS_MAX_UNCOUNTED}
    ), changed as (
      update games c set state = ${to}
      from games g
      where c.machine_id = g.machine_id and c.id = g.id
        and g.player_id in (select player_id from chosen) and ${fits}
      returning g.player_id, g.venue_id, g.team_id, g.week, g.machine_id, g.id, g.played_at
    )
    select c.player_id, count(*) as games, array_agg(distinct c.venue_id) as venues,
      (array_agg(json_build_object('machine_id', c.machine_id, 'id', c.id)
        order by c.played_at desc))[1] as newest,
      coalesce(array_agg(distinct t.league_id) filter (where t.league_id is not null), '{}') as leagues,
      coalesce(jsonb_agg(distinct jsonb_build_object('team_id', c.team_id, 'week', c.week))
        filter (where c.team_id is not null), '[]') as weeks
    from changed c left join teams t on t.id = c.team_id group by c.player_id`.execute(trx);
  const players = changed.map(({ player_id }) => player_id);
  if (counts && players.length > 0)
    await recount(
      trx,
      players,
      now,
      changed.flatMap(({ weeks }) => weeks),
    );
  if (players.length > 0)
    await notify(trx, {
      game: players,
      duel: await duelistsOf(trx, players),
      league: [...new Set(changed.flatMap(({ leagues }) => leagues))],
      venue: [...new Set(changed.flatMap(({ venues }) => venues))].filter((id) => id !== null),
    });
  const what = WHAT[to];
  if (what !== undefined)
    await planDecidedOf(
      trx,
      changed.map(({ player_id, newest }) => ({ ...newest, player_id })),
      what,
      now,
    );
  const { rows: rest } = await sql<{ left: number }>`
    select count(*) as left from games g where ${fits}`.execute(trx);
  return {
    games: changed.reduce((sum, { games }) => sum + games, 0),
    players: players.length,
    left: rest[0]?.left ?? 0,
  };
}
