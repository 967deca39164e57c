import { type RawBuilder, sql } from 'kysely';
import { BEST_GAMES, WEEK_GAMES } from '#contract/counting.ts';
import { INBOX_MAX, type InboxAnswer, type InboxCase, RECENT_MAX } from '#contract/inbox.ts';
import type { Database } from '../db/database.ts';
import { venueOfGame } from '../venues/venues.ts';
import { type Reach, within } from './corrections.ts';

/** How many games before a case's game are shown, and how many after it. */
const NEARBY_EACH = 2;

type Row = Omit<InboxCase, 'player' | 'week' | 'played_at' | 'since'> & {
  played_at: Date;
  since: Date;
  player_exists: boolean;
  username: string | null;
  avatar_color: string | null;
  jersey_number: string | null;
  player_team: string | null;
  team: string | null;
  week_of: string | null;
  games_played: number | null;
  fourth_best: number | null;
  total: number;
  opponent: string | null;
  opponent_total: number;
};

/** The games next to the game `c`, as JSON; `same` is the condition on a game `n`. */
const nearby = (same: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(json_build_object('played_at', n.played_at, 'player', n.username,
      'machine', n.machine, 'score', n.score, 'own', n.own) order by n.played_at, n.own), '[]')
    from (
      (${side(same, sql`(n.played_at, n.id) < (c.played_at, c.id)`, sql`desc`)})
      union all
      (${side(same, sql`(n.played_at, n.id) >= (c.played_at, c.id)`, sql`asc`)})
    ) n)`;

const side = (
  same: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => sql`
  select to_char(n.played_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as played_at,
    q.username, k.name as machine, n.score, (n.machine_id = c.machine_id and n.id = c.id) as own
  from games n join machines k on k.id = n.machine_id left join players q on q.id = n.player_id
  where ${same} and ${where} and n.state <> 'discarded'
  order by n.played_at ${order}, n.id ${order} limit ${NEARBY_EACH + 1}`;

/**
 * The oldest held games and open reports, with what staff need to decide: the player's usual
 * scores, the games around, and what a release changes. Two queries for any number of cases.
 */
export async function readInbox(db: Database, reach: Reach): Promise<InboxAnswer> {
  const cases = sql`
    select 'held' as kind, g.machine_id, g.id, g.received_at as since, null as reason, null as text
      from games g join machines m on m.id = g.machine_id
      where g.state = 'held' and ${within(reach)}
    union all
    select 'report', r.machine_id, r.game_id, r.reported_at, r.reason, r.text
      from game_reports r
      join games g on g.machine_id = r.machine_id and g.id = r.game_id
      join machines m on m.id = g.machine_id
      where r.state = 'open' and ${within(reach)}`;
  const { rows } = await sql<Row>`
    with c as materialized (
      select found.kind, found.since, found.reason, found.text, g.*
      from (select * from (${cases}) all_cases order by kind, since, id limit ${INBOX_MAX}) found
      join games g on g.machine_id = found.machine_id and g.id = found.id
    )
    select c.kind, c.id as game, c.score, c.played_at, c.since, m.name as machine, v.name as venue,
      case when c.kind = 'held' then c.held_reason end as held_reason, c.reason as report_reason,
      c.text, p.id is not null as player_exists, p.username, p.avatar_color, p.jersey_number,
      mine.name as player_team, c.outside, t.name as team, c.week::text as week_of,
      w.games_played, w.fourth_best,
      coalesce((select sum(x.total) from league_weeks x
        where x.team_id = c.team_id and x.week = c.week), 0)::float8 as total,
      o.name as opponent,
      coalesce((select sum(x.total) from league_weeks x
        where x.team_id = s.opponent_id and x.week = c.week), 0)::float8 as opponent_total,
      array(select r.score from games r where r.player_id = c.player_id and r.state = 'counted'
        order by r.played_at desc, r.id desc limit ${RECENT_MAX}) as recent,
      case when c.kind = 'held' then ${nearby(sql`n.player_id = c.player_id`)}
        else ${nearby(sql`n.machine_id = c.machine_id`)} end as nearby
    from c
    join machines m on m.id = c.machine_id
    left join venues v on v.id = ${venueOfGame('c', 'm')}
    left join players p on p.id = c.player_id
    left join teams mine on mine.id = p.team_id
    left join teams t on t.id = c.team_id
    left join league_weeks w on w.team_id = c.team_id and w.week = c.week
      and w.player_id = c.player_id
    left join matchup_sides s on s.team_id = c.team_id and s.week = c.week
    left join teams o on o.id = s.opponent_id
    order by c.kind, c.since, c.id`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from (${cases}) all_cases`.execute(db);
  return { results: rows.map(toCase), total: counted[0]?.total ?? 0 };
}

function toCase(row: Row): InboxCase {
  const { kind, game, score, machine, venue, held_reason, report_reason, text, recent } = row;
  const { username, avatar_color, jersey_number, player_team: team } = row;
  return {
    kind,
    game,
    score,
    played_at: row.played_at.toISOString(),
    since: row.since.toISOString(),
    machine,
    venue,
    held_reason,
    report_reason,
    text,
    player: row.player_exists ? { username, avatar_color, jersey_number, team } : null,
    recent,
    nearby: row.nearby,
    outside: row.outside,
    week:
      row.team === null || row.week_of === null
        ? null
        : {
            team: row.team,
            week: row.week_of,
            total: row.total,
            total_after: totalAfter(row),
            opponent: row.opponent,
            opponent_total: row.opponent_total,
          },
  };
}

/**
 * The team's total if one more game of the player counted: it replaces a lower fourth best. null
 * with eight games already, because then the order of play decides (LEAGUE-01).
 */
function totalAfter({ games_played, fourth_best, total, score }: Row): number | null {
  if (games_played !== null && games_played >= WEEK_GAMES) return null;
  if ((games_played ?? 0) < BEST_GAMES || fourth_best === null) return total + score;
  return total + Math.max(0, score - fourth_best);
}
