import { describe, expect, it } from 'vitest';
import { cleanCode, press, typeInto } from './code.ts';

describe('typing into a box', () => {
  const cases: [name: string, code: string, box: number, text: string, then: string, at: number][] =
    [
      ['the first digit moves on', '', 0, '4', '4', 1],
      ['the last digit stays in the last box', '48291', 5, '3', '482913', 5],
      ['a letter is ignored', '48', 2, 'x', '48', 2],
      ['a digit typed after the old one replaces it', '48', 0, '47', '78', 1],
      ['a digit typed before the old one replaces it', '48', 0, '74', '78', 1],
      ['the same digit again moves on', '48', 0, '4', '48', 1],
      ['a digit typed further on goes to the first empty box', '48', 4, '2', '482', 3],
      ['an emptied box closes the gap', '4829', 1, '', '429', 1],
      ['a whole code replaces what was there', '11', 1, '482913', '482913', 5],
      ['a whole code among words', '', 0, 'Code: 482-913.', '482913', 5],
      ['part of a code is inserted from its box on', '11', 1, '482', '1482', 4],
      ['digits beyond six are dropped', '', 0, '48291357', '482913', 5],
    ];
  it.each(cases)('%s', (_name, code, box, text, then, at) => {
    expect(typeInto({ code, box }, text, 6)).toEqual({ code: then, box: at });
  });
});

describe('keys', () => {
  const cases: [name: string, code: string, box: number, key: string, then: string, at: number][] =
    [
      ['left', '48', 1, 'ArrowLeft', '48', 0],
      ['left in the first box stays', '48', 0, 'ArrowLeft', '48', 0],
      ['right', '48', 1, 'ArrowRight', '48', 2],
      ['right in the last box stays', '482913', 5, 'ArrowRight', '482913', 5],
      ['Home', '482', 2, 'Home', '482', 0],
      ['End goes to the first empty box', '482', 0, 'End', '482', 3],
      ['End in a whole code goes to its last digit', '482913', 0, 'End', '482913', 5],
      ['Backspace in an empty box deletes the digit before', '48', 2, 'Backspace', '4', 1],
      ['Backspace further on deletes the last digit', '48', 4, 'Backspace', '48', 1],
    ];
  it.each(cases)('%s', (_name, code, box, key, then, at) => {
    expect(press({ code, box }, key, 6)).toEqual({ code: then, box: at });
  });

  it.each([
    ['the browser handles Backspace in a full box', '48', 1, 'Backspace'],
    ['the browser handles Backspace in the first box', '', 0, 'Backspace'],
    ['the browser handles a digit', '48', 2, '3'],
    ['the browser handles Tab', '48', 2, 'Tab'],
  ])('%s', (_name, code, box, key) => {
    expect(press({ code, box }, key, 6)).toBeNull();
  });
});

it('ACC-71: keeps the digits of every script, and nothing else', () => {
  expect(cleanCode(' 48 29-13 ', 6)).toBe('482913');
  expect(cleanCode('٤٨٢ ９१3', 6)).toBe('482913');
});
