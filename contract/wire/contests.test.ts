import { expect, test } from 'vitest';
import { contestChangeBody } from './contests.ts';

const prizesOf = (prizes: string) =>
  contestChangeBody.safeParse({ contest: '1', prizes }).data?.prizes;

test('CONTEST-01: prizes keep their line breaks, but no empty lines or surrounding blanks', () => {
  expect(
    prizesOf(
      ' 1st:  bar tab of 50 \r\n2nd: a shirt\r\n\r\n\t3rd: a cap\nFor players of 18 and over\n',
    ),
  ).toBe('1st: bar tab of 50\n2nd: a shirt\n3rd: a cap\nFor players of 18 and over');
  expect(prizesOf(`${'a'.repeat(100)}\n${'b'.repeat(99)}`)).toHaveLength(200);
  expect(prizesOf(`${'a'.repeat(100)}\n${'b'.repeat(100)}`)).toBeUndefined();
  expect(prizesOf('A shirt\nA\u0007cap')).toBeUndefined();
  expect(prizesOf(' \n ')).toBeUndefined();
});
