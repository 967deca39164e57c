import { type RawBuilder, sql } from 'kysely';
import { lastAdultBirthdate } from '#contract/rules/of-age.ts';
import { type AgeRule, isBlocked, mayBeFriends } from '../players/visibility.ts';

/* Who may have a duel: SQL about the players in rows `p` and `v` (DUEL-02, PUSH-21). */

type Row = 'p' | 'v';

const ofAge = ({ clock, config }: AgeRule, player: Row): RawBuilder<boolean> => {
  const adult = lastAdultBirthdate(config.adult_age, clock.now());
  return adult === null
    ? sql`true`
    : sql`coalesce(${sql.ref(`${player}.date_of_birth`)} <= ${adult}::date, false)`;
};

const SAME_TEAM = sql<boolean>`coalesce(p.team_id = v.team_id, false)`;

/** SQL: whether the two may go on with a duel: of age, or team mates; no block between them. */
export const mayGoOn = (rule: AgeRule): RawBuilder<boolean> => sql`(
  (${ofAge(rule, 'p')} and ${ofAge(rule, 'v')} or ${SAME_TEAM})
  and not ${isBlocked(sql`p.id`, sql`v.id`)})`;

/** SQL: whether the two are friends, or on teams of one league. */
export const areNear = (rule: AgeRule): RawBuilder<boolean> => sql`(
  exists (select from teams pt join teams vt on vt.league_id = pt.league_id
    where pt.id = p.team_id and vt.id = v.team_id)
  or exists (select from friendships f where f.player_id = v.id and f.friend_id = p.id
    and ${mayBeFriends(rule)}))`;

const isOn = (rule: AgeRule, player: Row) => sql<boolean>`coalesce(
  (select s.duel from player_push s where s.player_id = ${sql.ref(`${player}.id`)}),
  ${ofAge(rule, player)})`;

/** SQL: whether players `p` and `v` may begin a duel (DUEL-02). */
export const mayBegin = (rule: AgeRule): RawBuilder<boolean> => sql`(
  p.id <> v.id and p.username is not null and v.username is not null
  and ${mayGoOn(rule)} and ${areNear(rule)} and ${isOn(rule, 'p')} and ${isOn(rule, 'v')})`;

/** SQL: whether player `v` has duels switched on, as that player's settings show it. */
export const hasDuelsOn = (rule: AgeRule): RawBuilder<boolean> => isOn(rule, 'v');

/** SQL: whether player `v` is of age. */
export const isOfAge = (rule: AgeRule): RawBuilder<boolean> => ofAge(rule, 'v');
