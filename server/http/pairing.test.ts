import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { CODE_LETTERS } from '#contract/rules/short-code.ts';
import { aGame, makeIp, makePlayer, makeStaff } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { RATE_LIMITS } from '../rate-limits.ts';

const t = withApp();
const VENUE = 'Dockside Arcade';

const pair = async (ip = makeIp()) => (await t.call('POST', '/api/machine/pair/', { ip })).body;
const claim = (secret: string, { ip = makeIp(), app = t } = {}) =>
  app.call('POST', '/api/machine/pair/claim/', { body: { secret }, ip });
const add = (code: string, more: object = {}) =>
  t.call('POST', '/api/operator/machines/', {
    body: { name: `Hoop ${randomUUID()}`, venue: VENUE, code },
    as: { key: OPERATOR_KEY },
    ip: makeIp(),
    ...more,
  });

describe('HAND-C2, P114: a machine that shows a code', () => {
  test('a machine gets its key once, when staff have typed its code', async () => {
    const { code, secret, expires_at } = await pair();
    expect(code).toMatch(new RegExp(`^[${CODE_LETTERS}]{6}$`));
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(expires_at) - t.clock.now().getTime()).toBeLessThanOrEqual(15 * 60_000);
    expect((await claim(secret)).body).toEqual({ key: null });

    const added = await add(`${code.slice(0, 3)}-${code.slice(3)}`.toLowerCase());
    expect([added.status, added.body]).toMatchObject([201, { venue: VENUE, key: null }]);
    const { key } = (await claim(secret)).body;
    expect(key).toMatch(/^bbm_test_/);
    expect((await claim(secret)).status).toBe(404);

    const { body: own } = await t.call('GET', '/api/machine/', { as: { key } });
    expect(own).toMatchObject({ id: added.body.id, name: added.body.name, venue: VENUE });
    const games = [aGame(t, await makePlayer(t))];
    const { body } = await t.call('POST', '/api/machine/games/', { as: { key }, body: { games } });
    expect(body.results).toMatchObject([{ status: 'recorded' }]);
    const { rows } = await sql<{ hash: string }>`
      select encode(hash, 'escape') as hash from machine_keys`.execute(t.db);
    expect(rows.map(({ hash }) => hash).join()).not.toContain(key.split('_')[3]);
  });

  test('the database has only a hash of a machine’s secret', async () => {
    const { secret } = await pair();
    const { rows } = await sql<{ text: string }>`
      select encode(secret_hash, 'escape') || p::text as text from machine_pairings p`.execute(
      t.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join()).not.toContain(secret);
  });

  test('a machine gets no key once it is revoked, or once staff have made a key for it', async () => {
    for (const act of ['revoke', 'rotate']) {
      const { code, secret } = await pair();
      const { body } = await add(code);
      const done = await t.call('POST', `/api/operator/machines/${act}/`, {
        as: { key: OPERATOR_KEY },
        body: { machine: body.name },
      });
      expect(done.status).toBe(200);
      expect((await claim(secret)).status).toBe(404);
      const keys = await t.db
        .selectFrom('machine_keys')
        .select('id')
        .where('machine_id', '=', Number(body.id))
        .execute();
      expect(keys).toHaveLength(act === 'rotate' ? 1 : 0);
    }
  });

  test('a machine is not added by an old, used or wrong code, nor under a name that is taken', async () => {
    const { code, secret } = await pair();
    t.clock.advance(15 * 60_000 + 1);
    expect((await add(code)).status).toBe(404);
    expect((await claim(secret)).status).toBe(404);
    const second = await pair();
    const { body: taken } = await add(second.code);
    expect((await add(second.code)).status).toBe(404);
    const third = await pair();
    const body = { name: taken.name, venue: VENUE, code: third.code };
    expect((await add(third.code, { body })).status).toBe(409);
    expect((await claim(third.secret)).body).toEqual({ key: null });
    expect((await add('H7KQ0O')).body).toHaveProperty('code');
    // The code of a television adds no machine.
    const screen = await t.call('POST', '/api/screen/pair/', { body: {}, ip: makeIp() });
    expect((await add(screen.body.code)).status).toBe(404);
  });

  test('a machine claims its key even after its code has expired, if staff typed the code before', async () => {
    const { code, secret } = await pair();
    expect((await add(code)).status).toBe(201);
    t.clock.advance(15 * 60_000 + 1);
    await pair();
    expect((await claim(secret)).body.key).toMatch(/^bbm_/);
  });

  test('a machine gets one key from several simultaneous claims over two processes', async () => {
    const other = await t.sibling();
    const { code, secret } = await pair();
    await add(code);
    const claims = Array.from({ length: 8 }, (_, at) =>
      claim(secret, { app: at % 2 === 0 ? t : (other as typeof t) }),
    );
    const answers = await Promise.all(claims);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  test('only staff of the venue can add a machine, and they may try 10 wrong codes an hour', async () => {
    await add((await pair()).code);
    await add((await pair()).code, {
      body: { name: `Hoop ${randomUUID()}`, venue: 'Far away', code: (await pair()).code },
    });
    const { headers } = await makeStaff(t, { role: 'manager', venues: [VENUE] });
    const ip = makeIp();
    const asStaff = async (code: string, venue = VENUE) => {
      const body = { name: `Hoop ${randomUUID()}`, venue, code };
      return (await add(code, { as: undefined, headers, ip, body })).status;
    };
    const { code } = await pair();
    expect(await asStaff(code, 'Far away')).toBe(403);
    expect(await asStaff(code)).toBe(201);
    for (let tries = 0; tries < RATE_LIMITS['machine-code'].max; tries += 1)
      expect(await asStaff('ZZZZZZ')).toBe(404);
    expect(await asStaff((await pair()).code)).toBe(429);
  });

  test('a network may guess at most 10 secrets, and gets at most 60 codes an hour', async () => {
    const ip = makeIp();
    for (let tries = 0; tries < RATE_LIMITS['machine-secret'].max; tries += 1)
      expect((await claim(randomUUID(), { ip })).status).toBe(404);
    expect((await claim(randomUUID(), { ip })).status).toBe(429);
    for (let codes = 0; codes < RATE_LIMITS['machine-codes'].max; codes += 1) await pair(ip);
    expect((await t.call('POST', '/api/machine/pair/', { ip })).status).toBe(429);
  });
});
