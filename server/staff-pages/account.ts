import { average } from '#contract/rules/games.ts';
import type { PlayerAnswer } from '#contract/wire/players.ts';
import { IDLE_MS } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { selectUser, toUser } from '../players/players.ts';

/** @throws if no account has this id. */
export async function readAccount(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  id: number,
): Promise<PlayerAnswer> {
  const now = clock.now();
  const row = await selectUser(db)
    .leftJoin('leagues', 'leagues.id', 'teams.league_id')
    .select((eb) => [
      'players.email_verified_at',
      'players.created_at',
      'leagues.name as league_name',
      eb
        .selectFrom('sessions')
        .whereRef('sessions.player_id', '=', 'players.id')
        .where('sessions.expires_at', '>', now)
        .where('sessions.last_used_at', '>', new Date(now.getTime() - IDLE_MS))
        .select(eb.fn.countAll<number>().as('sessions'))
        .as('sessions'),
      eb
        .selectFrom('games')
        .whereRef('games.player_id', '=', 'players.id')
        .where('games.state', '=', 'held')
        .select(eb.fn.countAll<number>().as('held'))
        .as('held_games'),
    ])
    .where('players.id', '=', id)
    .executeTakeFirstOrThrow();
  const user = toUser({ config, clock }, row);
  return {
    email: row.email,
    username: row.username,
    verified: row.email_verified_at !== null,
    profile_setup_complete: user.profile_setup_complete,
    sign_in_methods: user.sign_in_methods,
    created_at: row.created_at.toISOString(),
    sessions: row.sessions ?? 0,
    team: row.team_name === null ? null : { name: row.team_name, league: row.league_name ?? '' },
    league_mode_enabled: row.league_mode_enabled,
    games_played: row.games_played ?? 0,
    highscore: row.highscore ?? 0,
    avg_score: average(row.score_sum ?? 0, row.games_played ?? 0),
    held_games: row.held_games ?? 0,
  };
}
