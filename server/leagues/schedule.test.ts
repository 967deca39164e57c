import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundOf } from './schedule.ts';

const many = fc.integer({ min: 2, max: 31 });
const cycleOf = (teams: number) => teams - 1 + (teams % 2);
const cycle = (teams: number, which: number) =>
  Array.from({ length: cycleOf(teams) }, (_, at) => roundOf(teams, which * cycleOf(teams) + at));

test('in every round each team plays once or, of an odd number, one has a bye', () => {
  fc.assert(
    fc.property(many, fc.nat(200), (teams, round) => {
      const { pairs, bye } = roundOf(teams, round);
      const playing = pairs.flat();
      expect([...playing, ...(bye === null ? [] : [bye])].sort((a, b) => a - b)).toEqual(
        Array.from({ length: teams }, (_, at) => at),
      );
      expect(bye === null).toBe(teams % 2 === 0);
    }),
  );
});

test('in every cycle each two teams meet once, and everybody has as many byes', () => {
  fc.assert(
    fc.property(many, fc.nat(3), (teams, which) => {
      const rounds = cycle(teams, which);
      const met = rounds.flatMap(({ pairs }) =>
        pairs.map((pair) => pair.toSorted((a, b) => a - b).join(' ')),
      );
      expect(new Set(met).size).toBe(met.length);
      expect(met.length).toBe((teams * (teams - 1)) / 2);
      const byes = rounds.flatMap(({ bye }) => bye ?? []);
      expect(new Set(byes).size).toBe(teams % 2 === 0 ? 0 : teams);
    }),
  );
});

test('home and away differ by one at most, and the next cycle swaps them', () => {
  fc.assert(
    fc.property(many, (teams) => {
      const first = cycle(teams, 0).flatMap(({ pairs }) => pairs);
      for (let team = 0; team < teams; team += 1) {
        const home = first.filter(([host]) => host === team).length;
        const away = first.filter(([, guest]) => guest === team).length;
        expect(Math.abs(home - away)).toBeLessThanOrEqual(1);
      }
      const second = cycle(teams, 1).flatMap(({ pairs }) => pairs);
      expect(second).toEqual(first.map(([home, away]) => [away, home]));
    }),
  );
});

test('nobody is at home or away three times running', () => {
  fc.assert(
    fc.property(many, (teams) => {
      for (let team = 0; team < teams; team += 1) {
        const sides = cycle(teams, 0).flatMap(({ pairs }) =>
          pairs.flatMap(([home, away]) => (home === team ? 'h' : away === team ? 'a' : [])),
        );
        expect(sides.join('')).not.toMatch(/hhh|aaa/);
      }
    }),
  );
});
