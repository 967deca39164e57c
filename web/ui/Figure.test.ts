import { expect, test } from 'vitest';
import { digitsOf } from './Figure.tsx';

test.each([
  ['147', '148', ['1>1', '4>4', '7>8']],
  ['98', '611', ['null>6', '9>1', '8>1']],
  ['352.5', '353', ['3>null', '5>null', '2>3', '.>5', '5>3']],
])('%s becomes %s', (from, to, expected) => {
  expect(digitsOf(from, to).map((digit) => `${digit.from}>${digit.to}`)).toEqual(expected);
});
