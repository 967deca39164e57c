import { sql } from 'kysely';
import type { Call } from '#contract/wire/calls.ts';
import { notFound } from '../errors.ts';
import { type LeagueDecision, wasTakenOff } from '../leagues/decisions.ts';
import { readCode, readJoining, replaceTeamCode } from '../leagues/joining.ts';
import {
  createTeam,
  createTeams,
  deleteTeam,
  leagueOf,
  listTeams,
  renameTeam,
  type Team,
} from '../leagues/leagues.ts';
import { acceptRequest, declineRequest, listRequests, reopenRequest } from '../leagues/requests.ts';
import {
  addToTeam,
  listMembers,
  type Moved,
  removeFromTeam,
  removeSeveral,
} from '../leagues/rosters.ts';
import { lockSeasons } from '../leagues/seasons.ts';
import { maskEmail } from '../log.ts';
import { shownEmail } from '../staff/actor.ts';
import { readPosters, readTeamPage } from '../staff-pages/league.ts';
import { type Asked, type Command, change, type Noun, read } from './command.ts';
import { ROSTER_BODY } from './roster-file.ts';

/** Whom a body names, by an address or an account number. */
const whoOf = ({ email, account }: { email?: string | undefined; account?: string | undefined }) =>
  email ?? Number(account);

/** SQL on rows `t` of teams: those within reach, and only one league's if the query names it. */
async function wanted({ policy, find, query }: Asked<'GET /api/operator/teams/'>) {
  const reached = policy.league(sql.ref('t.league_id'));
  if (query.league === undefined) return reached;
  const { id } = await find.league(query.league);
  return sql<boolean>`t.league_id = ${id} and ${reached}`;
}

/** A team with its players, after a change. */
async function roster({ db, actor }: Pick<Asked<never>, 'db' | 'actor'>, team: Team) {
  const members = await listMembers(db, await leagueOf(db, team));
  const players = members
    .filter(({ team_id }) => team_id === team.id)
    .map(({ email, username }) => ({ email: shownEmail(actor, email), username }));
  return { team: team.name, league: team.league, players };
}

/** The move as the inbox lists it; nothing if the player was on the team already. */
const movedTo = ({ id, league_id }: Team, { player_id, from_id }: Moved): LeagueDecision[] =>
  from_id === id
    ? []
    : [{ league_id, decision: 'moved', player_id, team_id: id, other_id: from_id }];

type Answers = Extract<Call, `POST /api/operator/teams/${'accept' | 'decline'}/`>;
const ANSWERED = { accepted: 'Accepted', declined: 'Declined' };
const answerTo = (
  call: Answers,
  summary: string,
  decision: 'accepted' | 'declined',
  work: typeof acceptRequest | typeof declineRequest,
): Command =>
  change(call, {
    summary,
    role: 'manager',
    work: async (asked) => {
      const team = await asked.find.team(asked.body.team);
      const { player_id, asked_at, ...answered } = await work(
        asked,
        team,
        whoOf(asked.body),
        asked.policy.league,
      );
      const { id: team_id, league_id } = team;
      const who = answered.username ?? 'a player';
      return {
        answer: { ...answered, email: shownEmail(asked.actor, answered.email) },
        decided: asked_at === null ? [] : [{ league_id, decision, player_id, team_id, asked_at }],
        audit: {
          what:
            asked_at === null
              ? `Confirmed ${who}, who joined ${team.name} by its code`
              : `${ANSWERED[decision]} ${who}, who asked to join ${team.name}`,
          after: { league: team.league },
        },
      };
    },
  });

/** The commands `team …`. */
export const teams: Noun = {
  area: 'leagues',
  topics: ['weeks'],
  commands: [
    read('GET /api/operator/teams/', {
      summary: 'List the teams',
      role: 'floor',
      work: async (asked) => {
        const found = await listTeams(asked.db, await wanted(asked));
        return { results: found.map((team) => ({ ...team, id: String(team.id) })) };
      },
    }),
    change('POST /api/operator/teams/', {
      summary: 'Create a team',
      role: 'manager',
      work: async (asked) => {
        const league = await asked.find.league(asked.body.league);
        const team = await createTeam(asked, league, asked.body.name);
        return {
          answer: { ...team, id: String(team.id), players: 0 },
          decided: [{ league_id: league.id, decision: 'made', team_id: team.id }],
          audit: { what: `Made the team ${team.name}`, after: { league: league.name } },
        };
      },
    }),
    change('POST /api/operator/teams/several/', {
      summary: 'Create several teams, all or none',
      role: 'manager',
      work: async (asked) => {
        const league = await asked.find.league(asked.body.league);
        await lockSeasons(asked.db, league.id);
        const made = await createTeams(asked, league, asked.body.names);
        return {
          answer: { results: made.map((team) => ({ ...team, id: String(team.id), players: 0 })) },
          decided: made.map(({ id, league_id }) => ({ league_id, decision: 'made', team_id: id })),
          audit: made.map(({ name }) => ({
            what: `Made the team ${name}`,
            after: { league: league.name },
          })),
        };
      },
    }),
    read('GET /api/operator/teams/page/', {
      summary: 'Show a team with its players, its code and the requests to join it',
      role: 'manager',
      work: async (asked) => readTeamPage(asked, await asked.find.team(asked.query.team)),
    }),
    read('GET /api/operator/teams/poster/', {
      summary: 'Show what stands on the poster of a team',
      role: 'floor',
      work: async (asked) => {
        const team = await asked.find.team(asked.query.team);
        const [poster] = await readPosters(asked, await leagueOf(asked.db, team), team);
        if (poster === undefined) throw notFound('The team is gone.');
        return poster;
      },
    }),
    read('GET /api/operator/teams/posters/', {
      summary: 'Show what stands on the posters of all teams of a league',
      role: 'floor',
      work: async (asked) => ({
        results: await readPosters(asked, await asked.find.league(asked.query.league)),
      }),
    }),
    change('POST /api/operator/teams/rename/', {
      summary: 'Rename a team',
      role: 'manager',
      work: async (asked) => {
        const before = await asked.find.team(asked.body.team);
        const after = await renameTeam(asked.db, before, asked.body.name);
        return {
          answer: await roster(asked, after),
          decided: [
            {
              league_id: after.league_id,
              decision: 'renamed',
              team_id: after.id,
              before: before.name,
              after: after.name,
            },
          ],
          audit: {
            what: `Renamed the team ${before.name}`,
            before: { name: before.name },
            after: { name: after.name },
          },
        };
      },
    }),
    change('POST /api/operator/teams/delete/', {
      summary: 'Delete a team without players, games and matchups',
      role: 'manager',
      work: async ({ db, find, body }) => {
        const { name, league, ...team } = await find.team(body.team);
        await deleteTeam(db, { name, league, ...team });
        return {
          answer: { team: name, league },
          decided: [{ league_id: team.league_id, decision: 'deleted', before: name }],
          audit: { what: `Deleted the team ${name}`, before: { league } },
        };
      },
    }),
    change('POST /api/operator/teams/add/', {
      summary: 'Put players on a team',
      role: 'manager',
      options: { bodyLimit: ROSTER_BODY },
      work: async (asked) => {
        const { emails, from_team: seen, undo } = asked.body;
        const to = await asked.find.team(asked.body.team);
        // Who was reached only through this team is still reached to undo a move off it (OPS-17).
        const named = await asked.find.players(
          asked.body,
          undo ? wasTakenOff(to.id, asked.clock.now()) : undefined,
        );
        const moves = await addToTeam(asked, to, [...emails, ...named.map(({ email }) => email)], {
          from: typeof seen === 'string' ? Number(seen) : seen,
          undo,
          reached: asked.policy.league,
        });
        const moved = moves.flatMap(({ email, moved_from }) =>
          moved_from === null ? [] : { email: shownEmail(asked.actor, email), moved_from },
        );
        return {
          answer: { ...(await roster(asked, to)), moved },
          decided: moves.flatMap((move) => movedTo(to, move)),
          audit: moves.map(({ player_id, email, username, moved_from }) => ({
            what: `Put ${username ?? maskEmail(email)} on ${to.name}`,
            player_id,
            before: { team: moved_from },
            after: { team: to.name },
          })),
        };
      },
    }),
    change('POST /api/operator/teams/remove/', {
      summary: 'Take players off a team',
      role: 'manager',
      work: async (asked) => {
        const from = await asked.find.team(asked.body.team);
        const { email = '', accounts, undo } = asked.body;
        const moves = await (accounts === undefined
          ? removeFromTeam(asked, from, email)
          : removeSeveral(asked, from, accounts.map(Number), undo));
        return {
          answer: await roster(asked, from),
          decided: moves.map(({ player_id }) => ({
            league_id: from.league_id,
            decision: 'moved',
            player_id,
            team_id: null,
            other_id: from.id,
          })),
          audit: moves.map(({ player_id, email, username }) => ({
            what: `Took ${username ?? maskEmail(email)} off ${from.name}`,
            player_id,
            before: { team: from.name },
            after: { team: null },
          })),
        };
      },
    }),
    change('POST /api/operator/teams/code/', {
      summary: 'Show the code by which players join a team, or replace it',
      role: 'manager',
      work: async ({ db, config, find, body }) => {
        const team = await find.team(body.team);
        const code = await (body.new ? replaceTeamCode(db, team) : readCode(db, team));
        return {
          answer: {
            team: team.name,
            league: team.league,
            code,
            url: `${config.public_url}/join/${code}`,
            joining: await readJoining(db, { id: team.league_id }),
          },
          audit: body.new ? { what: `New code for ${team.name}` } : undefined,
          topics: [],
        };
      },
    }),
    read('GET /api/operator/teams/requests/', {
      summary: 'List the requests to join a team, oldest first',
      role: 'manager',
      work: async (asked) => {
        const requests = await listRequests(asked.db, await wanted(asked));
        return {
          results: requests.map(({ team_id, league_id, email, asked_at, ...request }) => ({
            ...request,
            team_id: String(team_id),
            league_id: String(league_id),
            email: shownEmail(asked.actor, email),
            asked_at: asked_at.toISOString(),
          })),
        };
      },
    }),
    answerTo(
      'POST /api/operator/teams/accept/',
      'Accept a request: the player is on the team and gets a mail',
      'accepted',
      acceptRequest,
    ),
    answerTo(
      'POST /api/operator/teams/decline/',
      'Decline a request: the player gets a mail',
      'declined',
      declineRequest,
    ),
    change('POST /api/operator/teams/reopen/', {
      summary: 'Let a player wait again whose request was accepted or declined',
      role: 'manager',
      work: async (asked) => {
        const { asked_at } = asked.body;
        const at = asked_at === undefined ? asked.clock.now() : new Date(asked_at);
        const team = await asked.find.team(asked.body.team);
        const { player_id, ...back } = await reopenRequest(asked, team, whoOf(asked.body), at);
        const { id: team_id, league_id } = team;
        return {
          answer: { ...back, email: shownEmail(asked.actor, back.email) },
          decided: [{ league_id, decision: 'reopened', player_id, team_id }],
          audit: {
            what: `Put back the request of ${back.username ?? 'a player'} to join ${team.name}`,
            after: { league: team.league },
          },
        };
      },
    }),
  ],
};
