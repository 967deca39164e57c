import fc from 'fast-check';
import { expect, test } from 'vitest';
import { average } from '#contract/rules/games.ts';
import { tallyTeam, tallyWeek, type WeekGame } from './tally.ts';

const inOrder = (games: { score: number; team_id?: number }[]): WeekGame[] =>
  games.map(({ score, team_id = 1 }, at) => ({
    id: `game-${at}`,
    team_id,
    score,
    played_at: new Date(Date.UTC(2026, 2, 23, 12, at)),
  }));

const score = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9999 }));
const game: fc.Arbitrary<WeekGame> = fc.record({
  id: fc.uuid(),
  team_id: fc.integer({ min: 1, max: 3 }),
  score,
  // With only six distinct times, the id often decides the order.
  played_at: fc
    .integer({ min: 0, max: 5 })
    .map((minute) => new Date(Date.UTC(2026, 0, 5, 0, minute))),
});
const week = fc.uniqueArray(game, { selector: ({ id }) => id, maxLength: 14 });

function naiveTally(games: WeekGame[]) {
  const isBefore = (a: WeekGame, b: WeekGame) =>
    a.played_at < b.played_at || (a.played_at.getTime() === b.played_at.getTime() && a.id < b.id);
  const counted = games.filter((one) => games.filter((other) => isBefore(other, one)).length < 8);
  const place = (one: WeekGame) =>
    1 +
    counted.filter(
      (other) =>
        other.team_id === one.team_id &&
        (other.score > one.score || (other.score === one.score && isBefore(other, one))),
    ).length;
  return {
    fateOf: (one: WeekGame) => {
      if (!counted.includes(one)) return { counts: 'over_8', place: null };
      return { counts: place(one) <= 4 ? 'league' : 'bench', place: place(one) };
    },
    shareOf: (team: number) => {
      const own = counted.filter(({ team_id }) => team_id === team);
      let [sum, total] = [0, 0];
      for (const one of own) {
        sum += one.score;
        if (place(one) <= 4) total += one.score;
      }
      return {
        team_id: team,
        games_played: own.length,
        score_sum: sum,
        total,
        fourth_best: own.find((one) => place(one) === 4)?.score ?? null,
        best: own.find((one) => place(one) === 1)?.score ?? 0,
      };
    },
  };
}

test('the tally of a week equals that of a naive implementation', () => {
  fc.assert(
    fc.property(week, (games) => {
      const { shares, fates } = tallyWeek(games);
      const naive = naiveTally(games);
      expect(fates.size).toBe(games.length);
      for (const one of games) expect(fates.get(one)).toEqual(naive.fateOf(one));
      const teams = [...new Set(games.map(({ team_id }) => team_id))];
      expect([...shares].sort((a, b) => a.team_id - b.team_id)).toEqual(
        teams
          .sort((a, b) => a - b)
          .map(naive.shareOf)
          .filter(({ games_played }) => games_played > 0),
      );
    }),
  );
});

test('the order of the input does not matter, and the input is not changed', () => {
  fc.assert(
    fc.property(week, fc.func(fc.integer()), (games, shuffle) => {
      const other = games.toSorted((a, b) => shuffle(a.id) - shuffle(b.id));
      const before = structuredClone(games);
      const byTeam = (list: WeekGame[]) =>
        tallyWeek(list).shares.sort((a, b) => a.team_id - b.team_id);
      expect(byTeam(other)).toEqual(byTeam(games));
      expect(games).toEqual(before);
    }),
  );
});

test('a better score never lowers a total, and further games never remove counted ones', () => {
  fc.assert(
    fc.property(week, fc.integer({ min: 0, max: 13 }), fc.nat(500), (games, at, more) => {
      const one = games.map((each) => ({ ...each, team_id: 1 }));
      const target = one[at];
      if (target === undefined) return;
      const better = one.with(at, { ...target, score: target.score + more });
      const totalOf = (list: WeekGame[]) => tallyWeek(list).shares[0]?.total ?? 0;
      expect(totalOf(better)).toBeGreaterThanOrEqual(totalOf(one));
      const played = tallyWeek(one).shares[0]?.games_played ?? 0;
      expect(played).toBe(Math.min(one.length, 8));
    }),
  );
});

const player = fc.record({
  username: fc.stringMatching(/^[A-Za-z0-9_-]{3,8}$/),
  games: fc.array(score, { maxLength: 8 }),
});

test('the ranks and sums of a team equal those of a naive implementation', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(player, { selector: ({ username }) => username.toLowerCase(), maxLength: 9 }),
      (players) => {
        const rows = players.map(({ username, games }) => {
          const { score_sum = 0, total = 0 } =
            tallyWeek(inOrder(games.map((score) => ({ score })))).shares[0] ?? {};
          return { username, games_played: games.length, score_sum, total };
        });
        const team = tallyTeam(rows);
        const shown = (row: (typeof rows)[number]) =>
          row.games_played === 0
            ? 0
            : Math.round((row.score_sum / row.games_played) * 10 + 1e-9) / 10;
        const goesBefore = (a: (typeof rows)[number], b: (typeof rows)[number]) => {
          if (a.total !== b.total) return a.total > b.total;
          if (shown(a) !== shown(b)) return shown(a) > shown(b);
          return a.username.toLowerCase() < b.username.toLowerCase();
        };
        for (const row of rows) {
          const rank = team.ranked.findIndex(({ username }) => username === row.username);
          expect(rank).toBe(rows.filter((other) => goesBefore(other, row)).length);
        }
        const all = players.flatMap(({ games }) => games);
        expect(team.games_played).toBe(all.length);
        expect(team.average).toBe(
          average(
            all.reduce((sum, one) => sum + one, 0),
            all.length,
          ),
        );
        expect(team.total).toBe(rows.reduce((sum, { total }) => sum + total, 0));
      },
    ),
  );
});
