import { z } from 'zod';
import { errorBody } from '#contract/errors.ts';
import {
  leagueAnswer,
  leagueBody,
  leagueRef,
  leagueRow,
  leaguesAnswer,
  ROSTER_BYTES,
  rosterAnswer,
  rosterBody,
  rosterRefused,
  scheduleAnswer,
  scheduleBody,
  standingsAnswer,
  teamAddBody,
  teamAddedAnswer,
  teamBody,
  teamChangedAnswer,
  teamRemoveBody,
  teamRow,
  teamsAnswer,
  teamsQuery,
} from '#contract/operator.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { weekNumber, weekOf } from '../leagues/calendar.ts';
import {
  createLeague,
  createTeam,
  findLeague,
  findTeam,
  type League,
  listLeagues,
  listTeams,
  type Team,
} from '../leagues/leagues.ts';
import { importRoster, RosterRefused } from '../leagues/roster-import.ts';
import { addToTeam, listMembers, removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { readSeason } from '../leagues/season.ts';
import { suggesting } from './names.ts';
import { readRoster } from './roster-file.ts';
import { operatorSchema, refusals } from './schema.ts';

/**
 * The limit of the request body. The body is longer than the file, because JSON escapes some
 * characters.
 */
const ROSTER_BODY = 2 * ROSTER_BYTES;

/** The routes of the commands `league …`, `team …`, `schedule …` and `standings`. */
export function leagueCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db, clock } = deps;

  const league = (ref: string) =>
    suggesting(
      ref,
      async () => (await listLeagues(db)).map(({ name }) => name),
      () => findLeague(db, ref),
    );
  const team = (ref: string) =>
    suggesting(
      ref,
      async () => (await listTeams(db)).map(({ name }) => name),
      () => findTeam(db, ref),
    );

  type Listed = Awaited<ReturnType<typeof listLeagues>>[number];
  const row = ({ id, name, timezone, starts_on, teams, players, last_week }: Listed) => {
    const current = weekOf(clock.now(), timezone);
    return {
      id: String(id),
      name,
      timezone,
      starts_on,
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
        ...operatorSchema('List the leagues'),
        response: { 200: leaguesAnswer, ...refusals },
      },
    },
    async () => ({ results: (await listLeagues(db)).map(row) }),
  );

  app.post(
    '/api/operator/leagues/',
    {
      schema: {
        ...operatorSchema('Create a league'),
        body: leagueBody,
        response: { 201: leagueRow, ...refusals },
      },
    },
    async (request, reply) => {
      const made = await createLeague(deps, request.body);
      return reply.code(201).send(row({ ...made, teams: 0, players: 0, last_week: null }));
    },
  );

  app.get(
    '/api/operator/leagues/show/',
    {
      schema: {
        ...operatorSchema('Show a league with its teams and players'),
        querystring: leagueRef,
        response: { 200: leagueAnswer, ...refusals },
      },
    },
    async (request) => {
      const { id, name, timezone, starts_on } = await league(request.query.league);
      const found = { id, name, timezone, starts_on };
      const { week, weeks } = await readSeason(db, found, clock.now());
      const members = await listMembers(db, found);
      const teams = (await listTeams(db, found)).map((one) => ({
        id: String(one.id),
        name: one.name,
        players: members
          .filter(({ team_id }) => team_id === one.id)
          .map(({ email, username, league_mode_enabled }) => ({
            email,
            username,
            league_mode_enabled,
          })),
      }));
      return { id: String(id), name, timezone, starts_on, week, weeks, teams };
    },
  );

  app.post(
    '/api/operator/leagues/import/',
    {
      bodyLimit: ROSTER_BODY,
      schema: {
        ...operatorSchema('Import teams and players from a file: all rows or none'),
        body: rosterBody,
        response: { 200: rosterAnswer, ...refusals, 400: z.union([rosterRefused, errorBody]) },
      },
    },
    async (request, reply) => {
      const into = await league(request.body.league);
      const { rows, unreadable } = readRoster(request.body.csv);
      if (rows.length + unreadable.length === 0) throw badRequest('The file has no rows.');
      try {
        return { league: into.name, ...(await importRoster(deps, into, rows, unreadable)) };
      } catch (error) {
        if (!(error instanceof RosterRefused)) throw error;
        const { length } = error.problems;
        const detail = `${length === 1 ? 'One row is' : `${length} rows are`} wrong: nothing was imported.`;
        return reply.code(400).send({ detail, rows: error.problems });
      }
    },
  );

  app.get(
    '/api/operator/leagues/standings/',
    {
      schema: {
        ...operatorSchema("Show a league's table"),
        querystring: leagueRef,
        response: { 200: standingsAnswer, ...refusals },
      },
    },
    async (request) => readSeason(db, await league(request.query.league), clock.now()),
  );

  const schedule = (of: League) => readSeason(db, of, clock.now());

  app.get(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema("Show a league's matchups"),
        querystring: leagueRef,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => schedule(await league(request.query.league)),
  );

  app.post(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema('Generate matchups for the coming weeks'),
        body: scheduleBody,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => {
      const of = await league(request.body.league);
      await generateSchedule(db, of, request.body);
      return schedule(of);
    },
  );

  app.get(
    '/api/operator/teams/',
    {
      schema: {
        ...operatorSchema('List the teams'),
        querystring: teamsQuery,
        response: { 200: teamsAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const of = query.league === undefined ? undefined : await league(query.league);
      return { results: (await listTeams(db, of)).map((one) => ({ ...one, id: String(one.id) })) };
    },
  );

  app.post(
    '/api/operator/teams/',
    {
      schema: {
        ...operatorSchema('Create a team'),
        body: teamBody,
        response: { 201: teamRow, ...refusals },
      },
    },
    async (request, reply) => {
      const made = await createTeam(deps, await league(request.body.league), request.body.name);
      return reply.code(201).send({ ...made, id: String(made.id), players: 0 });
    },
  );

  async function changed({ id, name, league }: Team) {
    const members = await listMembers(db, await findLeague(db, league));
    const players = members
      .filter(({ team_id }) => team_id === id)
      .map(({ email, username }) => ({ email, username }));
    return { team: name, league, players };
  }

  app.post(
    '/api/operator/teams/add/',
    {
      bodyLimit: ROSTER_BODY,
      schema: {
        ...operatorSchema('Put players on a team'),
        body: teamAddBody,
        response: { 200: teamAddedAnswer, ...refusals },
      },
    },
    async (request) => {
      const to = await team(request.body.team);
      const added = await addToTeam(deps, to, request.body.emails);
      const moved = added.flatMap(({ email, moved_from }) =>
        moved_from === null ? [] : { email, moved_from },
      );
      return { ...(await changed(to)), moved };
    },
  );

  app.post(
    '/api/operator/teams/remove/',
    {
      schema: {
        ...operatorSchema('Take a player off a team'),
        body: teamRemoveBody,
        response: { 200: teamChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const from = await team(request.body.team);
      await removeFromTeam(deps, from, request.body.email);
      return changed(from);
    },
  );
}
