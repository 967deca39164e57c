import { expect, test } from 'vitest';
import { playerHere, withPlayerHere } from './here.ts';

const STORED = { uuid: 'u1', username: 'maya', avatar_color: '#DB8537', jersey_number: '07' };
const demo = (uuid: string) => ({ ...STORED, uuid, team: null, demo_account: false });

test('HAND-93 the player of this browser is listed first, and only once', () => {
  const here = playerHere(() => JSON.stringify({ ...STORED, email: 'a@b.c' }));
  expect(here).toEqual({ ...demo('u1'), here: true });
  const all = withPlayerHere([demo('u0'), demo('u1')], here);
  expect(all.map(({ uuid, here: mine }) => [uuid, mine])).toEqual([
    ['u1', true],
    ['u0', undefined],
  ]);
});

test.each([
  ['nobody is signed in', () => null],
  ['what is stored is no user', () => '"x"'],
  ['the profile is not complete', () => JSON.stringify({ ...STORED, username: '' })],
  ['what is stored is broken', () => '{'],
  [
    'storage is blocked',
    () => {
      throw new Error('SecurityError');
    },
  ],
])('HAND-93 when %s, the list has only the demo players', (_, read) => {
  expect(playerHere(read)).toBeNull();
  expect(withPlayerHere([demo('u0')], null)).toEqual([demo('u0')]);
});
