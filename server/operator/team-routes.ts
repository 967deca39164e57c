import type { z } from 'zod';
import {
  decidedAnswer,
  requestRef,
  requestsAnswer,
  teamAddBody,
  teamAddedAnswer,
  teamBody,
  teamChangedAnswer,
  teamCodeAnswer,
  teamCodeBody,
  teamDeletedAnswer,
  teamPage,
  teamPoster,
  teamRef,
  teamRemoveBody,
  teamRenameBody,
  teamRow,
  teamsAnswer,
  teamsQuery,
} from '#contract/wire/teams.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { readCode, readJoining, replaceTeamCode } from '../leagues/joining.ts';
import {
  createTeam,
  deleteTeam,
  findLeague,
  listTeams,
  renameTeam,
  type Team,
} from '../leagues/leagues.ts';
import { acceptRequest, declineRequest, listRequests } from '../leagues/requests.ts';
import { addToTeam, listMembers, removeFromTeam } from '../leagues/rosters.ts';
import { maskEmail } from '../log.ts';
import { findPlayers, NO_ACCOUNT } from '../players/players.ts';
import { type Actor, actorOf, shownEmail } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { reachedLeagues, requireKnown, requireLeague, requireMovable } from '../staff/reach.ts';
import { readPoster, readTeamPage } from '../staff-pages/league.ts';
import { leaguesByName } from './by-name.ts';
import { ROSTER_BODY } from './roster-file.ts';
import { operatorSchema, refusals } from './schema.ts';

/** Whom a body names: an address or an account's number. */
const whoOf = ({ email, account }: { email?: string | undefined; account?: string | undefined }) =>
  email ?? Number(account);

/** The commands `team …`. */
export function teamCommands(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'mail'>): void {
  const { db } = deps;
  const { league, team } = leaguesByName(db);

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
      const own = await reachedLeagues(db, actor);
      const teams = await listTeams(db, of);
      return {
        results: teams
          .filter(({ league_id }) => own?.includes(league_id) ?? true)
          .map((one) => ({ ...one, id: String(one.id) })),
      };
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

  /**
   * No refusal has an address that the caller did not type (P65).
   * @throws Refusal 400 on `usernames` for a name that nobody has, and on `accounts` for an account
   * that is gone or has no username.
   */
  async function playersOf(
    trx: typeof db,
    { usernames, accounts }: Pick<z.infer<typeof teamAddBody>, 'usernames' | 'accounts'>,
  ) {
    const found = await findPlayers(trx, { ids: accounts.map(Number), usernames });
    const byUsername = usernames.map((username) => {
      const lower = username.toLowerCase();
      const player = found.find((one) => one.username?.toLowerCase() === lower);
      if (player === undefined) throw badField('usernames', `There is no player “${username}”.`);
      return player;
    });
    const byAccount = accounts.map((account) => {
      const player = found.find(({ id }) => id === Number(account));
      if (player === undefined) throw badField('accounts', NO_ACCOUNT);
      if (player.username === null)
        throw badField('accounts', 'This player has not finished signing up.');
      return player;
    });
    return [...byUsername, ...byAccount];
  }

  async function changed({ id, name, league }: Team, actor: Actor) {
    const members = await listMembers(db, await findLeague(db, league));
    const players = members
      .filter(({ team_id }) => team_id === id)
      .map(({ email, username }) => ({ email: shownEmail(actor, email), username }));
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
      return changed(renamed, actor);
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
        const named = await playersOf(trx, request.body);
        const emails = [...request.body.emails, ...named.map(({ email }) => email)];
        await requireMovable(trx, actor, emails);
        const seen = request.body.from_team;
        const from = typeof seen === 'string' ? Number(seen) : seen;
        await requireKnown(
          trx,
          actor,
          named.map(({ id }) => id),
        );
        const moves = await addToTeam({ ...deps, db: trx }, to, emails, { from });
        // The players' former leagues must be in reach too (P63).
        for (const left of new Set(moves.flatMap(({ left_league }) => left_league ?? [])))
          await requireLeague(trx, actor, left);
        for (const { player_id, email, username, moved_from } of moves)
          await write({
            area: 'leagues',
            what: `Put ${username ?? maskEmail(email)} on ${to.name}`,
            player_id,
            before: { team: moved_from },
            after: { team: to.name },
          });
        await notifyConsole(trx, ['weeks']);
        return moves;
      });
      const moved = added.flatMap(({ email, moved_from }) =>
        moved_from === null ? [] : { email: shownEmail(actor, email), moved_from },
      );
      return { ...(await changed(to, actor)), moved };
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
        const { player_id, email, username } = await removeFromTeam(
          { ...deps, db: trx },
          from,
          whoOf(request.body),
        );
        await write({
          area: 'leagues',
          what: `Took ${username ?? maskEmail(email)} off ${from.name}`,
          player_id,
          before: { team: from.name },
          after: { team: null },
        });
        await notifyConsole(trx, ['weeks']);
      });
      return changed(from, actor);
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
      const code = request.body.new
        ? await audited(deps, actor, async (trx, write) => {
            await write({ area: 'leagues', what: `New code for ${of.name}` });
            return replaceTeamCode(trx, of);
          })
        : await readCode(db, of);
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
      const own = await reachedLeagues(db, actor);
      const requests = await listRequests(db, of);
      return {
        results: requests
          .filter(({ league_id }) => own?.includes(league_id) ?? true)
          .map((one) => ({
            ...one,
            team_id: String(one.team_id),
            league_id: String(one.league_id),
            email: shownEmail(actor, one.email),
            asked_at: one.asked_at.toISOString(),
          })),
      };
    },
  );

  function decision(
    path: string,
    summary: string,
    done: string,
    decide: typeof acceptRequest,
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
          const reached = await reachedLeagues(trx, actor);
          const decided = await decide({ ...deps, db: trx }, of, whoOf(request.body), reached);
          await write({
            area: 'leagues',
            what: `${done} ${decided.username ?? 'a player'}, who asked to join ${of.name}`,
            after: { league: of.league },
          });
          await notifyConsole(trx, ['weeks']);
          return { ...decided, email: shownEmail(actor, decided.email) };
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
