import { z } from 'zod';
import { errorBody } from '#contract/errors.ts';
import { ROSTER_BYTES } from '#contract/league-limits.ts';
import { leaguePage, previewQuery, teamPage, teamPoster } from '#contract/league-pages.ts';
import {
  decidedAnswer,
  joiningAnswer,
  joiningBody,
  leagueAnswer,
  leagueBody,
  leagueRef,
  leagueRow,
  leaguesAnswer,
  requestRef,
  requestsAnswer,
  rosterAnswer,
  rosterBody,
  rosterNewTeams,
  rosterRefused,
  scheduleAnswer,
  scheduleBody,
  scheduleClearBody,
  scheduleClearedAnswer,
  standingsAnswer,
  teamAddBody,
  teamAddedAnswer,
  teamBody,
  teamChangedAnswer,
  teamCodeAnswer,
  teamCodeBody,
  teamDeletedAnswer,
  teamRef,
  teamRemoveBody,
  teamRenameBody,
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
  acceptRequest,
  codeOf,
  type Decided,
  declineRequest,
  listRequests,
  readJoining,
  setJoining,
} from '../leagues/joining.ts';
import {
  createLeague,
  createTeam,
  deleteTeam,
  findLeague,
  findTeam,
  type League,
  type ListedLeague,
  listLeagues,
  listTeams,
  renameTeam,
  type Team,
} from '../leagues/leagues.ts';
import { readLeaguePage, readPoster, readTeamPage } from '../leagues/pages.ts';
import { importRoster, NewTeams, RosterRefused } from '../leagues/roster-import.ts';
import { addToTeam, listMembers, removeFromTeam } from '../leagues/rosters.ts';
import { clearSchedule, generateSchedule, previewSchedule } from '../leagues/schedule.ts';
import { readSeason } from '../leagues/season.ts';
import { maskEmail } from '../log.ts';
import { type Actor, actorOf, isLimited } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { giveLeague, leaguesOf, requireLeague, requireMovable } from '../staff/reach.ts';
import { suggesting } from './names.ts';
import { readRoster } from './roster-file.ts';
import { operatorSchema, refusals } from './schema.ts';

/**
 * The limit of the request body. The body is longer than the file, because JSON escapes some
 * characters.
 */
const ROSTER_BODY = 2 * ROSTER_BYTES;

/** The routes of the commands `league …`, `team …`, `schedule …` and `standings`. */
export function leagueCommands(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'mail'>,
): void {
  const { db, clock } = deps;

  /** The names of the leagues that the caller reaches. */
  const leagueNames = async (actor: Actor) =>
    (isLimited(actor) ? await leaguesOf(db, actor) : await listLeagues(db)).map(({ name }) => name);

  const findByRef = (ref: string, actor: Actor) =>
    suggesting(
      ref,
      () => leagueNames(actor),
      () => findLeague(db, ref),
    );
  const findTeamByRef = (ref: string, actor: Actor) =>
    suggesting(
      ref,
      async () => {
        const own = new Set(await leagueNames(actor));
        return (await listTeams(db))
          .filter(({ league }) => own.has(league))
          .map(({ name }) => name);
      },
      () => findTeam(db, ref),
    );

  /**
   * Returns the league with this name or id.
   * @throws Refusal 404 when there is none; 403 when the caller does not reach it (P63).
   */
  async function league(ref: string, actor: Actor): Promise<League> {
    const found = await findByRef(ref, actor);
    await requireLeague(db, actor, found.id);
    return found;
  }
  /**
   * Returns the team with this name or id.
   * @throws Refusal 404 when there is none; 403 when the caller does not reach its league (P63).
   */
  async function team(ref: string, actor: Actor): Promise<Team> {
    const found = await findTeamByRef(ref, actor);
    await requireLeague(db, actor, (await findLeague(db, found.league)).id);
    return found;
  }

  const row = ({
    id,
    name,
    timezone,
    starts_on,
    joining,
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
      const { joining = 'closed' } = request.body;
      const made = await audited(deps, actor, async (trx, write) => {
        const created = await createLeague({ ...deps, db: trx }, request.body);
        await giveLeague(trx, actor, created.id);
        const { timezone, starts_on } = created;
        await write({
          area: 'leagues',
          what: `Made the league ${created.name}`,
          after: { timezone, 'starts on': starts_on, joining },
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
      const { id, name, timezone, starts_on } = await league(
        request.query.league,
        actorOf(request),
      );
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
            email,
            username,
            league_mode_enabled,
          })),
      }));
      return { id: String(id), name, timezone, starts_on, joining, week, weeks, teams };
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
      if (rows.length + unreadable.length === 0) throw badRequest('The file has no rows.');
      try {
        const imported = await audited(deps, actor, async (trx, write) => {
          const result = await importRoster({ ...deps, db: trx }, into, rows, {
            unreadable,
            newTeams: request.body.new_teams,
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
    '/api/operator/leagues/schedule/preview/',
    {
      schema: {
        ...operatorSchema('Show the matchups that would be generated, without storing them', {
          role: 'manager',
        }),
        querystring: previewQuery,
        response: { 200: scheduleAnswer, ...refusals },
      },
    },
    async (request) => {
      const of = await league(request.query.league, actorOf(request));
      return { league: of.name, schedule: await previewSchedule(db, of, request.query) };
    },
  );

  app.post(
    '/api/operator/leagues/schedule/clear/',
    {
      schema: {
        ...operatorSchema('Delete the matchups of the weeks that have not begun', {
          role: 'manager',
        }),
        body: scheduleClearBody,
        response: { 200: scheduleClearedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await league(request.body.league, actor);
      const weeks_cleared = await audited(deps, actor, async (trx, write) => {
        const cleared = await clearSchedule({ ...deps, db: trx }, of);
        await write({
          area: 'leagues',
          what: `Cleared the coming weeks of ${of.name}`,
          before: { weeks: cleared },
          after: { weeks: 0 },
        });
        await notifyConsole(trx, ['weeks']);
        return cleared;
      });
      return { ...(await schedule(of)), weeks_cleared };
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

  app.get(
    '/api/operator/teams/page/',
    {
      schema: {
        ...operatorSchema('Show a team with its players, its code and the requests to join it', {
          role: 'manager',
        }),
        querystring: teamRef,
        response: { 200: teamPage, ...refusals },
      },
    },
    async (request) => readTeamPage(deps, await team(request.query.team, actorOf(request))),
  );

  app.get(
    '/api/operator/teams/poster/',
    {
      schema: {
        ...operatorSchema('Show what stands on the poster of a team', { role: 'floor' }),
        querystring: teamRef,
        response: { 200: teamPoster, ...refusals },
      },
    },
    async (request) => readPoster(deps, await team(request.query.team, actorOf(request))),
  );

  async function changed({ id, name, league }: Team) {
    const members = await listMembers(db, await findLeague(db, league));
    const players = members
      .filter(({ team_id }) => team_id === id)
      .map(({ email, username }) => ({ email, username }));
    return { team: name, league, players };
  }

  app.post(
    '/api/operator/teams/rename/',
    {
      schema: {
        ...operatorSchema('Rename a team', { role: 'manager' }),
        body: teamRenameBody,
        response: { 200: teamChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const before = await team(request.body.team, actor);
      const renamed = await audited(deps, actor, async (trx, write) => {
        const after = await renameTeam(trx, before, request.body.name);
        await write({
          area: 'leagues',
          what: `Renamed the team ${before.name}`,
          before: { name: before.name },
          after: { name: after.name },
        });
        await notifyConsole(trx, ['weeks']);
        return after;
      });
      return changed(renamed);
    },
  );

  app.post(
    '/api/operator/teams/delete/',
    {
      schema: {
        ...operatorSchema('Delete a team without players, games and matchups', { role: 'manager' }),
        body: teamRef,
        response: { 200: teamDeletedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const gone = await team(request.body.team, actor);
      await audited(deps, actor, async (trx, write) => {
        await deleteTeam(trx, gone);
        await write({
          area: 'leagues',
          what: `Deleted the team ${gone.name}`,
          before: { league: gone.league },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return { team: gone.name, league: gone.league };
    },
  );

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
        await requireMovable(trx, actor, request.body.emails);
        const moves = await addToTeam({ ...deps, db: trx }, to, request.body.emails);
        // A player may leave only a league that the caller reaches too (P63).
        for (const left of new Set(moves.flatMap(({ left_league }) => left_league ?? [])))
          await requireLeague(trx, actor, left);
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
    '/api/operator/teams/code/',
    {
      schema: {
        ...operatorSchema('Show the code by which players join a team, or replace it', {
          role: 'manager',
        }),
        body: teamCodeBody,
        response: { 200: teamCodeAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const of = await team(request.body.team, actor);
      const replace = request.body.new;
      const code = await audited(deps, actor, async (trx, write) => {
        if (replace) await write({ area: 'leagues', what: `New code for ${of.name}` });
        return codeOf(trx, of, { replace });
      });
      return {
        team: of.name,
        league: of.league,
        code,
        url: `${deps.config.public_url}/join/${code}`,
        joining: await readJoining(db, { id: of.league_id }),
      };
    },
  );

  app.get(
    '/api/operator/teams/requests/',
    {
      schema: {
        ...operatorSchema('List the requests to join a team, oldest first', { role: 'manager' }),
        querystring: teamsQuery,
        response: { 200: requestsAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { query } = request;
      const of = query.league === undefined ? undefined : await league(query.league, actor);
      const own = isLimited(actor)
        ? new Set((await leaguesOf(db, actor)).map(({ name }) => name))
        : null;
      const requests = await listRequests(db, of);
      return {
        results: requests
          .filter((one) => own === null || own.has(one.league))
          .map((one) => ({ ...one, asked_at: one.asked_at.toISOString() })),
      };
    },
  );

  /** Adds a route that accepts or declines a request to join a team. */
  function decision(
    path: string,
    summary: string,
    done: string,
    decide: (on: typeof deps, team: Team, email: string) => Promise<Decided>,
  ): void {
    app.post(
      `/api/operator/teams/${path}`,
      {
        schema: {
          ...operatorSchema(summary, { role: 'manager' }),
          body: requestRef,
          response: { 200: decidedAnswer, ...refusals },
        },
      },
      async (request) => {
        const actor = actorOf(request);
        const of = await team(request.body.team, actor);
        return audited(deps, actor, async (trx, write) => {
          const decided = await decide({ ...deps, db: trx }, of, request.body.email);
          await write({
            area: 'leagues',
            what: `${done} ${decided.username ?? 'a player'}, who asked to join ${of.name}`,
            after: { league: of.league },
          });
          await notifyConsole(trx, ['weeks']);
          return decided;
        });
      },
    );
  }
  decision(
    'accept/',
    'Accept a request: the player is on the team and gets a mail',
    'Accepted',
    acceptRequest,
  );
  decision('decline/', 'Decline a request: the player gets a mail', 'Declined', declineRequest);
}
