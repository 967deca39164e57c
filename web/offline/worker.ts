import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

// The service worker caches the files of one build, so that the app opens without a network. It
// never caches API responses: players' data is only in local storage.

declare const self: ServiceWorkerGlobalScope;
/** The build fills this in (scripts/service-worker.ts). */
declare const BUILT_FILES: { url: string; revision: string | null }[];

const PAGE = '/index.html';
/** The page with the profile's skeleton painted in. */
const PROFILE_PAGE = '/profile.html';
/** Paths that are opened like a page, but do not belong to this app. */
const NOT_THE_APP = /^\/(api|console|dev|health|metrics|screen)(\/|$)/;

const files = new PrecacheController();
files.addToCacheList(BUILT_FILES);

/** Some browsers and TypeScript's types lack `addRoutes`. */
type Routable = {
  addRoutes?(rule: { condition: { urlPattern: string }; source: 'network' }): Promise<void>;
};
self.addEventListener('install', (event: ExtendableEvent & Routable) => {
  // API calls bypass the worker, so that they do not wait for its start and do not keep an old
  // worker running (takeNewVersion).
  void event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
  void files.install(event);
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // `activate` deletes the previous build's files, which another tab may need.
      if (open.length <= 1) await files.activate(event);
    })(),
  );
});

/** This cache exists while the player has chosen the dark theme. */
const DARK = 'dark';

/** Answers with a page of the build, in the player's theme from the first paint (HAND-97). */
function page(file: string): ReturnType<typeof files.createHandlerBoundToURL> {
  const handle = files.createHandlerBoundToURL(file);
  return async (options) => {
    const answer = await handle(options);
    if (!(await caches.has(DARK))) return answer;
    const headers = new Headers(answer.headers);
    // These headers describe the bytes of the file, which change here.
    headers.delete('content-encoding');
    headers.delete('content-length');
    const html = await answer.text();
    return new Response(html.replace('<html ', '<html data-theme="dark" '), { headers });
  };
}

// The routes below answer with files and pages of the build.
registerRoute(new PrecacheRoute(files, { cleanURLs: false, directoryIndex: '' }));
registerRoute(
  new NavigationRoute(page(PROFILE_PAGE), {
    allowlist: [/^\/profile(\?|$)/],
  }),
);
registerRoute(new NavigationRoute(page(PAGE), { denylist: [NOT_THE_APP] }));
// Search all caches: a tab of the previous build needs files that the server no longer has.
registerRoute(
  ({ url }) => url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
);

// A new version waits until every tab is closed, or the player accepts it.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting();
  if (event.data === 'dark') event.waitUntil(caches.open(DARK));
  if (event.data === 'light') event.waitUntil(caches.delete(DARK));
});

/** The page that a notification opens if it names no page of this site. */
const HOME = '/profile';

type Shown = Record<'title' | 'body' | 'lang' | 'dir' | 'tag' | 'navigate', string>;

const DEFAULT_BRAND = 'Backboard';
const BRAND_TIMEOUT_MS = 2_000;

/** The product's name. The server writes it into the manifest. */
async function brand(): Promise<string> {
  try {
    const signal = AbortSignal.timeout(BRAND_TIMEOUT_MS);
    const answer = await fetch('/manifest.webmanifest', { signal });
    return (await answer.json()).name;
  } catch {
    return DEFAULT_BRAND;
  }
}

/** The words of a push message; none if the message is not one of ours. */
function shownBy(data: PushMessageData | null): Partial<Shown> {
  try {
    return data?.json().notification ?? {};
  } catch {
    return {};
  }
}

// Show a notification for every message, because browsers withdraw the permission from a site that
// does not (PUSH-42). Icons and links are our own, whatever the message says (P77).
self.addEventListener('push', (event) => {
  const {
    title,
    body = 'Something happened. Open the app.',
    lang = 'en',
    dir,
    tag = '',
    navigate = HOME,
  } = shownBy(event.data);
  event.waitUntil(
    (async () =>
      self.registration.showNotification(title ?? (await brand()), {
        body,
        lang,
        dir: dir === 'rtl' ? dir : 'ltr',
        tag,
        icon: '/icon-192.png',
        // A phone's status bar shows its shape alone.
        badge: '/badge-96.png',
        data: navigate,
      }))(),
  );
});

/** The page of this site that a notification leads to; another origin is never opened. */
function pageOf(link: unknown): string {
  const { origin } = self.location;
  try {
    const url = new URL(String(link), origin);
    if (url.origin === origin) return url.href;
  } catch {
    // The link is not an address.
  }
  return origin + HOME;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const page = pageOf(event.notification.data);
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: 'window' });
      const open = pages.find(({ url }) => !NOT_THE_APP.test(new URL(url).pathname));
      // This fails for a page that this worker does not control, such as one of an earlier build.
      const shown = await open?.navigate(page).catch(() => null);
      await (shown ? shown.focus() : self.clients.openWindow(page));
    })(),
  );
});
