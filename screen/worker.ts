// The television's service worker (decision 110) caches the files of one build, so that the page
// starts without a network. It never caches the API's answers.

declare const self: ServiceWorkerGlobalScope;
/** Filled in by the build: the files' paths and hash (scripts/screen.ts). */
declare const BUILT_FILES: string[];
declare const BUILT_HASH: string;

const PAGE = '/screen';
const PREFIX = 'screen-';
const CACHE = PREFIX + BUILT_HASH;
/** If the server takes longer, the page comes from the cache. */
const PATIENCE_MS = 8_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // The HTTP cache may have an earlier build's page.
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

/** The server's page, so that a reload brings a new version; without the server, the cached one. */
async function page(request: Request): Promise<Response> {
  const cached = await caches.match(PAGE);
  if (cached === undefined) return fetch(request);
  const late = new Promise<Response>((done) => setTimeout(done, PATIENCE_MS, cached));
  const fresh = fetch(request).then(
    // Never show a proxy's error, or a network's sign-in page.
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
