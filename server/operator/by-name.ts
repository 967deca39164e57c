import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import {
  type FoundLeague,
  findLeague,
  findTeam,
  listLeagues,
  listTeams,
  type Team,
} from '../leagues/leagues.ts';
import { findMachine, type Machine } from '../machines/machines.ts';
import { viewMachines } from '../machines/overview.ts';
import { findScreen, listScreens, type Screen } from '../screens/screens.ts';
import { type Actor, reachesVenue, requireVenue } from '../staff/actor.ts';
import { leagueReached, reachedLeagues, requireLeague } from '../staff/reach.ts';
import { type FoundStaff, findStaff, listStaff } from '../staff/staff.ts';
import { findVenue, listVenues, type Venue } from '../venues/venues.ts';
import { suggesting } from './names.ts';

/*
 * Rows by a typed name or id (OPS-03). A 404 suggests similar names within the caller's reach.
 * With `trx`, the row is read in it and locked.
 */

/** Finds leagues and teams. */
export function leaguesByName(db: Database) {
  const leagueNames = async (actor: Actor) => {
    const own = await reachedLeagues(db, actor);
    const leagues = await listLeagues(db);
    return leagues.filter(({ id }) => own?.includes(id) ?? true).map(({ name }) => name);
  };
  const teamNames = async (actor: Actor) => {
    const own = await reachedLeagues(db, actor);
    const teams = await listTeams(db);
    return teams
      .filter(({ league_id }) => own?.includes(league_id) ?? true)
      .map(({ name }) => name);
  };

  return {
    /** @throws Refusal 404 when there is none; 403 when the caller does not reach it (P63). */
    async league(ref: string, actor: Actor): Promise<FoundLeague> {
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

/**
 * Finds machines.
 * @throws Refusal 404 when there is none; 403 when the caller does not reach its venue (P63).
 */
export const machinesByName =
  (deps: Pick<Deps, 'db' | 'clock'>) =>
  async (ref: string, actor: Actor, trx?: Database): Promise<Machine> => {
    const db = trx ?? deps.db;
    const names = async () =>
      (await viewMachines({ ...deps, db }))
        .filter(({ venue_id }) => reachesVenue(actor, venue_id))
        .map(({ name }) => name);
    const found = await suggesting(ref, names, () => findMachine(db, ref, trx !== undefined));
    requireVenue(actor, found.venue_id);
    return found;
  };

/**
 * Finds venues.
 * @throws Refusal 404 when there is none; 403 when the caller does not reach it (P63).
 */
export const venuesByName =
  (deps: Pick<Deps, 'db'>) =>
  async (ref: string, actor: Actor, trx?: Database): Promise<Venue> => {
    const db = trx ?? deps.db;
    const names = async () =>
      (await listVenues(db)).filter(({ id }) => reachesVenue(actor, id)).map(({ name }) => name);
    const found = await suggesting(ref, names, () => findVenue(db, ref, trx !== undefined));
    requireVenue(actor, found.id);
    return found;
  };

/**
 * Finds screens.
 * @throws Refusal 404 when there is none; 403 when the caller does not reach its venue (P63).
 */
export const screensByName =
  (deps: Pick<Deps, 'db'>) =>
  async (ref: string, actor: Actor, trx?: Database): Promise<Screen> => {
    const db = trx ?? deps.db;
    const names = async () =>
      (await listScreens(db))
        .filter(({ venue_id }) => reachesVenue(actor, venue_id))
        .map(({ name }) => name);
    const found = await suggesting(ref, names, () => findScreen(db, ref, trx !== undefined));
    requireVenue(actor, found.venue_id);
    return found;
  };

/**
 * Finds staff, for callers who may know the names of all.
 * @throws Refusal 404 when there is none.
 */
export const staffByName =
  (deps: Pick<Deps, 'db' | 'clock'>) =>
  async (ref: string, trx?: Database): Promise<FoundStaff> => {
    const db = trx ?? deps.db;
    const names = async () => (await listStaff({ ...deps, db })).map(({ name }) => name);
    return suggesting(ref, names, () => findStaff(db, ref, trx !== undefined));
  };
