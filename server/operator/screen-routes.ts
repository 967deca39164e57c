import {
  type ScreenRow,
  screenAddBody,
  screenAnswer,
  screenChangeBody,
  screenRef,
  screenRow,
  screensAnswer,
  venueNoticeAnswer,
  venueNoticeBody,
  waitingAnswer,
  waitingQuery,
} from '#contract/wire/screens.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { isLive } from '../screens/authenticate.ts';
import { closingTime, type StoredNotice, setNotice, shownNotice } from '../screens/notice.ts';
import { addScreen, findWaiting } from '../screens/pairing.ts';
import { readPayload } from '../screens/payload.ts';
import {
  allSlides,
  changeScreen,
  listScreens,
  removeScreen,
  type Screen,
} from '../screens/screens.ts';
import { actorOf, asLogged, reachesVenue } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { nextClosing } from '../venues/hours.ts';
import { screensByName, venuesByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The commands `screen …`. Staff reach their venues' screens (STAFF-02). */
export function screenCommands(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
): void {
  const { db, clock } = deps;
  const row = ({ id, venue_id, last_seen_at, slides, ...screen }: Screen): ScreenRow => {
    const now = clock.now();
    const { notice, notice_until } = shownNotice(screen, now);
    return {
      ...screen,
      id: String(id),
      venue_id: String(venue_id),
      slides: allSlides(slides),
      last_seen_at: last_seen_at?.toISOString() ?? null,
      live: isLive(last_seen_at, now),
      notice,
      notice_until: notice_until?.toISOString() ?? null,
      closes: nextClosing(screen, now) !== null,
      closes_at: closingTime(screen, now).toISOString(),
    };
  };
  const venueNamed = venuesByName(deps);
  const screenNamed = screensByName(deps);

  app.get(
    '/api/operator/screens/',
    {
      schema: {
        ...operatorSchema('List the screens', { role: 'manager' }),
        response: { 200: screensAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const all = await listScreens(db);
      return { results: all.filter(({ venue_id }) => reachesVenue(actor, venue_id)).map(row) };
    },
  );

  app.get(
    '/api/operator/screens/waiting/',
    {
      schema: {
        ...operatorSchema('Find the television that shows a code', { role: 'manager' }),
        querystring: waitingQuery,
        response: { 200: waitingAnswer, ...refusals },
      },
    },
    async (request) => {
      const { created_at, ...waiting } = await findWaiting(deps, request.ip, request.query.code);
      return { ...waiting, waiting_since: created_at.toISOString() };
    },
  );

  app.post(
    '/api/operator/screens/',
    {
      schema: {
        ...operatorSchema('Pair the television that shows a code with a venue', {
          role: 'manager',
        }),
        body: screenAddBody,
        response: { 201: screenRow, ...refusals },
      },
    },
    async (request, reply) => {
      const { code, name } = request.body;
      const actor = actorOf(request);
      const venue = await venueNamed(request.body.venue, actor);
      const waiting = await findWaiting(deps, request.ip, code);
      const made = await audited(deps, actor, async (trx, write) => {
        const screen = await addScreen({ db: trx, clock }, waiting, venue, name);
        await write({
          area: 'screens',
          what: `Paired ${screen.name}`,
          venue_id: venue.id,
          after: { venue: venue.name },
        });
        await notifyConsole(trx, ['screens']);
        return screen;
      });
      logSecurity(request, 'screen_added', { ...asLogged(actor), screen: made.id });
      return reply.code(201).send(row(made));
    },
  );

  app.post(
    '/api/operator/screens/change/',
    {
      schema: {
        ...operatorSchema('Change the name, the venue, the slides or the motion of a screen', {
          role: 'manager',
        }),
        body: screenChangeBody,
        response: { 200: screenRow, ...refusals },
      },
    },
    async (request) => {
      const { screen: wanted, venue, ...change } = request.body;
      const actor = actorOf(request);
      const place = venue === undefined ? undefined : await venueNamed(venue, actor);
      return audited(deps, actor, async (trx, write) => {
        const before = await screenNamed(wanted, actor, trx);
        // Use the id, because another screen may get this name meanwhile.
        const by = `id:${before.id}`;
        const after = await changeScreen({ db: trx }, by, { ...change, venue: place });
        await write({
          area: 'screens',
          what: `Changed ${before.name}`,
          venue_id: before.venue_id,
          before: facts(before),
          after: facts(after),
        });
        await notifyConsole(trx, ['screens']);
        return row(after);
      });
    },
  );

  app.post(
    '/api/operator/screens/remove/',
    {
      schema: {
        ...operatorSchema('Remove a screen; its television shows a code again', {
          role: 'manager',
        }),
        body: screenRef,
        response: { 200: screenRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const removed = await audited(deps, actor, async (trx, write) => {
        const gone = await screenNamed(request.body.screen, actor, trx);
        await removeScreen({ db: trx }, `id:${gone.id}`);
        await write({
          area: 'screens',
          what: `Removed ${gone.name}`,
          venue_id: gone.venue_id,
          before: facts(gone),
        });
        await notifyConsole(trx, ['screens']);
        return gone;
      });
      logSecurity(request, 'screen_removed', { ...asLogged(actor), screen: removed.id });
      return row(removed);
    },
  );

  app.get(
    '/api/operator/screens/preview/',
    {
      schema: {
        ...operatorSchema('What a screen shows now', { role: 'manager' }),
        querystring: screenRef,
        response: { 200: screenAnswer, ...refusals },
      },
    },
    async (request) => {
      const { slides, ...found } = await screenNamed(request.query.screen, actorOf(request));
      const shown = allSlides(slides).filter(({ on }) => on);
      return readPayload(deps, { ...found, slides: shown });
    },
  );

  app.post(
    '/api/operator/screens/notice/',
    {
      schema: {
        ...operatorSchema(
          'Set or take away the notice on the screens of a venue, and say when it ends',
          {
            role: 'manager',
          },
        ),
        body: venueNoticeBody,
        response: { 200: venueNoticeAnswer, ...refusals },
      },
    },
    async (request) => {
      const { notice, until } = request.body;
      const actor = actorOf(request);
      const venue = await venueNamed(request.body.venue, actor);
      return audited(deps, actor, async (trx, write) => {
        const set = await setNotice({ db: trx, clock }, venue.id, notice, until);
        const told = ({ notice, notice_until }: StoredNotice) => ({
          notice,
          until: notice_until === null ? null : clockText(notice_until, set.timezone),
        });
        await write({
          area: 'screens',
          what: notice === null ? 'Took the notice away' : 'Set the notice',
          venue_id: venue.id,
          before: told(set.before),
          after: told(set.after),
        });
        await notifyConsole(trx, ['screens']);
        const until_at = set.after.notice_until?.toISOString() ?? null;
        return { venue: venue.name, notice, notice_until: until_at };
      });
    },
  );
}

/** A venue's time, for the audit: `2026-11-23 22:00`. */
const clockText = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);

const facts = ({ name, venue, still, slides }: Screen) => ({
  name,
  venue,
  still,
  slides: slides
    .filter(({ on }) => on)
    .map(({ slide, seconds }) => `${slide} ${seconds} s`)
    .join(', '),
});
