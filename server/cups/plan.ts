import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { CUP_DAYS_AHEAD, CUP_DEFAULTS, type CupKind, THIRD_FROM } from '#contract/rules/cups.ts';
import type { cupBody } from '#contract/wire/cups.ts';
import type { Contest } from '../contests/contests.ts';
import type { Database } from '../db/database.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, dayOf, mondayOf, startOf } from '../leagues/calendar.ts';
import type { FoundLeague } from '../leagues/leagues.ts';
import { type FoundSeason, lockSeasons } from '../leagues/seasons.ts';
import { isPast, offsetMs, readBegin } from '../venues/hours.ts';
import type { Venue } from '../venues/venues.ts';
import { playedPairings, roundsOf } from './bracket.ts';
import { type Cup, readCups, type SideRow, type Tree, treeOf, type Window } from './cups.ts';
import {
  checkSides,
  drawn,
  type NewSide,
  seedsByHand,
  seedsOfContest,
  seedsOfSeason,
  seedsOfWeek,
  storeSides,
} from './seeds.ts';

/* Making cups (CUP-01 to CUP-07). */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Wanted = Omit<z.output<typeof cupBody>, 'venue' | 'league' | 'season' | 'contest'> & {
  venue: Venue | null;
  league: FoundLeague | null;
  season: FoundSeason | null;
  contest: Contest | null;
  /** Whether staff reach the player in a row of `players` (P63). */
  reached: RawBuilder<boolean>;
};

const NAMED_BY = { season: 'season', contest: 'contest', week: 'venue', sides: 'sides' } as const;

async function readSeeds(db: Database, wanted: Wanted, now: Date): Promise<NewSide[]> {
  const { from, season, contest, venue, league, sides, reached } = wanted;
  if (from === 'season' && season !== null) return seedsOfSeason(db, season, now);
  if (from === 'contest' && contest !== null) return seedsOfContest(db, contest);
  if (from === 'week' && venue !== null) return seedsOfWeek(db, venue, now);
  if (from === 'sides' && sides !== undefined) return seedsByHand(db, league, sides, reached);
  throw badField(NAMED_BY[from], 'Say where its sides come from.');
}

/** The start of round 1. @throws Refusal 400 for one that is not possible. */
function beginOf({ windows, starts }: Wanted, zone: string, now: Date): Date {
  if (windows === 'weeks') {
    const isGiven = starts !== undefined && starts !== 'now';
    const day = dayOf(isGiven ? readBegin(starts, zone, now) : now, zone);
    const monday = mondayOf(day);
    const first = monday === day && isGiven ? day : addDays(monday, 7);
    return startOf(first, zone);
  }
  if (starts !== undefined) return readBegin(starts, zone, now);
  const offset = offsetMs(now.getTime(), zone);
  return new Date((Math.floor((now.getTime() + offset) / HOUR_MS) + 1) * HOUR_MS - offset);
}

/** All windows of a new cup (CUP-07). A bye has none. Third place has the window of the final. */
function windowsOf(
  cup: Pick<Cup, 'third' | 'windows'>,
  count: number,
  begin: Date,
  { minutes, pause }: Pick<Wanted, 'minutes' | 'pause'>,
  zone: string,
): Window[] {
  const week = dayOf(begin, zone);
  return playedPairings(count, cup.third).map(({ round, slot }) => {
    const starts =
      cup.windows === 'weeks'
        ? startOf(addDays(week, 7 * round), zone)
        : new Date(begin.getTime() + round * (minutes + pause) * MINUTE_MS);
    const ends =
      cup.windows === 'weeks'
        ? startOf(addDays(week, 7 * round + 7), zone)
        : new Date(starts.getTime() + minutes * MINUTE_MS);
    return { round, slot, starts_at: starts, ends_at: ends, quiet_machines: [], left_result: null };
  });
}

/**
 * Returns the cup that `createCup` would make, without storing it.
 * @throws Refusal 400 for a cup that is not possible; 409 if another cup decides the season's
 * title.
 */
export async function planCup(
  db: Database,
  wanted: Wanted,
  now: Date,
): Promise<{ tree: Tree; sides: NewSide[] }> {
  const { season, venue, windows } = wanted;
  if (wanted.champion && wanted.from !== 'season')
    throw badField('champion', 'Only a cup from the table of a season can decide its title.');
  const all = await readSeeds(db, wanted, now);
  const seeds = wanted.size === undefined ? all : all.slice(0, wanted.size);
  checkSides(seeds);
  const sides = wanted.draw ? drawn(seeds) : seeds;
  const kind: CupKind = sides[0]?.team_id === null ? 'players' : 'teams';
  const from = wanted.from === 'season' ? leagueOf(season) : wanted.league;
  const league = kind === 'players' ? null : from;
  if (kind === 'players' && venue === null)
    throw badField('venue', 'Name the venue where the players meet.');
  const defaults = CUP_DEFAULTS[kind];
  const best = wanted.best ?? defaults.best;
  const of = wanted.of ?? Math.max(defaults.of, best);
  const per_player =
    kind === 'players' ? null : (wanted.per_player ?? Math.min(CUP_DEFAULTS.teams.per_player, of));
  if (of < best) throw badField('of', `At least ${best} games count.`);
  if (per_player !== null && per_player > of)
    throw badField('per_player', `At most ${of}: no more games of a side count.`);
  const third = wanted.third ?? sides.length >= THIRD_FROM;
  if (third && sides.length < THIRD_FROM)
    throw badField('third', `Third place is played from ${THIRD_FROM} sides on.`);
  const belongs = season !== null && wanted.champion;
  if (belongs && (await readCups(db, sql<boolean>`c.season_id = ${season.id}`)).length > 0)
    throw conflict(
      `“${season.name}” has a cup already that decides its title. Cancel that one, or make this one for fun.`,
    );
  const timezone = venue?.timezone ?? league?.timezone ?? 'UTC';
  const begin = beginOf(wanted, timezone, now);
  if (isPast(begin, now))
    throw badField('starts', 'This time is past. Choose a later one, or begin now.');
  if (begin.getTime() > now.getTime() + CUP_DAYS_AHEAD * DAY_MS)
    throw badField('starts', `A cup begins at most ${CUP_DAYS_AHEAD} days ahead.`);
  const cup: Cup = {
    id: 0,
    uuid: '',
    venue_id: venue?.id ?? null,
    venue: venue?.name ?? null,
    league_id: league?.id ?? null,
    league: league?.name ?? null,
    season_id: belongs ? season.id : null,
    season: belongs ? season.name : null,
    timezone,
    kind,
    name: wanted.name,
    ...{ best, of, per_player, third, windows },
    follows: belongs && season.final_at === null && !wanted.draw,
    began_at: null,
    final_at: null,
    winner_seed: null,
  };
  const rows: SideRow[] = sides.map((side, at) => ({ seed: at + 1, withdrew_at: null, ...side }));
  const planned = windowsOf(cup, sides.length, begin, wanted, timezone);
  return { tree: treeOf(cup, rows, planned, []), sides };
}

const leagueOf = (season: FoundSeason | null) =>
  season === null ? null : { id: season.league_id, name: season.league, timezone: season.timezone };

/** Makes a cup. @throws Refusal as `planCup`. */
export async function createCup(trx: Database, wanted: Wanted, now: Date): Promise<Cup> {
  // Otherwise two calls at once could give a season two cups.
  if (wanted.season !== null) await lockSeasons(trx, wanted.season.league_id);
  const { tree, sides } = await planCup(trx, wanted, now);
  const {
    id: _id,
    uuid: _uuid,
    venue: _venue,
    league: _league,
    season: _season,
    timezone: _zone,
    ...row
  } = tree.cup;
  const { id } = await trx
    .insertInto('cups')
    .values({ ...row, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeSides(trx, id, sides);
  await trx
    .insertInto('cup_pairings')
    .values(
      [...tree.windows.values()].map(({ round, slot, starts_at, ends_at }) => {
        return { cup_id: id, round, slot, starts_at, ends_at, left_result: null };
      }),
    )
    .execute();
  return readAgain(trx, { id });
}

export async function readAgain(db: Database, { id }: Pick<Cup, 'id'>): Promise<Cup> {
  const [cup] = await readCups(db, sql<boolean>`c.id = ${id}`);
  if (cup === undefined) throw new Error('the cup is gone');
  return cup;
}

/**
 * Replaces the seeds until round 1 begins (CUP-04). After a change by hand, the seeds no longer
 * follow a table.
 * @throws Refusal 400 once round 1 has begun, or if the new number of sides needs other pairings.
 */
export async function changeSeeds(
  trx: Database,
  tree: Tree,
  sides: readonly NewSide[],
  now: Date,
): Promise<void> {
  const { cup, windows } = tree;
  if (cup.began_at !== null || [...windows.values()].some(({ starts_at }) => starts_at <= now))
    throw badRequest('Seeds change until the first round begins.');
  checkSides(sides);
  const before = tree.sides.length;
  const places = (count: number) =>
    JSON.stringify(playedPairings(count, cup.third).map(({ round, slot }) => [round, slot]));
  if (roundsOf(sides.length) !== roundsOf(before) || places(sides.length) !== places(before))
    throw badRequest(
      `It has ${before} sides: cancel it, and make another one with ${sides.length}.`,
    );
  await storeSides(trx, cup.id, sides);
  await sql`update cups set follows = false where id = ${cup.id}`.execute(trx);
}
