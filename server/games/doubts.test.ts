import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_GAMES_MAX, SHORTEST_GAME_S } from '#contract/rules/games.ts';
import { heldReasonOf, type TimedGame } from './doubts.ts';

const HOUR = 3_600_000;
const at = (ms: number, fields: Partial<TimedGame> = {}) => ({
  machine_id: 1,
  played_at: new Date(Date.UTC(2026, 0, 5) + ms),
  duration_s: null,
  score: 100,
  ...fields,
});
const MAX_SCORE = 9999;

test('a game above the maximum score is held, and a game with exactly the maximum is not', () => {
  expect(heldReasonOf({ ...at(0), score: MAX_SCORE }, [], MAX_SCORE)).toBeNull();
  expect(heldReasonOf({ ...at(0), score: MAX_SCORE + 1 }, [], MAX_SCORE)).toBe('over_max_score');
});

test('overlapping games on two machines are held, and adjoining ones are not', () => {
  const long = at(0, { duration_s: 60 });
  const unknown = at(0);
  const other = (ms: number) => at(ms, { machine_id: 2, duration_s: 10 });
  expect(heldReasonOf(other(60_000), [long], MAX_SCORE)).toBeNull();
  expect(heldReasonOf(other(59_999), [long], MAX_SCORE)).toBe('two_machines');
  expect(heldReasonOf(other(-10_000), [long], MAX_SCORE)).toBeNull();
  expect(heldReasonOf(other(-9_999), [long], MAX_SCORE)).toBe('two_machines');
  expect(heldReasonOf(other(SHORTEST_GAME_S * 1000), [unknown], MAX_SCORE)).toBeNull();
  expect(heldReasonOf(other(SHORTEST_GAME_S * 1000 - 1), [unknown], MAX_SCORE)).toBe(
    'two_machines',
  );
  expect(heldReasonOf(at(1), [at(0)], MAX_SCORE)).toBeNull();
});

test('a game is held if an hour would have more games than one person can play', () => {
  const step = fc.integer({ min: 20_000, max: 40_000 });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: HOUR_GAMES_MAX - 5, maxLength: HOUR_GAMES_MAX + 60 }),
      fc.nat(),
      (steps, pick) => {
        let now = 0;
        const games = steps.map((ms) => {
          now += ms;
          return at(now);
        });
        const which = pick % games.length;
        const game = games[which] ?? at(0);
        const others = games.toSpliced(which, 1);
        const times = games.map(({ played_at }) => played_at.getTime());
        const time = game.played_at.getTime();
        const isFull = times.some(
          (from) =>
            from <= time &&
            time < from + HOUR &&
            times.filter((one) => from <= one && one < from + HOUR).length > HOUR_GAMES_MAX,
        );
        expect(heldReasonOf(game, others, MAX_SCORE)).toBe(isFull ? 'too_many_games' : null);
      },
    ),
  );
});
