import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'lightningcss';
import { build, type Manifest } from 'vite';
import { type LoginPage, PAINTED_NAME } from '#contract/rules/pages.ts';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';

// Writes prerendered pages beside index.html: a phone paints before any script runs (decisions 021
// and 024). Each page has its style inside, so it paints without a second request (decision 150).
// Runs in its own process, because React reads NODE_ENV when loaded.

const ROOT = join(import.meta.dirname, '..');
const [built = ''] = process.argv.slice(2);

type Providers = Pick<ConfigAnswer, 'google' | 'oidc'>;

const ADDRESSES = { client_id: '', authorization_endpoint: '', redirect_uri: '' };
/** The server replaces `name` (server/http/pages.ts). */
const OIDC = { ...ADDRESSES, name: PAINTED_NAME };

/** Each login page's providers, which decide its buttons and note. */
const LOGIN_PAGES: Record<LoginPage, Providers> = {
  'login.html': { google: null, oidc: null },
  'login-google.html': { google: { ...ADDRESSES, stand_in: false }, oidc: null },
  'login-stand-in.html': { google: { ...ADDRESSES, stand_in: true }, oidc: null },
  'login-oidc.html': { google: null, oidc: OIDC },
  'login-google-oidc.html': { google: { ...ADDRESSES, stand_in: false }, oidc: OIDC },
  'login-stand-in-oidc.html': { google: { ...ADDRESSES, stand_in: true }, oidc: OIDC },
};

/** These tags go into the head. In a browser, React moves them there. */
const FOR_THE_HEAD = /<link [^>]*>|<title>.*?<\/title>/g;

type Painters = {
  loginPage(providers: Providers): string;
  profileFrame(): string;
};

async function loadPainters(): Promise<Painters> {
  // Build inside the project, so that the output can import packages.
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'prerender-'));
  try {
    await build({
      logLevel: 'warn',
      build: { ssr: 'paint/prerender.tsx', outDir, copyPublicDir: false },
    });
    return await import(pathToFileURL(join(outDir, 'prerender.js')).href);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

const LINKED_STYLE = /\s*<link rel="stylesheet" crossorigin href="\/([^"]+)">/g;

/** The page with the text of its style sheets in place of the links, and `more` after it. */
async function withStyles(page: string, more = ''): Promise<string> {
  const paths = [...page.matchAll(LINKED_STYLE)].map(([, path = '']) => join(built, path));
  const sheets = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return page
    .replaceAll(LINKED_STYLE, '')
    .replace('</head>', () => `<style>${[...sheets, more].join('').trim()}</style></head>`);
}

/** The rules of a style sheet for the classes that `html` has. */
async function rulesFor(html: string, path: string): Promise<string> {
  const code = await readFile(join(built, path));
  const has = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, all = '']) => all.split(/\s+/)),
  );
  const named = [...code.toString().matchAll(/\.([\w-]*[A-Za-z_][\w-]*)/g)].map(
    ([, name = '']) => name,
  );
  const unusedSymbols = named.filter((name) => !has.has(name));
  return transform({ filename: path, code, minify: true, unusedSymbols }).code.toString();
}

const linked = await readFile(join(built, 'index.html'), 'utf8');
const index = await withStyles(linked);
const manifest: Manifest = JSON.parse(await readFile(join(built, '.vite/manifest.json'), 'utf8'));
await rm(join(built, '.vite'), { recursive: true });
await writeFile(join(built, 'index.html'), index);

const { loginPage, profileFrame } = await loadPainters();
const ROOT_ELEMENT = '<div id="root"></div>';
const late = (page: string) =>
  page.replaceAll(/<script |<link rel="modulepreload" /g, '$&fetchpriority="low" ');
const painted = late(index);

for (const [name, providers] of Object.entries(LOGIN_PAGES)) {
  const page = loginPage(providers);
  const head = page.match(FOR_THE_HEAD) ?? [];
  await writeFile(
    join(built, name),
    painted
      .replace(/<title>.*?<\/title>/, () => head.join(''))
      .replace(ROOT_ELEMENT, () => `<div id="root">${page.replace(FOR_THE_HEAD, '')}</div>`),
  );
}

// Load the player's chunk, with the profile in it, in parallel with the app's (vite.config.ts).
const player = Object.values(manifest).find(
  ({ name, file }) => name === 'player' && /js$/.test(file),
);
if (player === undefined) throw new Error('The build has no chunk for a player.');
const frame = profileFrame().replace(FOR_THE_HEAD, '');
const sheets = player.css ?? [];
const rules = await Promise.all(sheets.map((path) => rulesFor(frame, path)));
const hints = [
  ...sheets.map((path) => `<link rel="preload" as="style" crossorigin href="/${path}">`),
  `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${player.file}">`,
];
await writeFile(
  join(built, 'player.html'),
  index.replace('</head>', () => `${hints.join('')}</head>`),
);
await writeFile(
  join(built, 'profile.html'),
  late(await withStyles(linked, rules.join('')))
    .replace('</head>', () => `${hints.join('')}</head>`)
    .replace(
      ROOT_ELEMENT,
      () => `${ROOT_ELEMENT}<div id="frame" inert aria-hidden="true">${frame}</div>`,
    ),
);
