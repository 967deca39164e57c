const WORKER = '/screen/worker.js';
const SCOPE = '/screen';
const RETRY_MS = 20_000;

type Policies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string };
};

/** The address in the form that Trusted Types require; the policy allows no other (P66). */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  if (trustedTypes === undefined) return WORKER;
  const policy = trustedTypes.createPolicy('screen-worker', { createScriptURL: () => WORKER });
  return policy.createScriptURL(WORKER);
}

/**
 * Installs the service worker, so that the page opens without a network after a power cut
 * (PROD-114). Over plain http, only localhost can have one.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const address = workerAddress();
  const install = () => {
    serviceWorker.register(address, { scope: SCOPE }).catch(() => {
      // With a network, the page works without the worker.
    });
  };
  install();
  // Retry: the page may not load again for months.
  const timer = setInterval(() => {
    if (serviceWorker.controller === null) install();
    else clearInterval(timer);
  }, RETRY_MS);
}
