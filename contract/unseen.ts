/* Invisible characters. They could make one text look like another, or change the direction of
   the text around them. Names, notices, reports and versions refuse or drop them. */

/** The scripts in which a joiner changes how letters are drawn, as in Persian or Sinhala. */
const JOINED = [
  ...['Arab', 'Syrc', 'Mong', 'Nkoo', 'Phag', 'Tibt', 'Mymr', 'Khmr'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?';

/**
 * Invisible characters that are kept: a joiner between two letters of a `JOINED` script, and the
 * characters that join or style the parts of an emoji.
 */
const NEEDED = [
  `(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])`,
  `(?<=${EMOJI}\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=${EMOJI})[\\ufe0e\\ufe0f]`,
  '\\ufe0f(?=\\u20e3)',
].join('|');

const CONTROLS = '\\p{Cc}\\p{Zl}\\p{Zp}';
/** U+2800 is the Braille pattern without a dot. */
const INVISIBLE = '\\p{Cf}\\p{Cs}\\p{Co}\\p{Default_Ignorable_Code_Point}\\u2800';

const UNSEEN = new RegExp(`(?!${NEEDED})[${CONTROLS}${INVISIBLE}]`, 'u');
const EVERY_UNSEEN = new RegExp(UNSEEN.source, 'gu');
const CONTROL = new RegExp(`[${CONTROLS}]`, 'u');

/**
 * Whether a text has an invisible character: a control character, a direction mark, a zero-width
 * space, or a joiner that joins nothing.
 */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

/**
 * The text without invisible characters. `control` returns the replacement of each control
 * character and line separator, which may be the character itself.
 */
export const withoutUnseen = (text: string, control: (sign: string) => string = () => ''): string =>
  text.replace(EVERY_UNSEEN, (sign) => (CONTROL.test(sign) ? control(sign) : ''));
