/** A player with such a name would seem to be the venue or the service (P51). */
const OFFICIAL = [
  'admin',
  'administrator',
  'api',
  'backboard',
  'mod',
  'moderator',
  'official',
  'operator',
  'owner',
  'staff',
  'support',
  'system',
];

/** Ordinary names that look official once repeated letters are dropped. */
const ORDINARY = new Set(['mood']);

/** The letters that digits imitate; `bare` treats i and l as one. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

/** Lower-case letters, l as i, repeated letters once. */
const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replaceAll('l', 'i')
    .replace(/(.)\1+/g, '$1');

const lettered = (text: string) => text.replace(/[0-9]/g, (digit) => LETTERS[digit] ?? '');

/**
 * Whether a username resembles an official name or the brand (P51), in spite of digits for letters,
 * added digits, separators and repeated letters.
 */
export function looksOfficial(username: string, brand: string): boolean {
  const brands = [brand, lettered(brand)];
  const withoutEnd = username.replace(/(?<![0-9_-])[0-9_-]+$/, '');
  const withoutBoth = withoutEnd.replace(/^[0-9_-]+/, '');
  const isOrdinary = ORDINARY.has(withoutBoth.toLowerCase());
  const taken = new Set([...(isOrdinary ? [] : OFFICIAL), ...brands].map(bare).filter(Boolean));
  return [username, ...[username, withoutEnd, withoutBoth].map(lettered)].some((name) =>
    taken.has(bare(name)),
  );
}
