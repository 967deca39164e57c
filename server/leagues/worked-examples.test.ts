import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { average } from '#contract/rules/games.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { seasonTable, sharedPlaces, type TieBreak } from './season-table.ts';
import { tallyTeam, tallyWeek, type WeekGame } from './tally.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/leagues.md'), 'utf8');

function examples(heading: string): Record<string, string>[] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [head = [], , ...rows] =
    section
      .split(/\n#/, 1)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ) ?? [];
  expect(rows.length, heading).toBeGreaterThan(3);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
}

const list = (cell = '') => (cell === '–' ? [] : cell.split(', '));
const orNone = (values: (string | number)[]) => values.join(', ') || '–';
const inOrder = (games: { score: number; team_id?: number }[]): WeekGame[] =>
  games.map(({ score, team_id = 1 }, at) => ({
    id: `game-${at}`,
    team_id,
    score,
    played_at: new Date(Date.UTC(2026, 2, 23, 12, at)),
  }));

describe('the worked examples of docs/leagues.md are correct', () => {
  test.each(examples('Weeks with 23 and 25-hour days'))('$Zone, week of $Week', (row) => {
    const { Zone = '', Week = '' } = row;
    const [from, to] = [startOf(Week, Zone), startOf(addDays(Week, 7), Zone)];
    expect(from.toISOString().slice(0, 16)).toBe(row['Begins (UTC)']);
    expect(to.toISOString().slice(0, 16)).toBe(row['Ends (UTC)']);
    expect(String((to.getTime() - from.getTime()) / 3_600_000)).toBe(row.Hours);
  });

  test.each(examples('The week in which a game lies'))('$Zone, $Played at (UTC)', (row) => {
    expect(weekOf(new Date(`${row['Played at (UTC)']}Z`), row.Zone ?? '')).toBe(row.Week);
  });

  test.each(examples('One player, one week'))('$Games', (row) => {
    const games = inOrder(list(row.Games).map((score) => ({ score: Number(score) })));
    const { shares, fates } = tallyWeek(games);
    const share = shares[0] ?? { games_played: 0, score_sum: 0, total: 0, fourth_best: null };
    const those = (counts: string) =>
      games
        .filter((game) => fates.get(game)?.counts === counts)
        .sort((a, b) => (fates.get(a)?.place ?? 0) - (fates.get(b)?.place ?? 0))
        .map(({ score }) => score);
    expect({
      Games: row.Games,
      Played: String(share.games_played),
      Average: String(average(share.score_sum, share.games_played)),
      Total: String(share.total),
      'Fourth best': String(share.fourth_best ?? '–'),
      Bench: orNone(those('bench')),
      'Over 8': orNone(those('over_8')),
    }).toEqual(row);
  });

  test.each(examples('A move in the middle of a week'))('$Games', (row) => {
    const games = inOrder(
      list(row.Games).map((game) => {
        const [team, score] = game.split(' ');
        return { score: Number(score), team_id: team === 'A' ? 1 : 2 };
      }),
    );
    const { shares, fates } = tallyWeek(games);
    const share = (team: number) => {
      const found = shares.find(({ team_id }) => team_id === team);
      if (found === undefined) return '–';
      const { games_played, score_sum, total } = found;
      return `${games_played} / ${average(score_sum, games_played)} / ${total}`;
    };
    const over = games
      .filter((game) => fates.get(game)?.counts === 'over_8')
      .map(({ team_id, score }) => `${team_id === 1 ? 'A' : 'B'} ${score}`);
    expect({
      Games: row.Games,
      'For A': share(1),
      'For B': share(2),
      'Over 8': orNone(over),
    }).toEqual(row);
  });

  test.each(examples('Ranks in a team'))('$Players', (row) => {
    const rows = (row.Players ?? '').split('; ').map((player) => {
      const [, username = '', scores] = /^(\S+) (.*)$/.exec(player) ?? [];
      const games = inOrder(list(scores).map((score) => ({ score: Number(score) })));
      const { games_played = 0, score_sum = 0, total = 0 } = tallyWeek(games).shares[0] ?? {};
      return { username, games_played, score_sum, total };
    });
    const team = tallyTeam(rows);
    expect({
      Players: row.Players,
      Order: team.ranked.map(({ username }) => username).join(', '),
      Games: String(team.games_played),
      Average: String(team.average),
      Total: String(team.total),
    }).toEqual(row);
  });

  const textOf = (row: TableRow) => `${row.team} ${row.won}-${row.drawn}-${row.lost} ${row.total}`;
  test.each(examples('Standings'))('$Results', (row) => {
    const table = tableOf(row.Results, 'total');
    expect(table.map(textOf).join(', ')).toBe(row['Table: won-drawn-lost total']);
  });

  test.each(examples('Ties'))('SEASON-11, SEASON-12: $Tie-break, $Results', (row) => {
    const tieBreaks = row['Tie-break'] === 'both' ? TIE_BREAKS : [row['Tie-break'] as TieBreak];
    for (const tieBreak of tieBreaks) {
      const table = tableOf(row.Results, tieBreak);
      const places = sharedPlaces(table);
      expect(table.map(({ team, total }, at) => `${places[at]} ${team} ${total}`).join(', ')).toBe(
        row['Final table'],
      );
    }
  });
});

const TIE_BREAKS: readonly TieBreak[] = ['total', 'head_to_head'];

/** The table of results such as `A 100–90 B; C 80`; a ruling is written `A 0–9 B (home)`. */
function tableOf(results = '', tieBreak: TieBreak) {
  const weeks = new Map<string, number[]>();
  const decided = results.split('; ').flatMap((result) => {
    const [, home = '', own = '', , other = '', away = '', , ruling] =
      /^(\w+) (\d+)(–(\d+) (\w+))?( \((home|away)\))?$/.exec(result) ?? [];
    const [home_total, away_total] = [Number(own), Number(other)];
    for (const [team, total] of [
      [home, home_total],
      [away, away_total],
    ] as const)
      if (team !== '') weeks.set(team, [...(weeks.get(team) ?? []), total]);
    if (away === '') return [];
    const played = home_total === away_total ? 'draw' : home_total > away_total ? 'home' : 'away';
    return { home, away, home_total, away_total, winner: (ruling ?? played) as 'home' | 'away' };
  });
  const names = [...weeks.keys()];
  const id = (team: string) => names.indexOf(team);
  return seasonTable(
    names
      .map((name) => ({
        team_id: id(name),
        name,
        withdrawn: false,
        weeks: weeks.get(name) ?? [],
      }))
      .reverse(),
    decided.map((one) => ({ ...one, home: id(one.home), away: id(one.away) })),
    tieBreak,
  ).map((row) => ({ ...row, team: row.name }));
}

type TableRow = ReturnType<typeof tableOf>[number];
