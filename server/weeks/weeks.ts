import { sql } from 'kysely';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { addDays, startOf } from '../leagues/calendar.ts';
import { SIDES } from '../leagues/matchups.ts';
import { DECIDED_BY_GAMES } from '../leagues/turning.ts';
import { shortName } from '../push/message.ts';
import { plan, readResults, readWaiting, storeResult } from '../push/notices.ts';
import type { Teller } from '../push/planner.ts';

/*
 * Tells players how their team's week ended: once, an hour after its close, and once more if the
 * result turns (PUSH-02).
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For this many days, closed weeks are compared with what players were told. */
const COMPARED_DAYS = 7;
/** How long a notice about a week is worth sending (PUSH-13). */
const WORTH_MS = 36 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;

/** `told`: the sign of the difference that the player was told before the week turned. */
type Data = { team_id: number; week: string; turned: boolean; told?: number };

const subjectOf = ({ team_id, week }: Pick<Data, 'team_id' | 'week'>) => `week ${team_id} ${week}`;

type Due = {
  team_id: number;
  week: string;
  timezone: string;
  own: number;
  other: number;
  told_own: number | null;
  told_other: number | null;
};

/** SQL: the total of a team's week. */
const totalOf = (team: string) => sql`(
  select coalesce(sum(total), 0)::bigint from league_weeks
  where team_id = ${sql.ref(team)} and week = m.week)`;

/**
 * Closed weeks that players were not told of; with `compare` also those that may have turned since.
 */
async function readDue(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  compare: boolean,
): Promise<Due[]> {
  const now = clock.now();
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const { rows } = await sql<Due>`
    select m.team_id, m.week, l.timezone, ${totalOf('m.team_id')} as own,
      ${totalOf('m.opponent_id')} as other, w.own as told_own, w.other as told_other
    from ${SIDES} m join leagues l on l.id = m.league_id
    left join told_weeks w on w.team_id = m.team_id and w.week = m.week
    where m.week between ${day(-COMPARED_DAYS - 9)} and ${day(-6)} and ${DECIDED_BY_GAMES}
      and (m.week + 7)::timestamp at time zone l.timezone <= ${new Date(now.getTime() - HOUR_MS)}
      and (m.week + 7)::timestamp at time zone l.timezone
        > ${new Date(now.getTime() - COMPARED_DAYS * DAY_MS)}
      and (w.team_id is null or ${compare} and not w.turned)`.execute(db);
  return rows;
}

const isPlayed = ({ own, other }: Pick<Due, 'own' | 'other'>) => own + other > 0;
const signTold = ({ told_own, told_other }: Due) => Math.sign((told_own ?? 0) - (told_other ?? 0));
const signNow = ({ own, other }: Due) => Math.sign(own - other);
const hasTurned = (one: Due) => one.told_own !== null && signNow(one) !== signTold(one);

/**
 * Plans the notices of weeks that closed an hour ago, and of those that a late game or a correction
 * has turned, for players who were told another result. Players who still wait for the result are
 * told the new one; if that is the whole team, its week can still turn once. Runs in one process at
 * a time. Returns how many weeks.
 */
export async function tellWeeks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  compare = clock.now().getUTCMinutes() === 0,
): Promise<number> {
  const due = await readDue({ db, clock }, compare);
  const played = due.filter(isPlayed);
  if (played.length === 0) return 0;
  const now = clock.now();
  return await db.transaction().execute(async (trx) => {
    const subjects = played.map(subjectOf);
    // In this order: a notice that is sent between the two is seen as waiting.
    const waiting = await readWaiting(trx, 'my_week', subjects);
    const results = await readResults<number>(trx, 'my_week', subjects);
    const isNews = (one: Due) => one.told_own === null || hasTurned(one);
    const toldAnother = (one: Due) =>
      [...(results.get(subjectOf(one))?.values() ?? [])].some((sign) => sign !== signNow(one));
    const told = played.filter((one) => isNews(one) || toldAnother(one));
    if (told.length === 0) return 0;
    const weeks = told.map((one) => ({
      ...one,
      closed_at: startOf(addDays(one.week, 7), one.timezone),
    }));
    // Only the players who were on the team when the week closed.
    const { rows: players } = await sql<{ id: number; at: number }>`
      select p.id, r.at from ${recordset(
        weeks.map(({ team_id, closed_at }, at) => ({ at, team_id, closed_at })),
        'at integer, team_id integer, closed_at timestamptz',
      )} join players p on p.team_id = r.team_id
      where p.team_id = (
        select team_id from team_changes where player_id = p.id and at < r.closed_at
        order by at desc limit 1)`.execute(trx);
    const planned = await plan(
      trx,
      players.flatMap(({ id: player_id, at }) => {
        const one = weeks[at];
        if (one === undefined) return [];
        const turned = one.told_own !== null;
        const { team_id, week } = one;
        const subject = subjectOf(one);
        if (waiting.some((other) => other.player_id === player_id && other.subject === subject))
          return [];
        const before = results.get(subject)?.get(player_id) ?? signTold(one);
        if (turned && before === signNow(one)) return [];
        const from = turned ? now : one.closed_at;
        return {
          player_id,
          kind: 'my_week' as const,
          subject,
          data: { team_id, week, turned, ...(turned && { told: before }) } satisfies Data,
          worth_until: new Date(from.getTime() + WORTH_MS),
        };
      }),
      now,
    );
    const isWaiting = (one: Due) => waiting.some(({ subject }) => subject === subjectOf(one));
    await sql`
      insert into told_weeks (team_id, week, own, other, told_at)
      select team_id, week, own, other, ${now}::timestamptz from ${recordset(
        told
          .filter((one) => planned.has(subjectOf(one)) || (isNews(one) && !isWaiting(one)))
          .map((one) => ({ ...one })),
        'team_id integer, week date, own bigint, other bigint',
      )}
      on conflict (team_id, week) do update set told_at = excluded.told_at, turned = true`.execute(
      trx,
    );
    return told.length;
  });
}

/** The nightly job: deletes old records of what players were told. Returns how many. */
export async function cleanUpWeeks({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('told_weeks')
    .where('told_at', '<', new Date(clock.now().getTime() - KEPT_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const number = (total: number) => total.toLocaleString('en');

/** The words of a notice, from the totals at the time of sending (PUSH-16). */
export const weekTeller: Teller = {
  rank: () => 1,
  words: async ({ db }, { player_id, data }) => {
    const { team_id, week, turned, told: before } = data as Data;
    const { rows } = await sql<{
      team: string;
      opponent: string;
      own: number;
      other: number;
      best: number | null;
    }>`
      select t.name as team, o.name as opponent, ${totalOf('m.team_id')} as own,
        ${totalOf('m.opponent_id')} as other, (
          select max(score) from games where player_id = ${player_id} and week = m.week
            and team_id = m.team_id and state = 'counted') as best
      from ${SIDES} m join teams t on t.id = m.team_id join teams o on o.id = m.opponent_id
      where m.team_id = ${team_id} and m.week = ${week}::date and ${DECIDED_BY_GAMES}`.execute(db);
    const [told] = rows;
    if (told === undefined || !isPlayed(told)) return null;
    const { own, other, best } = told;
    if (turned && Math.sign(own - other) === before) return null;
    const result = own > other ? 'Won' : own < other ? 'Lost' : 'Level';
    const score =
      result === 'Level'
        ? `Level at ${number(own)}`
        : `${result} ${number(own)} – ${number(other)}`;
    if (turned)
      return {
        title: `The week has turned: ${score[0]?.toLowerCase()}${score.slice(1)}`,
        body: 'A late game or a correction changed it.',
        path: '/league',
      };
    const [team, opponent] = [shortName(told.team), shortName(told.opponent)];
    const sentence = {
      Won: `${team} beat ${opponent}.`,
      Lost: `${opponent} beat ${team}.`,
      Level: `${team} and ${opponent} end level.`,
    }[result];
    return {
      title: score,
      body: best === null ? sentence : `${sentence} Your best game: ${number(best)}.`,
      path: result === 'Lost' ? '/league' : '/week',
    };
  },
  settle: async (trx, { id, data }, outcome) => {
    const { team_id, week, turned } = data as Data;
    if (outcome === 'sent') {
      const { rows } = await sql<{ sign: number }>`
        update told_weeks w set own = ${totalOf('m.team_id')}, other = ${totalOf('m.opponent_id')}
        from ${SIDES} m where m.team_id = w.team_id and m.week = w.week
          and w.team_id = ${team_id} and w.week = ${week}::date and m.opponent_id is not null
        returning sign(w.own - w.other)::integer as sign`.execute(trx);
      const [told] = rows;
      if (told !== undefined) await storeResult(trx, id, told.sign);
    }
    // A turn that was undone is not the one of PUSH-02. Others may know of it already.
    if (turned && outcome === 'no longer true')
      await sql`
        update told_weeks set turned = false
        where team_id = ${team_id} and week = ${week}::date`.execute(trx);
  },
};
