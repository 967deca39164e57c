import { sql } from 'kysely';
import { average, WEEK_GAMES } from '#contract/rules/games.ts';
import { SEASON_OFFERED_DAYS } from '#contract/rules/leagues.ts';
import type { BestGame, Named } from '#contract/wire/leagues.ts';
import type {
  OwnSeason,
  SeasonOver,
  SeasonPage,
  Award as ShownAward,
} from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { namedFor } from '../players/visibility.ts';
import { addDays } from './calendar.ts';
import { isChampion, type OfCup, ofCup, readCupOfSeason } from './champions.ts';
import type { League } from './leagues.ts';
import { readBestGames } from './season-bests.ts';
import {
  correctionBetween,
  type FinalRow,
  readResults,
  type StoredResult,
  tableOfResult,
} from './season-results.ts';
import { pageTable, placeOf, readSeason, scheduleFor } from './season-view.ts';
import { covers, ENTERED, readSeasons, type Season, settlesAt, stateOf } from './seasons.ts';

/** What players see of seasons: their own list, and the page of one (SEASON-40, SEASON-41). */

type ArchiveDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type Viewer = { player_id: number };

const noSuchSeason = () => notFound('No such season.');
const AWARDS_SHOWN = 5;
const DAY_MS = 24 * 3_600_000;

/**
 * A season's page.
 * @throws Refusal 404 unless the player is on a team of the league now, or has a counted game in
 * the season.
 */
export async function readSeasonPage(
  deps: ArchiveDeps,
  viewer: Viewer,
  seasonId: number,
): Promise<SeasonPage> {
  const { db, clock } = deps;
  const now = clock.now();
  const { league, season, team_id } = await findOwn(db, viewer, seasonId);
  const versions = await readResults(db, season.id);
  const [stored] = versions;
  const state = stateOf(season, now, league.timezone);
  const head = {
    id: String(season.id),
    league: league.name,
    name: season.name,
    state,
    starts_on: season.starts_on,
    ends_on: season.last_week === null ? null : addDays(season.last_week, 6),
    settles_at: settlesAt(season, league.timezone)?.toISOString() ?? null,
    tie_break: season.tie_break,
  };
  if (stored === undefined) {
    const shown = await readSeason(db, league, now, season);
    const mine = team_id === null ? undefined : shown.facts.teams.get(team_id);
    return {
      ...head,
      version: 0,
      final_at: null,
      champions: [],
      won_table: [],
      no_champion: false,
      ...pageTable(shown),
      schedule: scheduleFor(mine?.name, shown.schedule),
      best_games: await readBestGames(deps, shown.facts, viewer.player_id),
      awards: [],
      corrections: [],
      mine: mine === undefined ? null : { team: mine.name, place: placeOf(shown, mine) },
    };
  }
  const own = stored.rows.find((row) => row.team_id === team_id);
  return {
    ...head,
    version: stored.version,
    final_at: season.final_at?.toISOString() ?? null,
    ...(await readChampions(db, season.id, stored)),
    ...tableOfResult(stored),
    schedule: scheduleFor(own?.team, stored.weeks),
    ...(await namedResults(deps, viewer, stored)),
    corrections: correctionsOf(versions),
    mine: own === undefined ? null : { team: own.team, place: own.place },
  };
}

/** The champions of a final season, and if a cup decides, the winners of its table (SEASON-24). */
export async function readChampions(
  db: Database,
  seasonId: number,
  { rows }: Pick<StoredResult, 'rows'>,
): Promise<Pick<SeasonPage, 'champions' | 'won_table' | 'no_champion'>> {
  const cup = await readCupOfSeason(db, seasonId);
  const first = rows.filter(({ place }) => place === 1).map(({ team }) => team);
  if (cup === undefined) return { champions: first, won_table: [], no_champion: false };
  return {
    champions: cup.winner === null ? [] : [cup.winner],
    won_table: first,
    no_champion: cup.no_winner,
  };
}

/** The corrections of a season, newest first, with what each changed. */
export function correctionsOf(versions: readonly StoredResult[]): SeasonPage['corrections'] {
  return versions.flatMap((after, index) => {
    const { version, at, reason } = after;
    const before = versions[index + 1];
    if (reason === null || before === undefined) return [];
    return { version, at: at.toISOString(), reason, changes: correctionBetween(before, after) };
  });
}

/** Who reads stored results: a player sees the names a player may see, staff see all names. */
export type Reader = Viewer | 'staff';

/** Best games and awards of a stored result, with the names that the reader may see (AWARD-09). */
export async function namedResults(
  deps: ArchiveDeps,
  reader: Reader,
  { best, awards }: Pick<StoredResult, 'best' | 'awards'>,
): Promise<{ best_games: BestGame[]; awards: ShownAward[] }> {
  const ids = [
    ...best.map(({ player_id }) => player_id),
    ...awards.flatMap(({ winners }) => winners.flatMap(({ player_id }) => player_id ?? [])),
  ];
  const named = await readNamed(deps, reader, ids);
  const nobody: Named = { username: null, avatar_color: null, jersey_number: null };
  const nameOf = (id: number) => named.get(id) ?? nobody;
  return {
    best_games: best.map(({ player_id, team, week, score, alone }) => {
      const player = nameOf(player_id);
      const place = 1 + best.filter((other) => other.score > score).length;
      return {
        place,
        ...player,
        team: player.username === null && alone ? null : team,
        week,
        score,
      };
    }),
    awards: awards.map(({ key, value, winners, more }) => {
      const [first] = winners;
      const players = winners.flatMap(({ player_id }) => player_id ?? []);
      const hidden = winners.some(
        ({ player_id, alone }) =>
          player_id !== null && alone && nameOf(player_id).username === null,
      );
      const teams = [...new Set(winners.map(({ team }) => team))];
      return {
        key,
        value,
        team:
          players.length === 0
            ? key === 'closest'
              ? teams.join(' – ')
              : new Intl.ListFormat('en').format(teams)
            : hidden || teams.length > 1
              ? null
              : (first?.team ?? null),
        week: first?.week ?? null,
        winners: players.slice(0, AWARDS_SHOWN).map((id) => ({
          ...nameOf(id),
          mine: reader !== 'staff' && id === reader.player_id,
        })),
        more,
      };
    }),
  };
}

async function readNamed(
  deps: ArchiveDeps,
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map();
  const columns =
    reader === 'staff' ? sql`p.username, p.avatar_color, p.jersey_number` : namedFor(deps, reader);
  const { rows } = await sql<Named & { id: number }>`
    select p.id, ${columns} from players p where p.id = any(${[...new Set(ids)]}::bigint[])`.execute(
    deps.db,
  );
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** SQL: the player's weeks for teams that were in season `s`. */
const ownWeeks = (playerId: number) => sql`
  league_weeks w join season_entries e on e.team_id = w.team_id and e.season_id = s.id
  where w.player_id = ${playerId} and ${covers(sql`w.week`)}`;

/** SQL: `ownWeeks` without postponed ones (SEASON-32). */
const countedWeeks = (playerId: number) => sql`
  ${ownWeeks(playerId)}
    and not exists (select from season_pauses p where p.season_id = s.id and p.week = w.week)`;

async function findOwn(
  db: Database,
  { player_id }: Viewer,
  seasonId: number,
): Promise<{ league: League; season: Season; team_id: number | null }> {
  const { rows } = await sql<
    League & { played: boolean; own: number | null; now_on: number | null }
  >`
    select l.id, l.name, l.timezone, l.starts_on,
      exists (select from ${ownWeeks(player_id)}) as played,
      (select w.team_id from ${countedWeeks(player_id)} order by w.week desc limit 1) as own,
      (select t.id from players p join teams t on t.id = p.team_id
        where p.id = ${player_id} and t.league_id = l.id) as now_on
    from seasons s join leagues l on l.id = s.league_id where s.id = ${seasonId}`.execute(db);
  const [row] = rows;
  if (row === undefined || (!row.played && row.now_on === null)) throw noSuchSeason();
  const { played: _, own, now_on, ...league } = row;
  const season = (await readSeasons(db, league.id)).find(({ id }) => id === seasonId);
  if (season === undefined) throw noSuchSeason();
  return { league, season, team_id: own ?? now_on };
}

type OwnRow = Season & {
  league: string;
  timezone: string;
  league_starts_on: string;
  team_id: number;
  team: string;
  teams: number;
  games: number;
  score_sum: number;
  total: number;
  best_game: number;
  rows: FinalRow[] | null;
  awards: StoredResult['awards'] | null;
  cup: OfCup;
};

/** The player's seasons with a counted game, newest first, but final ones last (SEASON-41). */
export async function readOwnSeasons(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { player_id }: Viewer,
): Promise<OwnSeason[]> {
  const now = clock.now();
  const { rows } = await sql<OwnRow>`
    select s.*, l.name as league, l.timezone, l.starts_on as league_starts_on, own.*,
      t.name as team, r.rows, r.awards, ${ofCup(sql`s.id`, sql`own.team_id`)} as cup,
      ${ENTERED} as teams,
      coalesce((
        select max(g.score) from (select w.* from ${countedWeeks(player_id)}) w
        cross join lateral (
          select score, team_id from games
          where player_id = w.player_id and week = w.week and state = 'counted'
          order by played_at, id limit ${WEEK_GAMES}
        ) g
        where g.team_id = w.team_id), 0) as best_game
    from seasons s join leagues l on l.id = s.league_id
    cross join lateral (
      select sum(w.games_played)::integer as games, sum(w.score_sum)::bigint as score_sum,
        sum(w.total)::bigint as total,
        (array_agg(w.team_id order by w.week desc))[1] as team_id
      from ${countedWeeks(player_id)}
    ) own
    join teams t on t.id = own.team_id
    left join lateral (
      select rows, awards from season_results where season_id = s.id order by version desc limit 1
    ) r on true
    where s.id in (
      select e.season_id from league_weeks w join season_entries e on e.team_id = w.team_id
      where w.player_id = ${player_id})
    order by s.starts_on desc, s.id desc`.execute(db);
  const running = new Map<number, Awaited<ReturnType<typeof readSeason>>>();
  for (const row of rows)
    if (row.rows === null) running.set(row.id, await readSeason(db, leagueOf(row), now, row));
  const seasons = rows.map((row): OwnSeason => {
    const shown = running.get(row.id);
    const place =
      shown === undefined
        ? (row.rows?.find(({ team_id }) => team_id === row.team_id)?.place ?? null)
        : placeOf(shown, { name: row.team });
    return {
      id: String(row.id),
      league: row.league,
      name: row.name,
      state: stateOf(row, now, row.timezone),
      starts_on: row.starts_on,
      ends_on: row.last_week === null ? null : addDays(row.last_week, 6),
      team: row.team,
      place,
      champion: shown === undefined && isChampion(row.cup, place),
      teams: row.teams,
      games: row.games,
      average: average(row.score_sum, row.games),
      best_game: row.best_game,
      total: row.total,
      awards: (row.awards ?? [])
        .filter(({ winners }) => winners.some((one) => one.player_id === player_id))
        .map(({ key }) => key),
    };
  });
  const isOver = ({ state }: OwnSeason) => Number(state === 'final');
  return seasons.toSorted((a, b) => isOver(a) - isOver(b));
}

/**
 * The last final season in which a game of the player counted; null once it has been final for
 * SEASON_OFFERED_DAYS (SEASON-42).
 */
export async function readSeasonOver(
  db: Database,
  playerId: number,
  now: Date,
): Promise<SeasonOver | null> {
  type Row = Pick<OwnRow, 'id' | 'name' | 'team_id' | 'teams' | 'rows' | 'cup'>;
  const { rows } = await sql<Row>`
    select s.id, s.name, own.team_id, r.rows, ${ofCup(sql`s.id`, sql`own.team_id`)} as cup,
      ${ENTERED} as teams
    from seasons s
    cross join lateral (
      select w.team_id from ${countedWeeks(playerId)} order by w.week desc limit 1) own
    cross join lateral (
      select rows from season_results where season_id = s.id order by version desc limit 1) r
    where s.final_at > ${new Date(now.getTime() - SEASON_OFFERED_DAYS * DAY_MS)}
    order by s.final_at desc limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { id, name, teams, cup, team_id } = row;
  const place = row.rows?.find((one) => one.team_id === team_id)?.place ?? null;
  return { id: String(id), name, place, teams, champion: isChampion(cup, place) };
}

const leagueOf = ({ league_id, league, timezone, league_starts_on }: OwnRow): League => ({
  id: league_id,
  name: league,
  timezone,
  starts_on: league_starts_on,
});
