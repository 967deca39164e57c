import { expect, it } from 'vitest';
import type { User } from '#contract/wire/profile.ts';
import { consequencesOf } from './DeleteAccount.tsx';

const maya: User = {
  uuid: '4f0e8f3a-1c1b-4c5e-9a51-3f1b7a0a2f11',
  email: 'maya@example.com',
  username: 'Maya_Banks',
  profile_setup_complete: true,
  has_set_password: true,
  sign_in_methods: ['password', 'google'],
  date_of_birth: '2004-09-14',
  avatar_color: '#DB8537',
  jersey_number: '07',
  league_mode_enabled: true,
  team: { name: 'Brick City Bankers' },
  visibility: 'players',
  visibility_max: 'venue',
  visibility_question: false,
  user_stat: { games_played: 148, highscore: 611, avg_score: 352 },
};
const CARDS = 'Your username, jersey and code; your printed cards stop working';

it('names what is lost and what stays', () => {
  expect(consequencesOf(maya, 9, ['Google'])).toEqual({
    lost: [
      'Your email, password, birth date and Google link',
      CARDS,
      'Your place on Brick City Bankers and your 9 achievements',
    ],
    kept: ['148 game scores stay in team results, with no name on them'],
  });
});

it.each<[Partial<User>, number | undefined, string[]]>([
  [{ team: null }, 1, ['Your achievement']],
  [{}, 0, ['Your place on Brick City Bankers']],
  [{}, undefined, ['Your place on Brick City Bankers and your achievements']],
  [{ team: null }, 0, []],
])('deleting a player with %o and %s achievements removes %o', (changes, won, held) => {
  expect(consequencesOf({ ...maya, ...changes }, won, []).lost.slice(2)).toEqual(held);
});

it.each([
  [0, null, []],
  [1, null, ['1 game score stays, with no name on it']],
  [1, maya.team, ['1 game score stays in team results, with no name on it']],
  [2, null, ['2 game scores stay, with no name on them']],
])('after %i games with team %o, %o stays', (games_played, team, kept) => {
  const user_stat = { ...maya.user_stat, games_played };
  expect(consequencesOf({ ...maya, team, user_stat }, 3, []).kept).toEqual(kept);
});

it('names only the sign-in methods that the account has', () => {
  const first = (sign_in_methods: User['sign_in_methods'], linked: string[]) =>
    consequencesOf({ ...maya, sign_in_methods }, 9, linked).lost[0];
  expect(first(['google'], ['Google'])).toBe('Your email, birth date and Google link');
  expect(first(['google', 'oidc'], ['Google', 'Acme ID'])).toBe(
    'Your email, birth date, Google link and Acme ID link',
  );
  expect(first(['password'], [])).toBe('Your email, password and birth date');
});
