import { type RawBuilder, sql } from 'kysely';
import { CONTESTS_AT_ONCE, WINNER_MS } from '#contract/rules/contests.ts';
import type { ScreenContest } from '#contract/wire/screens.ts';
import {
  type Contest,
  readBoards,
  readContests,
  readStored,
  type StoredPlace,
} from '../contests/contests.ts';
import { NOBODY, placesNow, readNames } from '../contests/page.ts';
import type { Deps } from '../deps.ts';
import type { Opening } from '../venues/hours.ts';
import { closingTime } from './notice.ts';

/* The contests of a venue's screens (CONTEST-09). */

const PLACES = 6;
const PRIZE_MAX = 40;
/** Screens learn of a contest this long before it begins, so that they show its start on time. */
const BEFORE_MS = 12 * 3_600_000;
const AFTER_MS = 24 * 3_600_000;

/** The first line of the prizes, at most its first sentence, cut at a word. */
export function prizeLine(prizes: string | null): string | null {
  if (prizes === null) return null;
  const [line = ''] = prizes.split('\n');
  const end = `${line} `.indexOf('. ');
  const first = end > 0 ? line.slice(0, end) : line;
  if (first.length <= PRIZE_MAX) return first;
  const cut = first.slice(0, PRIZE_MAX);
  return `${cut.slice(0, cut.lastIndexOf(' ')) || cut}…`.replace(' …', '…');
}

/**
 * SQL: the order in which screens show contests or cups (CONTEST-09, CUP-32): one whose winner is
 * shown alone, those that have `begun`, other winners, and those to come.
 */
export const inScreenOrder = (
  final_at: RawBuilder<unknown>,
  begun: RawBuilder<boolean>,
  now: Date,
) => sql`case when ${final_at} > ${new Date(now.getTime() - WINNER_MS)} then 0
  when ${final_at} is not null then 2 when ${begun} then 1 else 3 end`;

/**
 * What the screens of a venue show of its contests: at most two, those that run before others that
 * have begun (`inScreenOrder`). A final one stays until the venue closes.
 */
export async function readScreenContests(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  venue: { id: number } & Opening,
): Promise<ScreenContest[]> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const found = await readContests(
    db,
    sql<boolean>`c.venue_id = ${venue.id} and c.cancelled_at is null
      and c.ends_at > ${new Date(now.getTime() - AFTER_MS)}
      and c.starts_at <= ${new Date(now.getTime() + BEFORE_MS)}`,
    sql`order by ${inScreenOrder(sql`c.final_at`, sql`c.starts_at <= ${now}`, now)},
      c.ends_at > ${now} desc, c.starts_at, c.id`,
  );
  const endOf = ({ final_at }: Contest) =>
    final_at === null ? null : closingTime(venue, final_at);
  const stored = await readStored(
    db,
    found.filter(({ final_at }) => final_at !== null).map(({ id }) => id),
  );
  // A final one without places has nothing to show.
  const contests = found
    .filter((contest) => (endOf(contest) ?? now) >= now)
    .filter(({ id, final_at }) => final_at === null || stored.get(id)?.length)
    .slice(0, CONTESTS_AT_ONCE);
  const boards = await readBoards(
    db,
    contests.filter(({ final_at, starts_at }) => final_at === null && starts_at <= now),
  );
  const placesFor = (contest: Contest): StoredPlace[] =>
    placesNow(
      contest,
      boards.get(contest.id) ?? { players: [], games: 0 },
      stored.get(contest.id),
    ).slice(0, PLACES);
  const names = await readNames(
    deps,
    'screen',
    contests.flatMap((contest) => placesFor(contest).map(({ player_id }) => player_id)),
  );
  return contests.map((contest) => ({
    code: contest.code,
    name: contest.name,
    scoring: contest.scoring,
    n: contest.n,
    starts_at: contest.starts_at.toISOString(),
    ends_at: contest.ends_at.toISOString(),
    final_at: contest.final_at?.toISOString() ?? null,
    shown_until: endOf(contest)?.toISOString() ?? null,
    only: contest.only_slide,
    prize: prizeLine(contest.prizes),
    url: `${config.public_url}/contest/${contest.code}`,
    places: placesFor(contest).map(({ place, player_id, points }) => ({
      place,
      ...(names.get(player_id) ?? NOBODY),
      score: points,
    })),
  }));
}
