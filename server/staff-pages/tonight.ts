import { type RawBuilder, sql } from 'kysely';
import { needsHand } from '#contract/rules/machines.ts';
import { BACKUP_OLD_MS, MAIL_LATE_MS } from '#contract/rules/system.ts';
import type { InboxCount } from '#contract/wire/inbox.ts';
import type { MachineCard } from '#contract/wire/machines.ts';
import type { Tonight, TonightCount } from '#contract/wire/tonight.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { readChangedSeasons } from '../leagues/season-offer.ts';
import { readKeptOpen } from '../leagues/season-open.ts';
import { inPausedWeek, inSeason } from '../leagues/seasons.ts';
import { GAMES_HERE } from '../machines/machines.ts';
import { type MachineView, viewMachines } from '../machines/overview.ts';
import { keylessSince } from '../machines/state.ts';
import type { Policy } from '../staff/policy.ts';
import { lastNight, type Night, openNight, openSince } from '../venues/hours.ts';
import { tonightBegan, tonightEnds } from '../venues/tonight.ts';
import { readCupHands } from './cups.ts';
import type { Waiting } from './inbox.ts';
import { readRunningWeeks } from './running-weeks.ts';

const HOUR_MS = 3_600_000;
/** The largest number of bars in the chart. Each bar is an hour. */
const HOURS_MAX = 25;

type ReadDeps = Pick<Deps, 'db' | 'clock'>;
type SystemDeps = Pick<Deps, 'db' | 'clock' | 'mail'>;
type Figures = { games: number; hours: number[] };
type Person = { username: string; avatar_color: string; jersey_number: string };

const iso = (at: Date | null) => at?.toISOString() ?? null;

/**
 * The venue's current opening day, or the last one if it is closed. For a venue that never closes:
 * 06:00 to 06:00, as on its screens (SCREEN-05).
 */
function nightOf({ opening }: MachineView, now: Date): Night {
  const { timezone } = opening;
  if (openSince(opening, now)?.getTime() === 0)
    return { opens: tonightBegan(now, timezone), closes: tonightEnds(now, timezone) };
  const day = { opens: new Date(now.getTime() - 24 * HOUR_MS), closes: now };
  return openNight(opening, now) ?? lastNight(opening, now) ?? day;
}

/**
 * Merges the opening days that are still running or began in the last 24 hours, from the first
 * opening to the last closing. If there are none, returns the newest; without any day, the last
 * hour.
 */
export function sharedNight(nights: readonly Night[], now: Date): Night {
  const sorted = nights.toSorted((a, b) => b.opens.getTime() - a.opens.getTime());
  const fresh = sorted.filter(
    ({ opens, closes }) => closes > now || now.getTime() - opens.getTime() < 24 * HOUR_MS,
  );
  const chosen = fresh.length > 0 ? fresh : sorted.slice(0, 1);
  if (chosen.length === 0) return { opens: new Date(now.getTime() - HOUR_MS), closes: now };
  return {
    opens: new Date(Math.min(...chosen.map(({ opens }) => opens.getTime()))),
    closes: new Date(Math.max(...chosen.map(({ closes }) => closes.getTime()))),
  };
}

type Bars = { number: number; end: Date };

/** A night's bars, one per hour that has begun. Games after the last bar are in no figure. */
export function barsOf({ opens, closes }: Night, now: Date): Bars {
  const last = Math.min(now.getTime(), closes.getTime() - 1);
  const begun = Math.floor((last - opens.getTime()) / HOUR_MS) + 1;
  const number = Math.min(HOURS_MAX, Math.max(1, begun));
  return { number, end: new Date(opens.getTime() + number * HOUR_MS) };
}

/** Games by machine and hour since `night` began, without void and discarded ones. */
async function readHours(
  db: Database,
  views: readonly MachineView[],
  night: Night,
  { number, end }: Bars,
) {
  const { rows } = await sql<{ machine_id: number; hour: number; games: number }>`
    select g.machine_id, floor(extract(epoch from g.played_at - ${night.opens}) / 3600)::integer as hour,
      count(*) as games
    from machines m cross join lateral ${GAMES_HERE} g
    where m.id = any(${views.map(({ id }) => id)}::integer[])
      and g.played_at >= ${night.opens} and g.played_at < ${end}
      and g.state in ('counted', 'held')
    group by 1, 2`.execute(db);
  const figures = new Map<number, Figures>(
    views.map(({ id }) => [id, { games: 0, hours: Array(number).fill(0) }]),
  );
  for (const { machine_id, hour, games } of rows) {
    const of = figures.get(machine_id);
    if (of === undefined || hour < 0 || hour >= number) continue;
    of.games += games;
    of.hours[hour] = games;
  }
  return figures;
}

async function readPeople(db: Database, views: readonly MachineView[]) {
  const ids = views.flatMap(({ greeted_player, last_player_id }) => [
    greeted_player ?? 0,
    last_player_id ?? 0,
  ]);
  const { rows } = await sql<Person & { id: number }>`
    select id, username, avatar_color, jersey_number from players
    where id = any(${[...new Set(ids)]}::bigint[]) and username is not null`.execute(db);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

async function readClockAlerts(db: Database) {
  const rows = await db
    .selectFrom('machine_alerts')
    .select(['machine_id', 'begun_at'])
    .where('kind', '=', 'clock')
    .execute();
  return new Map(rows.map(({ machine_id, begun_at }) => [machine_id, begun_at]));
}

/** Whether somebody may be playing. The state `clock` alone does not tell. */
const plays = ({ state, playing, greeted_at, last_played_at }: MachineView) =>
  ['playing', 'clock'].includes(state) &&
  (playing || (greeted_at !== null && (last_played_at === null || last_played_at < greeted_at)));

/** Machines' cards, with an opening day's figures. */
export async function readCards(
  { db, clock }: ReadDeps,
  views: readonly MachineView[],
  night: Night,
): Promise<MachineCard[]> {
  const now = clock.now();
  const bars = barsOf(night, now);
  const figures = await readHours(db, views, night, bars);
  const people = await readPeople(db, views);
  const alerts = await readClockAlerts(db);
  return views.map((view) => {
    const { games, hours } = figures.get(view.id) ?? { games: 0, hours: [] };
    const last = people.get(view.last_player_id ?? 0) ?? null;
    return {
      id: String(view.id),
      name: view.name,
      venue: view.venue,
      timezone: view.opening.timezone,
      state: view.state,
      since: iso(view.since),
      revoked: view.revoked_at !== null,
      keyless: keylessSince(view) !== null,
      repair_by: view.repair_by,
      repair_why: view.repair_why,
      heard_at: iso(view.heard_at),
      clock_error_ms: view.clock_error_ms,
      clock_since: iso(alerts.get(view.id) ?? null),
      reported_at: iso(view.reported_at),
      queued: view.queued,
      oldest_played_at: iso(view.oldest_played_at),
      rejected: view.rejected,
      software: view.software,
      player: plays(view) ? (people.get(view.greeted_player ?? 0) ?? null) : null,
      greeted_at: iso(view.greeted_at),
      last_game:
        view.last_played_at === null || view.last_score === null
          ? null
          : {
              played_at: view.last_played_at.toISOString(),
              score: view.last_score,
              username: last?.username ?? null,
            },
      games,
      hours,
    };
  });
}

/** When one of these machines' states next changes without a call, or null. */
export function nextChange(views: readonly MachineView[]): string | null {
  const times = views.flatMap(({ until }) => (until === null ? [] : [until.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

/** The opening day that Tonight shows. */
export const nightOfAll = (views: readonly MachineView[], now: Date): Night =>
  sharedNight(
    views.map((view) => nightOf(view, now)),
    now,
  );

/** Reads the totals of the same games as `readHours`. */
async function readTotals(db: Database, views: readonly MachineView[], night: Night, end: Date) {
  const { rows } = await sql<{ players: number; league_games: number }>`
    select count(distinct player_id) as players, count(*) filter (where team_id is not null
      and ${inSeason(sql`g.team_id`, sql`g.week`)} and not ${inPausedWeek(sql`g.team_id`, sql`g.week`)}) as league_games
    from machines m cross join lateral ${GAMES_HERE} g
    where m.id = any(${views.map(({ id }) => id)}::integer[])
      and played_at >= ${night.opens} and played_at < ${end}
      and state in ('counted', 'held')`.execute(db);
  return rows[0] ?? { players: 0, league_games: 0 };
}

/** Which first steps of an installation are done (MACH-18). */
async function readSteps(db: Database): Promise<Tonight['steps']> {
  const { rows } = await sql<Tonight['steps']>`
    select exists (select from machines) as machines, exists (select from leagues) as leagues,
      (select count(*) > 1 from staff where removed_at is null) as staff`.execute(db);
  return rows[0] ?? { machines: false, leagues: false, staff: false };
}

/** At most `limit` leagues `l` for which `where` is true and whose weeks are all over (MACH-16). */
async function readBetween(
  db: Database,
  where: RawBuilder<boolean>,
  now: Date,
  limit: number,
): Promise<Tonight['between']> {
  if (limit === 0) return [];
  const { rows } = await sql<Tonight['between'][number]>`
    select l.id::text, l.name, (
      select min(starts_on) from seasons n where n.league_id = l.id and n.starts_on > s.starts_on
    ) as next
    from leagues l
    cross join lateral (select date_trunc('week', timezone(l.timezone, ${now}::timestamptz))::date as week) w
    cross join lateral (
      select id, starts_on from seasons where league_id = l.id and starts_on <= w.week
      order by starts_on desc limit 1
    ) s
    where ${where} and (select max(week) from matchup_sides m where m.season_id = s.id) < w.week
    order by lower(l.name) limit ${limit}`.execute(db);
  return rows;
}

const LEAGUES_MAX = 3;

/** The console's one number: machines in need, and the inbox's open cases (HAND-C7). */
function ballOf(views: readonly MachineView[], { held, reports, requests }: InboxCount): number {
  const machines = views.filter(({ state, revoked_at }) =>
    needsHand({ state, revoked: revoked_at !== null }),
  );
  return machines.length + held + reports + requests;
}

type SystemHands = Pick<Tonight, 'system' | 'until'>;
const NO_HANDS: SystemHands = { system: { mail_since: null, old_backup: null }, until: null };

/** What an owner looks at on the page System (STAFF-27). `until`: when this next changes. */
async function readSystemHands({ db, clock, mail }: SystemDeps): Promise<SystemHands> {
  const now = clock.now();
  const [[oldest], { rows }] = await Promise.all([
    mail.listWaiting(1),
    sql<{ last: Date | null; began: Date | null }>`
      select (select max(at) from backups) as last, (select min(created_at) from staff) as began`.execute(
      db,
    ),
  ]);
  const last = rows[0]?.last ?? null;
  const since = last ?? rows[0]?.began;
  const late = oldest && new Date(oldest.since.getTime() + MAIL_LATE_MS);
  const old = since && new Date(since.getTime() + BACKUP_OLD_MS);
  const coming = [late, old].flatMap((at) => (at && at > now ? [at.getTime()] : []));
  return {
    system: {
      mail_since: late && late <= now ? oldest.since.toISOString() : null,
      old_backup: old && old <= now ? { at: iso(last) } : null,
    },
    until: coming.length > 0 ? new Date(Math.min(...coming)).toISOString() : null,
  };
}

/** The number of Tonight's ball, without the rest of the page. */
export async function countTonight(
  deps: ReadDeps,
  reached: Pick<Policy, 'venue'>,
  { held, reports, requests }: InboxCount,
): Promise<TonightCount> {
  const now = deps.clock.now();
  const views = await viewMachines(deps, reached.venue(sql.ref('m.venue_id')));
  const cases = { held, reports, requests };
  return {
    server_time: now.toISOString(),
    until: nextChange(views),
    number: ballOf(views, cases),
    ...cases,
  };
}

/**
 * Tonight (MACH-16) for the venues and leagues that are `reached`; `isOwner` adds what owners see
 * (STAFF-27). The cost grows only with the machines and the day's games.
 */
export async function readTonight(
  deps: SystemDeps,
  reached: Pick<Policy, 'venue' | 'league' | 'game'>,
  cases: Waiting,
  isOwner: boolean,
): Promise<Omit<Tonight, 'mails_to'>> {
  const { db, clock } = deps;
  const now = clock.now();
  const hands = isOwner ? await readSystemHands(deps) : NO_HANDS;
  const views = await viewMachines(deps, reached.venue(sql.ref('m.venue_id')));
  const night = nightOfAll(views, now);
  const machines = await readCards(deps, views, night);
  const bars = barsOf(night, now);
  const league = reached.league(sql.ref('l.id'));
  const leagues = (await readRunningWeeks(db, league, now)).slice(0, LEAGUES_MAX);
  return {
    server_time: now.toISOString(),
    // ISO times in UTC sort as text.
    until: [nextChange(views), hands.until].filter((at) => at !== null).sort()[0] ?? null,
    night: {
      opens: night.opens.toISOString(),
      closes: night.closes.toISOString(),
      timezone: views[0]?.opening.timezone ?? 'UTC',
      open: views.some(({ opening }) => openNight(opening, now) !== null),
      games: machines.reduce((sum, { games }) => sum + games, 0),
      ...(await readTotals(db, views, night, bars.end)),
      hours: Array.from({ length: bars.number }, (_, at) =>
        machines.reduce((sum, { hours }) => sum + (hours[at] ?? 0), 0),
      ),
    },
    system: hands.system,
    machines,
    number: ballOf(views, cases),
    held: { count: cases.held, oldest_at: iso(cases.held_since) },
    reports: { count: cases.reports, oldest_at: iso(cases.reports_since) },
    requests: { count: cases.requests, oldest_at: iso(cases.requests_since) },
    leagues,
    between: await readBetween(db, league, now, LEAGUES_MAX - leagues.length),
    seasons: await readKeptOpen(db, { reached: league, here: reached.game }, now),
    changed_seasons: await readChangedSeasons(db, league),
    cups: await readCupHands(
      deps,
      sql<boolean>`(${reached.venue(sql.ref('c.venue_id'))}
        or c.venue_id is null and ${reached.league(sql.ref('c.league_id'))})`,
    ),
    steps: await readSteps(db),
  };
}
