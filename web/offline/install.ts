const WORKER = '/sw.js';
/** The storage key of the build that found a newer build waiting. */
const WAITING_KEY = 'new_version';

declare global {
  interface Window {
    /** Missing in some browsers, and in TypeScript's DOM types. */
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
 * Installs the service worker, once per page load, and stores for the next load whether a new
 * version is waiting. If the installation fails, the app works, but not offline.
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
 * Chromium usually stops the old worker within a second. If another tab wakes the old worker in
 * that second, Chromium stops it only after half a minute without requests. The page reloads after
 * this time at the latest.
 */
const TAKE_OVER_MS = 45_000;

/** Activates the new version and reloads the page from it. */
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
    // Without a secure context neither exists. Neither contains data of players anyway.
    console.warn('The service worker and its caches could not be removed.', error);
  }
}
