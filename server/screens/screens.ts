import { type RawBuilder, sql } from 'kysely';
import { defaultSeconds, SLIDES, type SlideSetting } from '#contract/rules/screens.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { findNamed, type Noun } from '../db/reference.ts';
import { type Queryable, transact } from '../db/transaction.ts';
import { refuseDuplicate } from '../db/unique.ts';
import type { Deps } from '../deps.ts';
import { conflict } from '../errors.ts';
import type { Venue } from '../venues/venues.ts';
import { NOTICES, type Notices } from './notice.ts';

/** `paired`: the television has claimed its token. */
export type Screen = {
  id: number;
  name: string;
  venue_id: number;
  venue: string;
  paired: boolean;
  slides: SlideSetting[];
  still: boolean;
  width: number | null;
  height: number | null;
  last_seen_at: Date | null;
  timezone: string;
  hours: string | null;
} & Notices;

export const SCREENS: Noun<Screen> = {
  one: 'screen',
  columns: sql`s.id, s.name, s.venue_id, v.name as venue, s.token_hash is not null as paired,
    s.slides, s.still, s.width, s.height, s.last_seen_at, v.timezone, v.hours, ${NOTICES}`,
  from: sql`screens s join venues v on v.id = s.venue_id`,
  name: 's.name',
  id: 's.id',
  lock: sql`for update of s`,
};

export const nameTaken = (name: string) =>
  conflict(`There is a screen called “${name}” already: choose another name.`);

/** Slides that later versions added. Older settings lack them. */
const LATER = ['contest', 'cup', 'season'] as const;

/**
 * The stored slides, and those missing from an earlier version's settings: contests, cups and the
 * season come after the matchups, turned on (CONTEST-09, CUP-32); any other comes last, turned off.
 */
export function allSlides(slides: readonly SlideSetting[]): SlideSetting[] {
  const later = LATER.filter((slide) => !slides.some((one) => one.slide === slide)).map(
    (slide): SlideSetting => ({ slide, on: true, seconds: defaultSeconds(slide) }),
  );
  return withOthers(slides.flatMap((one) => (one.slide === 'matchups' ? [one, ...later] : one)));
}

/** Adds the slides that `slides` leaves out, turned off. */
function withOthers(slides: readonly SlideSetting[]): SlideSetting[] {
  const missing = SLIDES.filter((slide) => !slides.some((one) => one.slide === slide));
  return [
    ...slides,
    ...missing.map((slide) => ({ slide, on: false, seconds: defaultSeconds(slide) })),
  ];
}

/** The screens `s` for which `where` is true, by venue and name. */
export async function listScreens(
  db: Database,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Screen[]> {
  const { rows } = await sql<Screen>`
    select ${SCREENS.columns} from ${SCREENS.from} where ${where}
    order by lower(v.name), lower(s.name)`.execute(db);
  return rows;
}

export type ScreenChange = {
  name?: string | undefined;
  venue?: Pick<Venue, 'id'> | undefined;
  still?: boolean | undefined;
  slides?: SlideSetting[] | undefined;
};

/**
 * Changes a screen; the television follows within seconds.
 * @throws Refusal 404 for an unknown screen; 409 when the new name is taken.
 */
export async function changeScreen(
  { db }: Pick<Deps, 'db'>,
  nameOrId: string,
  { name, venue, still, slides }: ScreenChange,
): Promise<Screen> {
  return transact(db, async (trx) => {
    const screen = await findNamed(trx, SCREENS, nameOrId, true);
    await sql`
      update screens set name = ${name ?? screen.name}, venue_id = ${venue?.id ?? screen.venue_id},
        still = ${still ?? screen.still},
        slides = ${JSON.stringify(slides === undefined ? screen.slides : withOthers(slides))}::jsonb
      where id = ${screen.id}`
      .execute(trx)
      .catch(refuseDuplicate('screens_name', nameTaken(name ?? screen.name)));
    await notify(trx, { venue: [screen.venue_id, venue?.id ?? screen.venue_id] });
    return findNamed(trx, SCREENS, `id:${screen.id}`);
  });
}

/**
 * Removes a screen and its token (P66). Returns it.
 * @throws Refusal 404 for an unknown screen.
 */
export async function removeScreen({ db }: Pick<Deps, 'db'>, nameOrId: string): Promise<Screen> {
  return transact(db, async (trx) => {
    const screen = await findNamed(trx, SCREENS, nameOrId, true);
    await trx.deleteFrom('screens').where('id', '=', screen.id).execute();
    await notify(trx, { venue: [screen.venue_id] });
    return screen;
  });
}

/** The venue ids of those screens that exist, by screen id. */
export async function existingScreens(
  on: Queryable,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; venue_id: number }>`
    select id, venue_id from screens where id = any(${ids}::integer[])`.execute(on);
  return new Map(rows.map(({ id, venue_id }) => [id, venue_id]));
}
