import { expect, it } from 'vitest';
import { MAX_SCORE_DEFAULT } from '#contract/rules/games.ts';
import { gamesWanted, makePerson, type Person, playGame, rest, seeded } from './people.ts';

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const person = (changes: Partial<Person>): Person => ({
  ...makePerson('code', 'Maya', seeded(1)),
  skill: 0.6,
  form: 0,
  ...changes,
});
const ability = (changes: Partial<Person>) => {
  const random = seeded(7);
  return mean(Array.from({ length: 400 }, () => playGame(person(changes), random).score));
};

it('repeats a run only if the seed is the same', () => {
  const evening = (seed: number) => {
    const random = seeded(seed);
    const one = makePerson('code', 'Maya', random);
    return Array.from({ length: 10 }, () => playGame(one, random));
  };
  expect(evening(3)).toEqual(evening(3));
  expect(evening(3)).not.toEqual(evening(4));
});

it('plays games within the limits of machine and server', () => {
  const random = seeded(5);
  for (let somebody = 0; somebody < 300; somebody += 1) {
    const one = makePerson('code', 'Maya', random);
    for (let game = 0; game < 10; game += 1) {
      const played = playGame(one, random);
      expect(played.score).toBeLessThan(MAX_SCORE_DEFAULT / 5);
      expect(Number.isInteger(played.score) && played.score >= 0).toBe(true);
      expect(played.shots_made).toBeLessThanOrEqual(played.shots_attempted);
      expect(played.shots_attempted).toBeLessThan(80);
      expect(one.fatigue).toBeGreaterThan(0);
      expect(one.fatigue).toBeLessThanOrEqual(1);
    }
  }
});

it('rewards skill and form, and penalises fatigue until the player has rested', () => {
  expect(ability({ skill: 0.8 })).toBeGreaterThan(1.4 * ability({ skill: 0.5 }));
  expect(ability({ form: 0.1 })).toBeGreaterThan(ability({ form: -0.1 }));
  expect(ability({ fatigue: 1 })).toBeLessThan(0.8 * ability({ fatigue: 0 }));
  const tired = person({ fatigue: 1 });
  rest(tired, 10 * 60, seeded(1));
  expect(tired.fatigue).toBeCloseTo(0.5);
  rest(tired, 60 * 60, seeded(1));
  expect(tired.fatigue).toBe(0);
});

it('a player wants one to four games, but only one when exhausted', () => {
  const random = seeded(2);
  const wanted = (fatigue: number) =>
    Array.from({ length: 200 }, () => gamesWanted(person({ fatigue }), random));
  expect(Math.min(...wanted(0))).toBe(1);
  expect(Math.max(...wanted(0))).toBe(4);
  expect(Math.max(...wanted(1))).toBe(1);
});

it('scores a few hundred points on average, with a realistic spread', () => {
  const random = seeded(11);
  const scores = Array.from(
    { length: 2000 },
    () => playGame(makePerson('code', 'Maya', random), random).score,
  );
  expect(mean(scores)).toBeGreaterThan(200);
  expect(mean(scores)).toBeLessThan(450);
  const spread = Math.sqrt(mean(scores.map((score) => (score - mean(scores)) ** 2)));
  expect(spread).toBeGreaterThan(40);
});
