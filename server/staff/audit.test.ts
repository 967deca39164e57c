import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { makeMachine, makeStaff } from '#testing/app/make.ts';
import { watchQueries } from '#testing/app/query-cost.ts';
import { OPERATOR_KEY, testApp, withApp } from '#testing/app/test-app.ts';
import { ageOut, audit, audited, exportAudit } from './audit.ts';
import { listStaff } from './staff.ts';

const t = withApp();

const key = { kind: 'key' } as const;
const lines = () => t.db.selectFrom('audit').selectAll().orderBy('id').execute();

describe('P65: the audit', () => {
  test('lets nobody change, delete or truncate its lines, and drops them after 400 days', async () => {
    await audit(t, t.db, key, { area: 'system', what: 'A line' });
    for (const statement of [
      sql`update audit set who = 'nobody'`,
      sql`delete from audit`,
      sql`truncate audit`,
    ])
      await expect(statement.execute(t.db)).rejects.toThrow(
        /can only be added to|permission denied/,
      );
    const days = (n: number) => new Date(Date.now() - n * 24 * 3_600_000);
    await audit({ clock: { now: () => days(401) } }, t.db, key, { area: 'system', what: 'Old' });
    await audit({ clock: { now: () => days(399) } }, t.db, key, { area: 'system', what: 'Young' });
    expect(await ageOut(t.db)).toBe(1);
    const kept = (await lines()).map(({ what }) => what);
    expect(kept).toContain('Young');
    expect(kept).not.toContain('Old');
  });

  test('masks addresses and cuts keys, whoever writes the line', async () => {
    const { key: secret } = await makeMachine(t);
    await audit(t, t.db, key, {
      area: 'players',
      what: 'Looked at jane.doe@example.com',
      before: { note: `the key ${secret}` },
      after: { address: 'new.jane@example.org' },
    });
    const [line] = (await lines()).slice(-1);
    expect(line?.what).toBe('Looked at j***@e…');
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(JSON.stringify(line)).not.toMatch(/jane/);
  });

  test('stores a change and its line together, or neither', async () => {
    const before = (await lines()).length;
    await expect(
      audited(t, key, {}, async (trx, write) => {
        await trx.insertInto('venues').values({ name: 'Never' }).execute();
        await write({ area: 'system', what: 'Never' });
        throw new Error('later');
      }),
    ).rejects.toThrow('later');
    await expect(
      audited(t, key, {}, async (trx, write) => {
        await trx.insertInto('venues').values({ name: 'Never' }).execute();
        await write({ area: 'nowhere' as 'system', what: 'Never' });
      }),
    ).rejects.toThrow();
    expect(await lines()).toHaveLength(before);
    const venues = await t.db
      .selectFrom('venues')
      .selectAll()
      .where('name', '=', 'Never')
      .execute();
    expect(venues).toEqual([]);
  });

  test('P62: refuses a change by somebody who was removed while the body arrived', async () => {
    const { id, name, headers } = await makeStaff(t, { role: 'manager' });
    const session = await t.db
      .selectFrom('staff_sessions')
      .select('id')
      .where('staff_id', '=', id)
      .executeTakeFirstOrThrow();
    const actor = {
      kind: 'staff',
      id,
      name,
      role: 'manager',
      session_id: session.id,
      everything: true,
      venues: [],
      leagues: [],
    } as const;
    await t.call('POST', '/api/operator/staff/remove/', {
      as: { key: OPERATOR_KEY },
      body: { staff: name },
    });
    await expect(audited(t, actor, {}, async () => 'changed')).rejects.toMatchObject({
      status: 401,
    });
    expect(headers.cookie).toBeTruthy();
  });

  test('is listed by person, area, venue and day, and exported as CSV without formulas', async () => {
    const owner = await makeStaff(t, { name: '=Formula;=1+1, "Owner"' });
    await t.call('POST', '/api/operator/machines/', {
      headers: owner.headers,
      body: { name: 'Hoop 6', venue: 'Station Bowl' },
    });
    const read = (query: string) =>
      t.call('GET', `/api/operator/audit/?${query}`, { as: { key: OPERATOR_KEY } });
    const mine = await read(`who=${encodeURIComponent(owner.name)}`);
    expect(mine.body).toMatchObject({
      total: 1,
      results: [{ what: 'Added Hoop 6', area: 'machines', venue: 'Station Bowl', who: owner.name }],
    });
    await t.call('POST', '/api/operator/machines/', {
      headers: owner.headers,
      body: { name: 'Hoop 7', venue: 'Other Bowl' },
    });
    const bowl = await t.db
      .selectFrom('venues')
      .select('id')
      .where('name', '=', 'Station Bowl')
      .executeTakeFirstOrThrow();
    for (const venue of ['Station Bowl', 'station bowl', `id:${bowl.id}`])
      expect((await read(`venue=${venue}`)).body).toMatchObject({
        total: 1,
        results: [{ what: 'Added Hoop 6' }],
      });
    expect((await read('venue=Nowhere')).status).toBe(404);
    const ofBowl = await t.call('GET', '/api/operator/audit/export/?venue=Station Bowl', {
      as: { key: OPERATOR_KEY },
    });
    expect(ofBowl.body.trim().split('\r\n')).toEqual([
      'when,who,area,what,venue,before,after',
      expect.stringContaining('Added Hoop 6,Station Bowl'),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await read(`from=${today}&to=${today}&area=machines`)).body.total).toBeGreaterThan(0);
    const first = (await read('limit=1')).body.results[0];
    const second = (await read(`limit=1&before=${first.id}`)).body.results[0];
    expect(Number(second.id)).toBeLessThan(Number(first.id));
    const csv = await t.call('GET', '/api/operator/audit/export/', { as: { key: OPERATOR_KEY } });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.body).toContain(`"'=Formula;'=1+1, ""Owner""",machines,Added Hoop 6,Station Bowl`);
  });

  test('a filter that cannot be used gets 400, and an export fails before it begins', async () => {
    for (const [query, field] of [
      ['who=a%00b', 'who'],
      ['from=0000-01-01', 'from'],
      ['to=0000-12-31', 'to'],
    ] as const)
      for (const path of ['/api/operator/audit/', '/api/operator/audit/export/']) {
        const answer = await t.call('GET', `${path}?${query}`, { as: { key: OPERATOR_KEY } });
        expect(answer).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
      }
    await expect(exportAudit(t.db, { who: 'a\0b' })).rejects.toThrow();
  });
});

test('STAFF-05: the list of staff does not read the whole audit', async () => {
  const long = await testApp();
  const staff = [await makeStaff(long), await makeStaff(long), await makeStaff(long)];
  await sql`insert into audit (at, staff_id, who, area, what)
    select now(), ${staff[1]?.id}, 'Somebody', 'games', 'Changed a game'
    from generate_series(1, 20000)`.execute(long.unlimited);
  await sql`analyze audit`.execute(long.db);
  const pagesOf = watchQueries(long, /from staff p/);
  const [{ pages } = { pages: Number.NaN }] = await pagesOf(() => listStaff(long));
  expect(pages).toBeLessThan(50);
  await long.close();
});
