import { CODE_LETTERS, typedCode } from './short-code.ts';

/** The code that one player shows another (FRIEND-02). */
export const FRIEND_CODE_LENGTH = 8;
export const FRIEND_CODE_S = 10 * 60;
export const FRIENDS_MAX = 100;
export const BLOCKS_MAX = 200;

/**
 * The error for a code that is wrong, used, old or not allowed: nobody learns which (FRIEND-04).
 */
export const FRIEND_CODE_DEAD =
  'This code does not work. It may be used or older than ten minutes.';

export const isFriendCode = (text: string): boolean =>
  text.length === FRIEND_CODE_LENGTH && text.split('').every((one) => CODE_LETTERS.includes(one));

/** The code in what was typed or pasted, which may be a page's whole address. */
export const pastedFriendCode = (text: string): string =>
  typedCode(/\/friend\/([^/?#\s]+)/.exec(text)?.[1] ?? text);

/** How many weeks a comparison shows, and how far back it looks for them (FRIEND-09). */
export const COMPARED_WEEKS = 10;
export const COMPARED_WITHIN_WEEKS = 26;
