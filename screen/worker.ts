// The service worker of the television's page (decision 110). It caches the files of one build, so
// that a television that starts without a network shows its last state and not the browser's error
// page. It never caches answers of the API.

declare const self: ServiceWorkerGlobalScope;
/** The build fills these in (scripts/screen.ts): the paths of the page's files, and their hash. */
declare const BUILT_FILES: string[];
declare const BUILT_HASH: string;

const PAGE = '/screen';
const PREFIX = 'screen-';
const CACHE = PREFIX + BUILT_HASH;
/**
 * If no answer came after this time, the page comes from the cache, because a request on a lost
 * line may hang and never fail.
 */
const PATIENCE_MS = 8_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // Bypass the browser's own cache, which may have the page of an earlier build.
      await cache.addAll(
        [PAGE, ...BUILT_FILES].map((path) => new Request(path, { cache: 'reload' })),
      );
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.indexOf(PREFIX) === 0 && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

/**
 * Answers with the server's page, so that a reload gets a new version. If the server is away, the
 * page comes from the cache.
 */
async function page(request: Request): Promise<Response> {
  const cached = await caches.match(PAGE);
  if (cached === undefined) return fetch(request);
  const late = new Promise<Response>((done) => setTimeout(done, PATIENCE_MS, cached));
  const fresh = fetch(request).then(
    // Do not show a proxy's error, or the sign-in page of the venue's network.
    (answer) => (answer.status === 200 ? answer : cached),
    () => cached,
  );
  return Promise.race([fresh, late]);
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) || fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(page(request));
  else if (BUILT_FILES.indexOf(pathname) !== -1) event.respondWith(file(request));
});

export {};
