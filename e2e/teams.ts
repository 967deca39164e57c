import { abbreviate } from '#contract/rules/games.ts';
import type { RunningServer } from '#testing/server.ts';
import { expect, type NewPlayer, signUp } from './fixtures.ts';

export async function setLeagueMode(
  server: RunningServer,
  player: NewPlayer,
  on: boolean,
): Promise<void> {
  const answer = await fetch(`${server.url}/api/users/profile/`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${player.access}`,
    },
    body: JSON.stringify({ league_mode_enabled: on }),
  });
  expect(answer.status).toBe(200);
}

export async function readAs(server: RunningServer, player: { access: string }, path: string) {
  const answer = await fetch(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${player.access}` },
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

export const teamOf = (player: NewPlayer) => `Team ${player.username}`;

/** Two teams without a schedule, each with a player in league mode. */
export async function makeLeague(server: RunningServer) {
  const [home, away] = await Promise.all([signUp(server), signUp(server)]);
  const league = `League ${home.username}`;
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  for (const player of [home, away]) {
    await server.backboard('team', 'create', league, teamOf(player));
    await server.backboard('team', 'add', teamOf(player), player.email);
    await setLeagueMode(server, player, true);
  }
  // Keep the strip about a new team off the pass.
  await server.sql(
    `update team_changes set how = null
      where player_id in (select id from players where email = any($1))`,
    [[home.email, away.email]],
  );
  return { league, home, away };
}

/** The text of a total: abbreviated, then in full, which only a wide window shows (LOOK-67). */
export function totalText(total: number): string {
  const short = abbreviate(total);
  return short === String(total) ? short : `${short}${total}`;
}
