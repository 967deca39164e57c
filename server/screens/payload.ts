import { type RawBuilder, sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import { noticeAt } from '#contract/rules/screens.ts';
import type { ScreenAnswer, ScreenLeague } from '#contract/wire/screens.ts';
import { GAME_RULES } from '../achievements/rules.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { readVenueTop } from '../leaderboards/read-board.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { type PlayedSide, SIDES } from '../leagues/matchups.ts';
import { numberOfWeek } from '../leagues/seasons.ts';
import { namedFor } from '../players/visibility.ts';
import { nextOffset, type Opening, offsetMs } from '../venues/hours.ts';
import { tonightBegan } from '../venues/tonight.ts';
import { readScreenContests } from './contests.ts';
import { readScreenCups } from './cups.ts';
import { NOTICES, type Notices, noticesOf, timesOf } from './notice.ts';
import { readSeasonSlide } from './season-slide.ts';

/*
 * What a venue's screens show. Each query reads a bounded number of rows by an index (SCREEN-03).
 */

/** One game is in the painted square, five are beside it. */
const GAMES = 6;
const PLACES = 10;
const ACHIEVEMENTS = 6;
const LEAGUES_MAX = 3;
const MATCHUPS_MAX = 16;
/** How many of a machine's newest games are searched for the leagues played here (SCREEN-06). */
const RECENT_GAMES = 60;
const MINUTE_MS = 60_000;
/** More machines than any arcade has. */
const MACHINES_MAX = 60;

type PayloadDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type ShownVenue = { id: number; name: string } & Opening & Notices;
export type ShownScreen = Pick<ScreenAnswer, 'name' | 'still' | 'slides'> & {
  id: number;
  venue_id: number;
};

/** @throws Error when the screen's venue does not exist. */
export async function readPayload(deps: PayloadDeps, screen: ShownScreen): Promise<ScreenAnswer> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const venue = await readVenue(db, screen);
  const began = tonightBegan(now, venue.timezone);
  const { own, house } = noticesOf(venue);
  const notices = [own, house].flatMap((notice) => timesOf(notice, venue.timezone, now));
  const notice = noticeAt(notices, now.getTime());
  // Count from tonight's beginning, because a game before a change has the offset of that time.
  const change = nextOffset(began, venue.timezone);
  const [tonight, week, all, { leagues, season }, contests, cups, achievements] = await Promise.all(
    [
      readTonight(deps, venue.id, began),
      readVenueTop(deps, venue.id, 'week', PLACES),
      readVenueTop(deps, venue.id, 'all', PLACES),
      readLeagues(deps, venue.id),
      readScreenContests(deps, venue),
      readScreenCups(deps, venue),
      readAchievements(deps, venue.id, began),
    ],
  );
  return {
    now: now.toISOString(),
    signup_url: `${config.public_url}/signup`,
    name: screen.name,
    still: screen.still,
    venue: {
      id: String(venue.id),
      name: venue.name,
      utc_offset: offsetMs(began.getTime(), venue.timezone) / MINUTE_MS,
      utc_change: change && {
        at: change.at.toISOString(),
        utc_offset: change.offset_ms / MINUTE_MS,
      },
    },
    slides: screen.slides,
    notice: notice?.text ?? null,
    notice_until: notice?.until ?? null,
    notices,
    tonight,
    week,
    all,
    leagues,
    contests,
    cups,
    season,
    achievements,
  };
}

async function readVenue(
  db: Database,
  { id, venue_id }: Pick<ShownScreen, 'id' | 'venue_id'>,
): Promise<ShownVenue> {
  const { rows } = await sql<ShownVenue>`
    select v.id, v.name, v.timezone, v.hours, ${NOTICES}
    from venues v left join screens s on s.id = ${id} where v.id = ${venue_id}`.execute(db);
  const [venue] = rows;
  if (venue === undefined) throw new Error(`There is no venue ${venue_id}`);
  return venue;
}

/** A venue's machines. Their games at other venues are not shown (MACH-14). */
const machinesOf = (venueId: number | RawBuilder<number>) => sql`
  (select id, name, venue_id from machines where venue_id = ${venueId} order by id limit ${MACHINES_MAX})`;

/** The newest counted games since `began`. Hidden players and deleted accounts have null names. */
async function readTonight(
  deps: PayloadDeps,
  venueId: number,
  began: Date,
): Promise<ScreenAnswer['tonight']> {
  type Row = Omit<ScreenAnswer['tonight'][number], 'played_at'> & { played_at: Date };
  const { rows } = await sql<Row>`
    select g.id, ${namedFor(deps, 'screen')}, m.name as machine, g.score, g.played_at, g.beat
    from ${machinesOf(venueId)} m cross join lateral (
      select id, seq, player_id, score, played_at, beat from games
      where venue_id = m.venue_id and machine_id = m.id and state = 'counted'
        and played_at >= ${began}
      order by played_at desc limit ${GAMES}
    ) g left join players p on p.id = g.player_id
    order by g.played_at desc, g.seq desc limit ${GAMES}`.execute(deps.db);
  return rows.map((row) => ({ ...row, played_at: row.played_at.toISOString() }));
}

async function readAchievements(
  deps: PayloadDeps,
  venueId: number,
  began: Date,
): Promise<ScreenAnswer['achievements']> {
  type Row = Omit<ScreenAnswer['achievements'][number], 'name' | 'icon' | 'won_at'> & {
    won_at: Date;
  };
  const { rows } = await sql<Row>`
    select a.key, ${namedFor(deps, 'screen')}, a.unlocked_at as won_at
    from ${machinesOf(venueId)} m cross join lateral (
      select won.player_id, key, unlocked_at from player_achievements won
      join games g on g.machine_id = won.machine_id and g.id = won.game_id
      where won.machine_id = m.id and g.venue_id = m.venue_id and unlocked_at >= ${began}
      order by unlocked_at desc limit ${ACHIEVEMENTS}
    ) a join players p on p.id = a.player_id
    order by a.unlocked_at desc, a.key limit ${ACHIEVEMENTS}`.execute(deps.db);
  return rows.flatMap(({ won_at, ...row }) => {
    const definition = GAME_RULES.find(({ key }) => key === row.key);
    if (definition === undefined) return [];
    const { name, icon } = definition;
    return { ...row, name, icon, won_at: won_at.toISOString() };
  });
}

/** Days after Monday. */
const SATURDAY = 5;

type PlayedLeague = { id: number; name: string; timezone: string; starts_on: string };

/** The leagues played at each venue, the most played first. */
export async function readPlayedLeagues(
  db: Database,
  venueIds: readonly number[],
): Promise<Map<number, PlayedLeague[]>> {
  const { rows } = await sql<PlayedLeague & { venue_id: number }>`
    select v.id as venue_id, l.id, l.name, l.timezone, l.starts_on
    from unnest(${[...new Set(venueIds)]}::integer[]) as v (id) cross join lateral (
      select l.*, count(*) as games
      from ${machinesOf(sql`v.id`)} m cross join lateral (
        select team_id from games
        where venue_id = m.venue_id and machine_id = m.id and state = 'counted'
        order by played_at desc limit ${RECENT_GAMES}
      ) g join teams t on t.id = g.team_id join leagues l on l.id = t.league_id
      group by l.id order by games desc, l.id limit ${LEAGUES_MAX}
    ) l order by l.games desc, l.id`.execute(db);
  return Map.groupBy(rows, ({ venue_id }) => venue_id);
}

type SideRow = Pick<PlayedSide, 'team_id' | 'opponent_id' | 'home' | 'ruling'> & {
  team: string;
  total: number;
  games: number;
  players: number;
};

/** The matchups of the leagues played here, and the table of the most played one (SCREEN-06). */
async function readLeagues(
  { db, clock }: PayloadDeps,
  venueId: number,
): Promise<Pick<ScreenAnswer, 'leagues' | 'season'>> {
  const now = clock.now();
  const leagues = (await readPlayedLeagues(db, [venueId])).get(venueId) ?? [];
  const [first] = leagues;
  const [season, ...shown] = await Promise.all([
    first === undefined ? null : readSeasonSlide(db, first, now),
    ...leagues.map((league) => readMatchups(db, league, now)),
  ]);
  return {
    season,
    leagues: shown.filter(({ matchups, next }) => matchups.length > 0 || next !== null),
  };
}

async function readMatchups(
  db: Database,
  { id, name, timezone }: PlayedLeague,
  now: Date,
): Promise<ScreenLeague> {
  const week = weekOf(now, timezone);
  const after = addDays(week, 7);
  const { rows: both } = await sql<SideRow & { week: string; number: number; weeks: number }>`
    select ${numberOfWeek(sql`sn`, sql`s.week`)} as number, ${numberOfWeek(
      sql`sn`,
      sql`(select max(week) from matchup_sides x where x.season_id = sn.id)`,
    )} as weeks, s.week, s.team_id, t.name as team, s.opponent_id, s.home, s.ruling,
      coalesce(w.total, 0)::bigint as total, coalesce(w.games, 0) as games,
      (select count(*) from players where team_id = t.id) as players
    from ${SIDES} s join seasons sn on sn.id = s.season_id join teams t on t.id = s.team_id
    left join lateral (
      select sum(total) as total, sum(games_played) as games from league_weeks
      where team_id = s.team_id and week = s.week and (s.to_week is null or week <= s.to_week)
    ) w on true
    where s.league_id = ${id} and s.week in (${week}, ${after})
    order by lower(t.name)`.execute(db);
  const rows = both.filter((row) => row.week === week);
  const next = both.filter((row) => row.week === after);
  const isWeekend = now >= startOf(addDays(week, SATURDAY), timezone);
  const side = ({ team, total, games, players }: SideRow) => {
    return { team, total, games, games_max: WEEK_GAMES * players };
  };
  return {
    name,
    week: rows[0]?.number ?? 0,
    weeks: both[0]?.weeks ?? 0,
    closes_at: startOf(addDays(week, 7), timezone).toISOString(),
    matchups: tiesOf(rows, side),
    next:
      next[0] !== undefined && (isWeekend || rows.length === 0)
        ? { week: next[0].number, matchups: tiesOf(next, ({ team }) => team) }
        : null,
  };
}

/** The matchups of a week, byes last. */
function tiesOf<Side>(rows: readonly SideRow[], side: (row: SideRow) => Side) {
  const sides = new Map(rows.map((row) => [row.team_id, row]));
  return rows
    .filter(({ home, opponent_id }) => home || opponent_id === null)
    .map((row) => {
      const away = row.opponent_id === null ? undefined : sides.get(row.opponent_id);
      return {
        home: side(row),
        away: away === undefined ? null : side(away),
        ...(row.ruling && { ruling: row.ruling }),
      };
    })
    .sort((a, b) => Number(a.away === null) - Number(b.away === null))
    .slice(0, MATCHUPS_MAX);
}
