import { randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { CUP_SIDES_MAX, CUP_SIDES_MIN } from '#contract/rules/cups.ts';
import { type Contest, readStored } from '../contests/contests.ts';
import type { Database } from '../db/database.ts';
import { badField, badRequest, forbidden } from '../errors.ts';
import { weekOf } from '../leagues/calendar.ts';
import { countSeason } from '../leagues/season-end.ts';
import { type FinalRow, readResult } from '../leagues/season-results.ts';
import { byLot } from '../leagues/season-table.ts';
import { type FoundSeason, type Season, stateOf } from '../leagues/seasons.ts';
import type { Venue } from '../venues/venues.ts';
import type { Cup } from './cups.ts';

/** The sides of a cup in the order of their seeds, best first (CUP-04). */

export type NewSide = { team_id: number | null; player_id: number | null; name: string | null };

const ofTeam = ({ team_id, team }: Pick<FinalRow, 'team_id' | 'team'>): NewSide => {
  return { team_id, player_id: null, name: team };
};
const ofPlayer = (player_id: number): NewSide => ({ team_id: null, player_id, name: null });

/** Teams in order of the table, level teams by lot (SEASON-15), without withdrawn teams. */
async function readTable(db: Database, season: Season): Promise<NewSide[]> {
  const stored = season.final_at === null ? null : await readResult(db, season.id);
  const { rows } = stored ?? (await countSeason(db, season));
  const playing = rows.filter(({ place }) => place !== null);
  const places = Map.groupBy(playing, ({ place }) => place ?? 0);
  const team = new Map(playing.map((row) => [row.team_id, row]));
  return [...places.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([, level]) =>
      byLot(
        season.uuid,
        level.map(({ team_id }) => team_id),
      ),
    )
    .flatMap((id) => {
      const row = team.get(id);
      return row === undefined ? [] : ofTeam(row);
    });
}

/** @throws Refusal 400 for a season that is not in grace or final (CUP-02). */
export async function seedsOfSeason(
  db: Database,
  season: FoundSeason,
  now: Date,
): Promise<NewSide[]> {
  const state = stateOf(season, now, season.timezone);
  if (state !== 'grace' && state !== 'final')
    throw badField('season', 'A cup takes its sides from a season that is over.');
  return readTable(db, season);
}

/** @throws Refusal 400 for a contest that is not final. */
export async function seedsOfContest(db: Database, contest: Contest): Promise<NewSide[]> {
  const places = (await readStored(db, [contest.id])).get(contest.id);
  if (places === undefined) throw badField('contest', `“${contest.name}” is not final.`);
  const { rows } = await sql<{ id: number }>`
    select id from players where id = any(${places.map(({ player_id }) => player_id)}::bigint[])`.execute(
    db,
  );
  const there = new Set(rows.map(({ id }) => id));
  return places.flatMap(({ player_id }) => (there.has(player_id) ? ofPlayer(player_id) : []));
}

/** The venue's board of the week, best first. */
export async function seedsOfWeek(
  db: Database,
  { id, timezone }: Venue,
  now: Date,
): Promise<NewSide[]> {
  const { rows } = await sql<{ player_id: number }>`
    select player_id from bests where venue_id = ${id} and week = ${weekOf(now, timezone)}::date
    order by score desc, player_id desc limit ${CUP_SIDES_MAX}`.execute(db);
  return rows.map(({ player_id }) => ofPlayer(player_id));
}

/**
 * The sides that staff name: teams of a league, or players whom they reach.
 * @throws Refusal 400 for an unknown name; 403 for a player out of reach (P63).
 */
export async function seedsByHand(
  db: Database,
  league: { id: number; name: string } | null,
  names: readonly string[],
  reached: RawBuilder<boolean>,
): Promise<NewSide[]> {
  const sides =
    league === null
      ? (await findPlayers(db, names, reached)).map(({ id }) => ofPlayer(id))
      : await findTeams(db, league, names);
  const ids = sides.map(({ team_id, player_id }) => team_id ?? player_id);
  if (new Set(ids).size < ids.length) throw badField('sides', 'Name each side once.');
  return sides;
}

async function findTeams(
  db: Database,
  league: { id: number; name: string },
  names: readonly string[],
): Promise<NewSide[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from teams where league_id = ${league.id}`.execute(db);
  return names.map((ref) => {
    const team =
      rows.find(({ name }) => name.toLowerCase() === ref.toLowerCase()) ??
      rows.find(({ id }) => [String(id), `id:${id}`].includes(ref));
    if (team === undefined) throw badField('sides', `${league.name} has no team “${ref}”.`);
    return ofTeam({ team_id: team.id, team: team.name });
  });
}

/**
 * Players by username or account number, in this order. `reached`: a condition on a row of
 * `players`.
 * @throws Refusal 400 for an unknown player; 403 for a player out of reach, named as typed, because
 * account numbers can be guessed (P63).
 */
export async function findPlayers(
  db: Database,
  names: readonly string[],
  reached: RawBuilder<boolean>,
  field = 'sides',
): Promise<{ id: number; username: string }[]> {
  const { rows } = await sql<{ id: number; username: string; reached: boolean }>`
    select id, username, ${reached} as reached from players where username is not null
      and (lower(username) = any(${names.map((name) => name.toLowerCase())}::text[])
        or id::text = any(${[...names]}::text[]))`.execute(db);
  return names.map((ref) => {
    const player =
      rows.find(({ username }) => username.toLowerCase() === ref.toLowerCase()) ??
      rows.find(({ id }) => String(id) === ref);
    if (player === undefined) throw badField(field, `There is no player “${ref}”.`);
    if (!player.reached)
      throw forbidden(`“${ref}” has played at none of your venues and is on none of your teams.`);
    return player;
  });
}

/** The same sides in a random order (CUP-04). */
export function drawn<Side>(sides: readonly Side[]): Side[] {
  const left = [...sides];
  return sides.map(() => left.splice(randomInt(left.length), 1)[0] as Side);
}

/** @throws Refusal 400 for too few or too many sides. */
export function checkSides(sides: readonly NewSide[]): void {
  if (sides.length < CUP_SIDES_MIN)
    throw badRequest(`A cup needs at least ${CUP_SIDES_MIN} sides; there are ${sides.length}.`);
  if (sides.length > CUP_SIDES_MAX)
    throw badRequest(`A cup has at most ${CUP_SIDES_MAX} sides; there are ${sides.length}.`);
}

/**
 * Replaces the sides of a cup before it begins. A withdrawn side stays withdrawn (CUP-16, CUP-34).
 */
export async function storeSides(
  trx: Database,
  cupId: number,
  sides: readonly NewSide[],
): Promise<void> {
  const { rows: gone } = await sql<NewSide & { withdrew_at: Date }>`
    select team_id, player_id, name, withdrew_at from cup_sides
    where cup_id = ${cupId} and withdrew_at is not null`.execute(trx);
  const withdrewAt = ({ team_id, player_id }: NewSide) =>
    gone.find((one) =>
      team_id === null
        ? player_id !== null && one.player_id === player_id
        : one.team_id === team_id,
    )?.withdrew_at ?? null;
  await sql`delete from cup_sides where cup_id = ${cupId}`.execute(trx);
  await trx
    .insertInto('cup_sides')
    .values(
      sides.map((side, at) => {
        return { cup_id: cupId, seed: at + 1, withdrew_at: withdrewAt(side), ...side };
      }),
    )
    .execute();
}

/**
 * Updates the seeds of a cup from its season's table, until the season is final or round 1 begins
 * (CUP-02). `moved`: whether they have changed.
 */
export async function followTable(
  trx: Database,
  cup: Cup,
  now: Date,
): Promise<{ cup: Cup; moved: boolean }> {
  if (!cup.follows || cup.season_id === null) return { cup, moved: false };
  const { rows } = await sql<Season & { begun: boolean }>`
    select s.*, exists (select from cup_pairings where cup_id = ${cup.id} and starts_at <= ${now}) as begun
    from seasons s where s.id = ${cup.season_id}`.execute(trx);
  const [season] = rows;
  if (season === undefined) return { cup, moved: false };
  const { rows: before } = await sql<NewSide>`
    select team_id, player_id, name from cup_sides where cup_id = ${cup.id} order by seed`.execute(
    trx,
  );
  const table = (await readTable(trx, season)).slice(0, before.length);
  const moved =
    table.length === before.length &&
    table.some(({ team_id }, at) => team_id !== before[at]?.team_id);
  if (moved) await storeSides(trx, cup.id, table);
  const follows = season.final_at === null && !season.begun;
  await sql`update cups set follows = ${follows}, followed_at = ${now} where id = ${cup.id}`.execute(
    trx,
  );
  return { cup: { ...cup, follows }, moved };
}
