import { expect, test } from 'vitest';
import { latinDigits } from './digits.ts';
import { typedCode } from './short-code.ts';

test('ACC-71: the digits of every script become the digits 0 to 9', () => {
  const systems = Intl.supportedValuesOf('numberingSystem');
  const written = systems.map((system) => {
    const { format } = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    return { system, text: format(1_234_567_890) };
  });
  const decimal = written.filter(({ text }) => /^\p{Nd}+$/u.test(text));
  expect(decimal.length).toBeGreaterThan(50);
  for (const { system, text } of decimal)
    expect([system, latinDigits(text)]).toEqual([system, '1234567890']);
  expect(latinDigits('４８２ ٩١٣')).toBe('482 913');
});

test('ACC-71: a code can be typed in fullwidth letters, digits of any script and any case', () => {
  expect(typedCode('ｈ７ｋ-ｑ４t')).toBe('H7KQ4T');
  expect(typedCode('h٧kq٤t')).toBe('H7KQ4T');
});
