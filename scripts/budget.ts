import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUILT = join(import.meta.dirname, '../web/dist');
const CONSOLE = join(import.meta.dirname, '../console/dist');
/** The most bytes of JavaScript for /login, gzipped. */
export const JS_BUDGET = 90_000;

/** The same with the scripts of the later steps, which load once a field has the focus. */
const STEPS_JS_BUDGET = 91_000;

/** The most bytes of scripts that the profile's page names, gzipped. */
const PROFILE_JS_BUDGET = 124_000;

/** The most bytes of scripts for any page of the console, gzipped (STAFF-08). */
export const CONSOLE_JS_BUDGET = 150_000;

/** For each app, an API path that only its scripts contain. Minifiers keep it. */
const ONLY_IN = { player: '/api/users/', console: '/api/console/' };

export interface Weight {
  js: number;
  css: number;
  fonts: number;
}

/**
 * The bytes of the scripts, style sheets (both gzipped) and fonts that a page in `folder` has or
 * names. Vite lists static imports there, but not chunks that are loaded later.
 */
export async function weigh(folder: string, page = 'index.html'): Promise<Weight> {
  const html = await readFile(join(folder, page), 'utf8');
  const weight: Weight = { js: 0, css: 0, fonts: 0 };
  for (const [text] of html.matchAll(/<style>.*?<\/style>/gs)) weight.css += gzipSync(text).length;
  for (const [, path = '', kind] of html.matchAll(/(?:src|href)="(\/[^"]+\.(js|css|woff2))"/g)) {
    const file = await readFile(join(folder, path));
    if (kind === 'js') weight.js += gzipSync(file).length;
    else if (kind === 'css') weight.css += gzipSync(file).length;
    else weight.fonts += file.length;
  }
  return weight;
}

/**
 * The bytes, gzipped, of the scripts that each script in `folder` needs before it runs: itself and
 * its static imports.
 */
async function loads(folder: string): Promise<Map<string, number>> {
  const own = new Map<string, { bytes: number; needs: string[] }>();
  for await (const path of glob('**/*.js', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8');
    const needs = [...text.matchAll(/\bfrom"\.\/([^"]+)"|\bimport"\.\/([^"]+)"/g)];
    own.set(basename(path), {
      bytes: gzipSync(text).length,
      needs: needs.map(([, from, bare]) => from ?? bare ?? ''),
    });
  }
  const gather = (name: string, into = new Set<string>()): Set<string> => {
    if (into.has(name)) return into;
    into.add(name);
    for (const needed of own.get(name)?.needs ?? []) gather(needed, into);
    return into;
  };
  return new Map(
    [...own.keys()].map((name) => {
      const bytes = [...gather(name)].map((needed) => own.get(needed)?.bytes ?? 0);
      return [name, bytes.reduce((sum, more) => sum + more, 0)];
    }),
  );
}

/**
 * `js`: the bytes of the scripts of the console's heaviest page, gzipped. `strays`: a message for
 * each script of the player's app with the path of the console's API, or the reverse, and for each
 * address outside /console/ that the console's page loads.
 */
export async function weighConsole(
  player: string,
  folder: string,
): Promise<{ js: number; strays: string[] }> {
  const strays: string[] = [];
  for (const [root, foreign] of [
    [folder, ONLY_IN.player],
    [player, ONLY_IN.console],
  ] as const)
    for await (const path of glob('**/*.js', { cwd: root }))
      if ((await readFile(join(root, path), 'utf8')).includes(foreign))
        strays.push(`${path} has ${foreign}`);
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
    if (!address.startsWith('/console/')) strays.push(`the console's page loads ${address}`);
  return { js: Math.max(0, ...(await loads(folder)).values()), strays };
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
  const steps = Math.max(
    0,
    ...[...(await loads(BUILT))].map(([name, bytes]) =>
      name.startsWith('later-steps') ? bytes : 0,
    ),
  );
  console.log(
    `With all its steps, /login loads ${kilobytes(steps)} of JavaScript, gzip (at most ${kilobytes(STEPS_JS_BUDGET)}).`,
  );
  if (steps <= js || steps > STEPS_JS_BUDGET) {
    console.error('Too much JavaScript for the later steps of /login.');
    process.exitCode = 1;
  }
  const profile = await weigh(BUILT, 'profile.html');
  console.log(
    `/profile loads ${kilobytes(profile.js)} of JavaScript, gzip (at most ${kilobytes(PROFILE_JS_BUDGET)}).`,
  );
  if (profile.js <= js || profile.js > PROFILE_JS_BUDGET) {
    console.error('Too much JavaScript for /profile, or profile.html does not name it.');
    process.exitCode = 1;
  }
  const console_ = await weighConsole(BUILT, CONSOLE);
  console.log(
    `A page of the console loads at most ${kilobytes(console_.js)} of JavaScript, gzip (of ${kilobytes(CONSOLE_JS_BUDGET)}).`,
  );
  for (const stray of console_.strays) console.error(stray);
  if (console_.js === 0 || console_.js > CONSOLE_JS_BUDGET || console_.strays.length > 0) {
    console.error('The console is too large, or shares code with the player’s app.');
    process.exitCode = 1;
  }
}
