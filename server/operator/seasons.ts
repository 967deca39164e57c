import { sql } from 'kysely';
import { openWords } from '#contract/rules/leagues.ts';
import type { SeasonListed } from '#contract/wire/seasons.ts';
import type { Database } from '../db/database.ts';
import { lookUp } from '../db/reference.ts';
import { notFound } from '../errors.ts';
import { type League, leagueOf, TEAMS, type Team } from '../leagues/leagues.ts';
import { changeSeason, dropSeason } from '../leagues/season-changes.ts';
import { correctSeason, endSeason, unmarkSeason } from '../leagues/season-end.ts';
import { enterTeam, undoWithdrawal, withdrawTeam } from '../leagues/season-entries.ts';
import { makeNextSeason, previewNextSeason } from '../leagues/season-plan.ts';
import {
  postponeWeek,
  ruleMatchup,
  swapOpponents,
  undoPostponement,
} from '../leagues/season-weeks.ts';
import type { Season } from '../leagues/seasons.ts';
import { authorOf } from '../staff/audit.ts';
import { listedSeasons, readSeasonForStaff } from '../staff-pages/season.ts';
import { type Asked, change, type Noun, read } from './command.ts';

/** What staff can change in a season, for the audit. */
const factsOf = (season: { [F in keyof Season]?: Season[F] | undefined }) => ({
  name: season.name ?? null,
  'starts on': season.starts_on ?? null,
  ends: season.ends ?? null,
  'tie-break': season.tie_break ?? null,
  'grace hours': season.grace_hours ?? null,
  'rosters lock': season.rosters_lock_week ?? null,
});

/** The answer to a change: what happened, in words, and the season as it is now. */
async function changed(
  asked: Pick<Asked<never>, 'db' | 'clock'>,
  league: League,
  { id }: Pick<Season, 'id'>,
  changes: string[] = [],
): Promise<{ season: SeasonListed; changes: string[] }> {
  const season = (await listedSeasons(asked, league)).find((one) => one.id === String(id));
  if (season === undefined) throw notFound('The season is gone.');
  return { season, changes };
}

/** Finds a team of the league. @throws Refusal 404 for a team of another league. */
async function teamIn(db: Database, league: League, named: string): Promise<Team> {
  const reached = sql<boolean>`t.league_id = ${league.id}`;
  const { row: team } = await lookUp(db, TEAMS, named, { reached });
  if (team.league_id !== league.id) throw notFound(`“${league.name}” has no team “${named}”.`);
  return team;
}

/** The commands `season …`. */
export const seasons: Noun = {
  area: 'leagues',
  topics: ['weeks'],
  commands: [
    read('GET /api/operator/seasons/', {
      summary: "List a league's seasons",
      role: 'floor',
      work: async (asked) => ({
        results: await listedSeasons(asked, await asked.find.league(asked.query.league)),
      }),
    }),
    read('GET /api/operator/seasons/page/', {
      summary: 'Show a season with its table, awards and corrections',
      role: 'manager',
      work: async (asked) => {
        const season = await asked.find.season(asked.query.season);
        const league = await leagueOf(asked.db, season);
        return readSeasonForStaff(asked, league, season, asked.query.version);
      },
    }),
    read('POST /api/operator/seasons/next/preview/', {
      summary: 'Show what the next season would be, without storing it',
      role: 'manager',
      work: async ({ db, clock, find, body }) =>
        previewNextSeason(db, await find.league(body.league), body, clock.now()),
    }),
    change('POST /api/operator/seasons/next/', {
      summary: 'Make the next season',
      role: 'manager',
      work: async (asked) => {
        const { find, body } = asked;
        const league = await find.league(body.league);
        const season = await makeNextSeason(asked, league, body);
        return {
          answer: await changed(asked, league, season),
          audit: {
            what: `Made ${season.name} of ${league.name}`,
            after: { 'starts on': season.starts_on, players: body.players, codes: body.codes },
          },
        };
      },
    }),
    change('POST /api/operator/seasons/change/', {
      summary: 'Change a season',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const { season: named, ...wanted } = body;
        const found = await find.season(named);
        const league = await leagueOf(db, found);
        const before = await changeSeason(db, league, found, wanted, clock.now());
        const { starts: starts_on = before.starts_on } = wanted;
        return {
          answer: await changed(asked, league, before),
          audit: {
            what: `Changed ${before.name} of ${league.name}`,
            before: factsOf(before),
            after: factsOf({ ...before, ...wanted, starts_on }),
          },
        };
      },
    }),
    change('POST /api/operator/seasons/drop/', {
      summary: 'Drop a planned season',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const season = await find.season(body.season);
        const league = await leagueOf(db, season);
        await dropSeason(db, league, season, clock.now());
        return {
          answer: { results: await listedSeasons(asked, league) },
          audit: {
            what: `Dropped ${season.name} of ${league.name}`,
            before: { 'starts on': season.starts_on },
          },
        };
      },
    }),
    change('POST /api/operator/seasons/end/', {
      summary: "End a league's season, or its grace",
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body, actor } = asked;
        const league = await find.league(body.league);
        const ended = await endSeason(db, league, body, clock.now(), authorOf(actor).who);
        const { season, last_week, final, open } = ended;
        const isOpen = open.held + open.complaints > 0;
        return {
          answer: await changed(
            asked,
            league,
            season,
            isOpen ? [`${final ? 'Left out' : 'Still open'}: ${openWords(open)}.`] : [],
          ),
          audit: {
            what: `Ended ${season.name} of ${league.name}`,
            after: { 'last week': last_week, final },
          },
        };
      },
    }),
    change('POST /api/operator/seasons/correct/', {
      summary: "Correct a final season's table",
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body, actor } = asked;
        const season = await find.season(body.season);
        const league = await leagueOf(db, season);
        const changes = await correctSeason(
          db,
          season,
          body.reason,
          clock.now(),
          authorOf(actor).who,
        );
        return {
          answer: await changed(asked, league, season, changes),
          audit: {
            what: `Corrected ${season.name} of ${league.name}`,
            after: { reason: body.reason, changes: changes.join('; ') },
          },
        };
      },
    }),
    change('POST /api/operator/seasons/leave/', {
      summary: 'Leave a final season as it is',
      role: 'manager',
      work: async (asked) => {
        const season = await asked.find.season(asked.body.season);
        const league = await leagueOf(asked.db, season);
        await unmarkSeason(asked.db, season);
        return {
          answer: await changed(asked, league, season),
          audit: { what: `Left ${season.name} of ${league.name} as it is` },
        };
      },
    }),
    change('POST /api/operator/leagues/postpone/', {
      summary: 'Postpone a week',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const league = await find.league(body.league);
        const season = await postponeWeek(db, league, body, clock.now());
        return {
          answer: await changed(asked, league, season),
          audit: {
            what: `Postponed a week of ${league.name}`,
            after: { week: body.week, reason: body.reason },
          },
        };
      },
    }),
    change('POST /api/operator/leagues/postpone/undo/', {
      summary: 'Take the postponement of a week back',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const league = await find.league(body.league);
        const season = await undoPostponement(db, league, body.week, clock.now());
        return {
          answer: await changed(asked, league, season),
          audit: {
            what: `Took a postponement of ${league.name} back`,
            before: { week: body.week },
          },
        };
      },
    }),
    change('POST /api/operator/leagues/swap/', {
      summary: 'Give a team another opponent in a coming week',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const league = await find.league(body.league);
        const team = await teamIn(db, league, body.team);
        const opponent = await teamIn(db, league, body.opponent);
        const swap = { team, opponent, week: body.week };
        const { season, before } = await swapOpponents(db, league, swap, clock.now());
        return {
          answer: await changed(asked, league, season),
          audit: {
            what: `Changed the opponent of ${team.name}`,
            before: { opponent: before },
            after: { opponent: opponent.name, week: body.week },
          },
        };
      },
    }),
    change('POST /api/operator/leagues/ruling/', {
      summary: 'Decide a matchup by a ruling, or remove it',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const league = await find.league(body.league);
        const team = await teamIn(db, league, body.team);
        const ruled = await ruleMatchup(db, league, team, body, clock.now());
        const { season, before, reason_before, home, home_id, away, away_id, week } = ruled;
        return {
          answer: await changed(asked, league, season, [`${ruled.change}.`]),
          decided: [
            {
              league_id: league.id,
              decision: 'ruled',
              team_id: home_id,
              other_id: away_id,
              week,
              before,
              after: body.ruling,
              reason_before,
            },
          ],
          audit: {
            what: `Ruled on ${home} against ${away}`,
            before: { ruling: before },
            after: { ruling: body.ruling, week: body.week, reason: body.reason ?? null },
          },
        };
      },
    }),
    change('POST /api/operator/teams/enter/', {
      summary: 'Enter a team into the season',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const team = await find.team(body.team);
        const league = await leagueOf(db, team);
        const of = body.season === undefined ? undefined : (await find.season(body.season)).id;
        const season = await enterTeam(db, league, team, { ...body, of }, clock.now());
        return {
          answer: await changed(asked, league, season),
          audit: {
            what: `Entered ${team.name} into ${season.name}`,
            after: { matchups: body.matchups, from: body.from ?? null },
          },
        };
      },
    }),
    change('POST /api/operator/teams/withdraw/', {
      summary: 'Withdraw a team from the season, or leave it out of a planned one',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const team = await find.team(body.team);
        const league = await leagueOf(db, team);
        const { season, from_week, number, matchups } = await withdrawTeam(
          db,
          league,
          team,
          body,
          clock.now(),
        );
        if (matchups === 'none')
          return {
            answer: await changed(asked, league, season, [
              `${team.name} is left out of ${season.name}.`,
            ]),
            audit: {
              what: `Left ${team.name} out of ${season.name}`,
              after: { reason: body.reason ?? null },
            },
          };
        const annulled = matchups === 'annulled';
        return {
          answer: await changed(asked, league, season, [
            annulled
              ? `All matchups of ${team.name} are annulled.`
              : `The matchups of ${team.name} from week ${number} on are forfeits.`,
          ]),
          audit: {
            what: `Withdrew ${team.name} from ${season.name}`,
            after: { from: from_week, annulled, reason: body.reason ?? null },
          },
        };
      },
    }),
    change('POST /api/operator/teams/withdraw/undo/', {
      summary: 'Take the withdrawal of a team back',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const team = await find.team(body.team);
        const league = await leagueOf(db, team);
        const { season, made_anew } = await undoWithdrawal(db, league, team, clock.now());
        return {
          answer: await changed(
            asked,
            league,
            season,
            made_anew ? ['The coming weeks are made anew.'] : [],
          ),
          audit: {
            what: `Took the withdrawal of ${team.name} back`,
            after: { season: season.name },
          },
        };
      },
    }),
  ],
};
