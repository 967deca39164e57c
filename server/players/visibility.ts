import { type RawBuilder, sql } from 'kysely';
import { isUnderAge, lastAdultBirthdate, underAgeMessage } from '#contract/rules/of-age.ts';
import { isWider, type Visibility } from '#contract/rules/visibility.ts';
import type { Named } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';

/*
 * Who may see a player's name and jersey (ACC-60, P68). Staff and machines see everybody; queries
 * for all others use `namedFor` or `mayBeNamed`.
 */

export type AgeRule = { clock: Deps['clock']; config: Pick<Deps['config'], 'adult_age'> };

type Stored = {
  visibility: Visibility;
  visibility_question: boolean;
  date_of_birth: string | null;
};

const underAge = ({ clock, config }: AgeRule, birthdate: string | null) =>
  isUnderAge(birthdate, config.adult_age, clock.now());

/** The fields of `user` about who may see this player (API-10). */
export function visibilityOf(
  rule: AgeRule,
  player: Stored,
): Pick<User, 'visibility' | 'visibility_max' | 'visibility_question'> {
  if (underAge(rule, player.date_of_birth))
    return { visibility: 'league', visibility_max: 'league', visibility_question: false };
  return {
    visibility: player.visibility,
    visibility_max: 'venue',
    visibility_question: player.visibility_question && rule.config.adult_age > 0,
  };
}

/** After an answer, a choice in Account or four visits, the app no longer asks (HAND-50). */
export const WALL_ASKED = 4;
/** Counts one more visit on which the app asked. */
export const wallAsked = (visits: number) => Math.min(visits + 1, WALL_ASKED);

/**
 * The columns that change with a choice of `visibility`, which also answers the question at coming
 * of age (ACC-62).
 * @throws Refusal 400 if a player under age chooses more than `league` (ACC-61).
 */
export function chosenVisibility(
  rule: AgeRule,
  birthdate: string | null,
  visibility: Visibility,
): Partial<Stored> {
  if (!underAge(rule, birthdate)) return { visibility, visibility_question: false };
  if (isWider(visibility, 'league'))
    throw badField('visibility', underAgeMessage(rule.config.adult_age));
  return { visibility };
}

/**
 * The columns that change when `birthdate` replaces `former` (null for the first birth date). If
 * either date makes the player under age, `league` is stored until the player answers the app's
 * question (ACC-62).
 */
export function visibilityFor(
  rule: AgeRule,
  birthdate: string,
  former: string | null,
): Partial<Stored> {
  const wasUnderAge = former !== null && underAge(rule, former);
  return wasUnderAge || underAge(rule, birthdate)
    ? { visibility: 'league', visibility_question: true }
    : {};
}

/**
 * Stores `league` for players whom a raised `ADULT_AGE` makes under age, so that the app asks them
 * when they come of age (ACC-62). Queries hide these players even before this is stored. Skips
 * locked rows. Returns how many changed.
 */
export async function storeUnderAge({ clock, config }: AgeRule, db: Queryable): Promise<number> {
  const adult = lastAdultBirthdate(config.adult_age, clock.now());
  if (adult === null) return 0;
  const { numAffectedRows = 0n } = await sql`
    update players set visibility = 'league', visibility_question = true
    where id in (select id from players
      where date_of_birth > ${adult}::date and visibility <> 'league'
      for no key update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Who looks at a player: another player `player_id` (an id or SQL), anybody with a picture that the
 * player `shared_by` shared, or anybody at a venue's screen.
 */
export type Viewer = { player_id: number | RawBuilder<unknown> } | { shared_by: number } | 'screen';

/**
 * SQL: whether the player in row `v` of `players`, on a team of league `l`, joined by a code and is
 * still a stranger (LEAGUE-23): staff have not confirmed the player, and no game has counted at the
 * league's venue, or anywhere if the league has no single venue.
 */
export const isStranger = sql<boolean>`(
  coalesce((select c.how = 'code' and c.confirmed_at is null from team_changes c
    where c.player_id = v.id order by c.at desc limit 1), false)
  and not exists (select from bests b where b.player_id = v.id
    and b.venue_id = coalesce(l.venue_id, 0) and b.week = '-infinity'))`;

/**
 * SQL: whether the viewer may see the player in row `p` of `players`. A shared picture may name
 * only players of age who shared it or are visible to all. Without a row `p` the SQL is null, which
 * counts as false.
 */
export function mayBeNamed({ clock, config }: AgeRule, viewer: Viewer): RawBuilder<boolean> {
  const adult = lastAdultBirthdate(config.adult_age, clock.now());
  const ofAge = adult === null ? sql`true` : sql`p.date_of_birth <= ${adult}::date`;
  if (viewer === 'screen') return sql`(${ofAge} and p.visibility = 'venue')`;
  const toAll = sql`p.visibility in ('players', 'venue')`;
  if ('shared_by' in viewer) return sql`(${ofAge} and (p.id = ${viewer.shared_by} or ${toAll}))`;
  // The subquery does not depend on `p`, so it runs at most once.
  return sql`(p.id = ${viewer.player_id} or (${ofAge} and ${toAll}) or p.team_id = any(array(
    select mate.id from players v join teams own on own.id = v.team_id
    join leagues l on l.id = own.league_id join teams mate on mate.league_id = l.id
    where v.id = ${viewer.player_id} and not ${isStranger})) or exists (
      select from friendships f join players v on v.id = f.player_id
      where f.player_id = ${viewer.player_id} and f.friend_id = p.id
        and ${mayBeFriends({ clock, config })}))`;
}

/**
 * SQL: whether players `p` and `v` may be friends: both of age, both under age, or team mates
 * (FRIEND-04). While this is false, their friendship sleeps (FRIEND-05).
 */
export function mayBeFriends({ clock, config }: AgeRule): RawBuilder<boolean> {
  const adult = lastAdultBirthdate(config.adult_age, clock.now());
  if (adult === null) return sql`true`;
  const ofAge = (player: string) =>
    sql`coalesce(${sql.ref(`${player}.date_of_birth`)} <= ${adult}::date, false)`;
  return sql`(${ofAge('p')} = ${ofAge('v')} or coalesce(p.team_id = v.team_id, false))`;
}

/** SQL: whether either of two players has blocked the other. */
export const isBlocked = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql<boolean>`
  exists (select from blocks where (player_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;

/**
 * SQL: `username`, `avatar_color` and `jersey_number` of row `p` of `players`, all null if the
 * viewer must not see the player.
 */
export function namedFor(rule: AgeRule, viewer: Viewer): RawBuilder<Named> {
  const named = mayBeNamed(rule, viewer);
  return sql`case when ${named} then p.username end as username,
    case when ${named} then p.avatar_color end as avatar_color,
    case when ${named} then p.jersey_number end as jersey_number`;
}

/**
 * The venues whose screens may show the player. The caller must notify them of a new name, jersey
 * or visibility (SCREEN-04).
 */
export async function venuesShowing(on: Queryable, playerId: number): Promise<number[]> {
  const { rows } = await sql<{ venue_id: number }>`
    select distinct venue_id from bests
    where player_id = ${playerId} and venue_id <> 0`.execute(on);
  return rows.map(({ venue_id }) => venue_id);
}
