import { expect, test } from 'vitest';
import { readRoster } from './roster-file.ts';

test('P37a: a line over 1,000 characters is refused before it is parsed', () => {
  const line = `Aces,${'@'.repeat(32_000)} x`;
  expect(() => readRoster(`team,email\n${line}`)).toThrow(`Line 2 has ${line.length} characters`);
  expect(readRoster(`team,email\nAces,${'a'.repeat(900)}@b.example`).rows).toHaveLength(1);
});
