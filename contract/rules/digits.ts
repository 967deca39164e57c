const DIGIT = /\p{Nd}/u;

/** Unicode's digits come in runs of ten, from 0 to 9. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}

/** The text with the digits of every script as 0 to 9, and fullwidth letters as ordinary ones. */
export const latinDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, digitOf);
