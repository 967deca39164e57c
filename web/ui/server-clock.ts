/** A smaller difference may come from a Date header's whole seconds and a call's duration. */
const EXACT_MS = 2_000;

/** Server time minus the device's time, in ms: the date of a phone may be wrong (PROD-166). */
let ahead = 0;
const listeners = new Set<() => void>();

/**
 * Learns the server's time from an answer's Date header, or from any other form of a date. The
 * answer took `tookMs`, and the server may have read its clock at any moment within that time.
 */
export function hearServerTime(date: string | null, tookMs = 0): void {
  const latest = Date.parse(date ?? '') - Date.now();
  const fits = (ms: number) => ms > latest - EXACT_MS && ms < latest + tookMs + EXACT_MS;
  if (Number.isNaN(latest) || fits(ahead)) return;
  ahead = fits(0) ? 0 : latest;
  for (const listener of listeners) listener();
}

/** The server's time in ms since 1970; before the first answer, the device's. */
export const serverNow = (): number => Date.now() + ahead;

export const serverDate = (): Date => new Date(serverNow());

/** Calls `listener` when the difference to the device changes. Returns a function to stop. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
