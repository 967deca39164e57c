import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeRoster } from '#contract/rules/roster-text.ts';
import { readRoster } from './roster-file.ts';

test('P37a: a line over 1,000 characters is refused before it is parsed', () => {
  const line = `Aces,${'@'.repeat(32_000)} x`;
  expect(() => readRoster(`team,email\n${line}`)).toThrow(`Line 2 has ${line.length} characters`);
  expect(readRoster(`team,email\nAces,${'a'.repeat(900)}@b.example`).rows).toHaveLength(1);
});

/** Rosters written by staff and by the spreadsheets of three programs. */
const FILES = join(import.meta.dirname, '../../testing/rosters');
const TEAMS: Record<string, [string, string]> = {
  accents: ['Körbe für Übermut', 'Café Équipe'],
  quotes: ['Lions, The', 'The "Dunk" Crew'],
};
const read = (file: string) => readRoster(decodeRoster(readFileSync(join(FILES, file))));

test.each(readdirSync(FILES).filter((file) => !file.startsWith('typed-')))(
  'OPS-05: the roster %s has two players and nothing wrong',
  (file) => {
    const { rows, unreadable } = read(file);
    const kind = file.split(/[-.]/).find((part) => part in TEAMS) ?? '';
    const [first, second] = TEAMS[kind] ?? ['Buzzer Beaters', 'Glass Cannons'];
    expect(unreadable).toEqual([]);
    expect(rows.map(({ team, email }) => [team, email])).toEqual([
      [first, 'ace@example.com'],
      [second, 'airmax@example.com'],
    ]);
  },
);

test.each(readdirSync(FILES).filter((file) => file.startsWith('typed-')))(
  'OPS-05: the typed roster %s is read without an error',
  (file) => {
    const { rows, unreadable } = read(file);
    expect(unreadable).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    const teams = file.includes('turkish')
      ? ['ISPARTA', 'isparta']
      : ['Buzzer Beaters', 'Glass Cannons'].slice(0, rows.length);
    expect(rows.map(({ team }) => team)).toEqual(teams);
    for (const { email } of rows) expect(email).toMatch(/^\w+@example\.com$/);
  },
);

test('OPS-05: quotes may contain line breaks and delimiters, and a stray quote spoils only its own line', () => {
  expect(
    readRoster('team,email\n"A\r\nB",a@b.example\n"C,D" , c@b.example\nE,"e@b.example"').rows,
  ).toEqual([
    { line: 2, team: 'A B', email: 'a@b.example' },
    { line: 4, team: 'C,D', email: 'c@b.example' },
    { line: 5, team: 'E', email: 'e@b.example' },
  ]);
  const { rows, unreadable } = readRoster('team,email\n"A,a@b.example\nB,b@b.example\n"C"c,d\n');
  expect(rows).toEqual([{ line: 3, team: 'B', email: 'b@b.example' }]);
  expect(unreadable.map(({ line }) => line)).toEqual([2, 4]);
});

test('OPS-05: a refusal names what is wrong', () => {
  const problem = (row: string) => readRoster(`team,email\n${row}`).unreadable[0]?.problem;
  expect(problem('A,a@b.example,more')).toBe('A row is: team,email');
  expect(problem('A')).toBe('A row is: team,email');
  expect(problem(',a@b.example')).toBe('A team name is required.');
  expect(problem('A\u200bB,a@b.example')).toBe(
    'The team’s name “AB” has a character that cannot be seen: type the name anew.',
  );
});

test('P37a: a file of quotes and line breaks is read in time', () => {
  for (const text of ['"\n', '"""\n', '"a""\n', '"a"b\n', '",\n', ',"\r'])
    for (const file of [text.repeat(100_000 / text.length), `x,y\n${text.repeat(30_000)}`]) {
      const before = process.threadCpuUsage().user;
      try {
        readRoster(file);
      } catch {}
      const took_ms = (process.threadCpuUsage().user - before) / 1_000;
      expect([text, took_ms < 2_000]).toEqual([text, true]);
    }
});
