import { type RawBuilder, sql } from 'kysely';
import type { Named } from '#contract/leagues.ts';
import type { User } from '#contract/profile.ts';
import {
  isUnderAge,
  isWider,
  lastAdultBirthdate,
  underAgeMessage,
  type Visibility,
} from '#contract/visibility.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';

/*
 * Who may see a player's name and jersey (ACC-60, P68). Every query that shows a player to
 * somebody else uses `namedFor` or `mayBeNamed`. Two exceptions see every player: staff, and the
 * machine at which the player stands.
 */

/** What decides whether a player is of age. */
export type AgeRule = { clock: Deps['clock']; config: Pick<Deps['config'], 'adult_age'> };

type Stored = {
  visibility: Visibility;
  visibility_question: boolean;
  date_of_birth: string | null;
};

const underAge = ({ clock, config }: AgeRule, birthdate: string | null) =>
  isUnderAge(birthdate, config.adult_age, clock.now());

/** The fields of `user` that say who sees this player (API-10). */
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

/**
 * Returns the columns to change when the player chooses `visibility`. Any choice also counts as
 * the answer to the question that the app asks when a player comes of age (ACC-62).
 * @throws Refusal 400 when a player who is under age chooses more than `league` (ACC-61).
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
 * Returns the columns that change together with the birth date. For a player who is under age it
 * stores `league`, so that the visibility does not change without the player's choice on coming of
 * age (ACC-62).
 */
export function visibilityFor(rule: AgeRule, birthdate: string): Partial<Stored> {
  return underAge(rule, birthdate)
    ? { visibility: 'league', visibility_question: true }
    : { visibility_question: false };
}

/**
 * Who sees the player. `player_id`: a player, by id or by a column of the query. `shared_by`:
 * anybody who opens a picture that this player has shared. `screen`: anybody in front of a venue's
 * screen.
 */
export type Viewer = { player_id: number | RawBuilder<unknown> } | { shared_by: number } | 'screen';

/**
 * Returns an SQL condition: whether the viewer may see the name and the jersey of the player in
 * the row `p` of `players`. A shared picture names its owner and the players who are visible to
 * all, but nobody who is under age. If the row is missing, the condition is null, which counts as
 * false.
 */
export function mayBeNamed({ clock, config }: AgeRule, viewer: Viewer): RawBuilder<boolean> {
  const adult = lastAdultBirthdate(config.adult_age, clock.now());
  const ofAge = adult === null ? sql`true` : sql`p.date_of_birth <= ${adult}::date`;
  if (viewer === 'screen') return sql`(${ofAge} and p.visibility = 'venue')`;
  const toAll = sql`p.visibility in ('players', 'venue')`;
  if ('shared_by' in viewer) return sql`(${ofAge} and (p.id = ${viewer.shared_by} or ${toAll}))`;
  // The subquery does not depend on `p`, so PostgreSQL runs it once, and only if a row needs it.
  return sql`(p.id = ${viewer.player_id} or (${ofAge} and ${toAll}) or p.team_id = any(array(
    select mate.id from players v join teams own on own.id = v.team_id
    join teams mate on mate.league_id = own.league_id where v.id = ${viewer.player_id})))`;
}

/**
 * Returns the columns `username`, `avatar_color` and `jersey_number` of a select list, for the
 * player in the row `p` of `players`. The columns are null if the viewer may not see the player.
 */
export function namedFor(rule: AgeRule, viewer: Viewer): RawBuilder<Named> {
  const named = mayBeNamed(rule, viewer);
  return sql`case when ${named} then p.username end as username,
    case when ${named} then p.avatar_color end as avatar_color,
    case when ${named} then p.jersey_number end as jersey_number`;
}
