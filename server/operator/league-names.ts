import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import {
  findLeague,
  findTeam,
  type League,
  listLeagues,
  listTeams,
  type Team,
} from '../leagues/leagues.ts';
import { type Actor, isLimited } from '../staff/actor.ts';
import { leagueReached, leaguesOf, requireLeague } from '../staff/reach.ts';
import { suggesting } from './names.ts';

/** Leagues and teams by a typed name or id (OPS-03). */
export function leaguesByName(db: Database) {
  const leagueNames = async (actor: Actor) =>
    (isLimited(actor) ? await leaguesOf(db, actor) : await listLeagues(db)).map(({ name }) => name);
  const teamNames = async (actor: Actor) => {
    const own = new Set(await leagueNames(actor));
    return (await listTeams(db)).filter(({ league }) => own.has(league)).map(({ name }) => name);
  };

  return {
    /** @throws Refusal 404 when there is none; 403 when the caller does not reach it (P63). */
    async league(ref: string, actor: Actor): Promise<League> {
      const found = await suggesting(
        ref,
        () => leagueNames(actor),
        () => findLeague(db, ref),
      );
      await requireLeague(db, actor, found.id);
      return found;
    },
    /**
     * @throws Refusal 404 when there is none; 403 when the caller does not reach its league (P63).
     */
    async team(ref: string, actor: Actor): Promise<Team> {
      const found = await suggesting(
        ref,
        () => teamNames(actor),
        () => findTeam(db, ref, leagueReached(actor, sql.ref('t.league_id'))),
      );
      await requireLeague(db, actor, found.league_id);
      return found;
    },
  };
}
