import { describe, expect, it } from 'vitest';
import { cleanCode, press, typeInto } from './code.ts';

describe('typing into a box', () => {
  const cases: [name: string, code: string, box: number, text: string, then: string, at: number][] =
    [
      ['the first digit moves on', '', 0, '4', '4', 1],
      ['the last digit stays in the last box', '48291', 5, '3', '482913', 5],
      ['a letter is no digit', '48', 2, 'x', '48', 2],
      ['a digit typed behind the old one replaces it', '48', 0, '47', '78', 1],
      ['a digit typed before the old one replaces it', '48', 0, '74', '78', 1],
      ['the same digit again moves on', '48', 0, '4', '48', 1],
      ['a box further on is filled from the first empty one', '48', 4, '2', '482', 3],
      ['an emptied box closes the gap', '4829', 1, '', '429', 1],
      ['a whole code replaces what was there', '11', 1, '482913', '482913', 5],
      ['a whole code with words around it', '', 0, 'Code: 482-913.', '482913', 5],
      ['a part goes in from its box on', '11', 1, '482', '1482', 4],
      ['more than six digits are cut', '', 0, '48291357', '482913', 5],
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
      ['Backspace in an empty box takes the digit before', '48', 2, 'Backspace', '4', 1],
      ['Backspace far behind goes back to the last digit', '48', 4, 'Backspace', '48', 1],
    ];
  it.each(cases)('%s', (_name, code, box, key, then, at) => {
    expect(press({ code, box }, key, 6)).toEqual({ code: then, box: at });
  });

  it.each([
    ['Backspace in a full box is the browser’s', '48', 1, 'Backspace'],
    ['Backspace in the first box is the browser’s', '', 0, 'Backspace'],
    ['a digit is the browser’s', '48', 2, '3'],
    ['Tab is the browser’s', '48', 2, 'Tab'],
  ])('%s', (_name, code, box, key) => {
    expect(press({ code, box }, key, 6)).toBeNull();
  });
});

it('keeps digits only', () => {
  expect(cleanCode(' 48 29-13 ', 6)).toBe('482913');
});
