import { type RawBuilder, sql } from 'kysely';
import { type AgeRule, namedFor } from '../players/visibility.ts';
import { mayGoOn } from './who.ts';

/* The best game of each of the two in a duel (DUEL-04). */

/** A player's best game in a duel, as in answers and in the row of a final duel. */
export type Best = {
  score: number;
  played_at: string;
  machine: string;
  game: string;
  games: number;
};

/** SQL: whether game `g` counts for the duel in row `d`. Does not check the player. */
export const COUNTS = sql<boolean>`
  g.state = 'counted' and g.played_at >= d.accepted_at and g.played_at < d.ends_at`;

/** SQL: the `Best` of a player in the duel in row `d`, from the games; null without games. */
export const bestFromGames = (player: RawBuilder<unknown>): RawBuilder<Best | null> => sql`(
  select json_build_object('score', best.score, 'played_at', best.played_at, 'machine', m.name,
    'game', best.seq::text, 'games', best.games)
  from (
    select g.score, g.played_at, g.machine_id, g.seq, count(*) over () as games from games g
    where g.player_id = ${player} and ${COUNTS}
    order by g.score desc, g.played_at, g.id limit 1
  ) best join machines m on m.id = best.machine_id)`;

/** SQL: the `Best` of the player in row `p` or `v`, as stored if the duel is final (DUEL-06). */
export function bestOf(row: 'p' | 'v'): RawBuilder<Best | null> {
  const player = sql.ref(`${row}.id`);
  return sql`
    case when d.final_at is null then ${bestFromGames(player)}
      when d.offerer_id = ${player} then d.best_offerer::json else d.best_rival::json end`;
}

/** SQL: the best score of a player in the duel in row `d`, from the games; null without games. */
export const bestScore = (player: RawBuilder<unknown>): RawBuilder<number | null> => sql`(
  select max(g.score) from games g where g.player_id = ${player} and ${COUNTS})`;

/** SQL: the score of `bestOf`. */
export function scoreOf(row: 'p' | 'v'): RawBuilder<number | null> {
  const player = sql.ref(`${row}.id`);
  return sql`
    case when d.final_at is null then ${bestScore(player)}
      else ((case when d.offerer_id = ${player} then d.best_offerer else d.best_rival end)
        ->> 'score')::integer end`;
}

/** A duel and the number of the player's best game in it (GAME-01). */
export type OwnBest = { id: string; username: string | null; game: string };

/**
 * SQL: a JSON array with an `OwnBest` for each running or decided duel of player `v` that overlaps
 * the time from `from` to `until`.
 */
export const ownBests = (
  rule: AgeRule,
  playerId: number,
  { from, until }: { from: Date; until: Date },
): RawBuilder<OwnBest[]> => sql`coalesce((
  select json_agg(json_build_object('id', d.id::text, 'username', n.username,
    'game', (${bestOf('v')})->>'game') order by d.id)
  from duels d join players p on p.id = d.offerer_id + d.rival_id - v.id
  cross join lateral (select ${namedFor(rule, { player_id: playerId })}) n
  where (d.offerer_id = v.id or d.rival_id = v.id) and d.state in ('running', 'decided')
    and d.accepted_at <= ${until} and d.ends_at > ${from}
    and (d.state = 'decided' or ${mayGoOn(rule)})), '[]')`;
