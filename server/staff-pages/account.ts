import { sql } from 'kysely';
import { average } from '#contract/rules/games.ts';
import type { PlayerAnswer } from '#contract/wire/players.ts';
import { IDLE_MS } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { type Player, toUser, USER, USERS, type UserRow } from '../players/players.ts';
import type { Policy } from '../staff/policy.ts';

type AccountRow = UserRow &
  Pick<Player, 'email_verified_at' | 'created_at'> & {
    league_name: string | null;
    team_reached: boolean;
    sessions: number;
    held_games: number;
  };

/**
 * An account. `team` is null if it is out of the caller's reach (STAFF-40).
 * @throws if no account has this id.
 */
export async function readAccount(
  { config, db, clock, policy }: Pick<Deps, 'config' | 'db' | 'clock'> & { policy: Policy },
  id: number,
): Promise<PlayerAnswer> {
  const now = clock.now();
  const { rows } = await sql<AccountRow>`
    select ${USER}, p.email_verified_at, p.created_at, l.name as league_name,
      ${policy.league(sql.ref('t.league_id'))} as team_reached,
      (select count(*) from sessions where player_id = p.id and expires_at > ${now}
        and last_used_at > ${new Date(now.getTime() - IDLE_MS)}) as sessions,
      (select count(*) from games where player_id = p.id and state = 'held') as held_games
    from ${USERS} left join leagues l on l.id = t.league_id where p.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no account has this id');
  const user = toUser({ config, clock }, row);
  return {
    email: row.email,
    username: row.username,
    verified: row.email_verified_at !== null,
    profile_setup_complete: user.profile_setup_complete,
    sign_in_methods: user.sign_in_methods,
    created_at: row.created_at.toISOString(),
    sessions: row.sessions,
    team:
      row.team_name === null || !row.team_reached
        ? null
        : { name: row.team_name, league: row.league_name ?? '' },
    league_mode_enabled: row.league_mode_enabled,
    games_played: row.games_played ?? 0,
    highscore: row.highscore ?? 0,
    avg_score: average(row.score_sum ?? 0, row.games_played ?? 0),
    held_games: row.held_games,
  };
}
