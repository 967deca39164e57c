import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makePlayer } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { deletePlayer, replayTombstones } from './erase.ts';

const t = withApp();

const accountOf = (email: string) =>
  t.db.selectFrom('players').selectAll().where('email', '=', email).executeTakeFirst();

test('P30e: after a restore the tombstone deletes the same account again, and no other', async () => {
  const player = await makePlayer(t);
  await deletePlayer(t.db, player.id, t.clock.now());
  const stones = await t.db.selectFrom('tombstones').selectAll().execute();
  expect(JSON.stringify(stones)).not.toContain(player.email);
  // This player must survive. The next statement inserts the deleted one again, as a restore does.
  const back = await makePlayer(t, { email: 'back@example.com' });
  await sql`insert into players (id, uuid, email, created_at) overriding system value
    values (${player.id}, ${player.uuid}, ${player.email}, ${player.created_at})`.execute(t.db);
  expect(await replayTombstones(t.db)).toBe(1);
  expect(await accountOf(player.email)).toBeUndefined();
  expect(await accountOf(back.email)).toBeDefined();
  expect(await replayTombstones(t.db)).toBe(0);
});
