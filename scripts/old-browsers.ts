import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'acorn';

const BUILT = join(import.meta.dirname, '../screen/dist');
/** The most bytes of script for /screen, gzipped. */
export const SCREEN_BUDGET = 30_000;
/** Chromium 68 knows the syntax of ES2019. */
const SYNTAX = 2019;

const MISSING_CALLS =
  /\.(?:flat|flatMap|at|replaceAll|matchAll|replaceChildren|toggleAttribute|toSorted|toReversed|findLast|findLastIndex|checkVisibility|allSettled|any|groupBy)\(|\b(?:globalThis|queueMicrotask|structuredClone|ResizeObserver|TextDecoderStream|WeakRef)\b|Object\.(?:fromEntries|hasOwn)|AbortSignal\.|crypto\.randomUUID|scheduler\./g;

const MISSING_STYLE: [pattern: RegExp, what: string][] = [
  [
    /[:\s,](?:is|where|has|focus-visible|focus-within-visible)\(|:focus-visible/g,
    ':is(), :where(), :has() or :focus-visible',
  ],
  [/@container|@layer|@supports|@property/g, 'a rule such as @container or @layer'],
  [/color-mix\(|oklch\(|lab\(|conic-gradient\(/g, 'a function of colours that is too new'],
  [/[:\s(,](?:min|max|clamp)\([^)]/g, 'min(), max() or clamp()'],
  [/[;{]\s*inset(?:-[a-z-]+)?\s*:/g, 'inset: write top, right, bottom and left'],
  [/[;{]\s*aspect-ratio\s*:/g, 'aspect-ratio'],
  [/[;{]\s*(?:margin|padding|border)-(?:inline|block)\b/g, 'a logical property'],
  [/[;{]\s*(?:gap|row-gap|column-gap)\s*:/g, 'gap: write grid-gap, and margins in flexbox'],
  [/[;{]\s*(?:translate|rotate|scale)\s*:/g, 'a transform of its own: write transform'],
  [/\b\d*\.?\d+(?:dvh|svh|lvh|dvw|svw|cqw|cqh|cqmin)\b/g, 'a unit that is too new'],
  [/@media[^{]*[<>]=?/g, 'a range in a media query'],
  [/&/g, 'nesting'],
];

/** What Chromium 68 cannot run in a script. */
export function scriptFaults(script: string): string[] {
  const faults = [...new Set(script.match(MISSING_CALLS))].map((found) => `has no ${found}`);
  try {
    parse(script, { ecmaVersion: SYNTAX, sourceType: 'module' });
  } catch (error) {
    faults.push(`cannot read this syntax: ${error instanceof Error ? error.message : error}`);
  }
  return faults;
}

/** What Chromium 68 does not support in a style sheet. */
export function styleFaults(css: string): string[] {
  // Remove URLs, strings and comments, because they can contain any text.
  const bare = css.replace(/url\("[^"]*"\)|url\([^)]*\)|"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\//g, '');
  return MISSING_STYLE.flatMap(([pattern, what]) =>
    bare.match(pattern) === null ? [] : `does not understand ${what}`,
  );
}

async function checkScreen(folder: string): Promise<{ faults: string[]; bytes: number }> {
  const faults: string[] = [];
  let bytes = 0;
  for await (const path of glob('**/*.{js,css}', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8');
    const found = path.endsWith('.js') ? scriptFaults(text) : styleFaults(text);
    faults.push(...found.map((fault) => `Chromium 68 ${fault} (screen/${path})`));
    if (path.endsWith('.js')) bytes += gzipSync(text).length;
  }
  return { faults, bytes };
}

if (import.meta.main) {
  const { faults, bytes } = await checkScreen(BUILT);
  console.log(
    `/screen loads ${(bytes / 1000).toFixed(1)} kB of JavaScript, gzip (at most ${SCREEN_BUDGET / 1000} kB).`,
  );
  for (const fault of faults) console.error(fault);
  if (bytes === 0 || bytes > SCREEN_BUDGET)
    console.error(bytes === 0 ? 'There is no script of /screen.' : 'Too much script for /screen.');
  if (bytes === 0 || bytes > SCREEN_BUDGET || faults.length > 0) process.exitCode = 1;
}
