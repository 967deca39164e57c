import { tryToKeep } from '../ui/storage.ts';

const WORKER = '/sw.js';
/** While a newer build waits, this key's value is the running build. */
const WAITING_KEY = 'new_version';

declare global {
  interface Window {
    /** Some browsers and TypeScript's DOM types lack this property. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(input: string): string };
    };
  }
}

/** The worker's address, as Trusted Types require it. No other is allowed (P32). */
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
  if (registration.waiting) tryToKeep(localStorage, WAITING_KEY, build());
  else localStorage.removeItem(WAITING_KEY);
}

let asked = false;

/**
 * Installs the service worker once per page load, and stores for the next page load whether a new
 * version waits.
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
 * Whether a newer build waits. Synchronous, so that the first paint includes the offer and nothing
 * moves (LOOK-63).
 */
export function isNewVersionWaiting(): boolean {
  return localStorage.getItem(WAITING_KEY) === build();
}

/**
 * The longest wait before the page reloads. Chromium usually stops the old worker within a second.
 * If another tab sends that worker a request in this second, Chromium waits until the worker has
 * had no requests for half a minute.
 */
const TAKE_OVER_MS = 45_000;

/** Activates the waiting version and reloads the page (PROD-41). */
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
