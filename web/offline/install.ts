const WORKER = '/sw.js';
/** Holds the build during which a newer one was seen waiting. */
const WAITING_KEY = 'new_version';

declare global {
  interface Window {
    /** Not in every browser, and not in TypeScript's description of it. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(input: string): string };
    };
  }
}

/** The one address that may become a worker, in the form that Trusted Types ask for (P32). */
function workerAddress(): string {
  const policy = window.trustedTypes?.createPolicy('service-worker', {
    createScriptURL: () => WORKER,
  });
  return policy?.createScriptURL(WORKER) ?? WORKER;
}

/** Which build this page is, told by the address of its first script. */
function build(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
}

function note(registration: ServiceWorkerRegistration): void {
  if (registration.waiting) localStorage.setItem(WAITING_KEY, build());
  else localStorage.removeItem(WAITING_KEY);
}

let asked = false;

/**
 * Installs the service worker, once for each load of the page, and notes for the next load whether
 * a new version waits. Where it cannot be installed the app works as before, only not offline.
 */
export async function installWorker(): Promise<void> {
  if (asked || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  asked = true;
  try {
    await navigator.serviceWorker.register(workerAddress());
  } catch (error) {
    console.warn('The app could not be made ready for use without a network.', error);
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
 * Whether a new version was already waiting when this page was loaded. Known without asking the
 * worker, so that the offer is there in the first picture and moves nothing.
 */
export function isNewVersionWaiting(): boolean {
  return localStorage.getItem(WAITING_KEY) === build();
}

/**
 * Chromium stops the old worker within a second; one that another tab has woken in that second goes
 * on until it has been idle for half a minute. After this long the page is loaded in any case.
 */
const TAKE_OVER_MS = 45_000;

/** Lets the new version take over, and loads the page again from it. */
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

/** Takes the worker and all that it keeps from this browser; what cannot be taken is left alone. */
export async function removeWorker(): Promise<void> {
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister();
  } catch (error) {
    // Without a secure context there is neither, and nothing of a player lies there.
    console.warn('The kept files of the app could not be removed.', error);
  }
}
