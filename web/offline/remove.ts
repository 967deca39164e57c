/** Removes the worker and all caches. */
export async function removeWorker(): Promise<void> {
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister();
  } catch (error) {
    // Without https there is no worker and no cache.
    console.warn('The service worker and its caches could not be removed.', error);
  }
}
