import { sql } from 'kysely';
import { ageOn, latestDate } from '#contract/birthdate.ts';
import { canonicalEmail } from '#contract/email.ts';
import {
  PLAYER_GAMES_MAX,
  PLAYERS_FOUND_MAX,
  type PlayerPage,
  type PlayersFound,
} from '#contract/player-pages.ts';
import { readAccount } from '../accounts/account.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { listGames, type Reach } from '../games/corrections.ts';
import { maskEmail } from '../log.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Found = Omit<PlayersFound['results'][number], 'id' | 'address' | 'last_played_at'> & {
  id: number;
  email: string;
  last_played_at: Date | null;
};

/**
 * Finds players by a part of the username, by the whole address, or by the code; without `text`,
 * who played last. Returns at most PLAYERS_FOUND_MAX, with masked addresses (OPS-18).
 */
export async function searchPlayers(db: Database, text: string | undefined): Promise<PlayersFound> {
  const most = PLAYERS_FOUND_MAX + 1;
  const found =
    text === undefined
      ? // The newest games of each machine, by the index on machine and time.
        sql`select distinct on (l.player_id) l.player_id as id, l.played_at as at
          from machines m, lateral (select player_id, played_at from games
            where machine_id = m.id order by played_at desc limit ${most}) l
          order by l.player_id, l.played_at desc`
      : UUID.test(text)
        ? sql`select id, null::timestamptz as at from players where uuid = ${text.toLowerCase()}::uuid`
        : text.includes('@')
          ? sql`select id, null::timestamptz as at from players where email = ${canonicalEmail(text)}`
          : sql`select id, null::timestamptz as at from players
              where position(${text.toLowerCase()} in lower(username)) > 0 limit ${most}`;
  const { rows } = await sql<Found>`
    select p.id, p.username, p.email, p.avatar_color, p.jersey_number, t.name as team,
      coalesce(found.at, (select max(g.played_at) from games g where g.player_id = p.id))
        as last_played_at,
      coalesce(s.games_played, 0) as games_played, coalesce(s.highscore, 0) as highscore
    from (${found}) found
    join players p on p.id = found.id
    left join teams t on t.id = p.team_id
    left join player_stats s on s.player_id = p.id
    order by found.at desc nulls last, lower(p.username), p.id limit ${most}`.execute(db);
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

function bandOf(birthdate: string | null, now: Date): PlayerPage['age'] {
  if (birthdate === null) return 'unknown';
  const age = ageOn(birthdate, new Date(`${latestDate(now)}T00:00:00Z`));
  if (age < 13) return 'under 13';
  if (age < 16) return '13 to 15';
  return age < 18 ? '16 or 17' : '18 or over';
}

/**
 * Reads an account for its page, with the newest games that the caller reaches.
 * @throws Refusal 404 when there is no such account.
 */
export async function readPlayerPage(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  id: number,
  reach: Reach,
): Promise<PlayerPage> {
  const own = await deps.db
    .selectFrom('players')
    .select(['avatar_color', 'jersey_number', 'date_of_birth'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (own === undefined) throw notFound('There is no such account. It may have been deleted.');
  const { date_of_birth, ...jersey } = own;
  const { games } = await listGames(deps, { player_id: id }, PLAYER_GAMES_MAX, reach);
  return {
    ...(await readAccount(deps, id)),
    ...jersey,
    id: String(id),
    age: bandOf(date_of_birth, deps.clock.now()),
    games: games.map(({ id: game, machine, score, played_at, state }) => ({
      id: game,
      machine,
      score,
      played_at: played_at.toISOString(),
      state,
    })),
  };
}
