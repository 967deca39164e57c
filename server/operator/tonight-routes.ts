import { machinePage, machinePageQuery } from '#contract/wire/machines.ts';
import { tonightAnswer, tonightQuery } from '#contract/wire/tonight.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { actorOf, reachesVenue } from '../staff/actor.ts';
import { alertStaff } from '../staff/alerts.ts';
import { reachedLeagues, reachOf, venuesOf } from '../staff/reach.ts';
import { countInbox } from '../staff-pages/inbox.ts';
import { readMachinePage } from '../staff-pages/machine.ts';
import { readTonight } from '../staff-pages/tonight.ts';
import { machinesByName, venuesByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The console's pages Tonight and Machine (MACH-16, MACH-17). */
export function tonightRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const { db } = deps;
  const mailedStaff = async (venues: readonly number[]) =>
    (await alertStaff(db, venues)).map(({ name }) => name);
  const venueNamed = venuesByName(deps);
  const machineNamed = machinesByName(deps);

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
      const chosen = venue === undefined ? null : (await venueNamed(venue, actor)).id;
      const tonight = await readTonight(deps, {
        venue: (id) => reachesVenue(actor, id) && (chosen === null || id === chosen),
        leagues: await reachedLeagues(db, actor),
      });
      const reach = chosen === null ? reachOf(actor) : { venues: [chosen], leagues: [] };
      const { held, held_since, reports, reports_since } = await countInbox(db, reach);
      const venues = chosen === null ? await venuesOf(db, actor) : [{ id: chosen }];
      return {
        ...tonight,
        held: { count: held, oldest_at: held_since?.toISOString() ?? null },
        reports: { count: reports, oldest_at: reports_since?.toISOString() ?? null },
        mails_to: await mailedStaff(venues.map(({ id }) => id)),
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
      const found = await machineNamed(request.query.machine, actorOf(request));
      return {
        ...(await readMachinePage(deps, found.id)),
        mails_to: await mailedStaff(found.venue_id === null ? [] : [found.venue_id]),
      };
    },
  );
}
