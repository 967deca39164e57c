/** Names that would make a player look like somebody of the venue or the service (P51). */
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

/** Digits that stand for letters; 1 stands for i and l, which therefore count as the same. */
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

/** Lower case letters alone, l as i, no letter twice in a row. */
const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replaceAll('l', 'i')
    .replace(/(.)\1+/g, '$1');

/**
 * Whether a username is an official name or the brand, or looks like one: with digits for letters or
 * beside them, separators, or repeated letters (P51).
 */
export function looksOfficial(username: string, brand: string): boolean {
  const official = new Set([...OFFICIAL, brand].map(bare));
  const lettered = username.replace(/[0-9]/g, (digit) => LETTERS[digit] ?? '');
  return official.has(bare(username)) || official.has(bare(lettered));
}
