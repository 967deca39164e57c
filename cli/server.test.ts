import { expect, test } from 'vitest';
import { findTarget } from './server.ts';

const target = (url: string) => findTarget({ BACKBOARD_URL: url, BACKBOARD_OPERATOR_KEY: 'key' });

test('P49: the operator key leaves this computer by https only', () => {
  for (const url of [
    'http://play.example.com',
    'http://192.168.1.20:3000',
    'http://0.0.0.0:3000',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'HTTP://play.example.com',
  ])
    expect(() => target(url), url).toThrow(/by https only. Use https:\/\/, or run/);
  for (const url of ['https://play.example.com', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(target(url).url).toBe(url);
});

test('P49: the key goes to the server on 127.0.0.1, not to another listener on ::1', () => {
  for (const url of ['', 'http://localhost:3000', 'http://app.localhost:3000'])
    expect(target(url).url).toBe('http://127.0.0.1:3000');
});
