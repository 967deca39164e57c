import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

// The service worker: it keeps the files of one build, so that the app opens without a network.
// Answers of the API never pass through here; what is known of a player lies in local storage alone.

declare const self: ServiceWorkerGlobalScope;
/** The files of this build; written in by the build. */
declare const BUILT_FILES: { url: string; revision: string | null }[];

const PAGE = '/index.html';
/** The page with the profile's boxes painted, and its code. */
const PROFILE_PAGE = '/profile.html';
/** What the server answers itself, though a browser may open it like a page. */
const NOT_A_SCREEN = /^\/(api|dev|health|metrics)(\/|$)/;

const files = new PrecacheController();
files.addToCacheList(BUILT_FILES);

/** Not in every browser, and not in TypeScript's description of it. */
type Routable = {
  addRoutes?(rule: { condition: { urlPattern: string }; source: 'network' }): Promise<void>;
};
self.addEventListener('install', (event: ExtendableEvent & Routable) => {
  // Calls go past the worker: they do not wait for it to start, and one that another tab makes at
  // the wrong moment does not keep this version from giving way (takeNewVersion).
  void event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
  void files.install(event);
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // Another tab may still run the build before this one, and load a page of it later.
      if (open.length <= 1) await files.activate(event);
    })(),
  );
});

registerRoute(new PrecacheRoute(files));
registerRoute(
  new NavigationRoute(files.createHandlerBoundToURL(PROFILE_PAGE), {
    allowlist: [/^\/profile(\?|$)/],
  }),
);
registerRoute(
  new NavigationRoute(files.createHandlerBoundToURL(PAGE), { denylist: [NOT_A_SCREEN] }),
);
// What such a tab asks for; the server has only the newest build.
registerRoute(
  ({ url }) => url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
);

// A new version waits until every tab is closed, or until the player asks for it.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting();
});
