import fs from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import { backupHeader } from '#contract/wire/backups.ts';

type Row = Record<string, string | null>;
export type Tables = Map<string, Row[]>;

/** Reads a backup's rows as text, without the code under test. */
export function readTables(file: string): Tables {
  const lines = gunzipSync(fs.readFileSync(file)).toString().split('\n');
  const header = backupHeader.parse(JSON.parse(lines[0] ?? ''));
  let at = 1;
  return new Map(
    header.tables.map(({ table, columns, rows }) => {
      const texts = lines.slice(at, at + rows);
      at += rows;
      const parsed = texts.map((text) => {
        const values = text.split('\t');
        return Object.fromEntries(
          columns.map((column, index) => {
            const value = values[index] ?? null;
            return [column, value === '\\N' ? null : value];
          }),
        );
      });
      return [table, parsed];
    }),
  );
}

/** Converts a time such as `2026-11-21 19:28:40.5+00` to milliseconds since 1970. */
export const timeOf = (text: string | null) =>
  Date.parse(`${text}`.replace(' ', 'T').replace('+00', 'Z'));

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const sortedText = (rows: string[]) => rows.sort().join('\n');

function differences(name: string, stored: string[], counted: string[]): string[] {
  if (sortedText(stored) === sortedText(counted)) return [];
  const missing = counted.filter((line) => !stored.includes(line)).slice(0, 3);
  const wrong = stored.filter((line) => !counted.includes(line)).slice(0, 3);
  return [`${name}: counted ${missing.join(', ')}; stored ${wrong.join(', ')}`];
}

/**
 * Recounts every player's statistics (GAME-02) and league weeks (LEAGUE-03) in the most obvious
 * way. Returns the differences from the stored figures.
 */
export function recount(tables: Tables): { players: number; weeks: number; wrong: string[] } {
  const rows = (table: string) => tables.get(table) ?? [];
  const counted = rows('games').filter(({ state }) => state === 'counted');
  const alive = new Set(rows('players').map(({ id }) => id));

  const byPlayer = Map.groupBy(
    counted.filter(({ player_id }) => alive.has(player_id ?? null)),
    ({ player_id }) => player_id,
  );
  const stats = [...byPlayer].map(([player, games]) => {
    const scores = games.map(({ score }) => Number(score));
    return `${player} ${scores.length} ${Math.max(...scores)} ${sum(scores)}`;
  });
  const storedStats = rows('player_stats')
    .filter(({ games_played }) => games_played !== '0')
    .map((row) => `${row.player_id} ${row.games_played} ${row.highscore} ${row.score_sum}`);

  const byWeek = Map.groupBy(
    counted.filter(({ team_id }) => team_id !== null),
    ({ team_id, week, player_id }) => `${team_id} ${week} ${player_id}`,
  );
  const weeks = [...byWeek].map(([key, games]) => {
    const first = games
      .sort(
        (a, b) =>
          timeOf(a.played_at ?? null) - timeOf(b.played_at ?? null) ||
          (`${a.id}` < `${b.id}` ? -1 : 1),
      )
      .slice(0, WEEK_GAMES)
      .map(({ score }) => Number(score));
    const best = [...first].sort((a, b) => b - a).slice(0, BEST_GAMES);
    return `${key} ${first.length} ${sum(first)} ${sum(best)} ${best[BEST_GAMES - 1] ?? null}`;
  });
  const storedWeeks = rows('league_weeks')
    .filter(({ games_played }) => games_played !== '0')
    .map(
      (row) =>
        `${row.team_id} ${row.week} ${row.player_id} ${row.games_played} ${row.score_sum} ${row.total} ${row.fourth_best}`,
    );
  return {
    players: stats.length,
    weeks: weeks.length,
    wrong: [
      ...differences('statistics', storedStats, stats),
      ...differences('league weeks', storedWeeks, weeks),
    ],
  };
}
