import { sql } from 'kysely';
import { machinePage, machinePageQuery, tonightAnswer, tonightQuery } from '#contract/tonight.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { findMachine } from '../machines/machines.ts';
import { listMachines } from '../machines/overview.ts';
import { readMachinePage } from '../machines/page.ts';
import { readTonight } from '../machines/tonight.ts';
import { type Actor, actorOf, isLimited, reachesVenue, requireVenue } from '../staff/actor.ts';
import { alertStaff } from '../staff/alerts.ts';
import { leagueReached } from '../staff/reach.ts';
import { findVenue } from '../venues/venues.ts';
import { suggesting } from './names.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The console's pages Tonight and Machine (MACH-16, MACH-17). */
export function tonightRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db } = deps;
  const mailedStaff = async (venues: readonly number[]) =>
    (await alertStaff(db, venues)).map(({ name }) => name);
  const venuesReached = async (actor: Actor) => {
    const venues = await db.selectFrom('venues').select('id').execute();
    return venues.map(({ id }) => id).filter((id) => reachesVenue(actor, id));
  };

  app.get(
    '/api/operator/tonight/',
    {
      schema: {
        ...operatorSchema('What needs a hand, the machines, and the running opening day', {
          role: 'floor',
        }),
        querystring: tonightQuery,
        response: { 200: tonightAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { venue } = request.query;
      const chosen = venue === undefined ? null : (await findVenue(db, venue)).id;
      if (chosen !== null) requireVenue(actor, chosen);
      const reached = await db
        .selectFrom('leagues')
        .select('id')
        .where(leagueReached(actor, sql.ref('leagues.id')))
        .execute();
      const tonight = await readTonight(deps, {
        venue: (id) => reachesVenue(actor, id) && (chosen === null || id === chosen),
        leagues: isLimited(actor) ? reached.map(({ id }) => id) : null,
      });
      const { rows } = await sql<{ machines: boolean; leagues: boolean; staff: boolean }>`
        select exists (select from machines) as machines, exists (select from leagues) as leagues,
          (select count(*) > 1 from staff where removed_at is null) as staff`.execute(db);
      return {
        ...tonight,
        mails_to: await mailedStaff(chosen === null ? await venuesReached(actor) : [chosen]),
        steps: rows[0] ?? { machines: false, leagues: false, staff: false },
      };
    },
  );

  app.get(
    '/api/operator/machines/page/',
    {
      schema: {
        ...operatorSchema('Show a machine, with its last games, times away and keys', {
          role: 'floor',
        }),
        querystring: machinePageQuery,
        response: { 200: machinePage, ...refusals },
      },
    },
    async (request) => {
      const { machine } = request.query;
      const actor = actorOf(request);
      const names = async () =>
        (await listMachines(deps))
          .filter(({ venue_id }) => reachesVenue(actor, venue_id))
          .map(({ name }) => name);
      const found = await suggesting(machine, names, () => findMachine(db, machine));
      requireVenue(actor, found.venue_id);
      return {
        ...(await readMachinePage(deps, found.id)),
        mails_to: await mailedStaff(found.venue_id === null ? [] : [found.venue_id]),
      };
    },
  );
}
