import { describe, expect, test, vi } from 'vitest';
import type { Work } from '#contract/rules/work.ts';
import { makeIp, makeMachine } from '#testing/app/make.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { solved } from '#testing/app/work.ts';

const t = withApp();

const MINUTE = 60_000;
let people = 0;
const anEmail = () => `worker${++people}@example.com`;

type Options = { ip: string; email?: string; headers?: Record<string, string>; app?: TestApp };
const resend = ({ ip, email = anEmail(), headers = {}, app = t }: Options) =>
  app.call('POST', '/api/users/resend-verification/', { body: { email }, ip, headers });

/** Takes a network over its limit of 20 codes an hour. Returns the work that it is asked for. */
async function overLimit(email = anEmail()): Promise<{ ip: string; email: string; work: Work }> {
  const ip = makeIp();
  for (let n = 0; n < 20; n += 1) await resend({ ip });
  const refused = await resend({ ip, email });
  expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 300]);
  return { ip, email, work: refused.body.work };
}

describe('P79c: work instead of a refusal', () => {
  test('a proof lets one call pass', async () => {
    const { ip, email, work } = await overLimit();
    const headers = solved(work);
    expect((await resend({ ip, email, headers })).status).toBe(200);
    const again = await resend({ ip, email, headers });
    expect([again.status, again.body.work.salt]).toEqual([
      429,
      expect.not.stringMatching(work.salt),
    ]);
  });

  test('only one of 20 parallel uses of a proof over two processes passes', async () => {
    const { ip, email, work } = await overLimit();
    const [headers, other] = [solved(work), await t.sibling()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => resend({ ip, email, headers, app: n % 2 ? t : other })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a call that is refused for a used proof counts no use, and gives none back', async () => {
    const ip = makeIp();
    const signIn = (email: string, headers = {}) =>
      t.call('POST', '/api/users/auth/login/', {
        body: { email, password: 'wrong password' },
        ip,
        headers,
      });
    for (let n = 0; n < 10; n += 1) await signIn(anEmail());
    const email = anEmail();
    const passed = [];
    for (let n = 0; n < 8; n += 1) {
      const headers = solved((await signIn(email)).body.work);
      passed.push((await signIn(email, headers)).status);
      for (let again = 0; again < 2; again += 1) await signIn(email, headers);
    }
    expect(passed.filter((status) => status === 400)).toHaveLength(5);
  });

  test('a proof is bound to its call, address and network', async () => {
    const { ip, email, work } = await overLimit();
    const other = await overLimit();
    const headers = solved(work);
    expect((await resend({ ip, headers })).status).toBe(429);
    expect((await resend({ ip: other.ip, email, headers })).status).toBe(429);
    const register = (email: string) =>
      t.call('POST', '/api/users/auth/register/', { body: { email }, ip, headers });
    expect((await register(email)).status).toBe(429);
    expect((await resend({ ip, email, headers })).status).toBe(200);
  });

  test('a proof is valid for two minutes', async () => {
    const { ip, email, work } = await overLimit();
    const left_s = (Date.parse(work.expires_at) - t.clock.now().getTime()) / 1000;
    expect(left_s).toBeGreaterThan(110);
    expect(left_s).toBeLessThanOrEqual(120);
    t.clock.advance(2 * MINUTE);
    expect((await resend({ ip, email, headers: solved(work) })).status).toBe(429);
  });

  test('a proof needs as many zero bits as its salt says; a changed salt is invalid', async () => {
    const { ip, email, work } = await overLimit();
    const proof = solved(work)['x-work'] ?? '';
    const useless = Array.from({ length: 9 }, (_, n) => `${work.salt}:${n}`).find(
      (one) => one !== proof,
    );
    for (const made of [
      useless,
      useless?.replace('.8.', '.0.'),
      proof.replace('.8.', '.0.'),
      proof.replace(':', ':0'),
      proof.replace(/.(?=.{10}:)/, (one) => (one === 'A' ? 'B' : 'A')),
      'x'.repeat(4_000),
    ])
      expect((await resend({ ip, email, headers: { 'x-work': made ?? '' } })).status).toBe(429);
    expect((await resend({ ip, email, headers: solved(work) })).status).toBe(200);
  });

  test('an invalid proof costs no statement', async () => {
    const { ip, email, work } = await overLimit();
    const connect = vi.spyOn(t.pool, 'connect');
    for (let n = 0; n < 10; n += 1) {
      const made = { 'x-work': `${work.salt.replace(/^./, '_')}:${n}` };
      expect((await resend({ ip, email, headers: made })).status).toBe(429);
    }
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  test('the work grows with the network’s use, up to fourfold', async () => {
    const { ip, work } = await overLimit();
    const seen = new Set([work.bits]);
    for (let n = 0; n < 120; n += 1) {
      const email = anEmail();
      const { body } = await resend({ ip, email });
      seen.add(body.work.bits);
      expect((await resend({ ip, email, headers: solved(body.work) })).status).toBe(200);
    }
    expect([...seen]).toEqual([8, 9, 10]);
  });

  test.each(['teams/join', 'contests'])(
    'P67: wrong codes at /api/%s/ grow it too',
    async (path) => {
      const ip = makeIp();
      const open = (headers = {}) => t.call('GET', `/api/${path}/AAAAAA/`, { ip, headers });
      for (let n = 0; n < 60; n += 1) expect((await open()).status).toBe(404);
      const seen = new Set<number>();
      for (let n = 0; n < 180; n += 1) {
        const { work } = (await open()).body;
        seen.add(work.bits);
        // A guest there is never refused for good.
        if (n % 20 === 0) expect((await open(solved(work))).status).toBe(404);
      }
      expect([...seen]).toEqual([8, 9, 10]);
    },
  );

  test('P79g: work lifts the limit of a network, but not that of an address', async () => {
    const ip = makeIp();
    const email = anEmail();
    for (let n = 0; n < 5; n += 1) {
      expect((await resend({ ip, email })).status).toBe(200);
      t.clock.advance(MINUTE);
    }
    const { status, body } = await resend({ ip, email });
    expect(status).toBe(429);
    expect((await resend({ ip, email, headers: solved(body.work) })).status).toBe(429);
  });
});

describe('P79b: a venue', () => {
  test('a network from which a machine has called within a day has ten times the limit', async () => {
    const ip = makeIp();
    const { key } = await makeMachine(t);
    const calls = async () => {
      const answers = [];
      for (let n = 0; n < 210; n += 1) answers.push(await resend({ ip }));
      return answers.filter(({ status }) => status === 200).length;
    };
    expect((await t.call('GET', '/api/machine/', { as: { key }, ip })).status).toBe(200);
    expect(await calls()).toBe(200);
    t.clock.advance(24 * 60 * MINUTE);
    expect(await calls()).toBe(20);
  });

  test('a call with a wrong key does not mark its network as a venue’s', async () => {
    const ip = makeIp();
    const { key } = await makeMachine(t);
    const other = await makeMachine(t);
    await t.db
      .updateTable('machines')
      .set({ revoked_at: t.clock.now() })
      .where('id', '=', other.id)
      .execute();
    for (const wrong of [`${key.slice(0, -1)}_`, other.key])
      await t.call('GET', '/api/machine/', { as: { key: wrong }, ip });
    for (let n = 0; n < 20; n += 1) await resend({ ip });
    expect((await resend({ ip })).status).toBe(429);
  });
});
