import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { settleCups } from '../../server/cups/settle.ts';
import { joinTeam, makeGames, makeLeague, makeMachine, makePlayer, makeTeam } from './make.ts';
import { OPERATOR_KEY, type TestApp } from './test-app.ts';

const HOUR_MS = 3_600_000;

/** A cup of two players, which begins in an hour, at a new venue or at `venue`. */
export async function makeCup(
  t: TestApp,
  given: { venue?: string; league?: string; sides?: string[] } = {},
): Promise<{ id: string; machine: { id: number }; players: { id: number }[] }> {
  const venue = given.venue ?? `Cup hall ${randomUUID()}`;
  const machine = await makeMachine(t, { venue });
  const players = [await makePlayer(t), await makePlayer(t)];
  const { body, status } = await t.call('POST', '/api/operator/cups/', {
    as: { key: OPERATOR_KEY },
    body: {
      name: `Cup ${randomUUID().slice(0, 8)}`,
      venue,
      from: 'sides',
      league: given.league,
      sides: given.sides ?? players.map(({ username }) => username),
      starts: new Date(t.clock.now().getTime() + HOUR_MS).toISOString(),
    },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id, machine, players };
}

/** Moves all windows of a cup so that they began two hours ago, and ended an hour ago. */
async function playOver(t: TestApp, id: string): Promise<void> {
  const now = t.clock.now().getTime();
  await sql`update cup_pairings set starts_at = ${new Date(now - 2 * HOUR_MS)},
    ends_at = ${new Date(now - HOUR_MS)} where cup_id = ${id}`.execute(t.db);
  await settleCups(t);
}

/** A final cup that a new count would change. */
async function changedCup(t: TestApp): Promise<string> {
  const { id, machine, players } = await makeCup(t);
  await playOver(t, id);
  const played_at = new Date(t.clock.now().getTime() - 1.5 * HOUR_MS);
  await makeGames(t, machine, players[1] as { id: number }, [{ played_at }]);
  return id;
}

/** A cup of four teams whose first round has begun. */
async function begunCup(t: TestApp): Promise<string> {
  const league = await makeLeague(t);
  const teams = await Promise.all([1, 2, 3, 4].map(() => makeTeam(t, league)));
  await joinTeam(t, teams[0] as (typeof teams)[0], [await makePlayer(t)], t.clock.now());
  const sides = teams.map(({ name }) => name);
  const { id } = await makeCup(t, { league: league.name, sides });
  await sql`update cup_pairings set starts_at = ${t.clock.now()}
    where cup_id = ${id} and round = 0`.execute(t.db);
  await settleCups(t);
  return id;
}

/** For each route that changes a cup, a body that succeeds. */
export function cupCases(t: TestApp): Record<string, () => Promise<Record<string, unknown>>> {
  const cup = async () => (await makeCup(t)).id;
  const named = async () =>
    [await makePlayer(t), await makePlayer(t)].map(({ username }) => username);
  const later = () => new Date(t.clock.now().getTime() + 9 * HOUR_MS).toISOString();
  const created = async () => {
    const venue = `Cup hall ${randomUUID()}`;
    await makeMachine(t, { venue });
    // Other fields fit other kinds of cups.
    const none = { season: undefined, contest: undefined, league: undefined, size: undefined };
    const rules = { best: undefined, of: undefined, per_player: undefined, windows: 'hours' };
    return { name: 'Cup', venue, from: 'sides', sides: await named(), ...none, ...rules };
  };
  return {
    'cups/': created,
    'cups/seeds/': async () => ({ cup: await cup(), sides: await named() }),
    'cups/draw/': async () => ({ cup: await cup() }),
    'cups/sides/': async () => ({
      cup: await begunCup(t),
      side: '1',
      add: [(await makePlayer(t)).username],
    }),
    'cups/windows/': async () => ({
      cup: await cup(),
      windows: [{ pairing: 'Final', ends: later() }],
    }),
    'cups/withdraw/': async () => ({ cup: await cup(), side: '1' }),
    'cups/decide/': async () => ({
      cup: await begunCup(t),
      pairing: 'SF 1',
      winner: '4',
      reason: 'Why',
    }),
    'cups/correct/': async () => ({ cup: await changedCup(t), pairing: 'Final', reason: 'Why' }),
    'cups/leave/': async () => ({ cup: await changedCup(t), pairing: 'Final' }),
    'cups/cancel/': async () => ({ cup: await cup() }),
  };
}
