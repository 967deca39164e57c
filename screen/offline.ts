const WORKER = '/screen/worker.js';
const SCOPE = '/screen';
const RETRY_MS = 20_000;

type Policies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string };
};

/**
 * The worker's address, in the form that Trusted Types require. No other address is allowed (P66).
 */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  if (trustedTypes === undefined) return WORKER;
  const policy = trustedTypes.createPolicy('screen-worker', { createScriptURL: () => WORKER });
  return policy.createScriptURL(WORKER);
}

/**
 * Installs the service worker, so that the page opens even when there is no network after a power
 * cut (PROD-114). Browsers have service workers only over https and on localhost. Elsewhere this
 * does nothing.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const address = workerAddress();
  const install = () => {
    serviceWorker.register(address, { scope: SCOPE }).catch(() => {
      // A failure does no harm: with a network, the page works without the worker.
    });
  };
  install();
  // Keep trying, because the network may fail during the installation, and the page may not load
  // again for months.
  const timer = setInterval(() => {
    if (serviceWorker.controller === null) install();
    else clearInterval(timer);
  }, RETRY_MS);
}
