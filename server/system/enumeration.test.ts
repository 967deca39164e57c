import { beforeAll, describe, expect, test } from 'vitest';
import { makeIp, makePlayer } from '#testing/app/make.ts';
import { type Answer, withApp } from '#testing/app/test-app.ts';
import { withoutSalt } from '#testing/app/work.ts';
import { hashPassword } from '../accounts/passwords.ts';

/**
 * What a response or its time reveals about an account. By design, check-email and registration
 * reveal whether there is one (P19); other routes reveal nothing.
 */
const PASSWORD = 'quiet orange kite';
const PAIRS = 21;
/** By chance, more than 18 of 21 coins show the same side only once in 4,500 tries. */
const ONE_SIDE_MAX = 18;
/**
 * If one kind of address is slower in more than 18 of 21 pairs, 42 more pairs decide. By chance,
 * one kind is slower in more than 47 of all 63 pairs only once in 26,000 tries.
 */
const MORE_PAIRS = 42;
const ONE_SIDE_MAX_OF_ALL = 47;

const t = withApp();
let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
  // The first login creates the dummy hash of P15, so make it before measuring.
  await login('warm@example.com');
});

const post = (path: string, body: unknown) =>
  t.call('POST', `/api/users/${path}/`, { body, ip: makeIp() });
const login = (email: string) => post('auth/login', { email, password: 'another password' });
const requestLink = (email: string) => post('auth/request-password-reset', { email });

let people = 0;
const unknown = async () => `nobody${++people}@example.com`;
const known = async () => (await makePlayer(t, { password_hash })).email;
const passwordless = async () => (await makePlayer(t)).email;
const unproven = async () =>
  (await makePlayer(t, { password_hash, email_verified_at: null })).email;

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

describe('the response time is the same', () => {
  const CASES: [
    id: string,
    call: (email: string) => Promise<Answer>,
    who: () => Promise<string>,
  ][] = [
    ['P15: for logins with a known or an unknown address', login, known],
    ['P15: for logins with a passwordless or an unknown address', login, passwordless],
    ['P15: for logins with an unverified or an unknown address', login, unproven],
    ['P24: for link requests with a known or an unknown address', requestLink, known],
    ['P24: for link requests with an unverified or an unknown address', requestLink, unproven],
  ];

  const side = (slower: number, pairs: number) => Math.max(slower, pairs - slower);

  test.each(CASES)('%s', async (_id, call, who) => {
    const first = await compare(PAIRS, call, who);
    if (side(first, PAIRS) <= ONE_SIDE_MAX) return;
    const all = first + (await compare(MORE_PAIRS, call, who));
    expect(side(all, PAIRS + MORE_PAIRS)).toBeLessThanOrEqual(ONE_SIDE_MAX_OF_ALL);
  });

  /** In how many of the pairs the response for `who` took longer. */
  async function compare(
    pairs: number,
    call: (email: string) => Promise<Answer>,
    who: () => Promise<string>,
  ): Promise<number> {
    let slower = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const [one, other] = [await who(), await unknown()];
      // Measures both in turn, so that a busy computer slows down both kinds.
      const times = new Map<string, number>();
      for (const email of pair % 2 ? [one, other] : [other, one]) {
        times.set(email, await took(() => call(email)));
        // Work after the response would slow down the next call.
        await expect.poll(() => t.pool.idleCount).toBe(t.pool.totalCount);
      }
      if ((times.get(one) ?? 0) > (times.get(other) ?? 0)) slower += 1;
    }
    return slower;
  }

  test('the comparison detects extra work', async () => {
    let slower = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const plain = await took(() => t.call('GET', '/api/config/'));
      const more = await took(async () => {
        await t.call('GET', '/api/config/');
        for (let n = 0; n < 5; n += 1) await makePlayer(t);
      });
      if (more > plain) slower += 1;
    }
    expect(slower).toBeGreaterThan(ONE_SIDE_MAX);
  });
});

describe('the responses are the same', () => {
  async function series(call: (n: number) => Promise<Answer>, count: number) {
    const seen = [];
    for (let n = 0; n < count; n += 1) {
      const { status, body, headers } = await call(n);
      seen.push([status, withoutSalt(body), headers['retry-after'], Object.keys(headers).sort()]);
    }
    return seen;
  }
  const KINDS = { known, passwordless, unproven };

  test.each(Object.entries(KINDS))(
    'P16 P18 P79g: for logins below and above the rate limit, whether the account is %s or unknown',
    async (_, who) => {
      const tries = (email: string) => () => login(email);
      const ours = await series(tries(await who()), 24);
      expect(ours.map(([status]) => status)).toContain(429);
      expect(await series(tries(await unknown()), 24)).toEqual(ours);
    },
  );

  test.each(Object.entries(KINDS))(
    'P24: for requests for a link, whether the account is %s or unknown',
    async (_, who) => {
      const asks = (email: string) => () => requestLink(email);
      expect(await series(asks(await unknown()), 8)).toEqual(await series(asks(await who()), 8));
    },
  );

  test.each(Object.entries(KINDS))(
    'P23: for made-up links, whether the account is %s or unknown',
    async (_, who) => {
      const tries = (email: string) => (n: number) =>
        post('auth/reset-password', { email, token: `guess-${n}`, password: PASSWORD });
      expect(await series(tries(await unknown()), 8)).toEqual(await series(tries(await who()), 8));
    },
  );

  test.each(Object.entries({ known, passwordless, unknown }))(
    'P20 P22 P79g: for wrong codes and requests for new ones, whether the account is %s or unverified',
    async (_, who) => {
      const tries = (email: string) => (n: number) =>
        n % 2
          ? post('verify-email', { email, code: '000000' })
          : post('resend-verification', { email });
      // 60 wrong codes pause any address.
      const ours = await series(tries(await unproven()), 124);
      expect(ours.map(([status]) => status)).toContain(429);
      expect(await series(tries(await who()), 124)).toEqual(ours);
    },
  );
});
