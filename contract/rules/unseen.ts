/* Invisible characters could make one text look like another, or reverse the text around them. */

/** Scripts in which a joiner changes how letters are drawn, such as Persian or Sinhala. */
const JOINED = [
  ...['Arab', 'Syrc', 'Mong', 'Nkoo', 'Phag', 'Tibt', 'Mymr', 'Khmr'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?';

/**
 * Characters to keep: a joiner between two letters of a `JOINED` script, and characters that join
 * or style the parts of an emoji.
 */
const NEEDED = [
  `(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])`,
  `(?<=${EMOJI}\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=${EMOJI})[\\ufe0e\\ufe0f]`,
  '\\ufe0f(?=\\u20e3)',
].join('|');

const CONTROLS = '\\p{Cc}\\p{Zl}\\p{Zp}';

/** U+2800 is the Braille pattern without dots. */
const INVISIBLE = '\\p{Cf}\\p{Cs}\\p{Co}\\p{Default_Ignorable_Code_Point}\\u2800';

const UNSEEN = new RegExp(`(?!${NEEDED})[${CONTROLS}${INVISIBLE}]`, 'u');
const EVERY_UNSEEN = new RegExp(UNSEEN.source, 'gu');
const CONTROL = new RegExp(`[${CONTROLS}]`, 'u');

/** Whether a text has a control character, or an invisible one that is not `NEEDED`. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

/**
 * Drops invisible characters. `control` gets a control character or line separator and returns its
 * replacement, or the same character.
 */
export const withoutUnseen = (text: string, control: (sign: string) => string = () => ''): string =>
  text.replace(EVERY_UNSEEN, (sign) => (CONTROL.test(sign) ? control(sign) : ''));
