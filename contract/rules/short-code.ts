import { latinDigits } from './digits.ts';

/* The codes of teams and of televisions, which people type (LEAGUE-13, SCREEN-01). */

/** The letters and digits of codes: all but the lookalikes 0, O, 1, I and L. */
export const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const CODE_LENGTH = 6;

/** Normalises a typed code: no spaces or dashes, upper case, ordinary letters and digits (ACC-71). */
export const typedCode = (typed: string): string =>
  latinDigits(typed)
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();

/** The code in what was typed or pasted, which may be a join page's whole address (HAND-41). */
export const pastedCode = (text: string): string =>
  typedCode(/\/join\/([^/?#\s]+)/.exec(text)?.[1] ?? text);

export const isCode = (text: string): boolean =>
  text.length === CODE_LENGTH && text.split('').every((one) => CODE_LETTERS.includes(one));
