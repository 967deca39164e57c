import { startServer } from '#testing/server.ts';
import { test as base, type NewPlayer } from './fixtures.ts';

/** The demo account, whose password is public (server/demo/demo.ts). */
export const DEMO_EMAIL = 'demo@backboard.example';
export const DEMO_PASSWORD = 'courtside-demo';

/**
 * `test` of fixtures.ts, on a server with the demo league: six teams in their fifth week. `maya`
 * has the demo account. Tests may add players and leagues. Play current games only on the machine
 * `hoop`: a player's games on two machines within 30 s are held (GAME-07).
 */
export const test = base.extend<
  object,
  { maya: NewPlayer; hoop: { id: string; name: string; key: string } }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
    async ({}, use) => {
      const server = await startServer();
      await server.backboard('demo');
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  maya: [
    async ({ server }, use) => {
      const answer = await fetch(`${server.url}/api/users/auth/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: DEMO_EMAIL, password: DEMO_PASSWORD }),
      });
      const { access, refresh, user } = await answer.json();
      const { uuid, username } = user;
      await use({ email: DEMO_EMAIL, password: DEMO_PASSWORD, username, uuid, access, refresh });
    },
    { scope: 'worker' },
  ],
  hoop: [
    async ({ server }, use) => use(await server.addMachine('Test hoop', 'Dockside Arcade')),
    { scope: 'worker' },
  ],
});
