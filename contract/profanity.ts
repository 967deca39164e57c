import {
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
} from 'obscenity';

/** Surnames and places that hold a bad word by accident; people are called this. */
const INNOCENT = [
  'dickson',
  'dickinson',
  'dickens',
  'dickerson',
  'cummings',
  'cumming',
  'cummins',
  'hancock',
  'peacock',
  'babcock',
  'hitchcock',
  'cockburn',
  'alcock',
  'woodcock',
  'penistone',
  'scunthorpe',
  'sussex',
  'essex',
  'middlesex',
  'lightwater',
  'clitheroe',
  'shitake',
  'cassidy',
  'bassett',
  'dickey',
  'hiscock',
  'adcock',
  'wilcox',
  'analise',
  'titus',
  'tittle',
  'butterworth',
];
/** What the library's English list leaves out. */
const ALSO_BAD = ['wanker', 'tosser', 'bollocks', 'nonce', 'spastic', 'paedo', 'pedophile', 'nazi'];

const dataset = englishDataset.build();
const matcher = new RegExpMatcher({
  ...dataset,
  ...englishRecommendedTransformers,
  blacklistedTerms: [
    ...dataset.blacklistedTerms,
    ...ALSO_BAD.map((word, at) => ({ id: 100_000 + at, pattern: parseRawPattern(word) })),
  ],
  whitelistedTerms: [...(dataset.whitelistedTerms ?? []), ...INNOCENT],
});

/** Removes digits, punctuation and repeated letters, so that `f_u_1_c_k` and `fuuuck` show. */
function bare(text: string): string {
  return text.replace(/[^A-Za-z]/g, '').replace(/(.)\1+/gi, '$1');
}

/**
 * Whether an English profanity check refuses this username, as it stands or with digits,
 * punctuation and repeated letters removed (spec 5).
 */
export function isInappropriate(username: string): boolean {
  return matcher.hasMatch(username) || matcher.hasMatch(bare(username));
}
