import { expect, test } from 'vitest';
import { name } from '../wire/fields.ts';
import { hasUnseen, withoutUnseen } from './unseen.ts';

test.each([
  ['a space without width', '\u200b'],
  ['a joiner between Latin letters', '\u200c'],
  ['a joiner between Latin letters', '\u200d'],
  ['a mark of direction', '\u200e'],
  ['a mark of direction', '\u200f'],
  ['an override of direction', '\u202e'],
  ['an isolate of direction', '\u2066'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a grapheme joiner', '\u034f'],
  ['an empty Braille pattern', '\u2800'],
  ['a variation of a letter', '\ufe0f'],
  ['a tag', '\u{e0041}'],
  ['half of a pair', '\ud800'],
  ['a private character', '\ue000'],
  ['a control character', '\u0007'],
  ['a line separator', '\u2028'],
])('OPS-03: %s is not allowed in a name (case %#)', (_what, sign) => {
  const typed = `Air${sign}Ballers`;
  expect(hasUnseen(typed)).toBe(true);
  expect(name(60).safeParse(typed).success).toBe(false);
  expect(withoutUnseen(typed)).toBe('AirBallers');
});

test.each([
  ['Persian', 'می\u200cخواهم'],
  ['Sinhala', 'ශ්\u200dරී ලංකා'],
  ['Hindi', 'क्\u200dष'],
  ['a family', '👨\u200d👩\u200d👧'],
  ['an astronaut', '👩🏽\u200d🚀'],
  ['a burning heart', '❤\ufe0f\u200d🔥'],
  ['a keycap', '7\ufe0f\u20e3'],
  ['accents and quotes', 'Ünïcørn’s “Five” – Zoë'],
])('OPS-03: %s keeps its joiners', (_what, text) => {
  expect(hasUnseen(text)).toBe(false);
  expect(name(60).parse(text)).toBe(text.normalize('NFC'));
  expect(withoutUnseen(text)).toBe(text);
});

test('OPS-03: two joiners in a row are both removed', () => {
  expect(withoutUnseen('می\u200c\u200cخواهم')).toBe('میخواهم');
  expect(withoutUnseen('👨\u200d\u200d👩')).toBe('👨👩');
});

test('GAME-11: a control character can be replaced or kept', () => {
  expect(withoutUnseen('a\nb\tc\u200bd', (sign) => (sign === '\n' ? sign : ' '))).toBe('a\nb cd');
});
