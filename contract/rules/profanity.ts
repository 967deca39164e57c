import {
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
} from 'obscenity';

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

/** Without digits, punctuation and repeats: `f_u_1_c_k` and `fuuuck` match. */
function bare(text: string): string {
  return text.replace(/[^A-Za-z]/g, '').replace(/(.)\1+/gi, '$1');
}

/** Whether a username is profane in English, as typed or `bare` (ACC-09). */
export function isInappropriate(username: string): boolean {
  return matcher.hasMatch(username) || matcher.hasMatch(bare(username));
}
