import { z } from 'zod';
import { errorBody } from '#contract/wire/errors.ts';
import {
  joiningAnswer,
  joiningBody,
  leagueAnswer,
  leagueBody,
  leaguePage,
  leagueRef,
  leagueRenameBody,
  leagueRenamedAnswer,
  leagueRow,
  leaguesAnswer,
  leagueVenueAnswer,
  leagueVenueBody,
  rosterAnswer,
  rosterBody,
  rosterNewTeams,
  rosterRefused,
} from '#contract/wire/leagues.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badField, forbidden } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { weekNumber, weekOf } from '../leagues/calendar.ts';
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
import { importRoster, NewTeams, RosterRefused } from '../leagues/roster-import.ts';
import { listMembers } from '../leagues/rosters.ts';
import { readSeason } from '../leagues/season.ts';
import { type Actor, actorOf, isLimited, shownEmail } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { reachedLeagues } from '../staff/reach.ts';
import { readLeaguePage } from '../staff-pages/league.ts';
import { leaguesByName, venuesByName } from './by-name.ts';
import { ROSTER_BODY, readRoster } from './roster-file.ts';
import { operatorSchema, refusals } from './schema.ts';

const changed = (one: League, other: League) => ({
  ...(one.name === other.name ? {} : { name: one.name }),
  ...(one.timezone === other.timezone ? {} : { 'time zone': one.timezone }),
});

/** The commands `league …`. */
export function leagueCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db, clock } = deps;
  const { league } = leaguesByName(db);
  const venueNamed = venuesByName(deps);

  /**
   * The venue of a new league (STAFF-02).
   * @throws Refusal 400 on `venue` if the caller has several and names none; 403 for a venue that
   * the caller does not reach; 404 for an unknown one.
   */
  async function venueOf(named: string | null | undefined, actor: Actor, trx: typeof db) {
    if (typeof named === 'string') return venueNamed(named, actor, trx);
    if (!isLimited(actor)) return null;
    const [only, ...others] = actor.venues;
    if (named === null || only === undefined)
      throw forbidden('You make leagues for your venues only. Ask an owner.');
    if (others.length > 0) throw badField('venue', 'Say which of your venues runs the league.');
    return venueNamed(`id:${only}`, actor, trx);
  }

  const row = ({
    id,
    name,
    timezone,
    starts_on,
    joining,
    venue,
    teams,
    players,
    last_week,
  }: ListedLeague) => {
    const current = weekOf(clock.now(), timezone);
    return {
      id: String(id),
      name,
      timezone,
      starts_on,
      joining,
      venue,
      teams,
      players,
      week: current < starts_on ? 0 : weekNumber(current, starts_on),
      weeks: last_week === null ? 0 : weekNumber(last_week, starts_on),
    };
  };

  app.get(
    '/api/operator/leagues/',
    {
      schema: {
        ...operatorSchema('List the leagues', { role: 'floor' }),
        response: { 200: leaguesAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const leagues = await listLeagues(db);
      const own = await reachedLeagues(db, actor);
      return { results: leagues.filter(({ id }) => own?.includes(id) ?? true).map(row) };
    },
  );

  app.post(
    '/api/operator/leagues/',
    {
      schema: {
        ...operatorSchema('Create a league', { role: 'manager' }),
        body: leagueBody,
        response: { 201: leagueRow, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { joining = 'closed' } = request.body;
      const made = await audited(deps, actor, async (trx, write) => {
        const at = await venueOf(request.body.venue, actor, trx);
        const created = await createLeague({ ...deps, db: trx }, { ...request.body, venue: at });
        const { timezone, starts_on, venue } = created;
        await write({
          area: 'leagues',
          what: `Made the league ${created.name}`,
          venue_id: created.venue_id,
          after: { timezone, 'starts on': starts_on, joining, venue },
        });
        await notifyConsole(trx, ['weeks']);
        return created;
      });
      return reply.code(201).send(row({ ...made, joining, teams: 0, players: 0, last_week: null }));
    },
  );

  app.get(
    '/api/operator/leagues/show/',
    {
      schema: {
        ...operatorSchema('Show a league with its teams and players', { role: 'manager' }),
        querystring: leagueRef,
        response: { 200: leagueAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id, name, timezone, starts_on, venue } = await league(request.query.league, actor);
      const found = { id, name, timezone, starts_on };
      const joining = await readJoining(db, found);
      const { week, weeks } = await readSeason(db, found, clock.now());
      const members = await listMembers(db, found);
      const teams = (await listTeams(db, found)).map((one) => ({
        id: String(one.id),
        name: one.name,
        players: members
          .filter(({ team_id }) => team_id === one.id)
          .map(({ email, username, league_mode_enabled }) => ({
            email: shownEmail(actor, email),
            username,
            league_mode_enabled,
          })),
      }));
      return { id: String(id), name, timezone, starts_on, joining, venue, week, weeks, teams };
    },
  );

  app.get(
    '/api/operator/leagues/page/',
    {
      schema: {
        ...operatorSchema('Show a league with its running week, its table and its teams', {
          role: 'manager',
        }),
        querystring: leagueRef,
        response: { 200: leaguePage, ...refusals },
      },
    },
    async (request) => readLeaguePage(deps, await league(request.query.league, actorOf(request))),
  );

  app.post(
    '/api/operator/leagues/rename/',
    {
      schema: {
        ...operatorSchema('Rename a league, and change its time zone', { role: 'manager' }),
        body: leagueRenameBody,
        response: { 200: leagueRenamedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const before = await league(request.body.league, actor);
      const after = await audited(deps, actor, async (trx, write) => {
        const renamed = await renameLeague(trx, before, request.body);
        await write({
          area: 'leagues',
          what: `${before.name === renamed.name ? 'Changed' : 'Renamed'} the league ${before.name}`,
          before: changed(before, renamed),
          after: changed(renamed, before),
        });
        await notifyConsole(trx, ['weeks']);
        return renamed;
      });
      return { id: String(after.id), league: after.name, timezone: after.timezone };
    },
  );

  app.post(
    '/api/operator/leagues/venue/',
    {
      schema: {
        ...operatorSchema('Set the venue whose staff run a league', { role: 'owner' }),
        body: leagueVenueBody,
        response: { 200: leagueVenueAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      const named = request.body.venue;
      return audited(deps, actor, async (trx, write) => {
        const venue = named === null ? null : await venueNamed(named, actor, trx);
        await setLeagueVenue(trx, of, venue?.id ?? null);
        await write({
          area: 'leagues',
          what: `Set the venue of ${of.name}`,
          venue_id: venue?.id ?? null,
          before: { venue: of.venue },
          after: { venue: venue?.name ?? null },
        });
        await notifyConsole(trx, ['weeks']);
        return { league: of.name, venue: venue?.name ?? null };
      });
    },
  );

  app.post(
    '/api/operator/leagues/joining/',
    {
      schema: {
        ...operatorSchema('Set how a league takes players: closed, ask or open', {
          role: 'manager',
        }),
        body: joiningBody,
        response: { 200: joiningAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      const { joining } = request.body;
      await audited(deps, actor, async (trx, write) => {
        const before = await setJoining({ db: trx }, of, joining);
        await write({
          area: 'leagues',
          what: `Set how players join ${of.name}`,
          before: { joining: before },
          after: { joining },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return { league: of.name, joining };
    },
  );

  app.post(
    '/api/operator/leagues/import/',
    {
      bodyLimit: ROSTER_BODY,
      schema: {
        ...operatorSchema('Import teams and players from a file: all rows or none', {
          role: 'manager',
        }),
        body: rosterBody,
        response: {
          200: rosterAnswer,
          ...refusals,
          400: z.union([rosterRefused, rosterNewTeams, errorBody]),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const into = await league(request.body.league, actor);
      const { rows, unreadable } = readRoster(request.body.csv);
      try {
        const imported = await audited(deps, actor, async (trx, write) => {
          const result = await importRoster({ ...deps, db: trx }, into, rows, {
            unreadable,
            newTeams: request.body.new_teams,
            reached: await reachedLeagues(trx, actor),
          });
          await write({
            area: 'leagues',
            what: `Imported a roster into ${into.name}`,
            after: {
              'teams created': result.teams_created,
              'players added': result.players_added,
              'players moved': result.players_moved,
              unchanged: result.unchanged,
            },
          });
          await notifyConsole(trx, ['weeks']);
          return result;
        });
        return { league: into.name, ...imported };
      } catch (error) {
        if (error instanceof NewTeams) {
          const list = error.names.map((name) => `“${name}”`).join(', ');
          const detail = `The file names teams that “${into.name}” does not have: ${list}. Nothing was imported. Mend their names, or import with new_teams to create them.`;
          return reply.code(400).send({ detail, new_teams: error.names });
        }
        if (!(error instanceof RosterRefused)) throw error;
        const { length } = error.problems;
        const detail = `${length === 1 ? 'One row is' : `${length} rows are`} wrong: nothing was imported.`;
        return reply.code(400).send({ detail, rows: error.problems });
      }
    },
  );
}
