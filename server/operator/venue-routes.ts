import { COMMAND_LINE } from '#contract/rules/staff.ts';
import { machineChangeBody, machineRow, repairBody } from '#contract/wire/machines.ts';
import { venueBody, venueChangeBody, venueRow, venuesAnswer } from '#contract/wire/venues.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { lockVenueGames, rebuildVenueWeek } from '../games/rebuild.ts';
import type { App } from '../http/scope.ts';
import { changeMachine, markRepair } from '../machines/machines.ts';
import { actorOf, reachesVenue, requireVenue } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { addVenue, changeVenue, listVenues, type Venue } from '../venues/venues.ts';
import { machinesByName, venuesByName } from './by-name.ts';
import { machineNow } from './machine-routes.ts';
import { operatorSchema, refusals } from './schema.ts';

const row = ({ id, ...venue }: Venue) => ({ id: String(id), ...venue });

/** The commands `venue …`, and those that move, rename or repair a machine. */
export function venueCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const venueNamed = venuesByName(deps);
  const machineNamed = machinesByName(deps);

  app.get(
    '/api/operator/venues/',
    {
      schema: {
        ...operatorSchema('List the venues', { role: 'floor' }),
        response: { 200: venuesAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const venues = await listVenues(deps.db);
      return { results: venues.filter(({ id }) => reachesVenue(actor, id)).map(row) };
    },
  );

  app.post(
    '/api/operator/venues/',
    {
      schema: {
        ...operatorSchema('Add a venue', { role: 'owner' }),
        body: venueBody,
        response: { 201: venueRow, ...refusals },
      },
    },
    async (request, reply) => {
      const venue = await audited(deps, actorOf(request), async (trx, write) => {
        const added = await addVenue(trx, request.body);
        await write({
          area: 'machines',
          what: `Added the venue ${added.name}`,
          venue_id: added.id,
          after: { 'time zone': added.timezone },
        });
        await notifyConsole(trx, ['machines']);
        return added;
      });
      return reply.code(201).send(row(venue));
    },
  );

  app.post(
    '/api/operator/venues/change/',
    {
      schema: {
        ...operatorSchema('Change the opening hours or the time zone of a venue', {
          role: 'manager',
        }),
        body: venueChangeBody,
        response: { 200: venueRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { venue: named, ...change } = request.body;
      const changed = await audited(deps, actor, async (trx, write) => {
        const venue = await venueNamed(named, actor, trx);
        if (change.timezone !== undefined) await lockVenueGames(trx, venue.id);
        const done = await changeVenue(trx, venue, change);
        if (change.timezone !== undefined) await rebuildVenueWeek(trx, venue.id, deps.clock.now());
        await write({
          area: 'machines',
          what: `Changed the hours of ${venue.name}`,
          venue_id: venue.id,
          before: { hours: venue.hours, 'time zone': venue.timezone },
          after: { hours: done.hours, 'time zone': done.timezone },
        });
        await notifyConsole(trx, ['machines']);
        return done;
      });
      return row(changed);
    },
  );

  app.post(
    '/api/operator/machines/repair/',
    {
      schema: {
        ...operatorSchema('Mark a machine in repair, or put it back in service', { role: 'floor' }),
        body: repairBody,
        response: { 200: machineRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { machine, done, why } = request.body;
      const marked = await audited(deps, actor, async (trx, write) => {
        const { id, name, venue_id } = await machineNamed(machine, actor, trx);
        const by = actor.kind === 'staff' ? actor.name : COMMAND_LINE;
        const found = await markRepair({ ...deps, db: trx }, `id:${id}`, done ? null : by, why);
        const { before, after } = found.why;
        await write({
          area: 'machines',
          what: done
            ? `${name} is back in service`
            : found.marked || before === after
              ? `${name} is in repair`
              : `Changed what is wrong with ${name}`,
          venue_id,
          ...(before !== after && {
            before: { 'what is wrong': before },
            after: { 'what is wrong': after },
          }),
        });
        await notifyConsole(trx, ['machines']);
        return found;
      });
      return machineNow(deps, marked.id);
    },
  );

  app.post(
    '/api/operator/machines/change/',
    {
      schema: {
        ...operatorSchema('Rename a machine, or move it to another venue', { role: 'manager' }),
        body: machineChangeBody,
        response: { 200: machineRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { machine: named, ...change } = request.body;
      const changed = await audited(deps, actor, async (trx, write) => {
        const machine = await machineNamed(named, actor, trx);
        const done = await changeMachine({ ...deps, db: trx }, machine, change);
        requireVenue(actor, done.venue_id);
        await write({
          area: 'machines',
          what: `Changed ${machine.name}`,
          venue_id: done.venue_id,
          before: { name: machine.name, venue: machine.venue },
          after: { name: done.name, venue: done.venue },
        });
        await notifyConsole(trx, ['machines']);
        return done;
      });
      return machineNow(deps, changed.id);
    },
  );
}
