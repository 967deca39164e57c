import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUILT = join(import.meta.dirname, '../web/dist');
/** The limit for the JavaScript of /login, gzipped, in bytes. */
export const JS_BUDGET = 90_000;

/** Bytes that /login loads: JavaScript and style sheets gzipped, fonts as they are. */
export interface Weight {
  js: number;
  css: number;
  fonts: number;
}

/**
 * Measures what `index.html` in `folder` loads: the scripts with their static imports (which Vite
 * lists), the style sheets and the preloaded fonts. Chunks that later steps load do not count.
 */
export async function weigh(folder: string): Promise<Weight> {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const weight: Weight = { js: 0, css: 0, fonts: 0 };
  for (const [, path = '', kind] of html.matchAll(/(?:src|href)="(\/[^"]+\.(js|css|woff2))"/g)) {
    const file = await readFile(join(folder, path));
    if (kind === 'js') weight.js += gzipSync(file).length;
    else if (kind === 'css') weight.css += gzipSync(file).length;
    else weight.fonts += file.length;
  }
  return weight;
}

if (import.meta.main) {
  const { js, css, fonts } = await weigh(BUILT);
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    `/login loads ${kilobytes(js)} of JavaScript (at most ${kilobytes(JS_BUDGET)}), ${kilobytes(css)} of style, both gzip, and ${kilobytes(fonts)} of fonts.`,
  );
  if (js === 0 || js > JS_BUDGET) {
    console.error(js === 0 ? 'No script found in index.html.' : 'Too much JavaScript for /login.');
    process.exitCode = 1;
  }
}
