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
/**
 * Names that contain or are profane words in English. They pass as separate words, not within
 * another word.
 */
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
/** The data set has the last two, but misses them because the library folds double letters. */
const ALSO_BAD = [
  'wanker',
  'tosser',
  'bollocks',
  'nonce',
  'spastic',
  'paedo',
  'pedophile',
  'nazi',
  'jiz',
  'butplug',
];

const bare = (word: string): string => word.replace(/(.)\1+/gi, '$1');

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

/** Beside a name, a shorter word may be the end of a profane one: `ana_l`. */
const WORD_MIN = 3;

/** What a character belongs to: one of `NAMES`, another word, or a word shorter than `WORD_MIN`. */
type Place = 'name' | 'word' | 'rest' | null;
type Marked = { text: string; places: Place[] };

/** A word ends at any character that is no letter, and before a capital. */
function marked(text: string): Marked {
  const places = Array<Place>(text.length).fill(null);
  for (const { 0: word, index } of text.matchAll(/[A-Z]+[a-z]*|[a-z]+/g)) {
    const other = word.length < WORD_MIN ? 'rest' : 'word';
    places.fill(NAMES.has(word.toLowerCase()) ? 'name' : other, index, index + word.length);
  }
  return { text, places };
}

/** Without digits, punctuation and repeats: `f_u_1_c_k` and `fuuuck` match. */
function barely({ text, places }: Marked): Marked {
  const kept = [...places.keys()].filter((at) => places[at] !== null);
  const once = kept.filter(
    (at, n) => text.charAt(at).toLowerCase() !== text.charAt(kept[n - 1] ?? -1).toLowerCase(),
  );
  return {
    text: once.map((at) => text.charAt(at)).join(''),
    places: once.map((at) => places[at] ?? null),
  };
}

const isBad = ({ text, places }: Marked): boolean =>
  matcher.getAllMatches(text).some(({ startIndex, endIndex }) => {
    const of = places.slice(startIndex, endIndex + 1);
    return !of.includes('name') || of.includes('rest');
  });

/** The words that are not names, with a hyphen for every other character. */
const withoutNames = ({ text, places }: Marked): string =>
  places.map((place, at) => (place === 'name' || place === null ? '-' : text.charAt(at))).join('');

/**
 * Whether a username is profane in English, as typed or `barely`, with and without the names in it
 * (ACC-09). A match within a name, or across a name and a word of at least `WORD_MIN` letters, does
 * not count.
 */
export function isInappropriate(username: string): boolean {
  const typed = marked(username);
  const rest = marked(withoutNames(typed));
  return [typed, barely(typed), rest, barely(rest)].some(isBad);
}
