import { expect, it } from 'vitest';
import { linkReturnAt, methodsText } from './SignInMethods.tsx';

it.each([
  [['your password'], 'With your password.'],
  [['Google'], 'With Google.'],
  [['your password', 'Google'], 'With your password or with Google.'],
  [['your password', 'Google', 'Acme ID'], 'With your password, with Google or with Acme ID.'],
])('PROD-54: the methods %j read “%s”', (names, text) => {
  expect(methodsText(names)).toBe(text);
});

it.each([
  ['?linked=oidc', null, { id: 'oidc', problem: null }],
  ['?linked=google', { error: 'No.' }, { id: 'google', problem: 'No.' }],
  ['?linked=other', null, null],
  ['?delete', { error: 'No.' }, null],
  ['', null, null],
])('PROD-54: the return from linking at %s with the state %j is %j', (query, state, found) => {
  expect(linkReturnAt(query, state)).toEqual(found);
});
