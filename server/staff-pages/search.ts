import { type RawBuilder, sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import { PLAYERS_FOUND_MAX } from '#contract/rules/players.ts';
import { USERNAME_MAX } from '#contract/rules/username.ts';
import type { PlayersFound } from '#contract/wire/players.ts';
import type { Database } from '../db/database.ts';
import { maskEmail } from '../log.ts';
import type { Actor } from '../staff/actor.ts';
import { isLimited, policyOf } from '../staff/policy.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Read one more than is shown, to learn whether there are more. */
const MOST = PLAYERS_FOUND_MAX + 1;
/** Games read per machine: many, because some players play many in a row. */
const NEWEST_READ = 300;

type Found = Omit<PlayersFound['results'][number], 'id' | 'address' | 'last_played_at'> & {
  id: number;
  email: string;
  last_played_at: Date | null;
};

/**
 * SQL: every ending of a name, as words of a search. The index `players_name_endings` has the same
 * expression.
 */
export const NAME_ENDINGS = sql`array_to_tsvector(array_remove(array[${sql.raw(
  Array.from({ length: USERNAME_MAX }, (_, at) => `substr(lower(username), ${at + 1})`).join(', '),
)}], ''))`;

/**
 * SQL: players by the index on names: each typed word is somewhere in the name. Without
 * `materialized`, PostgreSQL would sort all usernames.
 */
function byName(text: string): RawBuilder<unknown> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  // No username has other characters, and some of these are operators of text search.
  const none = words.length === 0 || words.some((word) => !/^[a-z0-9_-]+$/.test(word));
  if (none) return sql`select id, null::timestamptz as at from players where false`;
  const query = words.map((word) => `'${word}':*`).join(' & ');
  return sql`
    select id, null::timestamptz as at from players where lower(username) = ${text.toLowerCase()}
    union
    (with named as materialized (select id, username from players
        where username is not null and ${NAME_ENDINGS} @@ ${query}::tsquery)
      select id, null from named order by lower(username), id limit ${MOST})`;
}

/**
 * SQL: who played last, by the index on machine and time. For limited staff, only players who
 * played at their venues or are on a team of their leagues (STAFF-02).
 */
function playedLast(actor: Actor): RawBuilder<unknown> {
  const [venues, leagues] = isLimited(actor) ? [actor.venues, actor.leagues] : [null, []];
  return sql`
  select id, at from (select id, max(at) as at from (
    select l.player_id as id, l.played_at as at
    from machines m, ${
      venues === null
        ? sql`lateral (select player_id, played_at from games where machine_id = m.id`
        : sql`unnest(${[...venues]}::integer[]) v (id), lateral (
            select player_id, played_at from games where venue_id = v.id and machine_id = m.id`
    } order by played_at desc limit ${NEWEST_READ}) l
    union all
    select p.id, l.played_at from players p join teams t on t.id = p.team_id,
      lateral (select played_at from games where player_id = p.id
        order by played_at desc, id desc limit 1) l
    where t.league_id = any(${[...leagues]}::bigint[])
  ) played group by id) latest,
    lateral (select from players where id = latest.id limit 1) still_there
  order by at desc limit ${MOST}`;
}

/**
 * Players by username, address or code; without `text`, those who played last. At most
 * PLAYERS_FOUND_MAX (OPS-18). Team and last game are null out of reach (STAFF-40).
 */
export async function searchPlayers(
  db: Database,
  text: string | undefined,
  actor: Actor,
): Promise<PlayersFound> {
  const reached = policyOf(actor);
  const found =
    text === undefined
      ? playedLast(actor)
      : UUID.test(text)
        ? sql`select id, null::timestamptz as at from players where uuid = ${text.toLowerCase()}::uuid`
        : text.includes('@')
          ? sql`select id, null::timestamptz as at from players where email = ${canonicalEmail(text)}`
          : byName(text);
  const { rows } = await sql<Found>`
    select p.id, p.username, p.email, p.avatar_color, p.jersey_number,
      case when ${reached.league(sql.ref('t.league_id'))} then t.name end as team,
      t.id is not null and not ${reached.league(sql.ref('t.league_id'))} as other_team,
      last.played_at as last_played_at, last.machine as last_machine,
      coalesce(s.games_played, 0) as games_played, coalesce(s.highscore, 0) as highscore
    from (${found}) found
    join players p on p.id = found.id
    left join teams t on t.id = p.team_id
    left join player_stats s on s.player_id = p.id
    left join lateral (
      select g.played_at, m.name as machine from games g join machines m on m.id = g.machine_id
      where g.player_id = p.id and ${reached.game} order by g.played_at desc, g.id desc limit 1
    ) last on true
    order by found.at desc nulls last, lower(p.username) = ${text?.toLowerCase() ?? ''} desc nulls last,
      lower(p.username), p.id limit ${MOST}`.execute(db);
  return {
    results: rows.slice(0, PLAYERS_FOUND_MAX).map(({ id, email, last_played_at, ...row }) => ({
      ...row,
      id: String(id),
      address: maskEmail(email),
      last_played_at: last_played_at?.toISOString() ?? null,
    })),
    more: rows.length > PLAYERS_FOUND_MAX,
  };
}
