import { type RawBuilder, sql } from 'kysely';
import { DECISIONS_HOURS, DECISIONS_MAX } from '#contract/rules/inbox.ts';
import type { Decision, Decisions, LeagueDecided } from '#contract/wire/inbox.ts';
import type { Deps } from '../deps.ts';
import { keptBy } from '../leagues/leagues.ts';
import { holdsAnswer } from '../leagues/requests.ts';
import { seasonOfWeek } from '../leagues/seasons.ts';
import type { Policy } from '../staff/policy.ts';

const since = (clock: Deps['clock']) =>
  new Date(clock.now().getTime() - DECISIONS_HOURS * 3_600_000);

type Row = {
  id: string;
  at: Date;
  by: string;
  decision: Decision;
  game: string;
  score: number;
  machine: string;
  player_id: string | null;
  username: string | null;
};

/**
 * The decisions of the last 24 hours about games that are `reached`, newest first, at most
 * DECISIONS_MAX (GAME-13). Each comes with its game as it is now.
 */
export async function readDecisions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reached: RawBuilder<boolean>,
): Promise<Decisions['results']> {
  const { rows } = await sql<Row>`
    select d.id::text, d.at, d.who as by, d.decision, g.seq::text as game, g.score,
      m.name as machine, p.id::text as player_id, p.username
    from game_decisions d
    join games g on g.machine_id = d.machine_id and g.id = d.game_id
    join machines m on m.id = g.machine_id
    left join players p on p.id = g.player_id
    where d.at > ${since(clock)} and ${reached}
    order by d.id desc limit ${DECISIONS_MAX}`.execute(db);
  return rows.map(({ at, player_id, username, ...row }) => ({
    ...row,
    at: at.toISOString(),
    player: player_id === null ? null : { id: player_id, username },
  }));
}

/** SQL: whether a later decision is about the same player, team or matchup as `d`. */
const OVERTAKEN = sql`exists (
  select from league_decisions later where later.id > d.id
    and case when d.player_id is null
      then later.player_id is null and later.team_id = d.team_id
        and later.week is not distinct from d.week
      else later.player_id = d.player_id end)`;

/**
 * SQL: whether decision `d` is still in effect, and can be undone by a call. A removed ruling cannot
 * be set again in a week that has not begun (SEASON-30).
 */
const canUndo = (now: Date) => sql<boolean>`case when ${OVERTAKEN} then false else case d.decision
  when 'moved' then p.team_id is not distinct from d.team_id
  when 'accepted' then ${holdsAnswer(sql`true`, sql`d.team_id`)}
  when 'declined' then d.asked_at is not null and ${holdsAnswer(sql`false`, sql`d.team_id`)}
  when 'made' then exists (
    select from (${keptBy(sql`d.team_id`)}) kept
    where kept.players = 0 and not kept.games and not kept.matchups)
  when 'renamed' then t.name = d.after and not exists (
    select from teams x where x.league_id = d.league_id and x.id <> t.id
      and lower(x.name) = lower(d.before))
  when 'ruled' then exists (
    select from matchup_sides h
    where h.team_id = d.team_id and h.week = d.week and h.home and h.opponent_id = d.other_id)
    and (d.after <> 'none' or d.week <= (
      select (${now}::timestamptz at time zone timezone)::date from leagues where id = d.league_id))
  else false end end`;

const teamOf = (team: RawBuilder<unknown>) => sql<LeagueDecided['team']>`
  case when ${team}.id is not null
    then json_build_object('id', ${team}.id::text, 'name', ${team}.name) end`;

/**
 * The last 24 hours' decisions about leagues, newest first, at most DECISIONS_MAX (HAND-C11). Lists
 * a decision only if the caller reaches the leagues of all its teams.
 */
export async function readLeagueDecisions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reached: Policy['league'],
): Promise<LeagueDecided[]> {
  const { rows } = await sql<
    Omit<LeagueDecided, 'at' | 'asked_at'> & { at: Date; asked_at: Date | null }
  >`
    select d.id::text, d.at, d.who as by, d.decision, d.league_id::text,
      case when p.id is not null
        then json_build_object('id', p.id::text, 'username', p.username) end as player,
      ${teamOf(sql`t`)} as team, ${teamOf(sql`o`)} as other, d.before, d.after,
      d.week::text, n.number as week_number, d.reason_before, d.asked_at, ${canUndo(clock.now())} as undo
    from league_decisions d
    left join players p on p.id = d.player_id
    left join teams t on t.id = d.team_id
    left join teams o on o.id = d.other_id
    left join lateral ${seasonOfWeek(sql`d.league_id`, sql`d.week`)} n on true
    where d.at > ${since(clock)} and ${reached(sql`d.league_id`)}
      and (o.id is null or ${reached(sql`o.league_id`)})
    order by d.id desc limit ${DECISIONS_MAX}`.execute(db);
  return rows.map(({ at, asked_at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    asked_at: asked_at?.toISOString() ?? null,
  }));
}
