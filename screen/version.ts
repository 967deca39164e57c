import { hourOf } from './time.ts';

/** The hour of the venue at which a new version is loaded (PROD-115). */
const LOADED_AT = 4;
const SCRIPT = /\/screen\/assets\/[\w.-]+\.js/;

/** Reads which script the server's page has now; null when the page cannot be read. */
async function scriptOnServer(): Promise<string | null> {
  try {
    const answer = await fetch('/screen', { cache: 'no-store', credentials: 'omit' });
    const found = answer.status === 200 ? SCRIPT.exec(await answer.text()) : null;
    return found === null ? null : found[0];
  } catch {
    return null;
  }
}

/**
 * Loads a new version in the hour from 04:00 of the venue. Returns the function to call now and
 * then. It loads nothing while the server cannot be read: the page would be lost.
 */
export function nightlyUpdate(reload: () => void): (at: number, offset: number) => Promise<void> {
  const own = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  let doneOn = -1;
  let busy = false;
  return async (at, offset) => {
    const { hour, day } = hourOf(at, offset);
    if (hour !== LOADED_AT || doneOn === day || busy) return;
    busy = true;
    const script = await scriptOnServer();
    busy = false;
    if (script === null) return;
    doneOn = day;
    if (own.indexOf(script) === -1) reload();
  };
}
