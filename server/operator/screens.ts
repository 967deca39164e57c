import { sql } from 'kysely';
import type { NoticeRow, ScreenRow } from '#contract/wire/screens.ts';
import type { Clock } from '../clock.ts';
import { findWaiting } from '../http/pairing.ts';
import { isLive } from '../screens/authenticate.ts';
import { closingTime, noticeRow, noticesOf, setNotice } from '../screens/notice.ts';
import { addScreen } from '../screens/pairing.ts';
import { readPayload } from '../screens/payload.ts';
import {
  allSlides,
  changeScreen,
  listScreens,
  removeScreen,
  type Screen,
} from '../screens/screens.ts';
import { nextClosing } from '../venues/hours.ts';
import { change, type Noun, read } from './command.ts';
import type { Finder } from './find.ts';

function row({ clock }: { clock: Clock }, found: Screen): ScreenRow {
  const { id, venue_id, last_seen_at, slides, ...screen } = found;
  const now = clock.now();
  const { own, house } = noticesOf(screen);
  return {
    ...screen,
    id: String(id),
    venue_id: String(venue_id),
    slides: allSlides(slides),
    last_seen_at: last_seen_at?.toISOString() ?? null,
    live: isLive(last_seen_at, now),
    ...noticeRow(house, now),
    own: noticeRow(own, now),
    closes: nextClosing(screen, now) !== null,
    closes_at: closingTime(screen, now).toISOString(),
  };
}

/** The commands `screen …`. Staff reach their venues' screens (STAFF-02). */
export const screens: Noun = {
  area: 'screens',
  topics: ['screens'],
  commands: [
    read('GET /api/operator/screens/', {
      summary: 'List the screens',
      role: 'manager',
      work: async (asked) => {
        const found = await listScreens(asked.db, asked.policy.screen(sql.ref('s.venue_id')));
        return { results: found.map((screen) => row(asked, screen)) };
      },
    }),
    read('GET /api/operator/screens/waiting/', {
      summary: 'Find the television that shows a code',
      role: 'manager',
      work: async (asked) => {
        const { query, ip } = asked;
        const { code, width, height, created_at } = await findWaiting(
          asked,
          'screen',
          ip,
          query.code,
        );
        return {
          code,
          width: width ?? null,
          height: height ?? null,
          waiting_since: created_at.toISOString(),
        };
      },
    }),
    change('POST /api/operator/screens/', {
      summary: 'Pair the television that shows a code with a venue',
      role: 'manager',
      first: async (asked) => {
        await asked.find.venue(asked.body.venue);
        return findWaiting(asked, 'screen', asked.ip, asked.body.code);
      },
      work: async (asked, waiting) => {
        const venue = await asked.find.venue(asked.body.venue);
        const screen = await addScreen(asked, waiting, venue, asked.body.name);
        return {
          answer: row(asked, screen),
          audit: {
            what: `Paired ${screen.name}`,
            venue_id: venue.id,
            after: { venue: venue.name },
          },
          log: ['screen_added', { screen: screen.id }],
        };
      },
    }),
    change('POST /api/operator/screens/change/', {
      summary: 'Change the name, the venue, the slides or the motion of a screen',
      role: 'manager',
      work: async (asked) => {
        const { screen: wanted, venue, ...changed } = asked.body;
        const place = venue === undefined ? undefined : await asked.find.venue(venue);
        const before = await asked.find.screen(wanted);
        // Use the id, because another screen may get this name meanwhile.
        const after = await changeScreen(asked, `id:${before.id}`, { ...changed, venue: place });
        return {
          answer: row(asked, after),
          audit: {
            what: `Changed ${before.name}`,
            venue_id: before.venue_id,
            before: facts(before),
            after: facts(after),
          },
        };
      },
    }),
    change('POST /api/operator/screens/remove/', {
      summary: 'Remove a screen; its television shows a code again',
      role: 'manager',
      work: async (asked) => {
        const gone = await asked.find.screen(asked.body.screen);
        await removeScreen(asked, `id:${gone.id}`);
        return {
          answer: row(asked, gone),
          audit: { what: `Removed ${gone.name}`, venue_id: gone.venue_id, before: facts(gone) },
          log: ['screen_removed', { screen: gone.id }],
        };
      },
    }),
    read('GET /api/operator/screens/preview/', {
      summary: 'What a screen shows now',
      role: 'manager',
      work: async (asked) => {
        const { slides, ...found } = await asked.find.screen(asked.query.screen);
        return readPayload(asked, {
          ...found,
          slides: allSlides(slides).filter(({ on }) => on),
        });
      },
    }),
    change('POST /api/operator/screens/notice/', {
      summary: 'Set or take away the notice of a venue or a screen, and say when it is shown',
      role: 'manager',
      work: async (asked) => {
        const { venue, screen, ...typed } = asked.body;
        const place =
          screen === undefined
            ? await placeOfVenue(asked.find, venue ?? '')
            : await placeOfScreen(asked.find, screen);
        const { before, after } = await setNotice(asked, place, typed);
        const of = place.screen === null ? '' : ` of ${place.screen}`;
        return {
          answer: { venue: place.venue, screen: place.screen, timezone: place.timezone, ...after },
          audit: {
            what: after.notice === null ? `Took the notice${of} away` : `Set the notice${of}`,
            venue_id: place.venue_id,
            before: noticeFacts(before, place.timezone),
            after: noticeFacts(after, place.timezone),
          },
        };
      },
    }),
  ],
};

async function placeOfVenue(find: Finder, ref: string) {
  const { id, name, timezone, hours } = await find.venue(ref);
  return { table: 'venues', id, venue_id: id, venue: name, screen: null, timezone, hours } as const;
}

async function placeOfScreen(find: Finder, ref: string) {
  const { id, name, venue_id, venue, timezone, hours } = await find.screen(ref);
  return { table: 'screens', id, venue_id, venue, screen: name, timezone, hours } as const;
}

function noticeFacts(
  { notice, notice_from, notice_until, notice_weekly }: NoticeRow,
  timezone: string,
) {
  const timeOf = (at: string | null) => (at === null ? null : clockText(new Date(at), timezone));
  return { notice, from: timeOf(notice_from), until: timeOf(notice_until), weekly: notice_weekly };
}

/** A moment on the venue's clock, for the audit: `2026-11-23 22:00`. */
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
