import { expect, it } from 'vitest';
import { dropLink, keepLink, keptLink } from './reset-link.ts';

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

it('P34: a reset link is kept until it is used', () => {
  const storage = memory();
  expect(keptLink(storage)).toBeNull();
  keepLink({ email: 'maya@example.com', token: 'secret' }, storage);
  expect(keptLink(storage)).toEqual({ email: 'maya@example.com', token: 'secret' });
  dropLink(storage);
  expect(keptLink(storage)).toBeNull();
});

it('PROD-167: with full storage, the page keeps the link in memory', () => {
  const storage = memory();
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  keepLink({ email: 'maya@example.com', token: 'secret' }, storage);
  expect(keptLink(storage)).toEqual({ email: 'maya@example.com', token: 'secret' });
  dropLink(storage);
  expect(keptLink(storage)).toBeNull();
});

it.each(['', '{', '3', '{"email":"a@b.cd"}', '{"email":1,"token":"t"}'])(
  '%j is no link',
  (text) => {
    const storage = memory();
    storage.setItem('reset_link', text);
    expect(keptLink(storage)).toBeNull();
  },
);
