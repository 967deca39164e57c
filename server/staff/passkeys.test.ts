import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeIp } from '#testing/app/make.ts';
import { type Answer, OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { makeAuthenticator } from '#testing/authenticator.ts';
import { serverLogger } from '../log.ts';
import { canHavePasskeys, NO_PASSKEY } from './passkeys.ts';

const t = withApp({}, serverLogger('info', { write: (line) => void lines.push(line) }));
const lines: string[] = [];

const ORIGIN = 'http://localhost:3000';
const REFUSED = { status: 400, body: { detail: NO_PASSKEY } };

function browser() {
  const cookies = new Map<string, string>();
  const ip = makeIp();
  return {
    cookies,
    async post(path: string, body?: object): Promise<Answer> {
      const answer = await t.call('POST', `/api/console/${path}`, {
        ...(body === undefined ? {} : { body }),
        headers: {
          origin: ORIGIN,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ip,
      });
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [name = '', value = ''] = String(set).split(';')[0]?.split('=') ?? [];
        cookies.set(name, value);
      }
      return answer;
    },
  };
}

async function invite(): Promise<{ name: string; token: string }> {
  const name = `Staff ${randomUUID()}`;
  const { body } = await t.call('POST', '/api/operator/staff/', {
    as: { key: OPERATOR_KEY },
    body: { name, role: 'manager' },
  });
  return { name, token: body.url.split('#')[1] };
}

type Bent = Parameters<ReturnType<typeof makeAuthenticator>['register']>[1];

async function registered(bent: Bent = {}) {
  const { name, token } = await invite();
  const [page, authenticator] = [browser(), makeAuthenticator(ORIGIN)];
  const options = await page.post('link/options/', { token });
  const response = authenticator.register(options.body, bent);
  const answer = await page.post('link/register/', { token, device: 'Bar tablet', response });
  return { name, token, page, authenticator, answer, response };
}

async function signIn(authenticator: ReturnType<typeof makeAuthenticator>, bent: Bent = {}) {
  const page = browser();
  const options = await page.post('sign-in/options/');
  const response = authenticator.signIn(options.body, bent);
  return { page, response, answer: await page.post('sign-in/', { response }) };
}

test('P60: a link registers a passkey and signs in, and later the passkey alone signs in', async () => {
  const { name, page, authenticator, answer, token } = await registered();
  expect(answer.status).toBe(204);
  const who = (cookie: string | undefined) =>
    t.call('GET', '/api/console/me/', { headers: { cookie: `backboard_staff=${cookie}` } });
  const first = page.cookies.get('backboard_staff');
  expect((await who(first)).body).toMatchObject({
    name,
    session: { kind: 'passkey', device: 'Bar tablet' },
  });
  const used = await browser().post('link/', { token });
  expect(used.status).toBe(404);
  const later = await signIn(authenticator);
  expect(later.answer.status).toBe(204);
  const second = later.page.cookies.get('backboard_staff');
  expect((await who(second)).body).toMatchObject({ name });
  expect(second).not.toBe(first);
});

describe('P60: a registration is refused', () => {
  test('for another relying party, another site, or without verification of the user', async () => {
    for (const bent of [
      { rpId: 'evil.example' },
      { origin: 'https://evil.example' },
      { verified: false },
    ])
      expect((await registered(bent)).answer).toMatchObject(REFUSED);
  });

  test('with certificates, before the library fetches the revocation lists that they name', async () => {
    expect((await registered({ format: 'packed' })).answer.status).toBe(204);
    for (const bent of [
      { format: 'android-key', certificates: [Buffer.from('leaf'), Buffer.from('root')] },
      { format: 'packed', certificates: [Buffer.from('leaf')] },
      { format: 'packed', certificates: [] },
    ] as const) {
      lines.length = 0;
      const { certificates, format } = bent;
      const { answer } = await registered({ format, certificates: [...certificates] });
      expect(answer).toMatchObject(REFUSED);
      expect(lines.join()).toContain('"reason":"attestation"');
    }
  });

  test('with transports that are no list of words', async () => {
    for (const transports of ['usb', { usb: true }, [1], ['x'.repeat(41)]])
      expect((await registered({ transports })).answer).toMatchObject(REFUSED);
  });

  test('for the 21st device of a person, even if its options were made before there were 20', async () => {
    const { page } = await registered();
    const asked = [];
    for (let n = 0; n < 21; n += 1) {
      const { body } = await page.post('devices/options/');
      asked.push({ options: body, challenge: page.cookies.get('backboard_challenge') ?? '' });
    }
    const statuses: number[] = [];
    for (const { options, challenge } of asked) {
      page.cookies.set('backboard_challenge', challenge);
      const response = makeAuthenticator(ORIGIN).register(options);
      statuses.push((await page.post('devices/', { device: 'Phone', response })).status);
    }
    expect(statuses).toEqual([...Array(19).fill(204), 400, 400]);
  });

  test('a second time with the same challenge, after 5 minutes, and in another browser', async () => {
    const { token } = await invite();
    const authenticator = makeAuthenticator(ORIGIN);
    const [page, other] = [browser(), browser()];
    const { body: options } = await page.post('link/options/', { token });
    const send = (from: typeof page, at = authenticator.register(options)) =>
      from.post('link/register/', { token, device: 'Phone', response: at });
    expect(await send(other)).toMatchObject(REFUSED);
    expect(await send(page, authenticator.register(options, { verified: false }))).toMatchObject(
      REFUSED,
    );
    // The failed attempt used up the challenge.
    expect(await send(page)).toMatchObject(REFUSED);
    const { body: late } = await page.post('link/options/', { token });
    t.clock.advance(5 * 60_000);
    expect(await send(page, authenticator.register(late))).toMatchObject(REFUSED);
    const { body: good } = await page.post('link/options/', { token });
    t.clock.advance(5 * 60_000 - 10_000);
    expect((await send(page, authenticator.register(good))).status).toBe(204);
  });

  test('with the link of another person', async () => {
    const [one, other] = [await invite(), await invite()];
    const [page, authenticator] = [browser(), makeAuthenticator(ORIGIN)];
    const { body: options } = await page.post('link/options/', { token: one.token });
    const response = authenticator.register(options);
    const answer = await page.post('link/register/', {
      token: other.token,
      device: 'Phone',
      response,
    });
    expect(answer).toMatchObject(REFUSED);
  });

  test('P61: for one of two simultaneous uses of a link', async () => {
    const { token } = await invite();
    const answers = await Promise.all(
      [browser(), browser()].map(async (page) => {
        const { body: options } = await page.post('link/options/', { token });
        const response = makeAuthenticator(ORIGIN).register(options);
        return page.post('link/register/', { token, device: 'Phone', response });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});

describe('P60: a sign-in is refused', () => {
  test('for another relying party, another site, without verification, and an unknown passkey', async () => {
    const { authenticator } = await registered();
    for (const bent of [
      { rpId: 'evil.example' },
      { origin: 'https://evil.example' },
      { verified: false },
    ])
      expect((await signIn(authenticator, bent)).answer).toMatchObject(REFUSED);
    expect((await signIn(makeAuthenticator(ORIGIN))).answer).toMatchObject(REFUSED);
    expect((await signIn(authenticator)).answer.status).toBe(204);
  });

  test('P42: with a fixed reason in the log, whatever the request says', async () => {
    const { authenticator } = await registered();
    lines.length = 0;
    const origin = 'https://maya@example.com/\u009b2J\u202e';
    await signIn(authenticator, { origin });
    await registered({ origin });
    await signIn(authenticator, { rpId: 'evil.example' });
    await signIn(authenticator, { verified: false });
    await signIn(authenticator, { counter: 0 });
    const reasons = lines.flatMap((line) => {
      const { event, reason } = JSON.parse(line);
      return event === 'passkey_refused' ? [reason] : [];
    });
    expect(reasons).toEqual(['origin', 'origin', 'relying party', 'user verification', 'counter']);
    expect(lines.join('')).not.toMatch(/maya|[\u009b\u202e]/);
  });

  test('when the counter goes back, and when a response is sent again', async () => {
    const { authenticator } = await registered({ counter: 10 });
    const first = await signIn(authenticator, { counter: 20 });
    expect(first.answer.status).toBe(204);
    expect(await first.page.post('sign-in/', { response: first.response })).toMatchObject(REFUSED);
    expect((await signIn(authenticator, { counter: 20 })).answer).toMatchObject(REFUSED);
    expect((await signIn(authenticator, { counter: 5 })).answer).toMatchObject(REFUSED);
    expect((await signIn(authenticator, { counter: 21 })).answer.status).toBe(204);
  });

  test('for a removed passkey, or a passkey of a removed person, and their sessions end', async () => {
    const [one, other] = [await registered(), await registered()];
    const operator = (path: string, body: object) =>
      t.call('POST', `/api/operator/staff/${path}/`, { as: { key: OPERATOR_KEY }, body });
    const staff = await t.call('GET', '/api/operator/staff/', { as: { key: OPERATOR_KEY } });
    const { devices } = staff.body.results.find((row: { name: string }) => row.name === one.name);
    await operator('remove-device', { staff: one.name, device: devices[0].id });
    await operator('remove', { staff: other.name });
    for (const { authenticator, page } of [one, other]) {
      expect((await signIn(authenticator)).answer).toMatchObject(REFUSED);
      const cookie = `backboard_staff=${page.cookies.get('backboard_staff')}`;
      expect((await t.call('GET', '/api/console/me/', { headers: { cookie } })).status).toBe(401);
    }
  });

  test('with an answer to the options of a registration', async () => {
    const { authenticator } = await registered();
    const page = browser();
    const { token } = await invite();
    const { body: options } = await page.post('link/options/', { token });
    const response = authenticator.signIn(options);
    expect(await page.post('sign-in/', { response })).toMatchObject(REFUSED);
  });
});

test.each([
  ['https://play.example.com', true],
  ['http://localhost:3000', true],
  ['http://play.example.com', false],
  ['http://192.168.1.20:3000', false],
  ['https://192.168.1.20', false],
  ['https://[::1]', false],
])('STAFF-04: whether %s can have passkeys: %s', (public_url, can) => {
  expect(canHavePasskeys({ public_url })).toBe(can);
});
