import { type RawBuilder, sql } from 'kysely';
import { canonicalEmail } from '#contract/email.ts';
import { PLAYERS_FOUND_MAX, type PlayersFound } from '#contract/player-pages.ts';
import type { Database } from '../db/database.ts';
import { type Reach, within } from '../games/corrections.ts';
import { maskEmail } from '../log.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Read one player more than is shown, to know whether there are more. */
const MOST = PLAYERS_FOUND_MAX + 1;
/**
 * How many of the newest games of a machine, or of a player, are read to find who played last, or
 * where the player played last.
 */
const NEWEST = 100;

type Found = Omit<PlayersFound['results'][number], 'id' | 'address' | 'last_played_at'> & {
  id: number;
  email: string;
  last_played_at: Date | null;
};

/** The words of usernames, with the same expression as the index `players_name_words`. */
const NAME_WORDS = sql`array_to_tsvector(array_remove(
  string_to_array(lower(translate(username, '_-', '  ') || ' '
    || regexp_replace(username, '([a-z])([A-Z])', '\\1 \\2', 'g')), ' '), ''))`;

/**
 * Finds players by the index on names: the player with this name, and players whose names have
 * words that begin like this. `offset 0` keeps PostgreSQL from reading all players in the order of
 * their names.
 */
function byName(text: string): RawBuilder<unknown> {
  const words = text
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean);
  // No name has any other character. Some other characters are operators in a query of words.
  const none = words.length === 0 || words.some((word) => !/^[a-z0-9]+$/.test(word));
  if (none) return sql`select id, null::timestamptz as at from players where false`;
  const query = words.map((word) => `${word}:*`).join(' & ');
  return sql`
    select id, null::timestamptz as at from players where lower(username) = ${text.toLowerCase()}
    union
    (select id, null from (select id, username from players
        where username is not null and ${NAME_WORDS} @@ ${query}::tsquery offset 0) named
      order by lower(username) limit ${MOST})`;
}

/** The players who played last within `reach`, read by the index on machine and time. */
const playedLast = (reach: Reach) => sql`
  select distinct on (g.player_id) g.player_id as id, g.played_at as at
  from machines m, lateral (select * from games
    where machine_id = m.id order by played_at desc limit ${NEWEST}) g
  where ${within(reach)}
  order by g.player_id, g.played_at desc`;

/**
 * Finds players by the beginning of the username or of a word in it, by the whole address, or by
 * the code. Without `text`, finds the players who played last. Returns at most PLAYERS_FOUND_MAX
 * players, with masked addresses (OPS-18), and the last game of each within `reach` (STAFF-02). Every
 * search uses an index. So its cost depends on the
 * number of players who match, not on the number of all players.
 */
export async function searchPlayers(
  db: Database,
  text: string | undefined,
  reach: Reach,
): Promise<PlayersFound> {
  const found =
    text === undefined
      ? playedLast(reach)
      : UUID.test(text)
        ? sql`select id, null::timestamptz as at from players where uuid = ${text.toLowerCase()}::uuid`
        : text.includes('@')
          ? sql`select id, null::timestamptz as at from players where email = ${canonicalEmail(text)}`
          : byName(text);
  const { rows } = await sql<Found>`
    select p.id, p.username, p.email, p.avatar_color, p.jersey_number, t.name as team,
      last.played_at as last_played_at, last.machine as last_machine,
      coalesce(s.games_played, 0) as games_played, coalesce(s.highscore, 0) as highscore
    from (${found}) found
    join players p on p.id = found.id
    left join teams t on t.id = p.team_id
    left join player_stats s on s.player_id = p.id
    left join lateral (
      select g.played_at, m.name as machine from (select * from games where player_id = p.id
        order by played_at desc, id desc limit ${NEWEST}) g
      join machines m on m.id = g.machine_id where ${within(reach)}
      order by g.played_at desc, g.id desc limit 1
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
