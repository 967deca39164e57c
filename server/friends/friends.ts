import { type RawBuilder, sql } from 'kysely';
import { COMPARED_WEEKS, COMPARED_WITHIN_WEEKS } from '#contract/rules/friends.ts';
import { average, BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { Comparison, FriendsAnswer } from '#contract/wire/friends.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { changeAs } from '../accounts/sessions.ts';
import { readMetInCups } from '../cups/met.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { weekOf } from '../leagues/calendar.ts';
import { type PlayedSide, SIDES } from '../leagues/matchups.ts';
import { mayBeFriends } from '../players/visibility.ts';
import { block, numberIn, unfriend } from './blocks.ts';

/* A player's friends, and the comparison with one (FRIEND-05 to FRIEND-09). */

type FriendDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

/** The week of all venues' boards. */
const ZONE = 'UTC';
const EVERYWHERE = 0;

/**
 * SQL: the awake friendships `f` of player `v`, whose friend is `p`. A friendship sleeps while a
 * player of age and one under age are not on the same team (FRIEND-05).
 */
const friendsOf = (
  deps: FriendDeps,
  playerId: number,
  where = sql`true`,
): RawBuilder<unknown> => sql`
  from friendships f join players v on v.id = f.player_id join players p on p.id = f.friend_id
  left join player_stats s on s.player_id = p.id
  where f.player_id = ${playerId} and p.username is not null and ${mayBeFriends(deps)} and ${where}`;

/** SQL: the ids of the player's friends. */
export const friendIds = (deps: FriendDeps, playerId: number): RawBuilder<unknown> =>
  sql`select p.id ${friendsOf(deps, playerId)}`;

type Figures = { games_played: number | null; highscore: number | null; score_sum: number | null };
const FIGURES = sql`s.games_played, s.highscore, s.score_sum`;

const figuresOf = ({ games_played, highscore, score_sum }: Figures) => ({
  high_score: highscore ?? 0,
  average: average(score_sum ?? 0, games_played ?? 0),
  games: games_played ?? 0,
});

const bestOfWeek = (player: RawBuilder<unknown>, week: string) => sql<number | null>`(
  select score from bests where player_id = ${player} and venue_id = ${EVERYWHERE} and week = ${week})`;

/** The player's friends by name, with their figures (FRIEND-06). */
export async function listFriends(deps: FriendDeps, playerId: number): Promise<FriendsAnswer> {
  const week = weekOf(deps.clock.now(), ZONE);
  const { rows } = await sql<Named & Figures & { n: number; best_week_game: number | null }>`
    select f.n, p.username, p.avatar_color, p.jersey_number, ${FIGURES},
      ${bestOfWeek(sql`p.id`, week)} as best_week_game
    ${friendsOf(deps, playerId)} order by lower(p.username)`.execute(deps.db);
  const { rows: own } = await sql<{
    highscore: number | null;
    games_played: number | null;
    best_week_game: number | null;
  }>`
    select s.highscore, s.games_played, ${bestOfWeek(sql`p.id`, week)} as best_week_game
    from players p left join player_stats s on s.player_id = p.id
    where p.id = ${playerId}`.execute(deps.db);
  return {
    results: rows.map(
      ({ n, username, avatar_color, jersey_number, best_week_game, ...figures }) => ({
        n: String(n),
        username,
        avatar_color,
        jersey_number,
        ...figuresOf(figures),
        best_week_game,
      }),
    ),
    me: {
      high_score: own[0]?.highscore ?? 0,
      games: own[0]?.games_played ?? 0,
      best_week_game: own[0]?.best_week_game ?? null,
    },
  };
}

const gone = () => notFound('This friend is not in your list.');

type Found = Named & Figures & { id: number; n: number };

async function findFriend(deps: FriendDeps, playerId: number, n: string): Promise<Found> {
  const { rows } = await sql<Found>`
    select p.id, f.n, p.username, p.avatar_color, p.jersey_number, ${FIGURES}
    ${friendsOf(deps, playerId, sql`f.n = ${numberIn(n) ?? 0}`)}`.execute(deps.db);
  const [friend] = rows;
  if (friend === undefined) throw gone();
  return friend;
}

const resultOf = (own: number, other: number) =>
  own > other ? ('won' as const) : own < other ? ('lost' as const) : ('level' as const);

/** Finished weeks in which both have four or more counted games, newest first (FRIEND-09). */
async function comparedWeeks({ db, clock }: FriendDeps, playerId: number, friendId: number) {
  const current = weekOf(clock.now(), ZONE);
  const { rows } = await sql<{ week: string; mine: number; theirs: number }>`
    with weeks as (
      select p.id as player_id, w.week, best.total
      from unnest(array[${playerId}, ${friendId}]::bigint[]) p (id)
      cross join (
        select ${current}::date - 7 * n as week
        from generate_series(1, ${COMPARED_WITHIN_WEEKS}::integer) n
      ) w
      -- For each week the index ends after its first games.
      cross join lateral (
        select sum(score)::bigint as total
        from (
          select score
          from (
            select score from games
            where player_id = p.id and state = 'counted'
              and played_at >= w.week::timestamp at time zone ${ZONE}
              and played_at < (w.week + 7)::timestamp at time zone ${ZONE}
            order by played_at, id limit ${WEEK_GAMES}
          ) counted
          order by score desc limit ${BEST_GAMES}
        ) four
        having count(*) = ${BEST_GAMES}
      ) best
    )
    select own.week, own.total as mine, other.total as theirs
    from weeks own join weeks other using (week)
    where own.player_id = ${playerId} and other.player_id = ${friendId}
    order by own.week desc limit ${COMPARED_WEEKS}`.execute(db);
  return rows.map(({ week, mine, theirs }) => ({
    week,
    mine,
    theirs,
    result: resultOf(mine, theirs),
  }));
}

/** Finished league weeks in which the two played for teams that met, newest first. */
async function readMet({ db, clock }: FriendDeps, playerId: number, friendId: number) {
  const { rows } = await sql<{
    week: string;
    team: string;
    opponent: string;
    own: number;
    other: number;
    home: boolean;
    ruling: PlayedSide['ruling'];
  }>`
    select m.week, m.home, m.ruling, t.name as team, o.name as opponent,
      (select coalesce(sum(total), 0)::bigint from league_weeks where team_id = t.id and week = m.week
        and (m.to_week is null or week <= m.to_week)) as own,
      (select coalesce(sum(total), 0)::bigint from league_weeks where team_id = o.id and week = m.week
        and (m.opponent_to_week is null or week <= m.opponent_to_week)) as other
    from league_weeks a
    join ${SIDES} m on m.team_id = a.team_id and m.week = a.week
      and m.ruling is distinct from 'annulled'
    join league_weeks b on b.team_id = m.opponent_id and b.week = m.week and b.player_id = ${friendId}
    join teams t on t.id = m.team_id join teams o on o.id = m.opponent_id
    join leagues l on l.id = m.league_id
    where a.player_id = ${playerId} and a.week < date_trunc('week', ${clock.now()}::timestamptz at time zone l.timezone)::date
    order by m.week desc limit 5`.execute(db);
  return rows.map(({ home, ruling, ...row }) => ({
    ...row,
    result:
      ruling === null
        ? resultOf(row.own, row.other)
        : ruling === (home ? 'home' : 'away')
          ? ('won' as const)
          : ('lost' as const),
  }));
}

/**
 * Compares a player with a friend: figures, weeks and where the two met (FRIEND-09).
 * @throws Refusal 404 for a number that is not in the player's list.
 */
export async function compare(deps: FriendDeps, playerId: number, n: string): Promise<Comparison> {
  const {
    id,
    n: number,
    username,
    avatar_color,
    jersey_number,
    ...theirs
  } = await findFriend(deps, playerId, n);
  const { rows } = await sql<Figures & { player_id: number; best: number | null }>`
    select p.id as player_id, ${FIGURES},
      (select max(total)::bigint from league_weeks where player_id = p.id) as best
    from players p left join player_stats s on s.player_id = p.id
    where p.id in (${playerId}, ${id})`.execute(deps.db);
  const of = (player: number) => rows.find(({ player_id }) => player_id === player);
  const mine = of(playerId);
  return {
    n: String(number),
    username,
    avatar_color,
    jersey_number,
    me: {
      ...figuresOf(mine ?? { games_played: 0, highscore: 0, score_sum: 0 }),
      best_league_week: mine?.best ?? null,
    },
    friend: { ...figuresOf(theirs), best_league_week: of(id)?.best ?? null },
    weeks: await comparedWeeks(deps, playerId, id),
    met: await readMet(deps, playerId, id),
    met_in_cups: await readMetInCups(deps.db, playerId, id),
  };
}

type Numbered = { id: number; awake: boolean };

/** The friend with this number, also while the friendship sleeps; undefined if there is none. */
async function readNumbered(
  deps: FriendDeps,
  playerId: number,
  n: string,
): Promise<Numbered | undefined> {
  const { rows } = await sql<Numbered>`
    select p.id, ${mayBeFriends(deps)} as awake
    from friendships f join players v on v.id = f.player_id join players p on p.id = f.friend_id
    where f.player_id = ${playerId} and f.n = ${numberIn(n) ?? 0}`.execute(deps.db);
  return rows[0];
}

/**
 * Removes a friend for both at once (FRIEND-10). Ignores an unknown number. The removal of a
 * sleeping friendship notifies nobody, so that it looks like an unknown number (FRIEND-05).
 */
export async function removeFriend(
  deps: FriendDeps,
  session: Pick<Session, 'id' | 'player_id'>,
  n: string,
): Promise<void> {
  const friend = await readNumbered(deps, session.player_id, n);
  await changeAs(deps, session, async (trx, { id }) => {
    if (friend !== undefined) await unfriend(trx, id, friend.id, friend.awake);
  });
}

/** Removes and blocks a friend. Ignores the number of an unknown or sleeping one (FRIEND-10). */
export async function blockFriend(
  deps: FriendDeps,
  session: Pick<Session, 'id' | 'player_id'>,
  n: string,
): Promise<void> {
  const found = await readNumbered(deps, session.player_id, n);
  const friend = found?.awake ? found : undefined;
  await changeAs(
    deps,
    session,
    async (trx, { id }) => {
      if (friend !== undefined) await block(trx, id, friend.id, deps.clock.now());
    },
    friend && [friend.id],
  );
}

/** The usernames of the player's friends, for the export. */
export async function readFriendNames(deps: FriendDeps, playerId: number) {
  const { results } = await listFriends(deps, playerId);
  return results.map(({ username }) => username ?? '');
}
