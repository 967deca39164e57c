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
import { notifyConsole } from '../db/notices.ts';
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
import { maskEmail } from '../log.ts';
import { type Actor, actorOf, isLimited } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { giveLeague, leaguesOf, requireLeague } from '../staff/reach.ts';
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

  const findByRef = (ref: string) =>
    suggesting(
      ref,
      async () => (await listLeagues(db)).map(({ name }) => name),
      () => findLeague(db, ref),
    );
  const findTeamByRef = (ref: string) =>
    suggesting(
      ref,
      async () => (await listTeams(db)).map(({ name }) => name),
      () => findTeam(db, ref),
    );

  /** The league of this name or id, if the caller reaches it (P63). */
  async function league(ref: string, actor: Actor): Promise<League> {
    const found = await findByRef(ref);
    await requireLeague(db, actor, found.id);
    return found;
  }
  /** The team of this name or id, if the caller reaches its league (P63). */
  async function team(ref: string, actor: Actor): Promise<Team> {
    const found = await findTeamByRef(ref);
    await requireLeague(db, actor, (await findLeague(db, found.league)).id);
    return found;
  }

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
        ...operatorSchema('List the leagues', { role: 'floor' }),
        response: { 200: leaguesAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const leagues = await listLeagues(db);
      if (!isLimited(actor)) return { results: leagues.map(row) };
      const own = new Set((await leaguesOf(db, actor)).map(({ id }) => id));
      return { results: leagues.filter(({ id }) => own.has(id)).map(row) };
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
      const made = await audited(deps, actor, async (trx, write) => {
        const created = await createLeague({ ...deps, db: trx }, request.body);
        await giveLeague(trx, actor, created.id);
        const { timezone, starts_on } = created;
        await write({
          area: 'leagues',
          what: `Made the league ${created.name}`,
          after: { timezone, 'starts on': starts_on },
        });
        await notifyConsole(trx, ['weeks']);
        return created;
      });
      return reply.code(201).send(row({ ...made, teams: 0, players: 0, last_week: null }));
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
      const { id, name, timezone, starts_on } = await league(
        request.query.league,
        actorOf(request),
      );
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
        ...operatorSchema('Import teams and players from a file: all rows or none', {
          role: 'manager',
        }),
        body: rosterBody,
        response: { 200: rosterAnswer, ...refusals, 400: z.union([rosterRefused, errorBody]) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const into = await league(request.body.league, actor);
      const { rows, unreadable } = readRoster(request.body.csv);
      if (rows.length + unreadable.length === 0) throw badRequest('The file has no rows.');
      try {
        const imported = await audited(deps, actor, async (trx, write) => {
          const result = await importRoster({ ...deps, db: trx }, into, rows, unreadable);
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
        ...operatorSchema("Show a league's table", { role: 'floor' }),
        querystring: leagueRef,
        response: { 200: standingsAnswer, ...refusals },
      },
    },
    async (request) =>
      readSeason(db, await league(request.query.league, actorOf(request)), clock.now()),
  );

  const schedule = (of: League) => readSeason(db, of, clock.now());

  app.get(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema("Show a league's matchups", { role: 'floor' }),
        querystring: leagueRef,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => schedule(await league(request.query.league, actorOf(request))),
  );

  app.post(
    '/api/operator/leagues/schedule/',
    {
      schema: {
        ...operatorSchema('Generate matchups for the coming weeks', { role: 'manager' }),
        body: scheduleBody,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      await audited(deps, actor, async (trx, write) => {
        await generateSchedule(trx, of, request.body);
        await write({
          area: 'leagues',
          what: `Made matchups for ${of.name}`,
          after: { weeks: request.body.weeks, from: request.body.from ?? 'the first free week' },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return schedule(of);
    },
  );

  app.get(
    '/api/operator/teams/',
    {
      schema: {
        ...operatorSchema('List the teams', { role: 'floor' }),
        querystring: teamsQuery,
        response: { 200: teamsAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { query } = request;
      const of = query.league === undefined ? undefined : await league(query.league, actor);
      const own = isLimited(actor)
        ? new Set((await leaguesOf(db, actor)).map(({ name }) => name))
        : null;
      const teams = (await listTeams(db, of)).filter((one) => own === null || own.has(one.league));
      return { results: teams.map((one) => ({ ...one, id: String(one.id) })) };
    },
  );

  app.post(
    '/api/operator/teams/',
    {
      schema: {
        ...operatorSchema('Create a team', { role: 'manager' }),
        body: teamBody,
        response: { 201: teamRow, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      const made = await audited(deps, actor, async (trx, write) => {
        const created = await createTeam({ ...deps, db: trx }, of, request.body.name);
        await write({
          area: 'leagues',
          what: `Made the team ${created.name}`,
          after: { league: of.name },
        });
        await notifyConsole(trx, ['weeks']);
        return created;
      });
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
        ...operatorSchema('Put players on a team', { role: 'manager' }),
        body: teamAddBody,
        response: { 200: teamAddedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const to = await team(request.body.team, actor);
      const added = await audited(deps, actor, async (trx, write) => {
        const moves = await addToTeam({ ...deps, db: trx }, to, request.body.emails);
        for (const { email, moved_from } of moves)
          await write({
            area: 'leagues',
            what: `Put ${maskEmail(email)} on ${to.name}`,
            before: { team: moved_from },
            after: { team: to.name },
          });
        await notifyConsole(trx, ['weeks']);
        return moves;
      });
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
        ...operatorSchema('Take a player off a team', { role: 'manager' }),
        body: teamRemoveBody,
        response: { 200: teamChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const from = await team(request.body.team, actor);
      await audited(deps, actor, async (trx, write) => {
        await removeFromTeam({ ...deps, db: trx }, from, request.body.email);
        await write({
          area: 'leagues',
          what: `Took ${maskEmail(request.body.email)} off ${from.name}`,
          before: { team: from.name },
          after: { team: null },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return changed(from);
    },
  );
}
