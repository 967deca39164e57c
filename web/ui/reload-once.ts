const MINUTE_MS = 60_000;

/**
 * Reloads the page after an unexpected error, for example when a new version has replaced the files
 * that an open page still asks for (PROD-161). Returns false if the page was reloaded within the
 * last minute, or if the server cannot be reached: a reload would then lose the page.
 */
export async function reloadOnce(): Promise<boolean> {
  const [load] = performance.getEntriesByType('navigation');
  const reloaded = load instanceof PerformanceNavigationTiming && load.type === 'reload';
  if (reloaded && performance.now() < MINUTE_MS) return false;
  try {
    await fetch('/health/live', { cache: 'no-store' });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}
