import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import { makeMachine, makePlayer, makeScreen, makeStaff } from '#testing/app/make.ts';
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { readRows } from '#testing/app/query-cost.ts';

const { t } = midweekApp();
const SIDES = 64;
const PLAYERS = 200;
const GAMES = 8;
/** How many of a contest's places a screen shows. */
const PLACES = 6;

/** A screen of a venue with a cup of 64 and a contest of 200, in which 1,600 games were played. */
async function makeEvening() {
  const venue = 'Evening Arcade';
  const hoop = await makeMachine(t, { venue });
  const { headers } = await makeStaff(t);
  const players = [];
  for (let at = 0; at < PLAYERS; at += 1) players.push(await makePlayer(t));
  const now = t.clock.now();
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  const sides = players.slice(0, SIDES).map(({ username }) => username);
  for (const [path, body] of [
    ['cups/', { from: 'sides', sides, best: 2, of: 3, minutes: 60, starts: inMinutes(1) }],
    ['contests/', { starts: inMinutes(1), ends: inMinutes(120), scoring: 'best3' }],
  ] as const) {
    const made = await t.call('POST', `/api/operator/${path}`, {
      headers,
      body: { name: 'Evening', venue, ...body },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  t.clock.advance(HOUR / 2);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside, venue_id)
    select ${hoop.id}, gen_random_uuid(), p, 100 + n * p % 700,
      ${t.clock.now()}::timestamptz - n * interval '2 minutes', ${now}::timestamptz::date,
      ${t.clock.now()}, 'counted', sha256('game'), 'no_team', ${hoop.venue_id}
    from unnest(${players.map(({ id }) => id)}::bigint[]) p,
      generate_series(1, ${GAMES}::integer) n`.execute(t.db);
  return makeScreen(t, venue);
}

test('CUP-32, CONTEST-09: a screen with a cup of 64 and a contest of 200 reads each game once', async () => {
  const screen = await makeEvening();
  const read = readRows(t);
  for (const statistics of ['none', 'new']) {
    if (statistics === 'new') await sql`analyze`.execute(t.unlimited);
    const costs = await read(async () => {
      const { status, body } = await t.call('GET', '/api/screen/', { as: { key: screen.token } });
      const { cups, contests } = body as ScreenAnswer;
      expect([status, cups.length, contests[0]?.places.length]).toEqual([200, 1, PLACES]);
    });
    // Each game may be read from its indexes and the table, but a join of games with games would
    // read tens of thousands of rows.
    for (const { text, rows, scans } of costs)
      expect(rows, `${statistics} statistics:\n${text}\n${scans.join(', ')}`).toBeLessThan(
        4 * PLAYERS * GAMES,
      );
  }
});
