import { beforeEach, expect, test, vi } from 'vitest';
import type { PushAnswer } from '#contract/wire/push.ts';
import { ApiError, type Client } from '../api/client.ts';
import { followBrowser, turnOff, turnOn } from './push.ts';
import { unsubscribe } from './unsubscribe.ts';

const KEY = Buffer.from('our key').toString('base64url');
const OTHER = Buffer.from('old key').toString('base64url');
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const endpointOf = (of: string) => `https://fcm.googleapis.com/${of}`;

let calls: string[];
let told: Map<string, string>;

/** Fakes a browser with this permission and a subscription of this key, and records its calls. */
function browser(permission: NotificationPermission, key: string | null) {
  const subscriptionOf = (of: string, endpoint = endpointOf(of)) => ({
    endpoint,
    options: { applicationServerKey: Uint8Array.from(Buffer.from(of, 'base64url')).buffer },
    toJSON: () => ({ endpoint, keys: {} }),
    unsubscribe: async () => void calls.push('unsubscribe'),
  });
  const pushManager = {
    getSubscription: async () => (key === null ? null : subscriptionOf(key)),
    subscribe: async () => {
      calls.push('subscribe');
      return subscriptionOf(KEY, endpointOf('new'));
    },
  };
  vi.stubGlobal('window', { Notification: {} });
  vi.stubGlobal('Notification', { permission });
  vi.stubGlobal('navigator', {
    serviceWorker: {
      ready: Promise.resolve({ pushManager }),
      getRegistration: async () => ({ pushManager }),
    },
  });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => told.get(name) ?? null,
    setItem: (name: string, value: string) => void told.set(name, value),
    removeItem: (name: string) => void told.delete(name),
  });
}

const api = {
  put: async () => void calls.push('put'),
  delete: async (path: string) => void calls.push(`delete ${path.split('/').at(-1)}`.trim()),
} as unknown as Client;

const answer = (device: boolean, locked: PushAnswer['locked'] = []): PushAnswer => ({
  public_key: KEY,
  kinds: { my_game: true, my_week: true, nudge: true, duel: true, passed: true },
  locked,
  ask: true,
  devices: device ? [{ id: '1', client: 'X', since: '', seen_at: '', current: true }] : [],
});

beforeEach(() => {
  calls = [];
  told = new Map();
});

const toldText = (endpoint: string, zone = ZONE, at = Date.now()) => `${endpoint} ${zone} ${at}`;

type Subscribed = 'none' | 'ours' | 'of an old key';
const KEYS = { none: null, ours: KEY, 'of an old key': OTHER };

// This session has a device, which the server knows in this time zone or in another.
test.each<[NotificationPermission, Subscribed, 'same' | 'changed', string[]]>([
  ['granted', 'none', 'same', ['subscribe', 'put']],
  ['granted', 'none', 'changed', ['subscribe', 'put']],
  ['granted', 'ours', 'same', []],
  ['granted', 'ours', 'changed', ['put']],
  ['granted', 'of an old key', 'same', ['unsubscribe', 'subscribe', 'put']],
  ['granted', 'of an old key', 'changed', ['unsubscribe', 'subscribe', 'put']],
  ['denied', 'none', 'same', ['delete ?why=denied']],
  ['denied', 'none', 'changed', ['delete ?why=denied']],
  ['denied', 'ours', 'same', ['delete ?why=denied']],
  ['denied', 'ours', 'changed', ['delete ?why=denied']],
  ['denied', 'of an old key', 'same', ['delete ?why=denied']],
  ['denied', 'of an old key', 'changed', ['delete ?why=denied']],
  ['default', 'none', 'same', []],
  ['default', 'none', 'changed', []],
  ['default', 'ours', 'same', []],
  ['default', 'ours', 'changed', []],
  ['default', 'of an old key', 'same', []],
  ['default', 'of an old key', 'changed', []],
])(
  'PUSH-33 PUSH-T6 permission %s, subscription %s, zone %s: %j',
  async (permission, subscribed, zone, done) => {
    const key = KEYS[subscribed];
    browser(permission, key);
    told.set('push', toldText(endpointOf(key ?? ''), zone === 'same' ? ZONE : 'Mars/Olympus'));
    await followBrowser(api, answer(true));
    expect(calls).toEqual(done);
  },
);

// The player has turned notifications off, a push service has said wrongly that the device is gone
// (P78), or the session is new.
test.each<[NotificationPermission, Subscribed, boolean, string[]]>([
  ['granted', 'none', true, []],
  ['granted', 'none', false, []],
  ['granted', 'ours', true, ['put']],
  ['granted', 'ours', false, ['put']],
  ['granted', 'of an old key', true, ['unsubscribe', 'subscribe', 'put']],
  ['granted', 'of an old key', false, ['unsubscribe', 'subscribe', 'put']],
  ['denied', 'none', true, []],
  ['denied', 'ours', true, []],
  ['default', 'none', true, []],
])(
  'PUSH-33 without a device: permission %s, subscription %s, told by this player %s: %j',
  async (permission, subscribed, own, done) => {
    browser(permission, KEYS[subscribed]);
    if (own) told.set('push', toldText(endpointOf(KEY)));
    await followBrowser(api, answer(false));
    expect(calls).toEqual(done);
  },
);

test.each([
  [true, ['put']],
  [false, ['unsubscribe']],
])('P73 under age, a subscription that this player told of (%s): %j', async (own, done) => {
  browser('granted', KEY);
  if (own) told.set('push', toldText(endpointOf(KEY)));
  await followBrowser(api, answer(false, ['nudge', 'passed']));
  expect(calls).toEqual(done);
});

test.each<[Subscribed, string[]]>([
  ['ours', ['put', 'unsubscribe']],
  ['of an old key', ['unsubscribe', 'subscribe', 'put', 'unsubscribe']],
])('PUSH-33 turned off from another browser, subscription %s: %j', async (subscribed, done) => {
  browser('granted', KEYS[subscribed]);
  // The last subscription could not be told.
  told.set('push', toldText(endpointOf('told')));
  const refusing = {
    put: async (_: string, body: { former?: string; by_tap?: boolean }) => {
      calls.push('put');
      expect(body).toMatchObject({ former: endpointOf('told') });
      expect(body.by_tap).toBeUndefined();
      throw new ApiError('', 409, {});
    },
  } as unknown as Client;
  await followBrowser(refusing, answer(false));
  expect(calls).toEqual(done);
  expect(told.size).toBe(0);
});

test('what the player turns off is not told again', async () => {
  browser('granted', KEY);
  await followBrowser(api, answer(true));
  await turnOff(api, '1');
  expect(calls).toEqual(['put', 'delete', 'unsubscribe']);
  expect(told.size).toBe(0);
});

test('PUSH-36 after a sign-out, the next player gets a new subscription', async () => {
  browser('granted', KEY);
  await unsubscribe();
  expect(calls).toEqual(['unsubscribe']);
});

test('PUSH-33 the app sends address and time zone once a day, and again after a change', async () => {
  browser('granted', KEY);
  await followBrowser(api, answer(true));
  await followBrowser(api, answer(true));
  expect(calls).toEqual(['put']);
  told.set('push', toldText(endpointOf(KEY), `Mars/${ZONE}`));
  await followBrowser(api, answer(true));
  expect(calls).toEqual(['put', 'put']);
  told.set('push', toldText(endpointOf(KEY), ZONE, Date.now() - 24 * 3_600_000));
  await followBrowser(api, answer(true));
  expect(calls).toEqual(['put', 'put', 'put']);
});

test('PUSH-31 the player reads a sentence when the browser refuses to subscribe', async () => {
  browser('granted', null);
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: async () => 'granted',
  });
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.reject(new DOMException('permission denied', 'AbortError')) },
  });
  await expect(turnOn(api, KEY)).rejects.toThrow('This browser could not turn notifications on.');
});
