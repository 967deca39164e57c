import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['Air, "Ballers"', '"Air, ""Ballers"""'],
  ['two\nlines', '"two\nlines"'],
  ['Ships; since 1990', 'Ships; since 1990'],
  ['Ann-Marie 3-0', 'Ann-Marie 3-0'],
])('a field keeps its text: %s', (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`);
});

test('a number is written as a number, and null as an empty field', () => {
  expect(csvLine([-1, null, 5604])).toBe('-1,,5604\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1+1',
  '\t=1',
  '\r=1',
  ' =1',
  "x;=cmd|'/C calc'!A0",
  'x; +1',
  'x;"=1"',
  'x,=1',
  'x\t-1',
  'x|@1',
  'x\n=1',
])('P65: no part of %j is a formula, whichever separator a spreadsheet uses', (text) => {
  for (const separator of [',', ';', '|', '\t']) {
    const cells = csvLine(['a', text]).split(new RegExp(`[${separator}\\r\\n]`));
    expect(cells.filter((cell) => /^[\s"]*[=+\-@＝]/.test(cell))).toEqual([]);
  }
});
