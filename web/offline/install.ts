const WORKER = '/sw.js';
/** Stores the build that saw a newer one waiting. */
const WAITING_KEY = 'new_version';

declare global {
  interface Window {
    /** Not in every browser, nor in TypeScript's DOM types. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(input: string): string };
    };
  }
}

/** The only address allowed as a worker, in the form that Trusted Types require (P32). */
function workerAddress(): string {
  const policy = window.trustedTypes?.createPolicy('service-worker', {
    createScriptURL: () => WORKER,
  });
  return policy?.createScriptURL(WORKER) ?? WORKER;
}

/** This page's build, identified by the address of its first script. */
function build(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
}

function note(registration: ServiceWorkerRegistration): void {
  if (registration.waiting) localStorage.setItem(WAITING_KEY, build());
  else localStorage.removeItem(WAITING_KEY);
}

let asked = false;

/**
 * Installs the service worker, once a page load, and stores for the next load whether a new version
 * is waiting. Where it cannot be installed the app works, but not offline.
 */
export async function installWorker(): Promise<void> {
  if (asked || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  asked = true;
  try {
    await navigator.serviceWorker.register(workerAddress());
  } catch (error) {
    console.warn('The service worker could not be installed; the app needs a network.', error);
    return;
  }
  const registration = await navigator.serviceWorker.ready;
  const watch = () => registration.installing?.addEventListener('statechange', seen);
  const seen = () => note(registration);
  seen();
  watch();
  registration.addEventListener('updatefound', watch);
}

/**
 * Whether a new version was already waiting when this page was loaded. Synchronous, so that the offer
 * is in the first paint and moves nothing (LOOK-63).
 */
export function isNewVersionWaiting(): boolean {
  return localStorage.getItem(WAITING_KEY) === build();
}

/**
 * Chromium stops the old worker within a second, but one that another tab wakes in that second only
 * after half a minute of idling. After this long the page reloads in any case.
 */
const TAKE_OVER_MS = 45_000;

/** Lets the new version take over and reloads the page from it. */
export async function takeNewVersion(): Promise<void> {
  localStorage.removeItem(WAITING_KEY);
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting;
  if (!waiting) return window.location.reload();
  setTimeout(() => window.location.reload(), TAKE_OVER_MS);
  waiting.addEventListener('statechange', () => {
    if (waiting.state === 'activated') window.location.reload();
  });
  waiting.postMessage('take over');
}

/** Removes the worker and its caches from this browser, as far as possible. */
export async function removeWorker(): Promise<void> {
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister();
  } catch (error) {
    // Without a secure context there is neither; no data of a player is in them anyway.
    console.warn('The service worker and its caches could not be removed.', error);
  }
}
