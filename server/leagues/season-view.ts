import { sql } from 'kysely';
import type {
  LeagueSeason,
  Matchup,
  Ruling,
  ScheduleWeek,
  Standing,
  TableNote,
} from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { addDays, weekOf } from './calendar.ts';
import type { League, Team } from './leagues.ts';
import { readResult, type StoredResult, tableOfResult } from './season-results.ts';
import { type Decided, type Entry, seasonTable, type TableRow } from './season-table.ts';
import { inView, numberer, readSeasons, type Season, seasonInWeek } from './seasons.ts';
import { readWeekSums, type SumsFrom, type WeekSum } from './week-sums.ts';

/** One side of a matchup. Without an opponent it is a bye. */
export type Side = { team_id: number; week: string; opponent_id: number | null; home: boolean };

export type SideRow = Side & { ruling: Ruling | null; reason: string | null };

export type SeasonTeam = {
  id: number;
  name: string;
  from_week: string;
  to_week: string | null;
  withdrew_why: string | null;
  annulled: boolean;
};

/** The facts from which a season's table is computed. */
export type SeasonFacts = {
  season: Season;
  teams: ReadonlyMap<number, SeasonTeam>;
  sides: SideRow[];
  /** Postponed weeks, by Monday, with their reasons. */
  pauses: Map<string, string>;
  /** Totals by “team week”, in the weeks of the season and of the team's entry. */
  totals: Map<string, number>;
  /** The best scores of these weeks; null if unknown. */
  bests: Pick<WeekSum, 'team_id' | 'week' | 'best'>[];
};

type TotalOf = (teamId: number, week: string) => number;

/** `ended`: the number of the last scheduled week that has ended; 0 if none has. */
type Shown = Omit<LeagueSeason, 'best_games' | 'champions' | 'changes'> & {
  ended: number;
  facts: SeasonFacts;
};

/**
 * Reads a season's facts in four queries for any number of teams and weeks. Leaves out teams that
 * came after the last week. `from`: where the sums come from.
 */
export async function readFacts(
  db: Database,
  season: Season,
  from: SumsFrom = 'stored',
): Promise<SeasonFacts> {
  const { rows: teams } = await sql<SeasonTeam>`
    select t.id, t.name, e.from_week, e.to_week, e.withdrew_why, e.annulled
    from season_entries e join teams t on t.id = e.team_id where e.season_id = ${season.id}
      and e.from_week <= coalesce(${season.last_week}::date, 'infinity')`.execute(db);
  const { rows: sides } = await sql<SideRow>`
    select m.team_id, m.week, m.opponent_id, m.home, r.ruling, r.reason
    from matchup_sides m left join matchup_rulings r on r.team_id = m.team_id and r.week = m.week
    where m.season_id = ${season.id}`.execute(db);
  const { rows: pauses } = await sql<{ week: string; reason: string }>`
    select week, reason from season_pauses where season_id = ${season.id} order by week`.execute(
    db,
  );
  const sums = await readWeekSums(db, season, from);
  return {
    season,
    teams: new Map(teams.map((team) => [team.id, team])),
    sides,
    pauses: new Map(pauses.map(({ week, reason }) => [week, reason])),
    totals: new Map(sums.map(({ team_id, week, total }) => [`${team_id} ${week}`, total])),
    bests: sums,
  };
}

/**
 * Reads the season `of`, by default the one that the league shows at `now`: its table after the
 * finished weeks, and all scheduled weeks, with totals if they have begun.
 */
export async function readSeason(
  db: Database,
  league: League,
  now: Date,
  of?: Season,
): Promise<Shown> {
  const seasons = await readSeasons(db, league.id);
  const current = weekOf(now, league.timezone);
  const season = of ?? seasonInWeek(seasons, current);
  const facts = await readFacts(db, season);
  const stored = season.final_at === null ? null : await readResult(db, season.id);
  const schedule = stored?.weeks ?? scheduleOf(facts, current);
  const numbered = schedule.filter(({ postponed }) => postponed === undefined);
  const number = numberer(season, new Set(facts.pauses.keys()));
  const lastShown =
    season.last_week !== null && current > season.last_week ? season.last_week : current;
  return {
    league: league.name,
    week: current < season.starts_on ? 0 : number(lastShown),
    weeks: numbered.at(-1)?.week ?? 0,
    ended: numbered.findLast(({ from }) => from < current)?.week ?? 0,
    ...(stored === null ? runningTable(facts, current) : finalTable(stored)),
    schedule,
    season: inView(season, seasons, now, league.timezone),
    facts,
  };
}

/**
 * A team's place in the standings; null before a scheduled week has ended, and for a team that has
 * withdrawn (SEASON-17).
 */
export function placeOf(
  { standings, rows, ended }: Pick<Shown, 'standings' | 'rows' | 'ended'>,
  team: Pick<Team, 'name'>,
): number | null {
  const at = standings.findIndex(({ team: name }) => name === team.name);
  if (ended === 0 || rows[at]?.withdrew) return null;
  return standings[at]?.place ?? null;
}

type Table = Pick<LeagueSeason, 'standings' | 'rows'>;

function runningTable(facts: SeasonFacts, current: string): Table {
  const rows = tableOf(facts, current);
  return { standings: standingsOf(rows), rows: notesOf(facts, rows) };
}

/**
 * The stored table. Level teams share a place; a withdrawn team has the number of its row
 * (SEASON-14).
 */
function finalTable(stored: StoredResult): Table {
  const { standings, rows } = tableOfResult(stored);
  return { standings: standings.map((row, at) => ({ ...row, place: row.place ?? at + 1 })), rows };
}

/** The table of a season's page, on which a team that withdrew has no place (SEASON-17). */
export const pageTable = ({ standings, rows }: Table) => ({
  standings: standings.map((row, at) => ({
    ...row,
    place: rows[at]?.withdrew ? null : row.place,
  })),
  rows,
});

/** The running table: the place is the number of the row (SEASON-14). */
export const standingsOf = (rows: readonly TableRow[]): Standing[] =>
  rows.map(({ name, won, drawn, lost, total }, at) => ({
    place: at + 1,
    team: name,
    won,
    drawn,
    lost,
    total,
  }));

/** The notes of the table: withdrawals, late entries, and criteria that decided. */
export function notesOf(
  { season, teams, pauses }: SeasonFacts,
  rows: readonly TableRow[],
): TableNote[] {
  const number = numberer(season, new Set(pauses.keys()));
  return rows.map(({ team_id, name, by }) => {
    const team = teams.get(team_id);
    const withdrew = team?.withdrew_why != null;
    const late = team !== undefined && team.from_week > season.starts_on;
    return {
      team: name,
      by,
      withdrew,
      note: withdrew
        ? `withdrew in week ${number(addDays(team?.to_week ?? season.starts_on, 7))}`
        : late
          ? `joined in week ${number(team.from_week)}`
          : null,
    };
  });
}

/** The last day of the league's season; null without an end, or after that day. */
export async function readSeasonEnd(
  db: Database,
  { id, timezone }: Pick<League, 'id' | 'timezone'>,
  now: Date,
): Promise<string | null> {
  const current = weekOf(now, timezone);
  const season = seasonInWeek(await readSeasons(db, id), current);
  const { rows } = await sql<{ last: string | null }>`
    select max(week) as last from matchup_sides where season_id = ${season.id}`.execute(db);
  const last = season.last_week ?? rows[0]?.last ?? null;
  return last === null || last < current ? null : addDays(last, 6);
}

/** The rows of a season's table after the weeks before `current`, a Monday (SEASON-10 to 17). */
export function tableOf(facts: SeasonFacts, current: string): TableRow[] {
  const { season, teams, sides, pauses, totals } = facts;
  const isFinished = (week: string) => week < current && !pauses.has(week);
  const weeksOf = Map.groupBy(totals, ([key]) => Number(key.split(' ', 1)[0]));
  const entries = [...teams.values()].map(
    ({ id, name, withdrew_why }): Entry => ({
      team_id: id,
      name,
      withdrawn: withdrew_why !== null,
      weeks: (weeksOf.get(id) ?? []).flatMap(([key, total]) =>
        isFinished(key.split(' ')[1] ?? '') ? total : [],
      ),
    }),
  );
  return seasonTable(
    entries,
    sides.filter(({ week }) => isFinished(week)).flatMap((side) => decidedOf(facts, side) ?? []),
    season.tie_break,
  );
}

/** How a matchup is decided, given its home side; null for a bye, an away side or if annulled. */
export function decidedOf(facts: SeasonFacts, side: SideRow): Decided | null {
  if (!side.home || side.opponent_id === null) return null;
  const home_total = facts.totals.get(`${side.team_id} ${side.week}`) ?? 0;
  const away_total = facts.totals.get(`${side.opponent_id} ${side.week}`) ?? 0;
  const decision = decisionOn(facts, side)?.ruling;
  if (decision === 'annulled') return null;
  return {
    home: side.team_id,
    away: side.opponent_id,
    home_total,
    away_total,
    winner: winnerOf(decision, home_total - away_total),
  };
}

function winnerOf(decision: Exclude<Ruling, 'annulled'> | undefined, difference: number) {
  if (decision === 'both_lose') return 'nobody' as const;
  if (decision !== undefined) return decision;
  if (difference === 0) return 'draw' as const;
  return difference > 0 ? ('home' as const) : ('away' as const);
}

/**
 * The decision on a matchup that totals do not decide: a ruling, or a side that withdrew
 * (SEASON-35).
 */
export function decisionOn(
  { teams }: Pick<SeasonFacts, 'teams'>,
  { team_id, opponent_id, week, ruling, reason }: SideRow,
): Required<Pick<Matchup, 'ruling' | 'reason' | 'decided_by'>> | null {
  if (ruling !== null) return { ruling, reason: reason ?? '', decided_by: 'ruling' };
  const withdrawn = (decision: Ruling, team: SeasonTeam | undefined) => ({
    ruling: decision,
    reason: team?.withdrew_why ?? '',
    decided_by: 'withdrawal' as const,
  });
  const home = teams.get(team_id);
  const away = teams.get(opponent_id ?? 0);
  const annulled = [home, away].find((team) => team?.annulled);
  if (annulled) return withdrawn('annulled', annulled);
  const gone = (team: SeasonTeam | undefined) =>
    team !== undefined && team.to_week !== null && week > team.to_week;
  if (gone(home) && gone(away)) return withdrawn('both_lose', home);
  if (gone(home)) return withdrawn('away', home);
  if (gone(away)) return withdrawn('home', away);
  return null;
}

/**
 * The schedule for a player of `team`, without what is for staff, and without the reasons of rulings
 * on other teams' matchups: staff may write a name into a reason (P108).
 */
export const scheduleFor = (
  team: string | undefined,
  schedule: readonly ScheduleWeek[],
): ScheduleWeek[] =>
  schedule.map((week) => ({
    ...week,
    matchups: week.matchups.map(({ reason, decided_by: _, ...matchup }) =>
      reason !== undefined && (matchup.home === team || matchup.away === team)
        ? { ...matchup, reason }
        : matchup,
    ),
  }));

const lower = (text: string) => text.toLowerCase();

/**
 * The weeks of a season. Weeks after `current`, a Monday, have no totals. If `current` is '', no
 * week has totals.
 */
export function scheduleOf(facts: SeasonFacts, current: string): ScheduleWeek[] {
  const { season, teams, sides, pauses, totals } = facts;
  const nameOf = (teamId: number) => teams.get(teamId)?.name ?? '';
  const totalOf: TotalOf = (teamId, week) => totals.get(`${teamId} ${week}`) ?? 0;
  const number = numberer(season, new Set(pauses.keys()));
  const byWeek = Map.groupBy(sides, ({ week }) => week);
  return [...new Set([...byWeek.keys(), ...pauses.keys()])].sort().map((week) => {
    const all = byWeek.get(week) ?? [];
    const postponed = pauses.get(week);
    return {
      week: number(week),
      from: week,
      to: addDays(week, 6),
      matchups: all
        .filter(({ home }) => home)
        .flatMap((side) =>
          side.opponent_id === null
            ? []
            : {
                home: nameOf(side.team_id),
                away: nameOf(side.opponent_id),
                home_total: week <= current ? totalOf(side.team_id, week) : null,
                away_total: week <= current ? totalOf(side.opponent_id, week) : null,
                ...decisionOn(facts, side),
              },
        )
        .sort((a, b) => (lower(a.home) < lower(b.home) ? -1 : 1)),
      bye:
        all
          .filter(({ opponent_id }) => opponent_id === null)
          .map(({ team_id }) => nameOf(team_id))
          .sort()
          .join(', ') || null,
      ...(postponed === undefined ? {} : { postponed }),
    };
  });
}
