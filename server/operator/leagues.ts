import { sql } from 'kysely';
import { z } from 'zod';
import { errorBody } from '#contract/wire/errors.ts';
import { rosterNewTeams, rosterRefused } from '#contract/wire/leagues.ts';
import type { Clock } from '../clock.ts';
import { badField, forbidden } from '../errors.ts';
import { addDays, mondayOf, weekOf } from '../leagues/calendar.ts';
import { readChampionsOf } from '../leagues/champions.ts';
import { readJoining, setJoining } from '../leagues/joining.ts';
import {
  createLeague,
  type League,
  type ListedLeague,
  listLeagues,
  listTeams,
  renameLeague,
  setLeagueVenue,
} from '../leagues/leagues.ts';
import { importRoster } from '../leagues/roster-import.ts';
import { listMembers } from '../leagues/rosters.ts';
import { clearSchedule, generateSchedule, previewSchedule } from '../leagues/schedule.ts';
import { readSeason } from '../leagues/season-view.ts';
import { nextAfter, numberer, readSeasons, seasonInWeek } from '../leagues/seasons.ts';
import { shownEmail } from '../staff/actor.ts';
import { isLimited } from '../staff/policy.ts';
import { readLeaguePage } from '../staff-pages/league.ts';
import type { Venue } from '../venues/venues.ts';
import { type Asked, change, type Noun, read } from './command.ts';
import { ROSTER_BODY, readRoster } from './roster-file.ts';

type Row = Omit<ListedLeague, 'seasons'> & {
  seasons: Pick<ListedLeague['seasons'][number], 'starts_on' | 'last' | 'pauses'>[];
};

function row({ clock }: { clock: Clock }, { id, seasons, ...league }: Row) {
  const current = weekOf(clock.now(), league.timezone);
  const season = seasonInWeek(seasons, current);
  const number = numberer(season, new Set(season.pauses));
  return {
    ...league,
    id: String(id),
    week: current < season.starts_on ? 0 : number(current),
    weeks: season.last === null ? 0 : number(season.last),
  };
}

const shownOf = ({ clock }: { clock: Clock }, { seasons, timezone }: ListedLeague) =>
  seasonInWeek(seasons, weekOf(clock.now(), timezone));

function listed(
  asked: { clock: Clock },
  league: ListedLeague,
  champions: ReadonlyMap<number, string[]>,
) {
  const { seasons } = league;
  const { id, last, starts_on } = shownOf(asked, league);
  return {
    ...row(asked, league),
    last_day: last === null ? null : addDays(last, 6),
    champions: champions.get(id) ?? [],
    next: nextAfter(seasons, starts_on),
  };
}

const changed = (one: League, other: League) => ({
  ...(one.name === other.name ? {} : { name: one.name }),
  ...(one.timezone === other.timezone ? {} : { 'time zone': one.timezone }),
});

/** The season of a week (a Monday), by default the one that the league shows. */
const seasonOf = async (
  { db, clock }: Pick<Asked<never>, 'db' | 'clock'>,
  league: League,
  week?: string,
) => {
  const of = week === undefined ? undefined : seasonInWeek(await readSeasons(db, league.id), week);
  return readSeason(db, league, clock.now(), of);
};

/**
 * The venue of a new league (STAFF-39).
 * @throws Refusal 400 on `venue` if the caller has several and names none; 403 for a venue that the
 * caller does not reach; 404 for an unknown one.
 */
async function venueOf(
  { actor, find }: Pick<Asked<never>, 'actor' | 'find'>,
  named: string | null | undefined,
): Promise<Venue | null> {
  if (typeof named === 'string') return find.venue(named);
  if (!isLimited(actor)) return null;
  const [only, ...others] = actor.venues;
  if (named === null || only === undefined)
    throw forbidden('You make leagues for your venues only. Ask an owner.');
  if (others.length > 0) throw badField('venue', 'Say which of your venues runs the league.');
  return find.venue(`id:${only}`);
}

/** The weeks that a schedule's body or query means. */
const wantedWeeks = (
  { clock }: Pick<Asked<never>, 'clock'>,
  {
    weeks,
    from,
    leave_out = [],
  }: { weeks: number; from?: string | undefined; leave_out?: readonly string[] | undefined },
) => ({ weeks, from, left_out: { mondays: leave_out.map(mondayOf), at: clock.now() } });

/** The commands `league …`, `schedule …` and `standings`. */
export const leagues: Noun = {
  area: 'leagues',
  topics: ['weeks'],
  commands: [
    read('GET /api/operator/leagues/', {
      summary: 'List the leagues',
      role: 'floor',
      work: async (asked) => {
        const found = await listLeagues(asked.db, asked.policy.league(sql.ref('l.id')));
        const champions = await readChampionsOf(
          asked.db,
          found.map((league) => shownOf(asked, league).id),
        );
        return { results: found.map((league) => listed(asked, league, champions)) };
      },
    }),
    change('POST /api/operator/leagues/', {
      summary: 'Create a league',
      role: 'manager',
      work: async (asked) => {
        const { joining = 'closed' } = asked.body;
        const at = await venueOf(asked, asked.body.venue);
        const made = await createLeague(asked, { ...asked.body, venue: at });
        const { timezone, starts_on, venue } = made;
        const seasons = [{ starts_on, last: null, pauses: [] }];
        return {
          answer: row(asked, { ...made, joining, teams: 0, players: 0, seasons }),
          audit: {
            what: `Made the league ${made.name}`,
            venue_id: made.venue_id,
            after: { timezone, 'starts on': starts_on, joining, venue },
          },
        };
      },
    }),
    read('GET /api/operator/leagues/show/', {
      summary: 'Show a league with its teams and players',
      role: 'manager',
      work: async (asked) => {
        const { db, actor, find, query } = asked;
        const found = await find.league(query.league);
        const { week, weeks } = await seasonOf(asked, found);
        const members = await listMembers(db, found);
        const teams = await listTeams(db, sql<boolean>`t.league_id = ${found.id}`);
        return {
          ...found,
          id: String(found.id),
          joining: await readJoining(db, found),
          week,
          weeks,
          teams: teams.map(({ id, name }) => ({
            id: String(id),
            name,
            players: members
              .filter(({ team_id }) => team_id === id)
              .map(({ email, username, league_mode_enabled }) => ({
                email: shownEmail(actor, email),
                username,
                league_mode_enabled,
              })),
          })),
        };
      },
    }),
    read('GET /api/operator/leagues/page/', {
      summary: 'Show a league with its running week, its table and its teams',
      role: 'manager',
      work: async (asked) => readLeaguePage(asked, await asked.find.league(asked.query.league)),
    }),
    change('POST /api/operator/leagues/rename/', {
      summary: 'Rename a league, and change its time zone',
      role: 'manager',
      work: async ({ db, find, body }) => {
        const before = await find.league(body.league);
        const after = await renameLeague(db, before, body);
        return {
          answer: { id: String(after.id), league: after.name, timezone: after.timezone },
          audit: {
            what: `${before.name === after.name ? 'Changed' : 'Renamed'} the league ${before.name}`,
            before: changed(before, after),
            after: changed(after, before),
          },
        };
      },
    }),
    change('POST /api/operator/leagues/venue/', {
      summary: 'Set the venue whose staff run a league',
      role: 'owner',
      work: async ({ db, find, body }) => {
        const league = await find.league(body.league);
        const venue = body.venue === null ? null : await find.venue(body.venue);
        await setLeagueVenue(db, league, venue?.id ?? null);
        const name = venue?.name ?? null;
        return {
          answer: { league: league.name, venue: name },
          audit: {
            what: `Set the venue of ${league.name}`,
            venue_id: venue?.id ?? null,
            before: { venue: league.venue },
            after: { venue: name },
          },
        };
      },
    }),
    change('POST /api/operator/leagues/joining/', {
      summary: 'Set how a league takes players: closed, ask or open',
      role: 'manager',
      work: async (asked) => {
        const { joining } = asked.body;
        const league = await asked.find.league(asked.body.league);
        const before = await setJoining(asked, league, joining);
        return {
          answer: { league: league.name, joining },
          audit: {
            what: `Set how players join ${league.name}`,
            before: { joining: before },
            after: { joining },
          },
        };
      },
    }),
    change('POST /api/operator/leagues/import/', {
      summary: 'Import teams and players from a file: all rows or none',
      role: 'manager',
      options: { bodyLimit: ROSTER_BODY },
      400: z.union([rosterRefused, rosterNewTeams, errorBody]),
      work: async (asked) => {
        const { csv, new_teams: newTeams } = asked.body;
        const into = await asked.find.league(asked.body.league);
        const { rows, unreadable } = readRoster(csv);
        const reached = asked.policy.league;
        const imported = await importRoster(asked, into, rows, { unreadable, newTeams, reached });
        return {
          answer: { league: into.name, ...imported },
          audit: {
            what: `Imported a roster into ${into.name}`,
            after: {
              'teams created': imported.teams_created,
              'players added': imported.players_added,
              'players moved': imported.players_moved,
              unchanged: imported.unchanged,
            },
          },
        };
      },
    }),
    read('GET /api/operator/leagues/standings/', {
      summary: "Show a league's table",
      role: 'floor',
      work: async (asked) => seasonOf(asked, await asked.find.league(asked.query.league)),
    }),
    read('GET /api/operator/leagues/schedule/', {
      summary: "Show a league's matchups",
      role: 'floor',
      work: async (asked) => seasonOf(asked, await asked.find.league(asked.query.league)),
    }),
    change('POST /api/operator/leagues/schedule/', {
      summary: 'Generate matchups for the coming weeks',
      role: 'manager',
      work: async (asked) => {
        const { weeks, from = 'the first free week', leave_out } = asked.body;
        const league = await asked.find.league(asked.body.league);
        const [week] = await generateSchedule(asked, league, wantedWeeks(asked, asked.body));
        return {
          answer: await seasonOf(asked, league, week),
          audit: {
            what: `Made matchups for ${league.name}`,
            after: { weeks, from, ...(leave_out && { leave_out: leave_out.join(', ') }) },
          },
        };
      },
    }),
    read('GET /api/operator/leagues/schedule/preview/', {
      summary: 'Show the matchups that would be generated, without storing them',
      role: 'manager',
      work: async (asked) => {
        const league = await asked.find.league(asked.query.league);
        const wanted = wantedWeeks(asked, asked.query);
        return { league: league.name, schedule: await previewSchedule(asked, league, wanted) };
      },
    }),
    change('POST /api/operator/leagues/schedule/clear/', {
      summary: 'Delete the matchups of the weeks that have not begun',
      role: 'manager',
      work: async (asked) => {
        const league = await asked.find.league(asked.body.league);
        const { starts_on, weeks: weeks_cleared } = await clearSchedule(asked, league);
        return {
          answer: { ...(await seasonOf(asked, league, starts_on)), weeks_cleared },
          audit: {
            what: `Cleared the coming weeks of ${league.name}`,
            before: { weeks: weeks_cleared },
            after: { weeks: 0 },
          },
        };
      },
    }),
  ],
};
