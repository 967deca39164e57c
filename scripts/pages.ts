import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest } from 'vite';
import type { ConfigAnswer } from '#contract/accounts.ts';

// Writes beside index.html the pages whose HTML differs by address, so that the phone begins with
// what it will need anyway. A process of its own, because React paints for production only in one.

const ROOT = join(import.meta.dirname, '..');
const [built = ''] = process.argv.slice(2);

/** What only decides whether there is a Google button, and what stands under it. */
const google = (stand_in: boolean) => ({
  client_id: '',
  authorization_endpoint: '',
  redirect_uri: '',
  stand_in,
});
const LOGIN_PAGES = {
  'login.html': null,
  'login-google.html': google(false),
  'login-stand-in.html': google(true),
};
/** The pages behind the sign-in; their code is fetched along with the app's instead of after it. */
const SCREENS = { 'profile.html': 'profile/Profile.tsx' };

/** Everything React wants in the head: what it would move there itself in a browser. */
const FOR_THE_HEAD = /<link [^>]*>|<title>.*?<\/title>/g;

async function loadScreen(): Promise<(google: ConfigAnswer['google']) => string> {
  // Inside the project, so that the packages are found.
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'prerender-'));
  try {
    await build({
      logLevel: 'warn',
      build: { ssr: 'prerender.tsx', outDir, copyPublicDir: false },
    });
    return (await import(pathToFileURL(join(outDir, 'prerender.js')).href)).loginScreen;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** The files that `source` needs: its own and all that it imports at once, none of them twice. */
function filesOf(manifest: Manifest, source: string): { scripts: string[]; styles: string[] } {
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next);
  };
  visit(source);
  const chunks = [...seen].flatMap((key) => manifest[key] ?? []);
  return {
    scripts: chunks.map(({ file }) => file),
    styles: [...new Set(chunks.flatMap(({ css = [] }) => css))],
  };
}

const index = await readFile(join(built, 'index.html'), 'utf8');
const manifest: Manifest = JSON.parse(await readFile(join(built, '.vite/manifest.json'), 'utf8'));
await rm(join(built, '.vite'), { recursive: true });

const screen = await loadScreen();
for (const [name, button] of Object.entries(LOGIN_PAGES)) {
  const painted = screen(button);
  const head = painted.match(FOR_THE_HEAD) ?? [];
  await writeFile(
    join(built, name),
    index
      // What is painted already needs its style and its letters first.
      .replaceAll(/<script |<link rel="modulepreload" /g, '$&fetchpriority="low" ')
      .replace(/<title>.*?<\/title>/, () => head.join(''))
      .replace(
        '<div id="root"></div>',
        () => `<div id="root" inert>${painted.replace(FOR_THE_HEAD, '')}</div>`,
      ),
  );
}
for (const [name, source] of Object.entries(SCREENS)) {
  const { scripts, styles } = filesOf(manifest, source);
  const missing = (path: string) => !index.includes(`"/${path}"`);
  const hints = [
    ...styles.filter(missing).map((path) => `<link rel="stylesheet" crossorigin href="/${path}">`),
    ...scripts
      .filter(missing)
      .map((path) => `<link rel="modulepreload" crossorigin href="/${path}">`),
  ];
  await writeFile(
    join(built, name),
    index.replace('</head>', () => `${hints.join('')}</head>`),
  );
}
