import { type RawBuilder, sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import { INBOX_MAX, RECENT_MAX } from '#contract/rules/inbox.ts';
import type {
  InboxAnswer,
  InboxCase,
  InboxCount,
  InboxRequest,
  WeekChange,
} from '#contract/wire/inbox.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { weekOf } from '../leagues/calendar.ts';
import { SIDES } from '../leagues/matchups.ts';
import { type CountedGame, readWeeks } from '../leagues/player-weeks.ts';
import { seasonOfWeek } from '../leagues/seasons.ts';
import { tallyWeek } from '../leagues/tally.ts';
import type { Policy } from '../staff/policy.ts';

/** Games listed on each side of a case's game. */
const NEARBY_EACH = 2;

type Row = Omit<InboxCase, 'player' | 'week' | 'played_at' | 'since' | 'best'> & {
  /** null for a player without statistics. */
  best: boolean | null;
  played_at: Date;
  since: Date;
  id: string;
  machine_number: number;
  player_id: number;
  player_exists: boolean;
  username: string | null;
  avatar_color: string | null;
  jersey_number: string | null;
  player_team: string | null;
  team_id: number | null;
  opponent_id: number | null;
  final: WeekChange['final'];
};
/** A game that counts for a team, or would when released or restored. */
export type TeamGame = {
  machine_number: number;
  id: string;
  player_id: number;
  score: number;
  played_at: Date;
  state: InboxCase['state'];
  team_id: number;
  week: string;
  /** The week's number in its season; null outside of any (SEASON-06). */
  number: number | null;
  timezone: string;
  opponent_id: number | null;
  final: WeekChange['final'];
};
type TeamRow = Row & TeamGame;
const isForTeam = (row: Row): row is TeamRow => row.team_id !== null;

/** SQL: season `n` of league `l`, by `seasonOfWeek`, once it is final; otherwise null. */
export const FINAL_SEASON = sql<WeekChange['final']>`case when n.final_at is not null then
  json_build_object('id', n.season_id::text, 'name', n.name, 'league_id', l.id::text) end`;

/**
 * SQL: the case's game `c` and the games next to it within `reached`, as JSON. `same`: the
 * condition on a game `g`.
 */
const nearby = (same: RawBuilder<unknown>, reached: RawBuilder<boolean>) => sql`
  (select coalesce(json_agg(json_build_object('played_at', n.played_at, 'player', n.username,
      'player_id', n.player_id, 'machine', n.machine, 'score', n.score, 'own', n.own) order by n.played_at, n.own), '[]')
    from (
      (${side(reached, same, sql`(g.played_at, g.id) < (c.played_at, c.id)`, sql`desc`)}
        limit ${NEARBY_EACH})
      union all
      (${side(reached, same, sql`(g.played_at, g.id) >= (c.played_at, c.id)`, sql`asc`)}
        limit ${NEARBY_EACH + 1})
    ) n)`;

/** SQL: whether `g` is the case's game `c`. */
const OWN = sql`(g.machine_id = c.machine_id and g.id = c.id)`;

const side = (
  reached: RawBuilder<boolean>,
  same: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => sql`
  select to_char(g.played_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as played_at,
    q.username, q.id::text as player_id, m.name as machine, g.score, ${OWN} as own
  from games g join machines m on m.id = g.machine_id left join players q on q.id = g.player_id
  where ${same} and ${where} and (g.state <> 'discarded' or ${OWN}) and ${reached}
  order by g.played_at ${order}, g.id ${order}`;

const HELD = (reached: RawBuilder<boolean>) => sql`
  from games g where g.state = 'held' and ${reached}`;
const REPORTED = (reached: RawBuilder<boolean>) => sql`
  from game_reports r
  join games g on g.machine_id = r.machine_id and g.id = r.game_id
  where r.state = 'open' and ${reached}`;

const ASKED = ({ league }: Reached) => sql`
  from join_requests r join teams t on t.id = r.team_id
  where ${league(sql.ref('t.league_id'))}`;

/** The games and leagues whose cases the caller sees. */
type Reached = Pick<Policy, 'game' | 'league'>;
export type Waiting = InboxCount & {
  held_since: Date | null;
  reports_since: Date | null;
  requests_since: Date | null;
};

/** Held games, open reports and requests to join, and when the oldest of each arrived. */
export async function countInbox(db: Database, reached: Reached): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select h.count as held, h.since as held_since, r.count as reports, r.since as reports_since,
      a.count as requests, a.since as requests_since
    from (select count(*)::int, min(g.received_at) as since ${HELD(reached.game)}) h,
      (select count(*)::int, min(r.reported_at) as since ${REPORTED(reached.game)}) r,
      (select count(*)::int, min(r.asked_at) as since ${ASKED(reached)}) a`.execute(db);
  const [counted] = rows;
  if (counted === undefined) throw new Error('an aggregate without a row');
  return counted;
}

/** The oldest requests to join, with how many more players the team may have (HAND-C6). */
async function readAsking(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  reached: Reached,
): Promise<InboxRequest[]> {
  const { rows } = await sql<Omit<InboxRequest, 'asked_at'> & { asked_at: Date }>`
    with asked as (
      select r.* ${ASKED(reached)} order by r.asked_at, r.player_id limit ${INBOX_MAX}
    )
    select 'request' as kind, p.id::text as account, p.username, p.avatar_color, p.jersey_number,
      coalesce(s.games_played, 0) as games_played,
      coalesce(s.score_sum / nullif(s.games_played, 0), 0)::integer as avg_score,
      t.id::text as team_id, t.name as team, l.name as league,
      greatest(0, ${config.team_max} - (select count(*) from players on_it
        where on_it.team_id = t.id))::integer as places_left, asked.asked_at
    from asked join players p on p.id = asked.player_id join teams t on t.id = asked.team_id
    join leagues l on l.id = t.league_id left join player_stats s on s.player_id = p.id
    order by asked.asked_at, p.id`.execute(db);
  return rows.map((row) => ({ ...row, asked_at: row.asked_at.toISOString() }));
}

/**
 * The oldest held games, open reports and requests to join, at most INBOX_MAX of each, with what
 * staff need to decide (GAME-12, HAND-C6). Six queries for any number.
 */
export async function readInbox(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  reached: Reached,
): Promise<InboxAnswer> {
  const { db, clock } = deps;
  const { game } = reached;
  const { rows } = await sql<Row>`
    with c as materialized (
      select found.kind, found.since, found.reason, found.text, g.*
      from (
        (select 'held' as kind, g.machine_id, g.id, g.received_at as since, null as reason,
            null as text ${HELD(game)} order by g.received_at, g.id limit ${INBOX_MAX})
        union all
        (select 'report', r.machine_id, r.game_id, r.reported_at, r.reason, r.text
            ${REPORTED(game)} order by r.reported_at, r.game_id limit ${INBOX_MAX})
      ) found
      join games g on g.machine_id = found.machine_id and g.id = found.id
    )
    select c.kind, c.seq::text as game, c.id, c.score, c.played_at, c.since, m.id as machine_number,
      m.id::text as machine_id, m.name as machine, m.repair_at is not null as in_repair,
      v.name as venue, case when c.kind = 'held' then c.held_reason end as held_reason,
      c.reason as report_reason, c.text, c.player_id, p.id is not null as player_exists, p.username,
      p.avatar_color, p.jersey_number, c.outside, c.state,
      case when ${reached.league(sql.ref('mine.league_id'))} then mine.name end as player_team,
      c.kind = 'report' and c.state = 'counted' and c.score = st.highscore as best,
      case when c.state in ('held', 'counted') then c.team_id end as team_id, c.week::text as week,
      n.number, ${FINAL_SEASON} as final, l.timezone,
      case when s.ruling is null then s.opponent_id end as opponent_id,
      array(select r.score from games r where r.player_id = c.player_id and r.state = 'counted'
        order by r.played_at desc, r.id desc limit ${RECENT_MAX}) as recent,
      case when c.kind = 'held' then ${nearby(sql`g.player_id = c.player_id`, game)}
        else ${nearby(sql`g.machine_id = c.machine_id`, game)} end as nearby
    from c
    join machines m on m.id = c.machine_id
    left join venues v on v.id = c.venue_id
    left join players p on p.id = c.player_id
    left join player_stats st on st.player_id = c.player_id
    left join teams mine on mine.id = p.team_id
    left join teams t on t.id = c.team_id
    left join leagues l on l.id = t.league_id
    left join lateral ${seasonOfWeek(sql`l.id`, sql`c.week`)} n on true
    left join ${SIDES} s on s.team_id = c.team_id and s.week = c.week
    order by c.kind, c.since, c.id`.execute(db);
  const weeks: Map<Row, InboxCase['week']> = await weeksAfter(
    db,
    rows.filter(isForTeam),
    clock.now(),
  );
  const { held, reports, requests } = await countInbox(db, reached);
  return {
    held,
    reports,
    requests,
    asking: await readAsking(deps, reached),
    results: rows.map((row) => toCase(row, weeks.get(row) ?? null)),
  };
}

function toCase(row: Row, week: InboxCase['week']): InboxCase {
  const { kind, game, score, machine_id, machine, state, best, in_repair, venue } = row;
  const { held_reason, report_reason, text, recent, nearby, outside } = row;
  const { username, avatar_color, jersey_number, player_team: team } = row;
  return {
    kind,
    game,
    score,
    played_at: row.played_at.toISOString(),
    since: row.since.toISOString(),
    machine_id,
    machine,
    state,
    best: best ?? false,
    in_repair,
    venue,
    held_reason,
    report_reason,
    text,
    player: row.player_exists
      ? { id: String(row.player_id), username, avatar_color, jersey_number, team }
      : null,
    recent,
    nearby,
    outside,
    week,
  };
}

/**
 * For each row, the player's first eight counted games of the week. The row's game is not among
 * them: a later game takes its place.
 */
async function readOthers(db: Database, rows: readonly TeamGame[]): Promise<CountedGame[][]> {
  const { rows: games } = await sql<CountedGame & { at: number }>`
    select r.at, g.machine_id, g.id, g.team_id, g.score, g.played_at
    from ${recordset(
      rows.map(({ player_id, week, machine_number: machine_id, id }, at) => {
        return { at, player_id, week, machine_id, id };
      }),
      'at integer, player_id bigint, week date, machine_id integer, id uuid',
    )}
    cross join lateral (
      select * from games g
      where g.player_id = r.player_id and g.week = r.week and g.state = 'counted'
        and (g.machine_id, g.id) <> (r.machine_id, r.id)
      order by g.played_at, g.id limit ${WEEK_GAMES}
    ) g`.execute(db);
  return rows.map((_, at) => games.filter((game) => game.at === at));
}

async function changesOf(db: Database, rows: readonly TeamGame[]): Promise<Map<number, number>[]> {
  const played = await readWeeks(db, rows);
  const others = await readOthers(db, rows);
  return rows.map(({ team_id, id, score, played_at, state, machine_number: machine_id }, at) => {
    const games = played[at]?.games ?? [];
    const then =
      state === 'counted'
        ? (others[at] ?? [])
        : [...games, { machine_id, id, team_id, score, played_at }];
    const totals = (all: typeof games) =>
      new Map(tallyWeek(all).shares.map((share) => [share.team_id, share.total]));
    const before = totals(games);
    const after = totals(then);
    const teams = new Set([team_id, ...before.keys(), ...after.keys()]);
    return new Map(
      [...teams].map((team) => [team, (after.get(team) ?? 0) - (before.get(team) ?? 0)]),
    );
  });
}

/**
 * What each held or void game would change in its week if it counted, and each counted game if it
 * did not (LEAGUE-03). A game may displace another of the player's games, even for another team.
 * Three queries for any number.
 */
export async function weeksAfter<Game extends TeamGame>(
  db: Database,
  rows: readonly Game[],
  now: Date,
): Promise<Map<Game, NonNullable<InboxCase['week']>>> {
  if (rows.length === 0) return new Map();
  const changes = await changesOf(db, rows);
  const sums = await readTotals(
    db,
    rows.flatMap(({ week, opponent_id }, at) =>
      [...(changes[at]?.keys() ?? []), ...(opponent_id === null ? [] : [opponent_id])].map(
        (team_id) => ({ team_id, week }),
      ),
    ),
  );
  return new Map(
    rows.map((row, at) => {
      const { week, team_id, opponent_id, number, timezone } = row;
      const changed = changes[at] ?? new Map<number, number>();
      const opponent = sums.get(`${opponent_id} ${week}`);
      const change = (id: number) => {
        const { team = '', total = 0 } = sums.get(`${id} ${week}`) ?? {};
        return { team, total, total_after: total + (changed.get(id) ?? 0) };
      };
      return [
        row,
        {
          ...change(team_id),
          week,
          number: number ?? 0,
          over: week < weekOf(now, timezone),
          opponent: opponent?.team ?? null,
          opponent_total: opponent?.total ?? 0,
          final: row.final,
          others: [...changed]
            .filter(([id, points]) => id !== team_id && points !== 0)
            .map(([id]) => change(id)),
        },
      ];
    }),
  );
}

type Sum = { team_id: number; week: string; team: string; total: number };

/** Each team's name and total in its row's week, by `team_id week`. */
async function readTotals(
  db: Database,
  asked: readonly { team_id: number; week: string }[],
): Promise<Map<string, Sum>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<Sum>`
    select r.team_id, r.week::text as week, t.name as team, coalesce((select sum(w.total)
      from league_weeks w where w.team_id = r.team_id and w.week = r.week), 0)::float8 as total
    from ${recordset(asked, 'team_id integer, week date')} join teams t on t.id = r.team_id`.execute(
    db,
  );
  return new Map(rows.map((sum) => [`${sum.team_id} ${sum.week}`, sum]));
}
