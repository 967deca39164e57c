import { tryToKeep } from './storage.ts';

const MINUTE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 5_000;
/** When this tab was last reloaded after an error, in ms since 1970. */
const RELOADED_KEY = 'reloaded_at';

/**
 * Reloads the page after an unexpected error, for example when a new version has replaced the files
 * that an open page still asks for (PROD-161). Returns false if the page was reloaded within the
 * last minute, or if the server cannot be reached: a reload would then lose the page.
 */
export async function reloadOnce(): Promise<boolean> {
  const [load] = performance.getEntriesByType('navigation');
  const reloaded = load instanceof PerformanceNavigationTiming && load.type === 'reload';
  if (reloaded && performance.now() < MINUTE_MS) return false;
  const since = Date.now() - Number(sessionStorage.getItem(RELOADED_KEY));
  if (since >= 0 && since < MINUTE_MS) return false;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    await fetch('/health/live', { cache: 'no-store', signal });
  } catch {
    return false;
  }
  tryToKeep(sessionStorage, RELOADED_KEY, String(Date.now()));
  window.location.reload();
  return true;
}
