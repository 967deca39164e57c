import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { KEYS } from '../api/queries.ts';
import { askedBy } from './queries.ts';

test('FRIEND-02: a code that was answered or replaced elsewhere is shown as ended, and forgotten', () => {
  const removeItem = vi.fn();
  vi.stubGlobal('sessionStorage', { removeItem });
  const client = new QueryClient();
  const [expires_at, other] = ['2026-11-27T21:49:00.000Z', '2026-11-27T21:55:00.000Z'];
  const shown = { code: 'AAAABBBB', expires_at };
  client.setQueryData(KEYS.friendCode, shown);
  const live = { asked_by: null, expires_at };
  expect(askedBy(client, expires_at, live)).toBe(live);
  // A late answer about an earlier code changes nothing.
  expect(askedBy(client, other, null)).toBeNull();
  expect(client.getQueryData(KEYS.friendCode)).toEqual(shown);
  expect(removeItem).not.toHaveBeenCalled();
  for (const now of [null, { ...live, expires_at: other }]) {
    client.setQueryData(KEYS.friendCode, shown);
    expect(askedBy(client, expires_at, now)).toBeNull();
    expect(client.getQueryData(KEYS.friendCode)).toEqual({
      ...shown,
      expires_at: '1970-01-01T00:00:00.000Z',
    });
  }
  expect(removeItem).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});
