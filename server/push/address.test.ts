import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { authOf, endpointOf, isPublic, judged, pointOf } from './address.ts';

const HOSTS = ['fcm.googleapis.com', '*.push.apple.com', '*.notify.windows.com'];

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://web.push.apple.com/QGr?x=1',
  'https://a.b.notify.windows.com/w/?token=1',
])('PUSH-50: a notification may go to %s', (endpoint) => {
  expect(endpointOf(endpoint, HOSTS)?.href).toBe(endpoint);
});

test.each([
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com@10.0.0.1/',
  'https://fcm.googleapis.com:x@10.0.0.1/',
  'https://user@fcm.googleapis.com/',
  'https://fcm.googleapis.com.evil.test/',
  'https://evilpush.apple.com/',
  'https://push.apple.com/',
  'https://.push.apple.com/',
  'https://..push.apple.com/',
  'https://evilpush.apple.com./',
  'https://web.push.apple.com./',
  'https://web.push.аpple.com/',
  'https://web.push.xn--pple-43d.com/',
  'https://fcm.googleapis.com:8443/',
  'https://fcm.googleapis.com:443/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.0.0.1/',
  'https://fcm.googleapis.com/#x',
  'https://fcm.googleapis.com\\@10.0.0.1/',
  'https://FCM.googleapis.com/',
  'https://fcm.googleapis.com/\n',
  ' https://fcm.googleapis.com/',
  'https:fcm.googleapis.com/',
  'file:///etc/passwd',
  `https://fcm.googleapis.com/${'x'.repeat(1_000)}`,
  '',
])('P69: a notification may not go to %j', (endpoint) => {
  expect(endpointOf(endpoint, HOSTS)).toBeNull();
});

test('P69: only addresses of the public internet are public', () => {
  const not = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.0.1 192.168.1.1 198.18.0.1
    224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::8.8.8.8 fe80::1 fc00::1 fd12::1 ff02::1
    64:ff9b::8.8.8.8 2001:db8::1 2002:a00:1::1 2001::1`;
  for (const address of not.split(/\s+/))
    expect([address, isPublic(address)]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '142.250.1.1', '2a00:1450:4001::1', '2606:4700::1'])
    expect([address, isPublic(address)]).toEqual([address, true]);
});

test('P69: a connection uses the addresses that were checked, even if the next look-up differs', async () => {
  const answers: LookupAddress[][] = [
    [{ address: '8.8.8.8', family: 4 }],
    [{ address: '10.0.0.1', family: 4 }],
    [
      { address: '8.8.8.8', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ],
  ];
  const lookup = judged((_host, _options, done) => done(null, answers.shift() ?? []));
  const ask = (all: boolean) =>
    new Promise((resolve) =>
      lookup('fcm.googleapis.com', { all }, (error, found) => resolve(error?.code ?? found)),
    );
  expect(await ask(false)).toBe('8.8.8.8');
  expect(await ask(true)).toBe('EADDRESS');
  expect(await ask(true)).toBe('EADDRESS');
  expect(await ask(true)).toBe('EADDRESS');
});

test('P69: only a point on the curve and a secret of 16 bytes are accepted as keys', () => {
  const point =
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  expect(pointOf(point)).toHaveLength(65);
  const bytes = Buffer.from(point, 'base64url');
  const moved = Buffer.from(bytes);
  moved[64] = (moved[64] ?? 0) ^ 1;
  for (const bad of [
    moved,
    bytes.subarray(0, 64),
    Buffer.alloc(65),
    Buffer.from([0]),
    Buffer.alloc(65, 4),
  ])
    expect(pointOf(bad.toString('base64url'))).toBeNull();
  expect(pointOf('not base64url!')).toBeNull();
  expect(authOf('BTBZMqHH6r4Tts7J_aSIgg')).toHaveLength(16);
  expect(authOf('BTBZMqHH6r4Tts7J_aSI')).toBeNull();
});
