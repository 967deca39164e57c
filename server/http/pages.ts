import type { FastifyReply, FastifyRequest } from 'fastify';
import { isConsolePage } from '#contract/rules/console-pages.ts';
import {
  codeInPath,
  idInPath,
  type LoginPage,
  OPEN_PATHS,
  PAINTED_NAME,
  PLAYER_PATHS,
} from '#contract/rules/pages.ts';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import type { Config } from '../config.ts';
import { type Compressed, compress, sendCompressed } from './compressed.ts';
import { type BuiltFiles, fileOf, readBuild, serveFiles } from './files.ts';
import { pagePolicy, screenHeaders } from './headers.ts';
import { html } from './html.ts';
import { offerCsrfToken, pathOf } from './requests.ts';
import type { App } from './scope.ts';

const OPEN = new Set<string>(OPEN_PATHS);
const PLAYER = new Set<string>(PLAYER_PATHS);
const hasCodeOrId = (path: string) => codeInPath(path) !== null || idInPath(path) !== null;
/** Any other path gets the app with 404 (PROD-03). */
const isPage = (path: string) => OPEN.has(path) || PLAYER.has(path) || hasCodeOrId(path);

const SCREEN_WORKER = 'worker.js';

const MANIFEST = 'manifest.webmanifest';

/** What the service worker caches, by path (scripts/service-worker.ts). */
const CACHED: Record<string, string> = {
  '/index.html': 'index.html',
  '/profile.html': 'profile.html',
};

/**
 * Puts the product's name into a page's title, `noscript`, and a meta element for web/ui/brand.ts.
 */
function branded(page: string, brand: string): string {
  return page
    .replace(/Backboard(?=<\/title>| needs JavaScript)/g, () => html`${brand}`.markup)
    .replace('</head>', () => `${html`<meta name="application-name" content="${brand}">`}</head>`);
}

function brandedManifest(files: BuiltFiles, name: string): string {
  const manifest = JSON.parse(fileOf(files, MANIFEST).toString());
  return JSON.stringify({ ...manifest, name, short_name: name });
}

function fileFor(
  path: string,
  { google, oidc }: ConfigAnswer,
): LoginPage | 'profile.html' | 'player.html' | 'index.html' {
  if (path === '/profile') return 'profile.html';
  if (PLAYER.has(path) || hasCodeOrId(path)) return 'player.html';
  if (path !== '/login') return 'index.html';
  const first = google === null ? '' : google.stand_in ? '-stand-in' : '-google';
  return `login${first}${oidc === null ? '' : '-oidc'}.html`;
}

/** The texts of the style sheets inside a page. */
const stylesIn = (page: string): string[] =>
  [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text);

type Page = { body: Compressed; policy: string };

/**
 * Returns a function that makes a path's page. The page contains the configuration, which saves a
 * request and a layout shift.
 */
function pageMaker(
  files: BuiltFiles,
  config: Pick<Config, 'public_url' | 'brand'>,
): (path: string, told: ConfigAnswer | null) => Page {
  const made = new Map<string, Page>();
  return (path, answer) => {
    const cached = CACHED[path];
    // A bare page requests the configuration. The service worker's pages are bare, because the
    // configuration can change.
    const bare = cached !== undefined || answer === null;
    const file = cached ?? (bare ? 'index.html' : fileFor(path, answer));
    const told = bare ? '' : JSON.stringify(answer);
    const key = `${file} ${told}`;
    const known = made.get(key);
    if (known) return known;
    const built = fileOf(files, file).toString();
    const template = branded(built, config.brand).replace(
      PAINTED_NAME,
      () => html`${answer?.oidc?.name ?? ''}`.markup,
    );
    const meta = html`<meta name="backboard-config" content="${told}">`;
    const page = told === '' ? template : template.replace('</head>', () => `${meta}</head>`);
    const fresh = {
      body: compress(page, { br: true }),
      policy: pagePolicy(config, stylesIn(built)),
    };
    made.set(key, fresh);
    return fresh;
  };
}

const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Compressed, known: boolean) =>
  sendCompressed(request, reply.code(known ? 200 : 404), page, 'text/html; charset=utf-8');

/** Serves the console below /console/ (STAFF-08). */
async function consolePages(app: App): Promise<void> {
  const files = await readBuild('console');
  if (files === null) return;
  const page = compress(fileOf(files, 'index.html'), { br: true });
  serveFiles(app, files, '/console/');
  app.get('/console', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/console/', 308),
  );
  app.get('/console/*', { schema: { hide: true } }, async (request, reply) =>
    sendPage(request, reply, page, isConsolePage(pathOf(request))),
  );
}

/**
 * Serves the web app, the console and the venue screen (P33). `known` returns the configuration, or
 * null while it is unknown.
 */
export async function pageRoutes(
  app: App,
  config: Pick<Config, 'public_url' | 'brand'>,
  known: () => ConfigAnswer | null,
): Promise<void> {
  await consolePages(app);
  await screenPage(app, config);
  const files = await readBuild('web');
  if (files === null) return;
  const pageAt = pageMaker(files, config);
  const manifest = brandedManifest(files, config.brand);
  serveFiles(app, files, '/', {
    // The routes below serve these files with the product's name in them.
    except: (path) => path.endsWith('.html') || path === MANIFEST,
  });
  app.get(`/${MANIFEST}`, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(manifest),
  );
  app.get(
    '/*',
    { schema: { hide: true } },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const path = pathOf(request);
      if (path.startsWith('/api/') || path.startsWith('/health/')) return reply.callNotFound();
      const plain = path.endsWith('/') ? path.slice(0, -1) : path;
      if (plain !== path && isPage(plain)) {
        // Do not redirect to `plain`: it is decoded, and a header must not have a line break.
        const [raw = ''] = request.url.split('?');
        return reply.redirect(raw.slice(0, -1) + request.url.slice(raw.length), 308);
      }
      offerCsrfToken(request, reply, config);
      const { body, policy } = pageAt(path, known());
      reply.header('content-security-policy', policy);
      // Search engines must not list the codes of teams and contests (LEAGUE-13).
      if (codeInPath(path) !== null) reply.header('x-robots-tag', 'noindex');
      return sendPage(request, reply, body, isPage(path) || path in CACHED);
    },
  );
}

async function screenPage(app: App, config: Pick<Config, 'public_url'>): Promise<void> {
  const files = await readBuild('screen');
  if (files === null) return;
  const page = compress(fileOf(files, 'index.html'), { br: true });
  serveFiles(app, files, '/screen/', {
    // Without this header, a worker controls only pages below its own folder, not `/screen`.
    headers: (path) => (path === SCREEN_WORKER ? { 'service-worker-allowed': '/screen' } : {}),
  });
  app.get('/screen', { schema: { hide: true } }, async (request, reply) => {
    reply.headers(screenHeaders(config));
    return sendPage(request, reply, page, true);
  });
}
