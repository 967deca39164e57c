import { beforeEach, expect, test, vi } from 'vitest';
import type { PushAnswer } from '#contract/wire/push.ts';
import type { Client } from '../api/client.ts';
import { followBrowser } from './push.ts';

const KEY = Buffer.from('our key').toString('base64url');
const OTHER = Buffer.from('old key').toString('base64url');
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

let calls: string[];
let told: Map<string, string>;

/** A browser with this permission and a subscription of this key, and what it is asked to do. */
function browser(permission: NotificationPermission, key: string | null) {
  const subscriptionOf = (of: string) => ({
    endpoint: `https://fcm.googleapis.com/${of}`,
    options: { applicationServerKey: Uint8Array.from(Buffer.from(of, 'base64url')).buffer },
    toJSON: () => ({ endpoint: `https://fcm.googleapis.com/${of}`, keys: {} }),
    unsubscribe: async () => void calls.push('unsubscribe'),
  });
  const pushManager = {
    getSubscription: async () => (key === null ? null : subscriptionOf(key)),
    subscribe: async () => {
      calls.push('subscribe');
      return subscriptionOf(KEY);
    },
  };
  vi.stubGlobal('window', { Notification: {} });
  vi.stubGlobal('Notification', { permission });
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve({ pushManager }) } });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => told.get(name) ?? null,
    setItem: (name: string, value: string) => void told.set(name, value),
  });
}

const api = {
  put: async () => void calls.push('put'),
  delete: async () => void calls.push('delete'),
} as unknown as Client;

const answer = (device: boolean): PushAnswer => ({
  public_key: KEY,
  kinds: { my_game: true, my_week: true, nudge: true, duel: true, passed: true },
  locked: [],
  ask: true,
  devices: device ? [{ id: '1', client: 'X', since: '', seen_at: '', current: true }] : [],
});

beforeEach(() => {
  calls = [];
  told = new Map();
});

test.each<[NotificationPermission, string | null, boolean, string[]]>([
  ['default', null, false, []],
  ['default', null, true, []],
  ['denied', null, false, []],
  ['denied', null, true, ['delete']],
  // Turned off by the player: it stays off.
  ['granted', null, false, []],
  ['granted', null, true, ['subscribe', 'put']],
  ['granted', KEY, false, ['put']],
  ['granted', KEY, true, ['put']],
  ['granted', OTHER, true, ['unsubscribe', 'subscribe', 'put']],
])(
  'PUSH-33 permission %s, subscription %s, device %s: %j',
  async (permission, key, device, done) => {
    browser(permission, key);
    await followBrowser(api, answer(device));
    expect(calls).toEqual(done);
  },
);

test('PUSH-33 the same address and zone are told once a visit, another zone again', async () => {
  browser('granted', KEY);
  await followBrowser(api, answer(true));
  await followBrowser(api, answer(true));
  expect(calls).toEqual(['put']);
  told.set('push', `https://fcm.googleapis.com/${KEY} Mars/${ZONE}`);
  await followBrowser(api, answer(true));
  expect(calls).toEqual(['put', 'put']);
});
