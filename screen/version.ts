import { hourOf, type Zone } from './time.ts';

/** The hour at the venue when screens load new versions (PROD-115). */
const LOADED_AT = 4;
const SCRIPT = /\/screen\/assets\/[\w.-]+\.js/;

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
 * Returns a function to call regularly: between 04:00 and 05:00 at the venue, it calls `reload` if
 * the server has a new version. While the server is away it does nothing: a reload could lose the
 * page.
 */
export function nightlyUpdate(reload: () => void): (at: number, zone: Zone) => Promise<void> {
  const own = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  let doneOn = -1;
  let busy = false;
  return async (at, zone) => {
    const { hour, day } = hourOf(at, zone);
    if (hour !== LOADED_AT || doneOn === day || busy) return;
    busy = true;
    const script = await scriptOnServer();
    busy = false;
    if (script === null) return;
    doneOn = day;
    if (own.indexOf(script) === -1) reload();
  };
}
