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
/** Names that contain or are profane words in English. They pass as a word of their own, not within one. */
const NAMES = new Set(
  `
  abbos airlangga ana anala analia anggabaya annalena annalisa annalise anusha anusic anuska
  anusuya asselin assmus assomption assya atanazie balangga baldick bhooshit bhushit bonazzi
  caturangga cumhur cumiskey cummerata cumming cummings cummins danuse dicki dickie dildora
  fagan fagerstrom fagunwa fuksa fuksova fukuda goedicke gyorgy hanus hanuska hanusova hooker
  ignazio kike kikelomo lakshit liebich mahboob nazif nazifov nazifova nazim nazir
  patcharaporn pissarro poornima rangga sanusi semenica semenov siriporn sylvanus tanushree
  tanushri tiit udicki vajdicka vodicka vodickova
`
    .trim()
    .split(/\s+/),
);
/** Beside a name, a shorter word may be the rest of another one: `ana_l`. */
const WORD_MIN = 3;
const ALSO_BAD = [
  'wanker',
  'tosser',
  'bollocks',
  'nonce',
  'spastic',
  'paedo',
  'pedophile',
  'nazi',
  'jizz',
  'buttplug',
];

/** Without digits, punctuation and repeats: `f_u_1_c_k` and `fuuuck` match. */
const bare = (text: string): string => text.replace(/[^A-Za-z]/g, '').replace(/(.)\1+/gi, '$1');

const dataset = englishDataset.build();
const matcher = new RegExpMatcher({
  ...dataset,
  ...englishRecommendedTransformers,
  blacklistedTerms: [
    ...dataset.blacklistedTerms,
    ...ALSO_BAD.map((word, at) => ({ id: 100_000 + at, pattern: parseRawPattern(word) })),
  ],
  whitelistedTerms: [...(dataset.whitelistedTerms ?? []), ...INNOCENT, ...INNOCENT.map(bare)],
});

/** The text without the `NAMES` in it: words end at other characters and before a capital. */
function withoutNames(username: string): string {
  const words = username.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const others = words.filter((word) => !NAMES.has(word.toLowerCase()));
  const apart = others.length < words.length && others.every((word) => word.length >= WORD_MIN);
  return apart ? others.join('-') : username;
}

/** Whether a username is profane in English, as typed or `bare`, beside the names in it (ACC-09). */
export function isInappropriate(username: string): boolean {
  const text = withoutNames(username);
  return matcher.hasMatch(text) || matcher.hasMatch(bare(text));
}
