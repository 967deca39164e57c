import { expect, test } from 'vitest';
import { cleanUsername, leftOut } from './username.ts';

test.each([
  ['José', 'Jose'],
  ['Jose\u0301', 'Jose'],
  ['Zoë_Ångström', 'Zoe_Angstrom'],
  ['Gül İnanç', 'GulInanc'],
  ['Łukasz-Öß', 'Lukasz-Oss'],
  ['Ｍａｘ２３', 'Max23'],
  ['max٢٣', 'max23'],
  ['plain_Name-7', 'plain_Name-7'],
])('ACC-70: %s is kept as %s', (typed, kept) => {
  expect(cleanUsername(typed)).toBe(kept);
});

test('ACC-70: the message names the characters that are left out', () => {
  const why = 'Username can only contain letters, numbers, underscores and hyphens.';
  expect(leftOut('José_7')).toBeNull();
  expect(leftOut('Jo Jo!')).toBe(`Left out: a blank, “!”. ${why}`);
  expect(leftOut('Дима')).toBe(`Left out: “Д”, “и”, “м”, “а”. ${why}`);
  expect(leftOut('\u{1f3c0}')).toBe(`Left out: “\u{1f3c0}”. ${why}`);
});
